// Character classes of RFC 9110 section 5.6, RFC 3986 and RFC 5234, over bytes.

enum Grammar {
    /// `tchar` (RFC 9110 section 5.6.2).
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// `token`: one or more `tchar`.
    static func isToken(_ text: String) -> Bool {
        !text.utf8.isEmpty && text.utf8.allSatisfy(isToken)
    }

    /// SP or HTAB, the parts of OWS.
    static func isBlank(_ byte: UInt8) -> Bool { byte == Ascii.space || byte == Ascii.tab }

    /// A control character that a field value must not hold: all but HTAB.
    static func isControl(_ byte: UInt8) -> Bool { (byte < 0x20 && byte != Ascii.tab) || byte == 0x7F }

    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    /// The value of a hexadecimal digit.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte &- 0x30
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte &- 0x57
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte &- 0x37
        default: nil
        }
    }

    /// `unreserved` (RFC 3986 section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "~")
    }

    /// `sub-delims` (RFC 3986 section 2.2).
    static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
            UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// ASCII letters in lower case, every other byte as it is.
    @inline(__always)
    static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    /// ASCII letters in lower case, all else as it is: no Unicode folding, so that the Kelvin sign stays no `k`.
    static func lowercased(_ text: String) -> String {
        String(decoding: text.utf8.map(lowercased), as: UTF8.self)
    }

    /// Compares without regard to the case of ASCII letters.
    static func equalsIgnoringCase(_ one: some Sequence<UInt8>, _ other: String) -> Bool {
        one.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
    }

    /// A number of decimal digits only, nil where another byte stands or more than `digits` of them (18 fit in an Int).
    static func decimal(_ bytes: some Collection<UInt8>, digits: Int = 18) -> Int? {
        guard !bytes.isEmpty, bytes.count <= digits, bytes.allSatisfy(isDigit) else { return nil }
        return bytes.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    /// The members of a comma-separated list without the white space around them; quoted strings are kept whole.
    /// Empty members are left out (RFC 9110 section 5.6.1.2).
    static func list(_ text: String, separator: UInt8 = Ascii.comma) -> [Substring] { list(text[...], separator: separator) }

    static func list(_ text: Substring, separator: UInt8 = Ascii.comma) -> [Substring] {
        let bytes = text.utf8.span
        var members: [Substring] = []
        var start = 0
        var isQuoted = false
        func add(_ end: Int) {
            let member = bytes.trimmed(start..<end)
            guard !member.isEmpty else { return }
            let first = text.utf8.index(text.startIndex, offsetBy: member.lowerBound)
            members.append(text[first..<text.utf8.index(first, offsetBy: member.count)])
        }
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if isQuoted, byte == Ascii.backslash {
                index += 1
            } else if byte == Ascii.quote {
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                add(index)
                start = index + 1
            }
            index += 1
        }
        add(bytes.count)
        return members
    }

    /// The text without SP and HTAB at both ends.
    static func trimmed(_ text: Substring) -> Substring {
        var bytes = text.utf8
        while let first = bytes.first, isBlank(first) { bytes.removeFirst() }
        while let last = bytes.last, isBlank(last) { bytes.removeLast() }
        return Substring(bytes)
    }

    /// What a `quoted-string` says (RFC 9110 section 5.6.4), nil where the text is not one from end to end.
    static func unquoted(_ text: Substring) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 2, bytes.first == Ascii.quote, bytes.last == Ascii.quote else { return nil }
        var result: [UInt8] = []
        var index = 1
        let end = bytes.count - 1
        while index < end {
            var byte = bytes[index]
            if byte == Ascii.quote { return nil }
            if byte == Ascii.backslash {
                index += 1
                guard index < end else { return nil }
                byte = bytes[index]
            }
            guard !isControl(byte) else { return nil }
            result.append(byte)
            index += 1
        }
        return String(validating: result, as: UTF8.self)
    }

    /// The text as a `quoted-string`.
    static func quoted(_ text: String) -> String {
        var bytes = [Ascii.quote]
        for byte in text.utf8 {
            if byte == Ascii.quote || byte == Ascii.backslash { bytes.append(Ascii.backslash) }
            bytes.append(byte)
        }
        bytes.append(Ascii.quote)
        return String(decoding: bytes, as: UTF8.self)
    }
}
