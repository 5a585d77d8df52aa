// The audit log: who came in, who failed to, and whatever was done to accounts, rights, tokens, sessions and files of data. One function
// writes it, in the transaction of what it tells of, with a line in the server's log. It never holds a password, a secret, a text of
// anyone's tasks, nor what was typed as the name of an account that does not exist (people type passwords there).

import SQLite

/// Writes the audit log for one request or command.
struct Audit: Sendable {
    /// What can have happened; the names stand in the database and in the server's log.
    enum Event: String, CaseIterable, Sendable {
        case signedUp = "signed_up"
        case signedIn = "signed_in"
        case signInFailed = "sign_in_failed"
        case signedOut = "signed_out"
        case passwordChanged = "password_changed"
        case passwordCheckFailed = "password_check_failed"
        case sessionEnded = "session_ended"
        case sessionsEnded = "sessions_ended"
        case tokenMade = "token_made"
        case tokenRevoked = "token_revoked"
        case feedRenewed = "feed_renewed"
        case feedRemoved = "feed_removed"
        case invitationMade = "invitation_made"
        case accountDisabled = "account_disabled"
        case accountEnabled = "account_enabled"
        case accountDeleted = "account_deleted"
        case administratorMade = "administrator_made"
        case administratorUnmade = "administrator_unmade"
        case imported = "tasks_imported"
        case exported = "tasks_exported"
        case backedUp = "backup_downloaded"
    }

    private let now: Instant
    private let address: String?
    private let actor: Int?
    private let logger: Logger?

    /// For a request; `actor` is who is signed in.
    init(_ context: Context, by actor: Session?) {
        (now, address, self.actor, logger) = (context.now, context.origin.client, actor?.user.id, context.app.logger)
    }

    /// For a command of the operator, who sees what it does.
    init(command now: Instant) {
        (self.now, address, actor, logger) = (now, nil, nil, nil)
    }

    /// Writes one line, inside the transaction of what it tells of; the log has it once that is kept.
    ///
    /// - Parameters:
    ///   - user: whose account it concerns; nil: nobody's that is known.
    ///   - detail: a word or figure of ours, never of a person.
    func record(_ event: Event, of user: Int?, detail: String = "", in database: Connection) throws {
        try database.execute(
            """
            INSERT INTO audit (made_at, event, user_name, actor_name, address, detail) VALUES (\(now.milliseconds), \
            \(event.rawValue), (SELECT name FROM users WHERE id = \(user)), (SELECT name FROM users WHERE id = \(actor)), \
            \(address), \(detail))
            """)
        var values = [("user", user.map(String.init) ?? "-")]
        if let actor, actor != user { values.append(("by", String(actor))) }
        if let address { values.append(("address", address)) }
        if !detail.isEmpty { values.append(("detail", detail)) }
        if let logger { database.afterCommit { [values] in logger.event(event.rawValue, values) } }
    }
}
