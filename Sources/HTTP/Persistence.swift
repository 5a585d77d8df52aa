// Whether a connection goes on behind a request (RFC 9112 section 9.3).

/// What the client asked of the connection.
public enum Persistence {
    /// True for HTTP/1.1 without `close`, and for HTTP/1.0 with `keep-alive` and without `close`.
    public static func continues(after head: RequestHead) -> Bool {
        var keepsAlive = head.minorVersion >= 1
        for line in head.fields.lines where line.name == .connection {
            // What browsers send needs no list.
            if line.value == "keep-alive" {
                keepsAlive = true
                continue
            }
            for option in Grammar.list(line.value) {
                if Grammar.equalsIgnoringCase(option.utf8, "close") { return false }
                if Grammar.equalsIgnoringCase(option.utf8, "keep-alive") { keepsAlive = true }
            }
        }
        return keepsAlive
    }
}
