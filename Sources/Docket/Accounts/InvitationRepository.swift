// Invitations: a link that an administrator makes and that lets one person sign up, once, within a week. Only its digest is kept.

import SQLite

/// The home of invitation SQL.
struct InvitationRepository {
    static let lifetimeDays = 7

    private let database: Connection

    init(_ database: Connection) { self.database = database }

    /// Makes an invitation; its secret is shown once.
    func make(by userID: Int, now: Instant) throws -> Secret {
        try database.execute("DELETE FROM invitations WHERE expires_at < \(now.milliseconds)")
        let secret = Secret()
        try database.execute(
            """
            INSERT INTO invitations (digest, made_by, made_at, expires_at)
            VALUES (\(secret.digest), \(userID), \(now.milliseconds), \(now.adding(days: Self.lifetimeDays).milliseconds))
            """)
        return secret
    }

    /// True while it can be used.
    func isValid(_ digest: [UInt8], now: Instant) throws -> Bool {
        try database.scalar(
            "SELECT 1 FROM invitations WHERE digest = \(digest) AND expires_at > \(now.milliseconds) AND used_by IS NULL")
            != nil
    }

    /// Uses it up; false where it was used or over already.
    func use(_ digest: [UInt8], by userID: Int, now: Instant) throws -> Bool {
        try database.execute(
            """
            UPDATE invitations SET used_by = \(userID) WHERE digest = \(digest) AND expires_at > \(now.milliseconds) AND used_by IS NULL
            """)
        return database.changes == 1
    }
}
