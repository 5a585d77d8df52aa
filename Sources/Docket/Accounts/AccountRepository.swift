// People in the database: making, finding, changing and removing accounts, with their first categories and their passwords.

import SQLite

/// The home of account SQL.
struct AccountRepository {
    let database: Connection
    let now: Instant

    /// What someone chooses when they sign up.
    struct NewAccount: Sendable {
        let name: UserName
        /// Nil: no sign-in by password.
        let passwordHash: String?
        let language: Language
        let zoneName: String
    }

    /// An account as the commands and the administrators' pages list it.
    struct Entry: Sendable {
        let id: Int
        let name: String
        let isAdmin: Bool
        let isDisabled: Bool
        let createdAt: Instant
        let lastSeenAt: Instant?
        let taskCount: Int
    }

    /// Makes an account; the first one is the administrator's. Throws `FormErrors` where the name is taken.
    func create(_ account: NewAccount) throws -> Int {
        guard try id(of: account.name) == nil else { throw FormErrors("username", "problem.username.taken") }
        let isFirst = try isEmpty()
        try database.execute(
            """
            INSERT INTO users (name, name_key, password_hash, is_admin, created_at, language, time_zone)
            VALUES (\(account.name.display), \(account.name.key), \(account.passwordHash), \(isFirst), \(now.milliseconds), \
            \(account.language.rawValue), \(account.zoneName))
            """)
        let id = Int(database.lastInsertRowID)
        for (position, category) in Category.first.enumerated() {
            try database.execute(
                """
                INSERT INTO categories (user_id, key, icon, color, position)
                VALUES (\(id), \(category.key), \(category.icon), \(category.color), \(position))
                """)
        }
        return id
    }

    /// True before anyone has signed up.
    func isEmpty() throws -> Bool { try database.scalar("SELECT 1 FROM users LIMIT 1") == nil }

    /// The account of a name, or of one that looks the same.
    func id(of name: UserName) throws -> Int? {
        try database.scalar("SELECT id FROM users WHERE name_key = \(name.key)").map { Int($0) }
    }

    /// The person of an account, as a session would have them.
    func user(_ id: Int) throws -> User? {
        try database.first("SELECT \(User.columns) FROM users WHERE id = \(id)", User.init(row:))
    }

    /// The person that a command names.
    func named(_ name: String) throws -> User {
        let key = UserName.key(of: name)
        let found = try database.first("SELECT \(User.columns) FROM users WHERE name_key = \(key)", User.init(row:))
        guard let found else { throw CommandFailure("there is no account called \(name)") }
        return found
    }

    /// What signing in needs: the stored hash, nil for an account without a password or one that is disabled.
    func passwordHash(of id: Int) throws -> String? {
        try database.first("SELECT password_hash FROM users WHERE id = \(id) AND is_disabled = 0") { try $0.textOrNil(0) } ?? nil
    }

    /// Sets a password's hash.
    func setPassword(_ id: Int, _ hash: String) throws {
        try database.execute("UPDATE users SET password_hash = \(hash), revision = revision + 1 WHERE id = \(id)")
    }

    /// Closes or opens an account; closing ends its sessions and imports, however soon it is opened again. Its tokens and feeds stop with
    /// it, since each use asks.
    func setDisabled(_ id: Int, _ isDisabled: Bool) throws {
        try database.execute("UPDATE users SET is_disabled = \(isDisabled), revision = revision + 1 WHERE id = \(id)")
        guard isDisabled else { return }
        try SessionRepository(database).endAll(userID: id)
        try ImportRepository(database).endAll(userID: id)
    }

    /// Gives or takes the right of an administrator. Their sessions go on under new rights only after a new sign-in.
    func setAdministrator(_ id: Int, _ isAdmin: Bool) throws {
        try database.execute("UPDATE users SET is_admin = \(isAdmin), revision = revision + 1 WHERE id = \(id)")
        try SessionRepository(database).endAll(userID: id)
    }

    /// True where others would be left without an administrator who can sign in.
    func isLastAdministrator(_ id: Int) throws -> Bool {
        try database.scalar(
            """
            SELECT 1 FROM users WHERE id = \(id) AND is_admin = 1 AND EXISTS (SELECT 1 FROM users WHERE id <> \(id))
            AND NOT EXISTS (SELECT 1 FROM users WHERE id <> \(id) AND is_admin = 1 AND is_disabled = 0)
            """) != nil
    }

    /// Removes an account and everything of it.
    func delete(_ id: Int) throws {
        try database.execute("DELETE FROM users WHERE id = \(id)")
    }

    /// All accounts by name. Tasks are counted, never shown.
    func all() throws -> [Entry] {
        try database.rows(
            """
            SELECT id, name, is_admin, is_disabled, created_at, 
            max(coalesce((SELECT max(last_seen_at) FROM sessions WHERE user_id = users.id), proxy_seen_at), \
            coalesce(proxy_seen_at, (SELECT max(last_seen_at) FROM sessions WHERE user_id = users.id))),
            (SELECT coalesce(sum(count), 0) FROM task_counts WHERE user_id = users.id) FROM users ORDER BY name_key
            """
        ) { row in
            Entry(
                id: try row.int(0), name: try row.text(1), isAdmin: try row.int(2) == 1, isDisabled: try row.int(3) == 1,
                createdAt: Instant(milliseconds: try row.int(4)),
                lastSeenAt: try row.intOrNil(5).map { Instant(milliseconds: $0) },
                taskCount: try row.int(6))
        }
    }
}
