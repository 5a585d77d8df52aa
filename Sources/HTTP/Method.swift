// The request method (RFC 9110 section 9): a case-sensitive token.

/// A request method. Only the ones below have a meaning here; any other token is carried as it came and answered `501` or `405`.
public struct Method: Hashable, Sendable, CustomStringConvertible {
    /// The token as it stands in the request line.
    public let name: String

    /// Makes a method from a token that the parser has already validated.
    public init(_ name: String) { self.name = name }

    /// RFC 9110 section 9.3.1.
    public static let get = Method("GET")
    /// RFC 9110 section 9.3.2: like GET, without content in the answer.
    public static let head = Method("HEAD")
    /// RFC 9110 section 9.3.3.
    public static let post = Method("POST")
    /// RFC 9110 section 9.3.7.
    public static let options = Method("OPTIONS")

    /// The methods that ask for no change (RFC 9110 section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options }

    /// The token.
    public var description: String { name }
}
