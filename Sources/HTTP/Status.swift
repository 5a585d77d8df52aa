// Status codes (RFC 9110 section 15).

/// A status code from 100 to 599 with its standard reason phrase.
public struct Status: Hashable, Sendable {
    /// The three digits.
    public let code: Int

    /// Makes a status from its number; traps outside 100 to 599, which no caller computes from input.
    public init(_ code: Int) {
        precondition((100...599).contains(code))
        self.code = code
    }

    /// `2xx`.
    public var isSuccess: Bool { (200...299).contains(code) }
    /// `1xx`, `204` and `304` never carry content (RFC 9110 section 6.4.1).
    public var allowsContent: Bool { code >= 200 && code != 204 && code != 304 }

    /// The reason phrase of the RFC, empty for a code that it does not name.
    public var reason: String { Self.reasons[code] ?? "" }

    private static let reasons: [Int: String] = [
        100: "Continue", 101: "Switching Protocols", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content",
        206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
        404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
        410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed", 421: "Misdirected Request",
        422: "Unprocessable Content", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable", 505: "HTTP Version Not Supported",
        507: "Insufficient Storage",
    ]
}
