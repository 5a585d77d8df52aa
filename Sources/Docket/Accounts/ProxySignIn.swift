// Sign-in by a proxy: with each request it says anew who the person is, so that there is no session to steal, to outlive its end at the
// proxy or to be mistaken for another one's. A cookie of somebody else ends where the proxy names a person (FAULTS A06). Whom it names
// must have an open account, or gets one where `--proxy-accounts` says so.

import HTTP
import SQLite

struct ProxySignIn {
    private let context: Context

    init(_ context: Context) { self.context = context }

    /// A visit is written down at most once an hour, and stands in the audit log where the last one is half a day ago.
    private static let noteInterval = 3_600
    private static let visitInterval = 43_200

    private struct Found {
        let user: User
        let isDisabled: Bool
        let seenAt: Instant?
    }

    /// The session of whom the proxy names.
    ///
    /// - Throws: `Refusal.noAccount` where that is nobody with an open account.
    func session(_ text: String) throws -> Session {
        guard let name = try? UserName(text) else { throw Refusal.noAccount(text) }
        if try find(name) == nil, context.app.config.proxyAccounts == .on { try make(name) }
        guard let found = try find(name), !found.isDisabled, Self.isSame(name, found.user.name) else {
            throw Refusal.noAccount(text)
        }
        try endSessionsOfOthers(than: found.user.id)
        note(found)
        return Session(user: found.user, credential: .proxy)
    }

    /// Names that only look alike are one account here, and two people at the proxy: the one must not get the other's tasks. Case makes
    /// no difference at either.
    private static func isSame(_ name: UserName, _ other: String) -> Bool {
        name.display.lowercased().utf8.elementsEqual(other.lowercased().utf8)
    }

    private func find(_ name: UserName) throws -> Found? {
        try context.database.first(
            "SELECT \(User.columns), is_disabled, proxy_seen_at FROM users WHERE name_key = \(name.key)"
        ) { row in
            Found(
                user: try User(row: row), isDisabled: try row.int(12) == 1,
                seenAt: try row.intOrNil(13).map { Instant(milliseconds: $0) })
        }
    }

    private func make(_ name: UserName) throws {
        let account = AccountRepository.NewAccount(
            name: name, passwordHash: nil, language: context.language, zoneName: context.app.config.timeZone)
        let (now, audit) = (context.now, Audit(context, by: nil))
        do {
            try context.change { database in
                let id = try AccountRepository(database: database, now: now).create(account)
                try audit.record(.signedUp, of: id, detail: "proxy", in: database)
            }
        } catch is FormErrors {
            // Another request of the same person was quicker.
        }
    }

    private func endSessionsOfOthers(than user: Int) throws {
        for digest in SessionCookie.digests(context) {
            let other = try context.database.scalar(
                "SELECT 1 FROM sessions WHERE digest = \(digest) AND user_id <> \(user)")
            guard other != nil else { continue }
            try context.change { try SessionRepository($0).end(digest: digest) }
        }
    }

    private func note(_ found: Found) {
        let (now, user) = (context.now, found.user.id)
        if let seen = found.seenAt, seen > now.adding(seconds: -Self.noteInterval) { return }
        let isVisit = found.seenAt.map { $0 < now.adding(seconds: -Self.visitInterval) } ?? true
        let audit = Audit(context, by: nil)
        // Reading goes on where the disk is full: this is lost then.
        try? context.change { database in
            try database.execute("UPDATE users SET proxy_seen_at = \(now.milliseconds) WHERE id = \(user)")
            if isVisit { try audit.record(.signedIn, of: user, detail: "proxy", in: database) }
        }
    }
}
