// A page deep inside a list of both statuses: instead of merging two parts of an index entry by entry up to there, one begins at a task of
// the larger part near the page, and counts how many of the other stand before it. That costs a third, and the page is the same.

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
        // The larger part is walked along, the smaller counted.
        let isFirstLarger = sizes[0] >= sizes[1]
        let (walked, counted) = isFirstLarger ? (statuses[0], statuses[1]) : (statuses[1], statuses[0])
        guard let size = sizes.max(), size > 0 else { return plain }
        let rest = SQL.joined([place(counted, segment)] + narrowing(filter), separator: " AND ")
        let margin = jumpThreshold / 20
        var (start, walkedBefore) = (plain, 0)
        var share = Double(size) / Double(sizes[0] + sizes[1])
        var step = Int(Double(skipped) * share) - margin
        // Each guess begins at the last that was not too far. One that was is shortened by all that it was too far: that is never too far
        // again, however the two parts are mixed.
        for _ in 0..<5 where step > margin {
            guard let entry = try entry(filter, segment, walked, backwards, step, from: start.condition) else {
                guard walkedBefore == 0 else { break }
                let size = try count(filter, segment)
                return size > skipped ? plain : Start(skipped: skipped - size, isBehind: true)
            }
            let passed = try entry.before.reduce(walkedBefore + step) { sum, condition in
                sum + Int(try database.scalar("SELECT count(*) FROM tasks WHERE \(rest) AND \(condition)") ?? 0)
            }
            if passed > skipped {
                step -= passed - skipped
            } else {
                share = Double(step) / Double(passed - (skipped - start.skipped))
                start = Start(condition: " AND \(entry.from)", skipped: skipped - passed)
                walkedBefore += step
                step = Int(Double(start.skipped) * share) - margin
            }
        }
        return start
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

    private func entry(
        _ filter: TaskFilter, _ segment: Segment, _ status: TaskStatus, _ backwards: Bool, _ offset: Int, from start: SQL
    ) throws -> Entry? {
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
        let walk = walk(one, segment, backwards: backwards, limit: 1, offset: offset, isDense: true, from: start)
        let all = SQL.joined(columns, separator: ", ")
        return try database.first("SELECT \(all) FROM (\(walk)) AS page CROSS JOIN tasks ON tasks.number = page.place") { row in
            let values = try columns.indices.map { "\(try row.int($0) as Int64)" as SQL }
            return Entry(columns: columns, values: values, isAscending: isAscending)
        }
    }
}
