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
    func count(_ filter: TaskFilter) throws -> Int { try total(filter, exactly: true).count }

    /// The same, but where it takes counting, only as far as `TaskTotal.bound` if not `exactly`.
    func total(_ filter: TaskFilter, exactly: Bool = false) throws -> TaskTotal {
        if SearchQuery(filter.search) == nil, filter.due == nil, filter.done == nil, filter.created == nil {
            let conditions = SQL.joined(
                ["user_id = \(owner.id)", statusCondition(filter)]
                    + [filter.category.map { "category_id = \($0.id)" }, filter.priority.map { "priority = \($0.rawValue)" }]
                    .compactMap { $0 }
                    + (filter.pinnedOnly ? ["pinned = 1"] : []), separator: " AND ")
            return TaskTotal(Int(try database.scalar("SELECT coalesce(sum(count), 0) FROM task_counts WHERE \(conditions)") ?? 0))
        }
        let most = exactly ? Int.max : TaskTotal.bound + 1
        let rows: SQL = "SELECT 1 FROM \(try source(filter)) WHERE \(condition(filter)) LIMIT \(most)"
        let count = Int(try database.scalar("SELECT count(*) FROM (\(rows))") ?? 0)
        return count == most ? TaskTotal(TaskTotal.bound, isExact: false) : TaskTotal(count)
    }

    /// The table of tasks, or only the rows in which the search index says that a search may match.
    private func source(_ filter: TaskFilter) throws -> SQL {
        try candidates(filter).map { "\($0) CROSS JOIN tasks ON tasks.number = candidates.place" } ?? "tasks"
    }

    /// Nil where a person's own texts are gone through as fast.
    private func candidates(_ filter: TaskFilter) throws -> SQL? {
        guard let search = SearchQuery(filter.search),
            let all = try database.scalar("SELECT sum(count) FROM task_counts WHERE user_id = \(owner.id)"), all >= indexThreshold
        else { return nil }
        return try SearchIndex(database).candidates(search, owner: owner.id)
    }

    /// The tasks of a filter from an offset on, in its order.
    ///
    /// A list is a row of segments: pinned and not, and by due date also with one and without. Within a segment a page is a walk
    /// along one index (two, merged, where the status is open), sorting nothing; only the page's own rows are read from the table.
    /// From the second half of the list the walk begins at its other end. Where the search index leaves few rows, those are sorted.
    ///
    /// - Parameter total: how many tasks there are in all; `Int.max` where that is not known.
    func list(_ filter: TaskFilter, offset: Int, limit: Int, total: Int, columns: SQL = TaskItem.columns) throws -> [TaskItem] {
        var wanted = min(limit, total - offset)
        guard wanted > 0, offset >= 0 else { return [] }
        if total <= TaskTotal.bound, let candidates = try candidates(filter) {
            return try database.rows(
                """
                SELECT \(columns) FROM (\(sorted(filter, candidates, limit: limit, offset: offset))) AS page \
                CROSS JOIN tasks ON tasks.number = page.place
                """, TaskItem.init(row:))
        }
        let isBackwards = offset > total / 2
        var skipped = isBackwards ? total - offset - wanted : offset
        var tasks: [TaskItem] = []
        tasks.reserveCapacity(wanted)
        for segment in segments(filter, backwards: isBackwards) {
            let walk = walk(filter, segment, backwards: isBackwards, limit: wanted, offset: skipped)
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
    func walk(_ filter: TaskFilter, _ segment: Segment, backwards: Bool, limit: Int, offset: Int) -> SQL {
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
            "SELECT number AS place, \(keys) FROM tasks WHERE \(place(status, segment))\(SQL.joined([SQL()] + narrowing(filter), separator: " AND "))"
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

    /// The numbers of a page's rows among the candidates of a search, sorted as the segments and their walks are.
    private func sorted(_ filter: TaskFilter, _ candidates: SQL, limit: Int, offset: Int) -> SQL {
        let order: SQL =
            switch filter.order {
            case .newest: "created_at DESC, number DESC"
            case .oldest: "created_at, number"
            case .priority: "priority DESC, created_at DESC, number DESC"
            case .dueSoonest: "due_key IS NULL, due_key, number"
            case .dueLatest: "due_key IS NULL, due_key DESC, number DESC"
            }
        return """
            SELECT place FROM \(candidates) CROSS JOIN tasks ON tasks.number = candidates.place WHERE \(condition(filter)) \
            ORDER BY pinned DESC, \(order) LIMIT \(limit) OFFSET \(offset)
            """
    }

    private func count(_ filter: TaskFilter, _ segment: Segment) throws -> Int {
        try filter.status.statuses.reduce(0) { sum, status in
            let conditions = SQL.joined([place(status, segment)] + narrowing(filter), separator: " AND ")
            return sum + Int(try database.scalar("SELECT count(*) FROM tasks WHERE \(conditions)") ?? 0)
        }
    }

    /// What the indexes of lists begin with.
    private func place(_ status: TaskStatus, _ segment: Segment) -> SQL {
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

    /// What narrows a walk: category, priority, due date, words.
    private func narrowing(_ filter: TaskFilter) -> [SQL] {
        let (indexed, others) = conditions(filter)
        return indexed + others
    }

    /// The same in two parts: what the indexes of lists can tell, and what only the row itself tells.
    func conditions(_ filter: TaskFilter) -> (indexed: [SQL], others: [SQL]) {
        var conditions: [SQL] = []
        var others: [SQL] = []
        if let category = filter.category { conditions.append("category_id = \(category.id)") }
        if let priority = filter.priority { conditions.append("priority = \(priority.rawValue)") }
        if let due = filter.due { conditions.append(dueCondition(due)) }
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
    private func dueCondition(_ due: DueCondition) -> SQL {
        let calendar = DueCalendar(now: now, zone: owner.zone, firstWeekday: owner.firstWeekday)
        func between(_ range: Range<Instant>) -> SQL {
            "due_key >= \(range.lowerBound.milliseconds) AND due_key < \(range.upperBound.milliseconds)"
        }
        switch due {
        case .overdue: return "due_key < \(now.milliseconds)"
        case .today: return between(calendar.todayBounds)
        case .week: return between(calendar.weekBounds)
        case .none: return "due_key IS NULL"
        case .any: return "due_key IS NOT NULL"
        case .range(let from, let to):
            var conditions: [SQL] = []
            if let from { conditions.append("due_key >= \(owner.zone.startOfDay(from).milliseconds)") }
            if let to { conditions.append("due_key < \(owner.zone.endOfDay(to).milliseconds)") }
            return SQL.joined(conditions, separator: " AND ")
        }
    }
}

/// How many tasks a filter shows: exactly, or more than a bound up to which they were counted.
struct TaskTotal: Equatable, Sendable {
    /// As far as is counted while a person waits.
    static let bound = 10_000

    let count: Int
    let isExact: Bool

    init(_ count: Int, isExact: Bool = true) {
        self.count = count
        self.isExact = isExact
    }
}

extension Strings {
    /// A text with a number of tasks that may only be known as more than so many.
    func total(_ key: String, _ total: TaskTotal) -> String {
        total.isExact ? count(key, total.count) : self(key + ".other", [("n", grouped(total))])
    }

    /// `12,345`, or `more than 10,000`.
    func grouped(_ total: TaskTotal) -> String {
        total.isExact ? grouped(total.count) : self("list.more_than", [("n", grouped(total.count))])
    }
}
