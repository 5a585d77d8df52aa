// What no kept count can tell of: searches and conditions that are looked for. Looking is bounded by the number of tasks found and by the
// work that it takes, whatever is asked for and however the tasks lie; where the bound ends it, that is told, and one can ask for all.

import SQLite

extension TaskRepository {
    /// What a filter shows, as far as one has looked.
    struct Found {
        var total: TaskTotal
        /// How many of the total are completed, where that is known.
        fileprivate(set) var completed: Int?
        /// Those that had to be looked at one by one, in no order, no more than `TaskTotal.bound`. Nil: a list is a walk along indexes.
        fileprivate var places: [Hit]?
        /// What looking took, in steps of looking at texts.
        fileprivate var steps = 0

        init(total: TaskTotal) { self.total = total }

        /// True where there are more than `places` has.
        fileprivate var isDense: Bool { !total.isCutShort && (!total.isExact || total.count > places?.count ?? 0) }
    }

    /// A task that was found, with what it is sorted by.
    fileprivate struct Hit {
        let number: Int64
        let order: (Int64, Int64, Int64, Int64)
    }

    /// How far one looks.
    enum Reach {
        /// As long as a person waits: `TaskTotal.bound` tasks, `stepLimit` steps.
        case quick
        /// Any number of tasks, ten times the steps: for pages far behind.
        case far
        /// To the end.
        case whole
    }

    /// Looks for the tasks of a filter.
    func find(_ filter: TaskFilter, _ reach: Reach = .quick) throws -> Found {
        if let count = try keptCount(filter) { return Found(total: TaskTotal(count)) }
        let keeps = looksAtRows(filter)
        if reach == .whole, !keeps {
            let count = try database.scalar("SELECT count(*) FROM tasks \(index(filter)) WHERE \(condition(filter))") ?? 0
            return Found(total: TaskTotal(Int(count)))
        }
        var places: [Hit] = []
        var (count, completed) = (0, 0)
        let most = reach == .quick ? TaskTotal.bound : Int.max
        func look() throws {
            for rows in try sources(filter, keeps: keeps) {
                try database.forEach(rows) { row in
                    count += 1
                    guard keeps, count <= TaskTotal.bound else { return count <= most }
                    if try row.int(5) == 1 { completed += 1 }
                    places.append(try Hit(row, filter.order))
                    return true
                }
                if count > most { return }
            }
        }
        var isCutShort = false
        // An entry of an index is looked at in a tenth of the time of a text.
        let weight = keeps ? 1 : 10
        let steps = stepLimit * (reach == .far ? 10 : 1)
        var left = steps * weight
        do {
            if reach == .whole { try look() } else { try database.limited(steps: &left, look) }
        } catch let error as DatabaseError where error.isInterrupted {
            isCutShort = true
        }
        let isOver = !isCutShort && count > most
        var found = Found(total: TaskTotal(isOver ? most : count, isExact: !isOver && !isCutShort, isCutShort: isCutShort))
        found.steps = steps - left / weight
        if keeps { found.places = places }
        if keeps, places.count == count { found.completed = completed }
        return found
    }

    /// How many tasks each of some filters shows, as far as one has looked: all of them together take as long as two lists at most, so
    /// that who keeps many costly ones does not wait for them on every page. What costs little is counted whoever stands before it.
    func totals(_ filters: [TaskFilter]) throws -> [TaskTotal] {
        let least = stepLimit / max(filters.count, 20)
        var (repository, left) = (self, stepLimit)
        return try filters.map { filter in
            repository.stepLimit = max(min(stepLimit, left), least)
            let found = try repository.find(filter)
            left -= found.steps
            return found.total
        }
    }

    /// The tasks of one page of what was found. Where it takes too long to go there, `found.total` says so afterwards.
    func page(_ filter: TaskFilter, _ found: inout Found, offset: Int, limit: Int, columns: SQL = TaskItem.columns) throws
        -> [TaskItem]
    {
        if let places = found.places, !found.isDense { return try sorted(places, offset, limit, columns) }
        let total = found.total.isExact ? found.total.count : Int.max
        func walk() throws -> [TaskItem] { try list(filter, offset: offset, limit: limit, total: total, columns: columns) }
        if found.total.isExact { return try walk() }
        do {
            var steps = stepLimit * 10
            return try database.limited(steps: &steps, walk)
        } catch let error as DatabaseError where error.isInterrupted {
            // Those at hand, rather than none.
            found.total = TaskTotal(found.total.count, isExact: false, isCutShort: true)
            return try sorted(found.places ?? [], offset, limit, columns)
        }
    }

