// A page deep inside a list of both statuses: instead of merging two indexes entry by entry up to there, one begins at a task of the first
// index near the page, and counts how many of the second stand before it. That costs a third, and the page is the same.

import SQLite

extension TaskRepository {
    /// Where a walk may begin: a condition of its entries, and how many entries are to be passed over still.
    struct Start {
        var condition: SQL = ""
        var skipped: Int
        /// True where all of the segment stands before it: `skipped` counts from the next.
        var isBehind = false
    }

    /// A start before the entry `skipped`; that of the list where nothing is to be gained.
    func start(_ filter: TaskFilter, _ segment: Segment, backwards: Bool, skipped: Int) throws -> Start {
        let plain = Start(skipped: skipped)
        let statuses = filter.status.statuses
        guard skipped >= jumpThreshold, statuses.count == 2, try keptCount(filter) != nil else { return plain }
        let sizes = try statuses.map { status in
            try database.scalar(
                """
                SELECT coalesce(sum(count), 0) FROM task_counts
                WHERE user_id = \(owner.id) AND status = \(status.rawValue) AND pinned = \(segment.isPinned)
                """) ?? 0
        }
        guard sizes[0] > 0 else { return plain }
        let share = Double(sizes[0]) / Double(sizes[0] + sizes[1])
        var first = Int(Double(skipped) * share) - jumpThreshold / 20
        for _ in 0..<3 where first > 0 {
            guard let entry = try entry(filter, segment, statuses[0], backwards, first) else {
                let size = try count(filter, segment)
                return size > skipped ? plain : Start(skipped: skipped - size, isBehind: true)
            }
            let rest = SQL.joined([place(statuses[1], segment)] + narrowing(filter), separator: " AND ")
            let passed = try entry.before.reduce(first) { sum, condition in
                sum + Int(try database.scalar("SELECT count(*) FROM tasks WHERE \(rest) AND \(condition)") ?? 0)
            }
            if passed <= skipped { return Start(condition: " AND \(entry.from)", skipped: skipped - passed) }
            first -= Int(Double(passed - skipped) * share) + jumpThreshold / 20
        }
        return plain
    }

    /// How many tasks a segment has, where the kept counts can tell.
    func size(_ filter: TaskFilter, _ segment: Segment) throws -> Int? {
        guard segment.hasDue == nil, !(filter.pinnedOnly && !segment.isPinned) else { return nil }
        var pinned = filter
        pinned.pinnedOnly = true
        guard let count = try keptCount(pinned) else { return nil }
        return segment.isPinned ? count : try keptCount(filter).map { $0 - count }
    }

    /// What the order compares, of one entry.
    private struct Entry {
        let columns: [SQL]
        let values: [SQL]
        let isAscending: Bool

        /// Holds for this entry and all behind it.
        var from: SQL {
            let (columns, values) = (SQL.joined(columns, separator: ", "), SQL.joined(values, separator: ", "))
            return "(\(columns)) \(isAscending ? ">=" : "<=" as SQL) (\(values))"
        }

        /// One of these holds for each before it: SQLite counts a range of one column in half the time of a comparison of several.
        var before: [SQL] {
            columns.indices.map { last in
                let same = columns[..<last].indices.map { "\(columns[$0]) = \(values[$0])" as SQL }
                let differs: SQL = "\(columns[last]) \(isAscending ? "<" : ">" as SQL) \(values[last])"
                return SQL.joined(same + [differs], separator: " AND ")
            }
        }
    }

    private func entry(_ filter: TaskFilter, _ segment: Segment, _ status: TaskStatus, _ backwards: Bool, _ offset: Int) throws
        -> Entry?
    {
        let (columns, isDescending): ([SQL], Bool) =
            switch filter.order {
            case .newest: (["created_at", "number"], true)
            case .oldest: (["created_at", "number"], false)
            case .priority: (["priority", "created_at", "number"], true)
            case .dueSoonest: (segment.hasDue == false ? ["number"] : ["due_key", "number"], false)
            case .dueLatest: (segment.hasDue == false ? ["number"] : ["due_key", "number"], true)
            }
        let isAscending = isDescending == backwards
        var one = filter
        one.status = status == .pending ? .pending : .completed
        let walk = walk(one, segment, backwards: backwards, limit: 1, offset: offset, isDense: true)
        let all = SQL.joined(columns, separator: ", ")
        return try database.first("SELECT \(all) FROM (\(walk)) AS page CROSS JOIN tasks ON tasks.number = page.place") { row in
            let values = try columns.indices.map { "\(try row.int($0) as Int64)" as SQL }
            return Entry(columns: columns, values: values, isAscending: isAscending)
        }
    }
}
