// The one home of SQL that reads tasks. Ownership stands in every WHERE: someone else's task is simply not found.
// What changes tasks is in TaskRepository+Changes.swift; what undoes and tells changes in TaskRepository+History.swift.

import SQLite

/// The tasks of one person, at one time, through one connection.
struct TaskRepository {
    let database: Connection
    let owner: User
    let now: Instant
    /// By which way changes come, for the history: `page`, `token`, `import` or `command`.
    let way: String
    /// From how many tasks on searches go by the index.
    var indexThreshold = SearchIndex.worthwhile
    /// How much work looking for tasks may be.
    var stepLimit = TaskTotal.steps
    /// How many entries are passed over one by one, before a nearer beginning is looked for.
    var jumpThreshold = 20_000

    init(_ database: Connection, owner: User, now: Instant, way: String = "page") {
        self.database = database
        self.owner = owner
        self.now = now
        self.way = way
    }

    init(_ context: Context, _ session: Session) {
        self.init(context.database, owner: session.user, now: context.now, way: session.way)
    }

    /// One task, in the trash or not; nil where this person has none of that identifier.
    func find(_ id: TaskID) throws -> TaskItem? {
        try database.first(
            "SELECT \(TaskItem.columns) FROM tasks WHERE id = \(id.bytes) AND user_id = \(owner.id)", TaskItem.init(row:))
    }

    // MARK: Lists

    /// How many tasks a filter shows, counted to the end. Where the kept counts can tell, nothing is counted.
    func count(_ filter: TaskFilter) throws -> Int { try find(filter, .whole).total.count }

    /// The same, but where it takes counting, only as far as `TaskTotal.bound` and `TaskTotal.steps` if not `exactly`.
    func total(_ filter: TaskFilter, exactly: Bool = false) throws -> TaskTotal {
        try find(filter, exactly ? .whole : .quick).total
    }

    /// How many tasks a filter shows, where the kept counts can tell.
    func keptCount(_ filter: TaskFilter) throws -> Int? {
        guard SearchQuery(filter.search) == nil, filter.due == nil, filter.done == nil, filter.created == nil else { return nil }
        let conditions = SQL.joined(
            ["user_id = \(owner.id)", statusCondition(filter)]
                + [filter.category.map { "category_id = \($0.id)" }, filter.priority.map { "priority = \($0.rawValue)" }]
                .compactMap { $0 }
                + (filter.pinnedOnly ? ["pinned = 1"] : []), separator: " AND ")
        return Int(try database.scalar("SELECT coalesce(sum(count), 0) FROM task_counts WHERE \(conditions)") ?? 0)
    }

    /// The tasks of a filter from an offset on, in its order.
    ///
    /// A list is a row of segments: pinned and not, and by due date also with one and without. Within a segment a page is a walk
    /// along one index (two, merged, where the status is open), sorting nothing; only the page's own rows are read from the table.
    /// From the second half of the list the walk begins at its other end. What is found by other ways is `page`'s business.
    ///
    /// - Parameter total: how many tasks there are in all; `Int.max` where that is not known.
    func list(_ filter: TaskFilter, offset: Int, limit: Int, total: Int, columns: SQL = TaskItem.columns) throws -> [TaskItem] {
        var wanted = min(limit, total - offset)
        guard wanted > 0, offset >= 0 else { return [] }
        let isBackwards = offset > total / 2
        let isDense = total > TaskTotal.bound
        var skipped = isBackwards ? total - offset - wanted : offset
        var tasks: [TaskItem] = []
        tasks.reserveCapacity(wanted)
        for segment in segments(filter, backwards: isBackwards) {
            if skipped >= jumpThreshold, let size = try size(filter, segment), size <= skipped {
                skipped -= size
                continue
            }
            let start = try start(filter, segment, backwards: isBackwards, skipped: skipped)
            if start.isBehind {
                skipped = start.skipped
                continue
            }
            let walk = walk(
                filter, segment, backwards: isBackwards, limit: wanted, offset: start.skipped, isDense: isDense,
                from: start.condition)
            // CROSS JOIN keeps the order of the walk: its rows are the outer loop.
            let found = try database.rows(
                "SELECT \(columns) FROM (\(walk)) AS page CROSS JOIN tasks ON tasks.number = page.place",
                TaskItem.init(row:))
            tasks += found
            wanted -= found.count
            if wanted == 0 { break }
            skipped = found.isEmpty && skipped > 0 ? max(0, skipped - (try count(filter, segment))) : 0
        }
        if isBackwards { tasks.reverse() }
        return tasks
    }

