// Sessions and tokens in the database: who is it that asks? Nothing here writes when a page is read.

import HTTP
import SQLite

/// The home of session and token SQL.
struct SessionRepository {
    private let database: Connection

    init(_ database: Connection) { self.database = database }

    /// The person behind a request: by its bearer token, else by the word of a listed proxy, else by its cookie, else nobody.
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
        if context.app.config.proxyUserHeader != nil, let name = try ProxyUser(context).name {
            return try ProxySignIn(context).session(name)
        }
        for digest in SessionCookie.digests(context) {
            if let session = try session(cookie: digest, context) { return session }
        }
        return nil
    }

    private func session(cookie digest: [UInt8], _ context: Context) throws -> Session? {
        let lifetimes = SessionLifetimes(context.app.config, context.now)
        let note = context.now.adding(seconds: -Self.noteInterval).milliseconds
        return try database.first(
            """
            SELECT \(User.columns), last_seen_at > \(note) FROM sessions JOIN users ON users.id = sessions.user_id
            WHERE sessions.digest = \(digest) AND \(lifetimes.condition) AND is_disabled = 0
            """
        ) { Session(user: try User(row: $0), credential: .cookie(digest: digest), isNoted: try $0.int(12) == 1) }
    }

    private func session(token digest: [UInt8], _ now: Instant) throws -> Session? {
        try database.first(
            """
            SELECT \(User.columns), tokens.id, tokens.scope, tokens.last_used_on FROM tokens JOIN users ON users.id = tokens.user_id
            WHERE tokens.digest = \(digest) AND (expires_at IS NULL OR expires_at > \(now.milliseconds)) AND is_disabled = 0
            """
        ) { row in
            guard let scope = Scope(rawValue: try row.text(13)) else {
                throw DamagedRow(table: "tokens", number: try row.int(12))
            }
            let isNoted = try row.textOrNil(14) == Self.day(now)
            return Session(user: try User(row: row), credential: .token(id: try row.int(12), scope: scope), isNoted: isNoted)
        }
    }

    // MARK: Last seen

    /// Sessions are noted at most hourly, tokens once a day (UTC).
    private static let noteInterval = 3_600

    private static func day(_ now: Instant) -> String { Zone.utc.day(at: now).description }

    /// Writes down that a session or token was used. Reading pages never do this themselves: they ask the writer, and do not wait.
    func note(_ credential: Session.Credential, _ now: Instant) throws {
        switch credential {
        case .cookie(let digest):
            try database.execute(
                "UPDATE sessions SET last_seen_at = \(now.milliseconds) WHERE digest = \(digest) AND last_seen_at < \(now.milliseconds)"
            )
        case .proxy:
            // Told by the person's number, which a credential does not have: `ProxySignIn` notes it.
            break
        case .token(let id, _):
            try database.execute("UPDATE tokens SET last_used_on = \(Self.day(now)) WHERE id = \(id)")
        }
    }

    // MARK: Making and ending

    /// Makes a session and gives the secret for its cookie.
    func create(userID: Int, address: String, userAgent: String, now: Instant) throws -> Secret {
        let secret = Secret()
        let userAgent = String(String.UnicodeScalarView(userAgent.unicodeScalars.prefix(300)))
        try database.execute(
            """
            INSERT INTO sessions (digest, user_id, created_at, last_seen_at, address, user_agent)
            VALUES (\(secret.digest), \(userID), \(now.milliseconds), \(now.milliseconds), \(address), \(userAgent))
            """)
        return secret
    }

    /// A session as its owner sees it in the list.
    struct Entry: Sendable {
        let digest: [UInt8]
        let createdAt: Instant
        let lastSeenAt: Instant
        let address: String
        let userAgent: String

        /// What the page calls it: a piece of the digest, which leads nobody to the identifier.
        var id: String { SessionRepository.id(digest) }
    }

    /// A person's sessions that have not run out, last seen first.
    func list(userID: Int, lifetimes: SessionLifetimes) throws -> [Entry] {
        try database.rows(
            """
            SELECT digest, created_at, last_seen_at, address, user_agent FROM sessions
            WHERE user_id = \(userID) AND \(lifetimes.condition) ORDER BY last_seen_at DESC, digest
            """
        ) { row in
            Entry(
                digest: try row.bytes(0), createdAt: Instant(milliseconds: try row.int(1)),
                lastSeenAt: Instant(milliseconds: try row.int(2)), address: try row.text(3), userAgent: try row.text(4))
        }
    }

    /// Whose session it is, nil where there is none.
    func owner(of digest: [UInt8]) throws -> Int? {
        try database.scalar("SELECT user_id FROM sessions WHERE digest = \(digest)").map { Int($0) }
    }

    /// Ends one session on the server.
    func end(digest: [UInt8]) throws {
        try database.execute("DELETE FROM sessions WHERE digest = \(digest)")
    }

    /// Ends the session that the list calls so; false where this person has none of it.
    func end(userID: Int, id: String) throws -> Bool {
        let digests = try database.rows("SELECT digest FROM sessions WHERE user_id = \(userID)") { try $0.bytes(0) }
        guard let digest = digests.first(where: { Self.id($0).utf8.elementsEqual(id.utf8) }) else { return false }
        try end(digest: digest)
        return true
    }

    private static func id(_ digest: [UInt8]) -> String { Secret.base64URL(Array(digest.prefix(12))) }

    /// Ends all sessions of a person, or all but one.
    func endAll(userID: Int, except kept: [UInt8]? = nil) throws {
        try database.execute("DELETE FROM sessions WHERE user_id = \(userID) AND digest IS NOT \(kept)")
    }
}

extension Context {
    /// Has it written down that a session was used: by the writer, without waiting for it. Losing that harms nobody.
    func note(_ session: Session) {
        let (credential, now) = (session.credential, now)
        if isWriting {
            try? SessionRepository(database).note(credential, now)
        } else {
            writer.note { try SessionRepository($0).note(credential, now) }
        }
    }
}

/// How long sessions live: unused, and in any case.
struct SessionLifetimes: Sendable {
    private let idle: Instant
    private let oldest: Instant

    init(_ config: Config, _ now: Instant) {
        idle = now.adding(days: -config.sessionIdleDays)
        oldest = now.adding(days: -config.sessionDays)
    }

    /// True of a row of `sessions` that has not run out.
    var condition: SQL { "last_seen_at >= \(idle.milliseconds) AND sessions.created_at >= \(oldest.milliseconds)" }
}

/// The session cookie. The two schemes use different names, so that a cookie set over https never hides the one of plain http (FAULTS A01).
enum SessionCookie {
    /// Of plain and of secure connections.
    static let names = ["docket", "__Host-docket"]

    static func name(_ origin: Origin) -> String { names[origin.isSecure ? 1 : 0] }

    /// The cookie lives as long as a session can at most; that one which is not used ends sooner is the server's to know.
    static func set(_ secret: Secret, _ context: Context) -> String {
        SetCookie.text(name(context.origin), secret.text, maxAge: context.app.config.sessionDays * 86_400, context.origin)
    }

    /// The digests of the session cookies that a request carries, right or not.
    static func digests(_ context: Context) -> [[UInt8]] { context.cookies.digests(name(context.origin)) }

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

    /// The digests of those that could be secrets of ours.
    func digests(_ name: String) -> [[UInt8]] { values(name).compactMap(Secret.digest(of:)) }
}
