// What the peer did wrong, and the status that tells it so.

/// The peer broke the protocol: the connection gets this status, then ends (RFC 9112 section 2.2 and on).
public struct ParseError: Error, Equatable, Sendable {
    /// 400, 411, 413, 414, 417, 431, 501 or 505.
    public let status: Status
    /// One plain sentence for the answer and the log; holds nothing of the request.
    public let reason: String

    /// Makes an error.
    public init(_ status: Int, _ reason: String) {
        self.status = Status(status)
        self.reason = reason
    }
}