    private func sorted(_ places: [Hit], _ offset: Int, _ limit: Int, _ columns: SQL) throws -> [TaskItem] {
        try places.sorted { $0.order < $1.order }.dropFirst(offset).prefix(limit).compactMap { place in
            try database.first("SELECT \(columns) FROM tasks WHERE number = \(place.number)", TaskItem.init(row:))
        }
    }

    /// True where no index of lists has all that the conditions are about.
    private func looksAtRows(_ filter: TaskFilter) -> Bool {
        SearchQuery(filter.search) != nil || filter.done != nil || filter.created != nil && filter.order.isByDue
    }

    /// The statements that find the rows of a filter, newest first where that costs nothing.
    func sources(_ filter: TaskFilter, keeps: Bool) throws -> [SQL] {
        let columns: SQL = keeps ? "tasks.number, pinned, priority, created_at, due_key, status" : "1"
        let condition = condition(filter)
        if let place = try place(filter), try !isNarrow(filter) {
            return [
                // By number: an index of lists would lead through all of the person's tasks to the few behind `through`.
                "SELECT \(columns) FROM tasks NOT INDEXED WHERE number > \(place.through) AND \(condition)",
                """
                SELECT \(columns) FROM search_terms CROSS JOIN tasks ON tasks.number = search_terms.rowid
                WHERE search_terms MATCH \(place.match) AND \(condition) ORDER BY search_terms.rowid DESC
                """,
            ]
        }
        return ["SELECT \(columns) FROM tasks \(index(filter)) WHERE \(condition)"]
    }

    /// The index by which the days of a filter are found.
    private func index(_ filter: TaskFilter) -> SQL {
        if filter.done != nil { return "INDEXED BY tasks_by_completion" }
        if filter.due != nil { return "INDEXED BY tasks_by_due" }
        return filter.created != nil ? "INDEXED BY tasks_by_created" : ""
    }

    /// True where a search also asks for days that only a few thousand tasks have: those are looked through sooner.
    private func isNarrow(_ filter: TaskFilter) throws -> Bool {
        guard filter.done != nil || filter.due != nil || filter.created != nil else { return false }
        var days = filter
        days.search = ""
        let most = 5_000
        let rows: SQL = "SELECT 1 FROM tasks \(index(days)) WHERE \(condition(days)) LIMIT \(most + 1)"
        return Int(try database.scalar("SELECT count(*) FROM (\(rows))") ?? 0) <= most
    }

    /// Nil where a person's own texts are gone through as fast.
    private func place(_ filter: TaskFilter) throws -> SearchIndex.Place? {
        guard let search = SearchQuery(filter.search),
            let all = try database.scalar("SELECT sum(count) FROM task_counts WHERE user_id = \(owner.id)"), all >= indexThreshold
        else { return nil }
        return try SearchIndex(database).place(search, owner: owner.id)
    }

    // MARK: For changes

    /// The numbers of all tasks of a filter, to the end.
    func numbers(_ filter: TaskFilter) throws -> [Int64] {
        var filter = filter
        filter.order = .newest
        return try sources(filter, keeps: true).flatMap { try database.rows($0) { try $0.int(0) } }
    }
}

extension TaskRepository.Hit {
    fileprivate init(_ row: Row, _ order: TaskOrder) throws {
        number = try row.int(0)
        let (pinned, priority, created): (Int64, Int64, Int64) = (try row.int(1), try row.int(2), try row.int(3))
        let due: Int64? = try row.intOrNil(4)
        switch order {
        case .newest: self.order = (-pinned, -created, 0, -number)
        case .oldest: self.order = (-pinned, created, 0, number)
        case .priority: self.order = (-pinned, -priority, -created, -number)
        case .dueSoonest: self.order = (-pinned, due ?? .max, 0, number)
        case .dueLatest: self.order = (-pinned, due.map { -$0 } ?? .max, 0, -number)
        }
    }
}
