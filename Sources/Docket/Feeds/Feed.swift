// The calendar feed of a saved filter: a secret in an address, which lets whoever has it read what the filter shows. It ends with the filter
// and with its person, and at once when it is renewed, removed, or the account is closed.

import SQLite

/// A feed that someone asks for, found by the secret of its address.
struct Feed {
    let owner: User
    let filterID: Int

    /// - Returns: nil where no feed has that secret now, or its person may not sign in.
    static func find(_ secret: String, _ database: Connection) throws -> Feed? {
        guard let digest = Secret.digest(of: secret) else { return nil }
        return try database.first(
            """
            SELECT \(User.columns), filters.id FROM feeds JOIN filters ON filters.id = feeds.filter_id
            JOIN users ON users.id = filters.user_id WHERE feeds.digest = \(digest) AND users.is_disabled = 0
            """
        ) { Feed(owner: try User(row: $0), filterID: try $0.int(12)) }
    }

    /// The secret of a filter's feed; nil where it has none.
    static func secret(of filter: Int, _ database: Connection, owner: User) throws -> String? {
        try database.first(
            """
            SELECT secret FROM feeds JOIN filters ON filters.id = feeds.filter_id
            WHERE filter_id = \(filter) AND user_id = \(owner.id)
            """
        ) { try $0.text(0) }
    }

    /// Gives a filter of that person a feed at a new address; the old one leads nowhere from then on.
    static func renew(_ filter: Int, _ database: Connection, owner: User, now: Instant) throws -> String {
        let secret = Secret()
        try database.execute(
            """
            INSERT INTO feeds (filter_id, secret, digest, made_at)
            SELECT id, \(secret.text), \(secret.digest), \(now.milliseconds) FROM filters WHERE id = \(filter) AND user_id = \(owner.id)
            ON CONFLICT (filter_id) DO UPDATE SET secret = excluded.secret, digest = excluded.digest, made_at = excluded.made_at
            """)
        return secret.text
    }

    static func remove(_ filter: Int, _ database: Connection, owner: User) throws {
        try database.execute(
            """
            DELETE FROM feeds WHERE filter_id IN (SELECT id FROM filters WHERE id = \(filter) AND user_id = \(owner.id))
            """)
    }
}
