// The one home of SQL that changes saved filters. Ownership stands in every WHERE: someone else's filter is simply not found.
// Every change gives the person a new revision, since each page shows the filters with their counts.

import HTTP
import SQLite

/// The saved filters of one person.
struct FilterRepository {
    private let tasks: TaskRepository
    private var database: Connection { tasks.database }
    private var owner: Int { tasks.owner.id }

    init(_ context: Context, _ session: Session) { tasks = TaskRepository(context, session) }

    /// Keeps a filter under a name, behind the others, and tells its number.
    func add(_ name: String, _ filter: TaskFilter) throws -> Int {
        try database.execute(
            """
            INSERT INTO filters (user_id, name, query, position)
            SELECT \(owner), \(name), \(Self.query(filter)), coalesce(max(position), 0) + 1 FROM filters WHERE user_id = \(owner)
            """)
        let id = Int(database.lastInsertRowID)
        try tasks.bumpRevision()
        return id
    }

    func save(_ id: Int, _ name: String, _ filter: TaskFilter) throws {
        try database.execute(
            "UPDATE filters SET name = \(name), query = \(Self.query(filter)) WHERE id = \(id) AND user_id = \(owner)")
        try tasks.bumpRevision()
    }

    func remove(_ id: Int) throws {
        try database.execute("DELETE FROM filters WHERE id = \(id) AND user_id = \(owner)")
        try tasks.bumpRevision()
    }

    /// With the order told always: what is kept does not follow later changes of the person's default order.
    private static func query(_ filter: TaskFilter) -> String { FormFields.encode(filter.query(order: nil)) }
}
