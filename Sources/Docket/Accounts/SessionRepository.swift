// Sessions and tokens in the database: who is it that asks? Nothing here writes when a page is read.

import HTTP
import SQLite

/// The home of session and token SQL.
struct SessionRepository {
    private let database: Connection

    init(_ database: Connection) { self.database = database }

    /// The person behind a request: by its bearer token, else by its cookie, else nobody.
    ///
    /// - Throws: `Refusal.badToken` for a token that is wrong, over or a disabled person's, so that a script never gets a stranger's page.
    func identify(_ context: Context) throws -> Session? {
        let head = context.request.head
        if Bearer.isPresent(head) {
            guard let token = Bearer.token(head), let digest = Secret.digest(of: token),
                let session = try session(token: digest, context.now)
            else { throw Refusal.badToken }
            return session
        }
        for text in Cookies(head.fields).values(SessionCookie.name(context.origin)) {
            if let digest = Secret.digest(of: text), let session = try session(cookie: digest, context) { return session }
        }
        return nil
    }

    private func session(cookie digest: [UInt8], _ context: Context) throws -> Session? {
        let idle = context.now.adding(days: -context.app.config.sessionIdleDays).milliseconds
        let oldest = context.now.adding(days: -context.app.config.sessionDays).milliseconds
        return try database.first(
            """
            SELECT \(User.columns) FROM sessions JOIN users ON users.id = sessions.user_id
            WHERE sessions.digest = \(digest) AND last_seen_at >= \(idle) AND sessions.created_at >= \(oldest) AND is_disabled = 0
            """
        ) { Session(user: try User(row: $0), credential: .cookie(digest: digest)) }
    }

    private func session(token digest: [UInt8], _ now: Instant) throws -> Session? {
        try database.first(
            """
            SELECT \(User.columns), tokens.id, tokens.scope FROM tokens JOIN users ON users.id = tokens.user_id
            WHERE tokens.digest = \(digest) AND (expires_at IS NULL OR expires_at > \(now.milliseconds)) AND is_disabled = 0
            """
        ) { row in
            guard let scope = Scope(rawValue: try row.text(13)) else {
                throw DamagedRow(table: "tokens", number: try row.int(12))
            }
            return Session(user: try User(row: row), credential: .token(id: try row.int(12), scope: scope))
        }
    }

    /// Makes a session and gives the secret for its cookie.
    func create(userID: Int, address: String, userAgent: String, now: Instant) throws -> Secret {
        let secret = Secret()
        try database.execute(
            """
            INSERT INTO sessions (digest, user_id, created_at, last_seen_at, address, user_agent)
            VALUES (\(secret.digest), \(userID), \(now.milliseconds), \(now.milliseconds), \(address), \(String(userAgent.prefix(300))))
            """)
        return secret
    }

    /// Ends one session on the server.
    func end(digest: [UInt8]) throws {
        try database.execute("DELETE FROM sessions WHERE digest = \(digest)")
    }

    /// Ends all sessions of a person, or all but one.
    func endAll(userID: Int, except kept: [UInt8]? = nil) throws {
        try database.execute("DELETE FROM sessions WHERE user_id = \(userID) AND digest IS NOT \(kept)")
    }
}

/// The session cookie. The two schemes use different names, so that a cookie set over https never hides the one of plain http (FAULTS A01).
enum SessionCookie {
    static func name(_ origin: Origin) -> String { origin.isSecure ? "__Host-docket" : "docket" }

    static func set(_ secret: Secret, _ origin: Origin, days: Int) -> String {
        SetCookie.text(name(origin), secret.text, maxAge: days * 86_400, origin)
    }

    static func remove(_ origin: Origin) -> String {
        SetCookie.text(name(origin), "", maxAge: 0, origin)
    }
}

extension Session {
    /// Refuses a token whose scope does not reach: `add` makes tasks and reads nothing, `read` reads, `full` does both.
    func check(_ wanted: Scope) throws(Refusal) {
        guard case .token(_, let scope) = credential else { return }
        guard scope == .full || scope == wanted else { throw .scopeTooNarrow }
    }
}

extension SetCookie {
    /// The value of a Set-Cookie field for a name and a value of ours; nothing where they could not stand in one.
    static func text(_ name: String, _ value: String, maxAge: Int, _ origin: Origin) -> String {
        SetCookie(name: name, value: value, isSecure: origin.isSecure, maxAge: maxAge)?.description ?? ""
    }
}

extension Cookies {
    /// All values of a name.
    func values(_ name: String) -> [String] { list.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value) }
}
