// Which tasks an export is to have: all of them, those of a saved filter, or those that the parameters of the list page choose. Unlike a
// list an export leaves nothing out that it was not told to: without `status` it has completed tasks too. It has one order and no pages,
// and says so where one is asked for.

import HTTP
import SQLite

/// What an export was asked for, and what of it could not be understood.
struct ExportRequest {
    var filter = TaskFilter()
    var problems: [TaskFilter.Problem] = []
    /// The saved filter whose tasks are wanted.
    var saved: SavedFilter?
    /// True where not everything is wanted.
    var isNarrowed: Bool { filter != Self.everything }

    static let everything: TaskFilter = {
        var filter = TaskFilter()
        (filter.status, filter.order) = (.all, .oldest)
        return filter
    }()

    /// - Parameter line: the parameters, in which what was typed into the search field has been read.
    init(_ line: SearchLine, _ database: Connection, owner: User, categories: [Category]) throws {
        problems = line.problems
        let query = line.query
        // A saved filter has its conditions, and an export one order: what else a page's form carries is empty.
        let saved = query.first("filter").flatMap { $0.isEmpty ? nil : $0 }
        let names = (saved == nil ? FilterForm.conditionNames.filter { $0 != "sort" } : []) + ["filter", "format"]
        problems += TaskFilter.Problem.unknown(query.filter { !$0.value.isEmpty }, besides: Set(names))
        if let text = saved {
            let found = try Int(digits: text.utf8).flatMap {
                try SavedFilter.find($0, database, owner: owner, categories: categories)
            }
            if found == nil { problems.append(TaskFilter.Problem(parameter: "filter", value: text)) }
            problems += found?.problems ?? []
            self.saved = found
            filter = found?.filter ?? TaskFilter()
        } else {
            filter = TaskFilter(query: query, categories: categories, order: .oldest, problems: &problems)
            if query.first("status").map({ $0.isEmpty }) ?? true { filter.status = .all }
        }
        filter.order = .oldest
    }

    /// The parameters that choose the same tasks.
    var query: [(String, String)] {
        if let saved { return [("filter", String(saved.id))] }
        return filter.exportQuery
    }
}

extension TaskFilter {
    /// The parameters with which an export has the tasks of this filter.
    var exportQuery: [(String, String)] {
        let pairs = query(order: order).filter { $0.0 != "status" }
        return status == .all ? pairs : [("status", status.rawValue)] + pairs
    }
}
