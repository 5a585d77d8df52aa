// How long a request's content is (RFC 9112 section 6.3), and what else a head must satisfy before it is believed.
// Every way in which Content-Length and Transfer-Encoding can contradict each other or themselves is refused.

/// What the head says of the content that follows.
public enum ContentLengthKind: Sendable, Equatable {
    /// Neither Content-Length nor Transfer-Encoding: no content.
    case none
    /// Content-Length.
    case length(Int)
    /// Transfer-Encoding: chunked, the length is not known before its end.
    case chunked
}

/// Checks over a whole head.
struct HeadRules {
    private(set) var content: ContentLengthKind = .none
    private(set) var expectsContinue = false

    /// Checks Host and the framing fields, and gives the head its authority.
    init(checking head: inout RequestHead) throws(ParseError) {
        var host: String?
        var length: String?
        var codings: [Substring]?
        var expectations: [Substring] = []
        for line in head.fields.lines {
            switch line.name {
            case .host:
                guard host == nil else { throw ParseError(400, "There is more than one Host field.") }
                host = line.value
            case .contentLength:
                guard length == nil else { throw ParseError(400, "There is more than one Content-Length field.") }
                length = line.value
            case .transferEncoding:
                codings = (codings ?? []) + Grammar.list(line.value)
            case .expect:
                expectations += Grammar.list(line.value)
            default: break
            }
        }
        if let host {
            guard Authority.isValid(host) else { throw ParseError(400, "The Host field is invalid.") }
            if head.authority.isEmpty { head.authority = host }
        } else if head.minorVersion == 1 {
            throw ParseError(400, "The Host field is missing.")
        }
        if let codings {
            guard head.minorVersion == 1 else { throw ParseError(400, "HTTP/1.0 has no Transfer-Encoding.") }
            guard length == nil else { throw ParseError(400, "Content-Length and Transfer-Encoding exclude each other.") }
            try Self.check(codings)
            content = .chunked
        } else if let length {
            content = .length(try Self.number(length))
        }
        // An HTTP/1.0 client cannot wait for 100 (RFC 9110 section 10.1.1).
        if head.minorVersion == 1 {
            for expectation in expectations {
                guard Grammar.equalsIgnoringCase(expectation.utf8, "100-continue") else {
                    throw ParseError(417, "Only the expectation 100-continue can be met.")
                }
            }
            expectsContinue = !expectations.isEmpty && content != .none && content != .length(0)
        }
    }

    /// RFC 9112 section 6.1: chunked is last and applied once; another coding before it is not understood here.
    private static func check(_ codings: [Substring]) throws(ParseError) {
        func isChunked(_ coding: Substring) -> Bool { Grammar.equalsIgnoringCase(coding.utf8, "chunked") }
        guard let last = codings.last, isChunked(last) else {
            throw ParseError(400, "The last transfer coding of a request must be chunked.")
        }
        guard codings.count == 1 else {
            guard !codings.dropLast().contains(where: isChunked) else { throw ParseError(400, "Chunked is applied twice.") }
            throw ParseError(501, "Only the transfer coding chunked is understood.")
        }
    }

    /// Digits only: no sign, no list (RFC 9110 section 8.6).
    private static func number(_ text: String) throws(ParseError) -> Int {
        guard !text.utf8.isEmpty, text.utf8.allSatisfy(Grammar.isDigit) else {
            throw ParseError(400, "The Content-Length field is not a number.")
        }
        guard let number = Grammar.decimal(text.utf8) else { throw ParseError(413, "The content is too large.") }
        return number
    }
}
