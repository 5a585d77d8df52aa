// What time itself makes superfluous: trash whose days are over, ended sessions, old changes, old lines of the audit log. Removed in small steps, each a change of its
// own among everybody else's, so that nobody waits for it.

public import SQLite

/// The removal of what is over.
public struct Housekeeping: Sendable {
    private let config: Config
    private static let step = 500

    /// - Parameter config: says how long trash, sessions and changes are kept.
    public init(_ config: Config) { self.config = config }

    /// One step, inside the caller's transaction. True where more may be left.
    public func step(_ database: Connection) throws -> Bool { try step(database, now: Instant.now()) }

    func step(_ database: Connection, now: Instant) throws -> Bool {
        try emptyTrash(database, before: now.adding(days: -config.trashDays)) || endSessions(database, now)
            || forgetChanges(database, before: now.adding(days: -config.historyDays))
            || forgetAudit(database, before: now.adding(days: -config.auditDays))
    }

    private func emptyTrash(_ database: Connection, before: Instant) throws -> Bool {
        let owners = try database.rows(
            """
            DELETE FROM tasks WHERE number IN
                (SELECT number FROM tasks WHERE trashed_at IS NOT NULL AND trashed_at < \(before.milliseconds) LIMIT \(Self.step))
            RETURNING user_id
            """
        ) { try $0.int(0) as Int }
        for owner in Set(owners) { try database.execute("UPDATE users SET revision = revision + 1 WHERE id = \(owner)") }
        return owners.count == Self.step
    }

    private func endSessions(_ database: Connection, _ now: Instant) throws -> Bool {
        try database.execute(
            """
            DELETE FROM sessions WHERE last_seen_at < \(now.adding(days: -config.sessionIdleDays).milliseconds)
            OR created_at < \(now.adding(days: -config.sessionDays).milliseconds)
            """)
        return false
    }

    /// Changes are numbered in the order of time: the oldest stand first. One of very many tasks goes in slices.
    private func forgetChanges(_ database: Connection, before: Instant) throws -> Bool {
        let oldest: SQL = "(SELECT id, made_at, task_count FROM changes ORDER BY id LIMIT \(Self.step))"
        let big = try database.scalar(
            "SELECT id FROM \(oldest) WHERE made_at < \(before.milliseconds) AND task_count > 100 LIMIT 1")
        guard let big else {
            try database.execute(
                "DELETE FROM changes WHERE id IN (SELECT id FROM \(oldest) WHERE made_at < \(before.milliseconds))")
            return database.changes == Self.step
        }
        try database.execute(
            """
            DELETE FROM task_changes WHERE change_id = \(big) AND task_number IN
            (SELECT task_number FROM task_changes WHERE change_id = \(big) LIMIT \(Self.slice))
            """)
        // Nobody undoes what is forgotten in part.
        let isOver = database.changes < Self.slice
        try database.execute(
            "UPDATE changes SET undone_by = id, task_count = iif(\(isOver), 0, task_count) WHERE id = \(big)")
        return true
    }

    private static let slice = 2_000

    private func forgetAudit(_ database: Connection, before: Instant) throws -> Bool {
        try database.execute(
            """
            DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT \(Self.step)) AND made_at < \(before.milliseconds)
            """)
        return database.changes == Self.step
    }
}
