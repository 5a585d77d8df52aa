// A response as a value. Framing (Content-Length, Transfer-Encoding, Connection, Date) is the server's business, not a handler's.

/// Content made while it is sent: an export, an event stream.
///
/// The server calls `next()` when the socket has drained, and `cancel()` once, from any thread, when the connection has ended
/// before nil was returned.
public protocol ContentStream: Sendable {
    /// The next piece, not empty, or nil at the end. A thrown error cuts the connection, so that nobody takes a part for the whole.
    func next() async throws -> [UInt8]?
    /// The peer is gone: stop waiting, let go of what is held.
    func cancel()
}

/// The content of a response.
public enum Content: Sendable {
    /// Whole, in memory (shared, not copied, where many answers use the same bytes).
    case bytes([UInt8])
    /// Made while it is sent, with chunked framing, or until close for HTTP/1.0.
    case stream(any ContentStream)
}

/// What a program notes on its answer for its own log and counters: the server hands it back in its report and never looks at it.
public struct Trace: Sendable, Equatable {
    /// Names the request in the log and in the answer.
    public var id: String
    /// The pattern of the address, never the address.
    public var route: String
    /// The client's address, behind proxies that may tell it.
    public var client: String
    /// Whose request it was, as a number; nil for a stranger.
    public var subject: Int?

    /// Makes a note.
    public init(id: String, route: String, client: String, subject: Int? = nil) {
        self.id = id
        self.route = route
        self.client = client
        self.subject = subject
    }
}

/// An answer.
public struct Response: Sendable {
    /// The status.
    public var status: Status
    /// The fields, without those of the framing.
    public var fields: Fields
    /// The content; the server leaves it out for HEAD and for statuses that carry none.
    public var content: Content
    /// Set where the connection must end after this answer.
    public var closesConnection = false
    /// For the program's own log.
    public var trace: Trace?

    /// Makes a response.
    public init(_ status: Status, fields: Fields = Fields(), content: Content = .bytes([])) {
        self.status = status
        self.fields = fields
        self.content = content
    }
}
