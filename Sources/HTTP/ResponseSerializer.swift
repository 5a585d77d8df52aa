// Responses out (RFC 9112 sections 4, 6 and 7): status line, fields, framing. The framing fields are made here and nowhere else.
// Never emits a value that could be read as another field: such a response is refused whole, and nothing of it is written.

/// A response that must not be sent: a defect of the program, never the peer's doing. Answer 500 instead.
public struct InvalidResponse: Error, Equatable, Sendable {
    /// One plain sentence for the log.
    public let reason: String
}

/// Turns heads and chunks into bytes.
public enum ResponseSerializer {
    /// What the server sends behind the head.
    public enum Framing: Sendable, Equatable {
        /// Nothing: HEAD, 1xx, 204, 304, or no content.
        case none
        /// The bytes as they are, this many.
        case length(Int)
        /// Chunks and a last chunk.
        case chunked
        /// The bytes as they are; the end of the connection is the end of the content (HTTP/1.0).
        case untilClose
    }

    /// What a written head has promised.
    public struct Written: Sendable, Equatable {
        /// What comes behind it.
        public let framing: Framing
        /// True where the connection goes on afterwards.
        public let persists: Bool
    }

    /// `HTTP/1.1 100 Continue` and its empty line.
    public static let continueHead: [UInt8] = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Writes the head of `response`, the answer to `request` (nil where none could be read: then the connection ends).
    ///
    /// `persists` says whether the server is willing to go on; the answer tells what was decided. `now` is in Unix seconds.
    public static func appendHead(
        of response: Response, to request: RequestHead?, persists: Bool, now: Int, into bytes: inout [UInt8]
    ) throws(InvalidResponse) -> Written {
        try check(response.fields)
        let minorVersion = request?.minorVersion ?? 1
        let isHead = request?.method == .head
        var framing = Framing.none
        var goesOn = persists && !response.closesConnection && request.map(Persistence.continues) ?? false
        append("HTTP/1.1 ", to: &bytes)
        append(response.status.code, to: &bytes)
        bytes.append(Ascii.space)
        append(text: response.status.reason, to: &bytes)
        append("\r\nDate: ", to: &bytes)
        HTTPDate(unixSeconds: now).append(to: &bytes)
        if response.status.allowsContent {
            switch response.content {
            case .bytes(let content):
                append("\r\nContent-Length: ", to: &bytes)
                append(content.count, to: &bytes)
                framing = isHead || content.isEmpty ? .none : .length(content.count)
            case .stream where minorVersion >= 1:
                append("\r\nTransfer-Encoding: chunked", to: &bytes)
                framing = isHead ? .none : .chunked
            case .stream:
                framing = isHead ? .none : .untilClose
                goesOn = goesOn && isHead
            }
        }
        if !goesOn {
            append("\r\nConnection: close", to: &bytes)
        } else if minorVersion == 0 {
            append("\r\nConnection: keep-alive", to: &bytes)
        }
        for line in response.fields.lines {
            append("\r\n", to: &bytes)
            append(text: line.name.canonical, to: &bytes)
            append(": ", to: &bytes)
            append(text: line.value, to: &bytes)
        }
        append("\r\n\r\n", to: &bytes)
        return Written(framing: framing, persists: goesOn)
    }

    /// Writes `content` as one chunk; an empty one writes nothing, since a chunk of size 0 would be the last.
    public static func appendChunk(_ content: some Collection<UInt8>, into bytes: inout [UInt8]) {
        guard !content.isEmpty else { return }
        bytes.append(contentsOf: String(content.count, radix: 16).utf8)
        bytes.append(contentsOf: "\r\n".utf8)
        bytes.append(contentsOf: content)
        bytes.append(contentsOf: "\r\n".utf8)
    }

    /// Writes the last chunk, without trailers.
    public static func appendLastChunk(into bytes: inout [UInt8]) {
        bytes.append(contentsOf: "0\r\n\r\n".utf8)
    }

    private static func check(_ fields: Fields) throws(InvalidResponse) {
        for line in fields.lines {
            switch line.name {
            case .contentLength, .transferEncoding, .connection, .date:
                throw InvalidResponse(reason: "The field \(line.name) belongs to the server.")
            default: break
            }
            guard line.value.utf8.span.isFreeOfControls else {
                throw InvalidResponse(reason: "The field \(line.name) holds a control character.")
            }
        }
    }

    private static func append(_ literal: StaticString, to bytes: inout [UInt8]) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    private static func append(text: String, to bytes: inout [UInt8]) {
        text.utf8.span.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        bytes.append(contentsOf: String(number).utf8)
    }
}
