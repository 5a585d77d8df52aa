// `uri-host [ ":" port ]` (RFC 3986 section 3.2, RFC 9110 section 7.2): what a Host field and an absolute-form target may name.
// Refused: no host, user information, a port over 65535, an IP literal that is no IPv6 address.

/// A check of authorities.
public enum Authority {
    /// True where the text is a host with an optional port.
    public static func isValid(_ text: String) -> Bool { isValid(Array(text.utf8)[...]) }

    static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        let rest: ArraySlice<UInt8>
        if first == UInt8(ascii: "[") {
            guard let close = bytes.firstIndex(of: UInt8(ascii: "]")), isIPv6(bytes[(bytes.startIndex + 1)..<close]) else {
                return false
            }
            rest = bytes[(close + 1)...]
        } else {
            let end = bytes.firstIndex(of: Ascii.colon) ?? bytes.endIndex
            guard isRegisteredName(bytes[..<end]) else { return false }
            rest = bytes[end...]
        }
        guard let colon = rest.first else { return true }
        guard colon == Ascii.colon else { return false }
        let port = rest.dropFirst()
        guard !port.isEmpty else { return true }
        guard let number = Grammar.decimal(port, digits: 5) else { return false }
        return number <= 65535
    }

    private static func isRegisteredName(_ name: ArraySlice<UInt8>) -> Bool {
        guard !name.isEmpty else { return false }
        var index = name.startIndex
        while index < name.endIndex {
            if name[index] == Ascii.percent {
                guard index + 2 < name.endIndex, Grammar.hexValue(name[index + 1]) != nil,
                    Grammar.hexValue(name[index + 2]) != nil
                else { return false }
                index += 2
            } else if !Grammar.isUnreserved(name[index]), !Grammar.isSubDelimiter(name[index]) {
                return false
            }
            index += 1
        }
        return true
    }

    /// `IPv6address`: eight groups of one to four hexadecimal digits, one run of them shortened to `::`, the last two as IPv4.
    private static func isIPv6(_ address: ArraySlice<UInt8>) -> Bool {
        guard address.count >= 2 else { return false }
        let parts = address.split(separator: Ascii.colon, omittingEmptySubsequences: false)
        var groups = 0
        for (index, part) in parts.enumerated() where !part.isEmpty {
            if index == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                guard isIPv4(part) else { return false }
                groups += 2
            } else {
                guard part.count <= 4, part.allSatisfy({ Grammar.hexValue($0) != nil }) else { return false }
                groups += 1
            }
        }
        // `::` leaves one empty part inside, or two at an end (`::1`, `1::`), three alone (`::`).
        let leading = parts.first?.isEmpty == true
        let trailing = parts.last?.isEmpty == true
        let inner = parts.dropFirst().dropLast().count { $0.isEmpty }
        if inner == 0 { return !leading && !trailing && groups == 8 }
        return inner == 1 && groups <= 7 && (!leading || parts[1].isEmpty) && (!trailing || parts[parts.count - 2].isEmpty)
    }

    private static func isIPv4(_ address: ArraySlice<UInt8>) -> Bool {
        let parts = address.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                guard let number = Grammar.decimal(part, digits: 3) else { return false }
                return number <= 255 && (part.count == 1 || part.first != 0x30)
            }
    }
}