    /// A part of a list within which one index gives the order.
    struct Segment {
        let isPinned: Bool
        /// For the orders by due date: with one, or without.
        let hasDue: Bool?
    }

    /// The segments of a filter's list, in its order.
    func segments(_ filter: TaskFilter, backwards: Bool) -> [Segment] {
        let dues: [Bool?] =
            switch (filter.order, filter.due) {
            case (.newest, _), (.oldest, _), (.priority, _): [nil]
            case (_, nil): [true, false]
            case (_, .some(.none)): [false]
            case (_, .some): [true]  // a range of days leaves out what has none
            }
        let all = (filter.pinnedOnly ? [true] : [true, false]).flatMap { isPinned in
            dues.map { Segment(isPinned: isPinned, hasDue: $0) }
        }
        return backwards ? all.reversed() : all
    }

    /// The statement that finds the numbers of a page's rows in a segment; its plan is proven by a test.
    ///
    /// - Parameter isDense: true where so many tasks match that going on in the order meets them soon. Few are sooner found by their days,
    ///   and sorted.
    func walk(
        _ filter: TaskFilter, _ segment: Segment, backwards: Bool, limit: Int, offset: Int, isDense: Bool = false,
        from start: SQL = ""
    )
        -> SQL
    {
        let isDescending: Bool
        let keys: SQL
        switch filter.order {
        case .newest: (keys, isDescending) = ("created_at AS a", true)
        case .oldest: (keys, isDescending) = ("created_at AS a", false)
        case .priority: (keys, isDescending) = ("priority AS a, created_at AS b", true)
        case .dueSoonest: (keys, isDescending) = ("due_key AS a", false)
        case .dueLatest: (keys, isDescending) = ("due_key AS a", true)
        }
        let arms = filter.status.statuses.map { status -> SQL in
            "SELECT number AS place, \(keys) FROM tasks WHERE \(place(status, segment))\(SQL.joined([SQL()] + narrowing(filter, inOrder: isDense && !filter.order.isByDue), separator: " AND "))\(start)"
        }
        let order: SQL
        switch (filter.order, isDescending != backwards) {
        case (.priority, true): order = "2 DESC, 3 DESC, 1 DESC"
        case (.priority, false): order = "2, 3, 1"
        case (_, true): order = "2 DESC, 1 DESC"
        case (_, false): order = "2, 1"
        }
        return "\(SQL.joined(arms, separator: " UNION ALL ")) ORDER BY \(order) LIMIT \(limit) OFFSET \(offset)"
    }

    func count(_ filter: TaskFilter, _ segment: Segment) throws -> Int {
        try filter.status.statuses.reduce(0) { sum, status in
            let conditions = SQL.joined([place(status, segment)] + narrowing(filter), separator: " AND ")
            return sum + Int(try database.scalar("SELECT count(*) FROM tasks WHERE \(conditions)") ?? 0)
        }
    }

    /// What the indexes of lists begin with.
    func place(_ status: TaskStatus, _ segment: Segment) -> SQL {
        let due: SQL =
            switch segment.hasDue {
            case true?: " AND due_key IS NOT NULL"
            case false?: " AND due_key IS NULL"
            case nil: ""
            }
        return """
            user_id = \(owner.id) AND status = \(status.rawValue) AND pinned = \(segment.isPinned) AND trashed_at IS NULL\(due)
            """
    }

