// `uri-host [ ":" port ]` (RFC 3986 section 3.2, RFC 9110 section 7.2): what a Host field and an absolute-form target may name.
// Refused: no host, user information, a port over 65535, an IP literal that is no IPv6 address.

/// A check of authorities.
public enum Authority {
    /// True where the text is a host with an optional port.
    public static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8.span
        guard bytes.count > 0 else { return false }
        let end: Int
        if bytes[0] == UInt8(ascii: "[") {
            guard let close = bytes.firstOffset(of: UInt8(ascii: "]")), isIPv6(Array(text.utf8)[1..<close]) else { return false }
            end = close + 1
        } else {
            end = bytes.firstOffset(of: Ascii.colon) ?? bytes.count
            guard isRegisteredName(bytes.extracting(..<end)) else { return false }
        }
        return end == bytes.count || (bytes[end] == Ascii.colon && isPort(bytes.extracting((end + 1)...)))
    }

    private static func isRegisteredName(_ name: Span<UInt8>) -> Bool {
        guard name.count > 0 else { return false }
        var index = 0
        while index < name.count {
            if name[index] == Ascii.percent {
                guard index + 2 < name.count, Grammar.hexValue(name[index + 1]) != nil, Grammar.hexValue(name[index + 2]) != nil
                else { return false }
                index += 2
            } else if !Grammar.isUnreserved(name[index]), !Grammar.isSubDelimiter(name[index]) {
                return false
            }
            index += 1
        }
        return true
    }

    /// `*DIGIT`, at most 65535.
    private static func isPort(_ port: Span<UInt8>) -> Bool {
        guard port.count <= 5 else { return false }
        var number = 0
        for index in 0..<port.count {
            guard Grammar.isDigit(port[index]) else { return false }
            number = number * 10 + Int(port[index] &- 0x30)
        }
        return number <= 65535
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
