// A filter that a person keeps under a name: a query string of the list page.

import HTTP
import SQLite

/// One saved filter.
struct SavedFilter: Sendable {
    let id: Int
    let name: String
    /// The query string of the list page.
    let query: String
    /// What it means today; nil where it names something that is no more, as a category that was removed.
    let filter: TaskFilter?
    /// What it names that is no more: told wherever it stands, and never left out, which would show more than was asked for.
    let problems: [TaskFilter.Problem]

    static func all(_ database: Connection, owner: User, categories: [Category]) throws -> [SavedFilter] {
        try database.rows("SELECT id, name, query FROM filters WHERE user_id = \(owner.id) ORDER BY position, id") {
            try SavedFilter($0, owner, categories)
        }
    }

    static func find(_ id: Int, _ database: Connection, owner: User, categories: [Category]) throws -> SavedFilter? {
        try database.first("SELECT id, name, query FROM filters WHERE id = \(id) AND user_id = \(owner.id)") {
            try SavedFilter($0, owner, categories)
        }
    }

    private init(_ row: Row, _ owner: User, _ categories: [Category]) throws {
        id = try row.int(0)
        name = try row.text(1)
        query = try row.text(2)
        var problems: [TaskFilter.Problem] = []
        let read = TaskFilter(
            query: try FormFields(query: query), categories: categories, order: owner.order, problems: &problems)
        filter = problems.isEmpty ? read : nil
        self.problems = problems
    }

    /// Its own address.
    var path: String { "/filters/\(id)" }
}
