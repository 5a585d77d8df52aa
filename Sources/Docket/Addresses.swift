// Network addresses and the public address: who a request comes from, and what we are called from outside.
// Forwarded fields count only where the peer is a listed proxy (FAULTS A14).

import HTTP

/// The address that people use, where it is not the one that the request names: scheme, authority, base path.
public struct PublicURL: Sendable, Equatable {
    /// True for `https`.
    public let isSecure: Bool
    /// Host and port as a browser writes them in Origin.
    public let authority: String
    /// Empty, or a path without a slash at its end, as `/docket`.
    public let basePath: String

    /// Reads `https://home.example/docket`; nil for anything else than http or https, a host and a path.
    public init?(_ text: String) {
        let secure = "https://"
        let plain = "http://"
        let rest: Substring
        if text.utf8.starts(with: secure.utf8) {
            isSecure = true
            rest = text.dropFirst(secure.count)
        } else if text.utf8.starts(with: plain.utf8) {
            isSecure = false
            rest = text.dropFirst(plain.count)
        } else {
            return nil
        }
        let end = rest.firstIndex(of: "/") ?? rest.endIndex
        let host = rest[..<end]
        var path = rest[end...]
        while path.last == "/" { path.removeLast() }
        let allowed = (host + path).utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"), UInt8(ascii: "["),
                UInt8(ascii: "]"), UInt8(ascii: "/"):
                true
            default: false
            }
        }
        guard !host.isEmpty, allowed else { return nil }
        authority = host.lowercased()
        basePath = String(path)
    }

    /// `https://home.example`, as in Origin.
    public var origin: String { (isSecure ? "https://" : "http://") + authority }
}

/// An IPv4 or IPv6 network in CIDR form; a single address is one of full length.
public struct AddressRange: Sendable, Equatable {
    private let bytes: [UInt8]
    private let prefix: Int

    /// Reads `10.0.0.0/8`, `::1`, `192.168.1.7`.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let bytes = Self.parse(String(parts[0])) else { return nil }
        self.bytes = bytes
        if parts.count == 2 {
            guard let length = Int(digits: parts[1].utf8), length <= bytes.count * 8 else { return nil }
            prefix = length
        } else {
            prefix = bytes.count * 8
        }
    }

    /// True where the address, as text, lies in the network. `::ffff:10.0.0.1` is 10.0.0.1.
    public func contains(_ address: String) -> Bool {
        guard let other = Self.parse(address), other.count == bytes.count else { return false }
        for bit in 0..<prefix where (bytes[bit / 8] ^ other[bit / 8]) & (0x80 >> UInt8(bit % 8)) != 0 { return false }
        return true
    }

    /// The 4 or 16 bytes of an address, nil where it is none.
    static func parse(_ text: String) -> [UInt8]? {
        if !text.utf8.contains(UInt8(ascii: ":")) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let bytes = parts.compactMap { part in
                part.utf8.count <= 3 ? Int(digits: part.utf8).flatMap { UInt8(exactly: $0) } : nil
            }
            return parts.count == 4 && bytes.count == 4 ? bytes : nil
        }
        let address = text.prefix { $0 != "%" }  // without the zone of a link-local address
        let halves = halved(address)
        guard let halves, let head = groups(halves.0), let tail = groups(halves.1 ?? "") else { return nil }
        let missing = 16 - head.count - tail.count
        guard halves.1 == nil ? missing == 0 : missing >= 2 else { return nil }
        let bytes = head + Array(repeating: 0, count: missing) + tail
        let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        return bytes.starts(with: mapped) ? Array(bytes.suffix(4)) : bytes
    }

    private static func halved(_ text: Substring) -> (Substring, Substring?)? {
        let bytes = Array(text.utf8)
        var found: Int?
        for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: ":") && bytes[index + 1] == UInt8(ascii: ":") {
            if found != nil { return nil }
            found = index
        }
        guard let found else { return (text, nil) }
        let middle = text.utf8.index(text.startIndex, offsetBy: found)
        return (text[..<middle], text[text.utf8.index(middle, offsetBy: 2)...])
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, part.utf8.contains(UInt8(ascii: ".")) {
                guard let four = parse(String(part)) else { return nil }
                bytes += four
            } else {
                guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0.isHexDigit }),
                    let value = UInt16(part, radix: 16)
                else {
                    return nil
                }
                bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
            }
        }
        return bytes
    }
}
