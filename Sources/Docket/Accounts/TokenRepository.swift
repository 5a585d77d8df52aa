// Tokens for scripts in the database: making, listing, revoking. Only the digest is kept, so that the token itself is seen once, by
// whoever made it. Ownership stands in every WHERE. What a token may do is asked at each use (SessionRepository).

import SQLite

/// The home of SQL that makes and ends tokens; the page and the commands use it both.
struct TokenRepository {
    /// Characters that a token's name may have.
    static let nameLimit = 60

    let database: Connection

    init(_ database: Connection) { self.database = database }

    /// A token as its owner sees it in the list.
    struct Entry: Sendable {
        let id: Int
        let name: String
        let scope: Scope
        let createdAt: Instant
        /// From here on it is refused; nil: never.
        let expiresAt: Instant?
        /// The last day (UTC) on which it was used.
        let lastUsedOn: Day?
    }

    /// Makes a token. The secret's text is shown once and kept nowhere.
    ///
    /// - Throws: `FormErrors` for the field `name` where it is empty, too long or taken by another token of this person.
    func add(userID: Int, name: String, scope: Scope, expiresAt: Instant?, now: Instant) throws -> Secret {
        let name = try Self.check(name: name)
        guard try find(userID: userID, name: name) == nil else { throw FormErrors("name", "problem.name.taken") }
        let secret = Secret()
        try database.execute(
            """
            INSERT INTO tokens (user_id, name, digest, scope, created_at, expires_at)
            VALUES (\(userID), \(name), \(secret.digest), \(scope.rawValue), \(now.milliseconds), \(expiresAt?.milliseconds))
            """)
        return secret
    }

    /// A person's tokens by name.
    func list(userID: Int) throws -> [Entry] {
        try database.rows(
            """
            SELECT id, name, scope, created_at, expires_at, last_used_on FROM tokens WHERE user_id = \(userID) ORDER BY name, id
            """
        ) { row in
            let id: Int = try row.int(0)
            guard let scope = Scope(rawValue: try row.text(2)) else { throw DamagedRow(table: "tokens", number: id) }
            return Entry(
                id: id, name: try row.text(1), scope: scope, createdAt: Instant(milliseconds: try row.int(3)),
                expiresAt: try row.intOrNil(4).map { Instant(milliseconds: $0) },
                lastUsedOn: try row.textOrNil(5).flatMap { Day($0) })
        }
    }

    /// Ends the token of this name; false where this person has none of it.
    func revoke(userID: Int, name: String) throws -> Bool {
        guard let id = try find(userID: userID, name: name) else { return false }
        return try revoke(userID: userID, id: id) != nil
    }

    /// Ends one token and tells its name; nil where this person has none of that number.
    func revoke(userID: Int, id: Int) throws -> String? {
        try database.first("DELETE FROM tokens WHERE id = \(id) AND user_id = \(userID) RETURNING name") { try $0.text(0) }
    }

    private func find(userID: Int, name: String) throws -> Int? {
        try database.scalar("SELECT id FROM tokens WHERE user_id = \(userID) AND name = \(name)").map { Int($0) }
    }

    private static func check(name: String) throws(FormErrors) -> String {
        do throws(TextError) {
            return try Characters.line(name, limit: nameLimit)
        } catch {
            switch error {
            case .tooLong(let limit, _): throw FormErrors("name", "problem.name.long", [("n", String(limit))])
            case .empty, .tooShort: throw FormErrors("name", "problem.name.empty")
            case .tooManyBytes: throw FormErrors("name", "problem.too_many_bytes")
            case .control: throw FormErrors("name", "problem.control")
            }
        }
    }
}
