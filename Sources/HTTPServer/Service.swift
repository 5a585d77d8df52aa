// What the server asks of the program that it serves: five functions, all total.

public import HTTP

/// An answered request, for the access log.
public struct RequestReport: Sendable {
    /// The request; nil where none could be read.
    public var head: RequestHead?
    /// The peer's address as text, or `unix`.
    public var peer: String
    /// The status of the answer.
    public var status: Status
    /// Bytes that the system took for the peer, head and content.
    public var bytesSent: Int
    /// From the first byte of the request to the last of the answer.
    public var nanoseconds: UInt64
    /// False where the peer went away, or was too slow, or a stream failed.
    public var isComplete: Bool
    /// What the program noted on its answer.
    public var trace: Trace?
    /// For the error log: why the program's own answer could not be sent, or what its stream threw.
    public var defect: String?
}

/// What becomes of content before it has come.
public enum ContentTerms: Sendable {
    /// Up to so many bytes are taken in.
    case limit(Int)
    /// None is: this is the answer.
    case answer(Response)
}

/// Why content is not taken in.
public enum ContentRefusal: Error {
    /// It is longer than its request may carry.
    case tooLarge(limit: Int)
    /// The disk is full.
    case noRoom
}

/// What the program says to a request.
public enum Answer: Sendable {
    /// It is there: sent on the spot.
    case now(Response)
    /// It has to be waited for. The work begins on the connection's event loop; what may block goes to `Workers`.
    case later(@Sendable () async -> Response)
}

/// The program behind the server. Its functions are called on event loops: none may block.
public protocol Service: Sendable {
    /// How many bytes of content this request may carry, or what is answered instead. Asked once, before anything of it is read.
    ///
    /// - Parameters:
    ///   - length: how many it has, where it says so.
    ///   - isAwaited: true where the client waits to hear whether its content is wanted.
    func contentTerms(for head: RequestHead, from peer: String, length: Int?, isAwaited: Bool) -> ContentTerms
    /// The answer, or who makes it.
    func answer(to request: Request) -> Answer
    /// The page for what the server refuses by itself: protocol errors, time-outs, too many connections.
    func refusal(_ error: ParseError) -> Response
    /// The page for content that is not taken in.
    func declined(_ head: RequestHead, from peer: String, _ reason: ContentRefusal) -> Response
    /// Called once for each answer, after it was sent or broke off.
    func finished(_ report: RequestReport)
}

extension Service {
    /// One plain line.
    public func refusal(_ error: ParseError) -> Response {
        var response = Response(error.status, content: .bytes(Array("\(error.reason)\n".utf8)))
        response.fields.append(.contentType, "text/plain; charset=utf-8")
        return response
    }

    /// One plain line.
    public func declined(_ head: RequestHead, from peer: String, _ reason: ContentRefusal) -> Response {
        switch reason {
        case .tooLarge: refusal(ParseError(413, "The content is larger than this address takes."))
        case .noRoom: refusal(ParseError(507, "There is no room for the content."))
        }
    }

    /// Nothing.
    public func finished(_ report: RequestReport) {}
}
