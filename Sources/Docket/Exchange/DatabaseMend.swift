// docket check --mend: what is kept twice is made anew from what it was made of. Nothing that a person wrote is touched.

import SQLite

/// Puts right what can be made anew.
public enum DatabaseMend: String, CaseIterable, Sendable {
    /// How many tasks of each kind people have.
    case counters
    /// The moments by which due days are sorted.
    case dueDates = "due dates"
    /// The terms by which searches go.
    case search = "search index"

    /// Mends these, in one transaction; a server may run meanwhile.
    public static func run(_ file: DatabaseFile, _ what: Set<DatabaseMend>) throws {
        try file.told {
            let connection = try file.openExisting()
            defer { connection.close() }
            try connection.transaction {
                for one in what { try one.mend(connection) }
                // Whatever a page has kept of a person is old now.
                try connection.execute("UPDATE users SET revision = revision + 1")
            }
        }
    }

    /// One of them, inside the caller's transaction.
    func mend(_ connection: Connection) throws {
        switch self {
        case .counters:
            try connection.execute("DELETE FROM task_counts")
            try connection.execute(
                """
                INSERT INTO task_counts (user_id, status, category_id, priority, pinned, count)
                SELECT user_id, status, category_id, priority, pinned, count(*) FROM tasks WHERE trashed_at IS NULL GROUP BY 1, 2, 3, 4, 5
                """)
        case .dueDates:
            let accounts = AccountRepository(database: connection, now: .now())
            for id in try connection.rows("SELECT id FROM users", { try $0.int(0) as Int }) {
                guard let user = try accounts.user(id) else { continue }
                try TaskRepository(connection, owner: user, now: .now()).rekey()
            }
        case .search: try SearchIndex(connection).forget()
        }
    }
}
