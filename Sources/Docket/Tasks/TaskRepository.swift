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

    /// How many tasks a filter shows. Where the kept counts can tell, nothing is counted.
    func count(_ filter: TaskFilter) throws -> Int {
        let words = SearchQuery(filter.search)
        if words == nil, filter.due == nil {
            let conditions = SQL.joined(
                ["user_id = \(owner.id)", statusCondition(filter)]
                    + [filter.category.map { "category_id = \($0.id)" }, filter.priority.map { "priority = \($0.rawValue)" }]
                    .compactMap { $0 }
                    + (filter.pinnedOnly ? ["pinned = 1"] : []), separator: " AND ")
            return Int(try database.scalar("SELECT coalesce(sum(count), 0) FROM task_counts WHERE \(conditions)") ?? 0)
        }
        return Int(try database.scalar("SELECT count(*) FROM tasks WHERE \(condition(filter))") ?? 0)
    }

    /// The tasks of a filter from an offset on, in its order.
    ///
    /// Each status and pinned or not is a walk along one index; SQLite merges the walks, sorting nothing. From the second half of the
    /// list the walk begins at its other end. Only the page's own rows are read from the table.
    func list(_ filter: TaskFilter, offset: Int, limit: Int, total: Int) throws -> [TaskItem] {
        let limit = min(limit, total - offset)
        guard limit > 0, offset >= 0 else { return [] }
        let isBackwards = offset > total / 2
        var numbers: [Int] = try database.rows(
            walk(filter, backwards: isBackwards, limit: limit, offset: isBackwards ? total - offset - limit : offset)
        ) { try $0.int(0) }
        if isBackwards { numbers.reverse() }
        return try numbers.compactMap { number in
            try database.first("SELECT \(TaskItem.columns) FROM tasks WHERE number = \(number)", TaskItem.init(row:))
        }
    }

    /// The statement that finds the numbers of a page's rows; its plan is proven by a test.
    func walk(_ filter: TaskFilter, backwards: Bool, limit: Int, offset: Int) -> SQL {
        let filters = SQL.joined([SQL()] + narrowing(filter), separator: " AND ")
        var arms: [SQL] = []
        for status in filter.status.statuses {
            for pinned in filter.pinnedOnly ? [1] : [1, 0] {
                let place: SQL =
                    "user_id = \(owner.id) AND status = \(status.rawValue) AND pinned = \(pinned) AND trashed_at IS NULL"
                switch filter.order {
                case .newest, .oldest:
                    arms.append("SELECT number, \(pinned) AS pinned, created_at AS a, 0 AS b FROM tasks WHERE \(place)\(filters)")
                case .priority:
                    arms.append(
                        "SELECT number, \(pinned) AS pinned, priority AS a, created_at AS b FROM tasks WHERE \(place)\(filters)")
                case .dueSoonest, .dueLatest:
                    arms.append(
                        "SELECT number, \(pinned) AS pinned, 1 AS a, due_key AS b FROM tasks WHERE \(place) AND due_key IS NOT NULL\(filters)"
                    )
                    arms.append(
                        "SELECT number, \(pinned) AS pinned, 0 AS a, NULL AS b FROM tasks WHERE \(place) AND due_key IS NULL\(filters)"
                    )
                }
            }
        }
        let order: SQL
        switch (filter.order, backwards) {
        case (.newest, false): order = "2 DESC, 3 DESC, 1 DESC"
        case (.newest, true): order = "2, 3, 1"
        case (.oldest, false): order = "2 DESC, 3, 1"
        case (.oldest, true): order = "2, 3 DESC, 1 DESC"
        case (.priority, false): order = "2 DESC, 3 DESC, 4 DESC, 1 DESC"
        case (.priority, true): order = "2, 3, 4, 1"
        case (.dueSoonest, false): order = "2 DESC, 3 DESC, 4, 1"
        case (.dueSoonest, true): order = "2, 3, 4 DESC, 1 DESC"
        case (.dueLatest, false): order = "2 DESC, 3 DESC, 4 DESC, 1 DESC"
        case (.dueLatest, true): order = "2, 3, 4, 1"
        }
        return "\(SQL.joined(arms, separator: " UNION ALL ")) ORDER BY \(order) LIMIT \(limit) OFFSET \(offset)"
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

    /// Every task of a filter, one after the other in its order, without keeping them: for exports.
    func forEach(_ filter: TaskFilter, _ body: (TaskItem) throws -> Bool) throws {
        let columns = TaskItem.columns
        try database.forEach(
            """
            SELECT \(columns) FROM tasks WHERE \(condition(filter)) ORDER BY pinned DESC, created_at DESC, number DESC
            """
        ) { try body(TaskItem(row: $0)) }
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
        var conditions: [SQL] = []
        if let category = filter.category { conditions.append("category_id = \(category.id)") }
        if let priority = filter.priority { conditions.append("priority = \(priority.rawValue)") }
        if let due = filter.due { conditions.append(dueCondition(due)) }
        for word in SearchQuery(filter.search)?.words ?? [] {
            conditions.append("instr(folded, \(String(decoding: word, as: UTF8.self))) > 0")
        }
        return conditions
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
