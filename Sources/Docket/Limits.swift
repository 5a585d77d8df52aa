// What one peer, one request and one moment may take of the server, and the options that say so. Each has a default that suits a small
// machine in the open. Sizes of forms and files stand with the other options in `Config`.

/// The limits of the web server.
public struct Limits: Sendable {
    /// Open connections in all.
    public var connections = 10_000
    /// Open connections of one address; listed proxies have no such limit.
    public var connectionsPerAddress = 1_000
    /// Requests on one connection.
    public var requestsPerConnection = 10_000
    /// Bytes of a request line.
    public var requestLineBytes = 8_192
    /// Bytes of all fields of a request.
    public var fieldBytes = 32_768
    /// Fields of a request.
    public var fieldCount = 100
    /// Bytes of content that stay in memory.
    public var contentInMemory = 65_536
    /// Seconds for a request line and its fields.
    public var headSeconds = 10
    /// Seconds that content may stand still, at the minimum rate.
    public var contentSeconds = 15
    /// Seconds that an answer may stand still, at the minimum rate.
    public var writeSeconds = 15
    /// Seconds that a connection may be idle.
    public var idleSeconds = 60
    /// Bytes a second below which a peer uses up its seconds for content and answer.
    public var minimumRate = 512
    /// Seconds that running requests have when the server stops.
    public var graceSeconds = 10
    /// Pages that may wait for a thread.
    public var waitingPages = 10_000
    /// Changes that may wait for the writer.
    public var waitingChanges = 10_000
    /// Passwords that may wait for a thread that hashes.
    public var waitingPasswords = 64
}

extension Limits {
    /// Categories of one person, and saved filters, too: every page of theirs lists them all, so that a script which makes a hundred
    /// thousand would slow each. No option: nobody looks through more.
    static let listed = 500
}

extension FormErrors {
    /// There is room for one more of what every page lists.
    mutating func checkRoom(_ count: Int, _ key: String) {
        if count >= Limits.listed { add("name", key, [("n", String(Limits.listed))]) }
    }
}

extension Config {
    /// The options of the limits.
    static let limitOptions: [Option] = [
        number("max-connections", "open connections in all", 1...1_000_000, \.limits.connections),
        number(
            "max-connections-per-address", "open connections of one address, but for listed proxies", 1...1_000_000,
            \.limits.connectionsPerAddress),
        number("max-requests-per-connection", "requests on one connection", 1...1_000_000_000, \.limits.requestsPerConnection),
        number("max-request-line-bytes", "longest request line", 256...1_048_576, \.limits.requestLineBytes),
        number("max-field-bytes", "all fields of a request together", 1_024...1_048_576, \.limits.fieldBytes),
        number("max-fields", "fields of a request", 10...10_000, \.limits.fieldCount),
        number(
            "memory-bytes", "content of a request that stays in memory; more goes to a file", 0...(1 << 30),
            \.limits.contentInMemory),
        number("head-seconds", "seconds for a request line and its fields", 1...3_600, \.limits.headSeconds),
        number("content-seconds", "seconds that the content of a request may stand still", 1...3_600, \.limits.contentSeconds),
        number("write-seconds", "seconds that an answer may stand still", 1...3_600, \.limits.writeSeconds),
        number("idle-seconds", "seconds that a connection may be idle", 1...86_400, \.limits.idleSeconds),
        number(
            "min-rate", "bytes a second; who is slower uses up the seconds for content or answer", 1...1_000_000,
            \.limits.minimumRate),
        number("grace-seconds", "seconds that running requests have when the server stops", 0...600, \.limits.graceSeconds),
        number(
            "max-waiting-pages", "pages that may wait for a thread, half of them from one address", 1...1_000_000,
            \.limits.waitingPages),
        number(
            "max-waiting-changes", "changes that may wait for the writer, half of them from one address", 1...1_000_000,
            \.limits.waitingChanges),
        number(
            "max-waiting-passwords", "sign-ins that may wait for a thread, half of them from one address", 1...100_000,
            \.limits.waitingPasswords),
    ]
}
