// The line before each chunk (RFC 9112 section 7.1): chunk-size [ chunk-ext ]. Extensions are checked and then ignored.
// Refused with 400: signs, prefixes, white space behind the size, more than 15 digits, malformed extensions.

enum ChunkHeader {
    /// 15 hexadecimal digits are 60 bits: no overflow, and more than anyone sends.
    static let sizeDigits = 15

    /// The size, and how many bytes of extensions stood behind it.
    static func parse(_ line: Span<UInt8>) throws(ParseError) -> (size: Int, extensionBytes: Int) {
        var size = 0
        var index = 0
        while index < line.count, let digit = Grammar.hexValue(line[index]) {
            guard index < sizeDigits else { throw ParseError(400, "A chunk size has too many digits.") }
            size = size << 4 | Int(digit)
            index += 1
        }
        guard index > 0 else { throw ParseError(400, "A chunk size is malformed.") }
        let digits = index
        while index < line.count { try skipExtension(line, &index) }
        return (size, line.count - digits)
    }

    /// BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ]
    private static func skipExtension(_ line: Span<UInt8>, _ index: inout Int) throws(ParseError) {
        let error = ParseError(400, "A chunk extension is malformed.")
        func skipBlanks() { while index < line.count, Grammar.isBlank(line[index]) { index += 1 } }
        func skipToken() -> Bool {
            let start = index
            while index < line.count, Grammar.isToken(line[index]) { index += 1 }
            return index > start
        }
        skipBlanks()
        guard index < line.count, line[index] == Ascii.semicolon else { throw error }
        index += 1
        skipBlanks()
        guard skipToken() else { throw error }
        let nameEnd = index
        skipBlanks()
        guard index < line.count, line[index] == Ascii.equals else {
            // White space here belongs to the next extension, and is an error at the line's end.
            index = nameEnd
            return
        }
        index += 1
        skipBlanks()
        guard index < line.count, line[index] == Ascii.quote else {
            guard skipToken() else { throw error }
            return
        }
        index += 1
        while index < line.count, line[index] != Ascii.quote {
            if line[index] == Ascii.backslash { index += 1 }
            guard index < line.count, !Grammar.isControl(line[index]) else { throw error }
            index += 1
        }
        guard index < line.count else { throw error }
        index += 1
    }
}
