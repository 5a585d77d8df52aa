// Every limit and deadline of the server, with a default that suits a small machine in the open.

import Glibc
public import HTTP

/// What the server allows.
public struct ServerOptions: Sendable {
    /// Event loops, each a thread: one a core.
    public var eventLoops = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// Open connections in all. Lowered where the system allows fewer descriptors. Over it the connection that has been idle
    /// longest makes room; where none is idle, the new one gets 503.
    public var connections = 10_000
    /// Open connections from one address (from one /64 network for IPv6). Over it: 503. 0 means no limit.
    public var connectionsPerAddress = 256
    /// True for an address that stands for many people (a reverse proxy): the limit for one address does not hold for it.
    public var isShared: @Sendable (_ address: String) -> Bool = { _ in false }
    /// Requests on one connection; the last answer says `Connection: close`.
    public var requestsPerConnection = 10_000
    /// What may stand before the content.
    public var head = RequestParser.Limits()
    /// Content up to this many bytes stays in memory, more goes to an unlinked file.
    public var contentInMemory = 64 * 1024
    /// The folder of those files.
    public var spoolFolder = "/tmp"
    /// How long a request line and its fields may take. Over it: 408.
    public var headTimeout = Duration.seconds(10)
    /// How long nothing may come of the content, at `minimumRate`. Over it: 408.
    public var contentTimeout = Duration.seconds(15)
    /// How long an answer may stand still, at `minimumRate`. Over it the connection is cut.
    public var writeTimeout = Duration.seconds(15)
    /// Bytes a second below which a peer uses up `contentTimeout` or `writeTimeout`.
    public var minimumRate = 512
    /// How long a connection may be idle between requests. Over it: closed without a word.
    public var idleTimeout = Duration.seconds(60)
    /// How long a peer may be silent after its last answer before the server closes. The server reads on so long, at most for
    /// `contentTimeout`, so that the peer receives the answer (RFC 9112 section 9.6).
    public var lingerTimeout = Duration.seconds(2)
    /// How long a stream may give nothing while the peer has ended its side, or while the server stops, before it is cancelled.
    public var silentStreamPatience = Duration.seconds(1)

    /// The defaults.
    public init() {}
}