    /// The tasks in the trash, last thrown away first.
    func trash(offset: Int, limit: Int) throws -> [TaskItem] {
        try database.rows(
            """
            SELECT \(TaskItem.columns) FROM tasks WHERE user_id = \(owner.id) AND trashed_at IS NOT NULL
            ORDER BY trashed_at DESC, number DESC LIMIT \(limit) OFFSET \(offset)
            """, TaskItem.init(row:))
    }

    func trashCount() throws -> Int {
        Int(try database.scalar("SELECT count(*) FROM tasks WHERE user_id = \(owner.id) AND trashed_at IS NOT NULL") ?? 0)
    }

    // MARK: Conditions

    /// All conditions of a filter, for counting and for changes in bulk.
    func condition(_ filter: TaskFilter, inTrash: Bool = false) -> SQL {
        let place: SQL = inTrash ? "trashed_at IS NOT NULL" : "trashed_at IS NULL"
        let pinned: [SQL] = filter.pinnedOnly ? ["pinned = 1"] : ["pinned IN (0, 1)"]
        return SQL.joined(
            ["user_id = \(owner.id)", statusCondition(filter)] + pinned + [place] + narrowing(filter),
            separator: " AND ")
    }

    private func statusCondition(_ filter: TaskFilter) -> SQL {
        switch filter.status {
        case .pending: "status = 0"
        case .completed: "status = 1"
        case .all: "status IN (0, 1)"
        }
    }

    /// What narrows a walk: category, priority, due date, words. `inOrder` keeps due dates from choosing the index.
    func narrowing(_ filter: TaskFilter, inOrder: Bool = false) -> [SQL] {
        let (indexed, others) = conditions(filter, inOrder: inOrder)
        return indexed + others
    }

    /// The same in two parts: what the indexes of lists can tell, and what only the row itself tells.
    func conditions(_ filter: TaskFilter, inOrder: Bool = false) -> (indexed: [SQL], others: [SQL]) {
        var conditions: [SQL] = []
        var others: [SQL] = []
        if let category = filter.category { conditions.append("category_id = \(category.id)") }
        if let priority = filter.priority { conditions.append("priority = \(priority.rawValue)") }
        if let due = filter.due { conditions.append(dueCondition(due, inOrder ? "+due_key" : "due_key")) }
        if let done = filter.done {
            others.append(
                """
                completed_at >= \(owner.zone.startOfDay(done.lowerBound).milliseconds) \
                AND completed_at < \(owner.zone.endOfDay(done.upperBound).milliseconds)
                """)
        }
        if let from = filter.created?.from { conditions.append("created_at >= \(owner.zone.startOfDay(from).milliseconds)") }
        if let to = filter.created?.to { conditions.append("created_at < \(owner.zone.endOfDay(to).milliseconds)") }
        let search = SearchQuery(filter.search)
        for word in search?.words ?? [] {
            others.append("instr(folded, \(String(decoding: word, as: UTF8.self))) > 0")
        }
        for word in search?.excluded ?? [] {
            others.append("instr(folded, \(String(decoding: word, as: UTF8.self))) = 0")
        }
        return (conditions, others)
    }

    /// Days are the owner's: a day begins and ends in their zone (`Due.key`).
    private func dueCondition(_ due: DueCondition, _ key: SQL) -> SQL {
        let calendar = DueCalendar(now: now, zone: owner.zone, firstWeekday: owner.firstWeekday)
        func between(_ range: Range<Instant>) -> SQL {
            "\(key) >= \(range.lowerBound.milliseconds) AND \(key) < \(range.upperBound.milliseconds)"
        }
        switch due {
        case .overdue: return "\(key) < \(now.milliseconds)"
        case .today: return between(calendar.todayBounds)
        case .week: return between(calendar.weekBounds)
        case .none: return "\(key) IS NULL"
        case .any: return "\(key) IS NOT NULL"
        case .range(let from, let to):
            var conditions: [SQL] = []
            if let from { conditions.append("\(key) >= \(owner.zone.startOfDay(from).milliseconds)") }
            if let to { conditions.append("\(key) < \(owner.zone.endOfDay(to).milliseconds)") }
            return SQL.joined(conditions, separator: " AND ")
        }
    }
}
