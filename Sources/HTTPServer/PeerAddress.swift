// The address of a peer: text for the log and the application, a key for the limit of connections for each address.

import CLinux
import Glibc

/// Who is at the other end.
struct PeerAddress: Sendable {
    /// An IPv4 address, or the first 64 bits of an IPv6 address: what one household or one machine is given.
    struct Key: Hashable, Sendable {
        let family: UInt16
        let bits: UInt64
    }

    /// `192.168.1.7`, `fe80::1`; `unix` for a Unix socket. IPv4 mapped into IPv6 is written as IPv4.
    let text: String
    /// Nil for a Unix socket.
    let key: Key?

    init(_ storage: sockaddr_storage) {
        var storage = storage
        switch Int32(storage.ss_family) {
        case AF_INET:
            (text, key) = Self.ipv4(withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in.self).sin_addr })
        case AF_INET6:
            var address = withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in6.self).sin6_addr }
            let (high, low) = withUnsafeBytes(of: &address) {
                (UInt64(bigEndian: $0.load(as: UInt64.self)), UInt64(bigEndian: $0.load(fromByteOffset: 8, as: UInt64.self)))
            }
            if high == 0, low >> 32 == 0xffff {
                (text, key) = Self.ipv4(in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian))
            } else {
                text = Self.text(AF_INET6, &address)
                key = Key(family: UInt16(AF_INET6), bits: high)
            }
        default:
            text = "unix"
            key = nil
        }
    }

    private static func ipv4(_ address: in_addr) -> (String, Key) {
        var address = address
        return (text(AF_INET, &address), Key(family: UInt16(AF_INET), bits: UInt64(address.s_addr)))
    }

    private static func text(_ family: Int32, _ address: UnsafeRawPointer) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(INET6_ADDRSTRLEN)) { buffer in
            guard let base = buffer.baseAddress, inet_ntop(family, address, base, socklen_t(buffer.count)) != nil else {
                return ""
            }
            return String(cString: base)
        }
    }
}
