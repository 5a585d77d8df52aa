// The request line (RFC 9112 section 3): method SP request-target SP HTTP-version, single spaces, nothing guessed.
// Refused: 400 for what the grammar does not give, 501 for CONNECT and for overlong methods, 505 for another major version.

enum RequestLine {
    /// No registered method is longer than 17 bytes.
    private static let methodBytes = 32

    static func parse(_ line: Span<UInt8>) throws(ParseError) -> RequestHead {
        guard let methodEnd = line.firstOffset(of: Ascii.space) else { throw ParseError(400, "The request line is malformed.") }
        guard methodEnd > 0 else { throw ParseError(400, "The method is missing.") }
        for index in 0..<methodEnd where !Grammar.isToken(line[index]) {
            throw ParseError(400, "The method is not a token.")
        }
        // " HTTP/1.1" is nine bytes; the method's own space must stand before it.
        let targetEnd = line.count - 9
        guard targetEnd > methodEnd else { throw ParseError(400, "The request line is malformed.") }
        let minorVersion = try minorVersion(line.extracting(targetEnd...))
        guard methodEnd <= methodBytes, let method = line.extracting(..<methodEnd).text else {
            throw ParseError(501, "The method is too long.")
        }
        let target = line.extracting((methodEnd + 1)..<targetEnd)
        guard target.count > 0 else { throw ParseError(400, "The request target is missing.") }
        var head = RequestHead(method: Method(method), path: "", minorVersion: minorVersion)
        guard head.method.name != "CONNECT" else { throw ParseError(501, "CONNECT is not served here.") }
        try parseTarget(target, into: &head)
        return head
    }

    /// `HTTP/` DIGIT `.` DIGIT behind a space. A higher minor version is served as 1.1 (RFC 9110 section 2.5).
    private static func minorVersion(_ text: Span<UInt8>) throws(ParseError) -> Int {
        let prefix: StaticString = " HTTP/"
        let isPrefixed = prefix.withUTF8Buffer { buffer in
            for index in 0..<6 where buffer[index] != text[index] { return false }
            return true
        }
        guard isPrefixed, Grammar.isDigit(text[6]), text[7] == UInt8(ascii: "."), Grammar.isDigit(text[8]) else {
            throw ParseError(400, "The HTTP version is malformed.")
        }
        guard text[6] == UInt8(ascii: "1") else { throw ParseError(505, "Only HTTP/1.1 and HTTP/1.0 are served here.") }
        return min(Int(text[8] &- 0x30), 1)
    }

    private static func parseTarget(_ target: Span<UInt8>, into head: inout RequestHead) throws(ParseError) {
        var question: Int?
        for index in 0..<target.count {
            let byte = target[index]
            guard byte &- 0x21 < 0x5E, byte != UInt8(ascii: "#") else {
                throw ParseError(400, "The request target holds a character that must be percent-encoded.")
            }
            if byte == UInt8(ascii: "?"), question == nil { question = index }
        }
        let end = question ?? target.count
        if target[0] == Ascii.slash {
            head.path = try text(target, 0..<end)
        } else if target[0] == UInt8(ascii: "*"), target.count == 1 {
            guard head.method == .options else { throw ParseError(400, "The target * is only for OPTIONS.") }
            head.path = "*"
        } else {
            let start = try authorityStart(target)
            var slash = start
            while slash < end, target[slash] != Ascii.slash { slash += 1 }
            head.authority = try text(target, start..<slash)
            guard Authority.isValid(head.authority) else { throw ParseError(400, "The host in the request target is invalid.") }
            // RFC 9112 section 3.2.4: OPTIONS with neither path nor query means the server as a whole.
            let isWhole = slash == target.count && head.method == .options
            head.path = slash < end ? try text(target, slash..<end) : isWhole ? "*" : "/"
        }
        if let question { head.query = try text(target, (question + 1)..<target.count) }
    }

    /// Where the authority of an absolute-form target begins.
    private static func authorityStart(_ target: Span<UInt8>) throws(ParseError) -> Int {
        for scheme in ["http://", "https://"] where target.count > scheme.utf8.count {
            var index = 0
            for byte in scheme.utf8 {
                guard Grammar.lowercased(target[index]) == byte else { break }
                index += 1
            }
            if index == scheme.utf8.count { return index }
        }
        throw ParseError(400, "The request target is malformed.")
    }

    private static func text(_ target: Span<UInt8>, _ range: Range<Int>) throws(ParseError) -> String {
        guard let text = target.extracting(range).text else { throw ParseError(400, "The request target is not ASCII.") }
        return text
    }
}
