// A request as a value (RFC 9112 section 2.1): head and content, nothing of the socket.

/// What stands before the content: request line and field section, both validated.
public struct RequestHead: Sendable, Equatable {
    /// The method.
    public var method: Method
    /// The path in origin form, as it was sent: begins with `/`, percent-encoded, visible ASCII. `*` for `OPTIONS *`.
    public var path: String
    /// What stands behind the first `?`, as it was sent, without the mark; nil where there is no mark.
    public var query: String?
    /// `host[:port]` of the absolute-form target or else of the Host field; empty for HTTP/1.0 without Host.
    public var authority: String
    /// 0 or 1: HTTP/1.0 or HTTP/1.1.
    public var minorVersion: Int
    /// The field section.
    public var fields: Fields

    /// Makes a head of parts that are known to be valid.
    public init(
        method: Method, path: String, query: String? = nil, authority: String = "", minorVersion: Int = 1,
        fields: Fields = Fields()
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.authority = authority
        self.minorVersion = minorVersion
        self.fields = fields
    }
}

/// Content that lies outside memory, in an unlinked temporary file.
public protocol SpooledContent: Sendable {
    /// Its length in bytes.
    var count: Int { get }
    /// Reads up to the buffer's length from an offset; returns how many bytes, 0 at the end. Blocking.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int
}

/// The content of a request: small in memory, large in a file.
public enum Body: Sendable {
    /// In memory; empty where the request had none.
    case bytes([UInt8])
    /// In a file.
    case spooled(any SpooledContent)

    /// Its length in bytes.
    public var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .spooled(let content): content.count
        }
    }
}

/// A whole request.
public struct Request: Sendable {
    /// Request line and fields.
    public var head: RequestHead
    /// The content.
    public var body: Body
    /// The peer's address as text (`192.168.1.7`, `fe80::1`), or `unix` for a Unix socket.
    public var peer: String
    /// True where the client sent it before it had the answer to its last one: who waits for one answer goes first.
    public var isFollowing = false

    /// Makes a request.
    public init(head: RequestHead, body: Body = .bytes([]), peer: String = "127.0.0.1") {
        self.head = head
        self.body = body
        self.peer = peer
    }
}
