// The one home of SQL that changes tasks. Each thing that a person does is one row of `changes`, with one row of `task_changes` for each
// task that it touched: what undo and history are made of. All of it in the transaction of the caller.

import SQLite

/// What can be done to one task or many.
enum TaskAction: Sendable {
    case complete, reopen, pin, unpin, trash, restore
    case category(Category)
    case priority(Priority)
    case due(Due?)

    /// The word in `changes.kind`, and of the texts `change.<kind>`.
    var kind: String {
        switch self {
        case .complete: "complete"
        case .reopen: "reopen"
        case .pin: "pin"
        case .unpin: "unpin"
        case .trash: "trash"
        case .restore: "restore"
        case .category: "category"
        case .priority: "priority"
        case .due: "due"
        }
    }
}

/// Which tasks.
enum TaskSelection: Sendable {
    case ids([TaskID])
    case filter(TaskFilter)
    /// What was found of a filter on a reader's thread; what does not match any more is left out.
    case found([Int64], TaskFilter)
}

/// A change that was made.
struct Change: Sendable {
    let id: Int
    /// How many tasks it touched.
    let taskCount: Int
}

/// What came of doing one thing to tasks.
enum Outcome {
    case changed(Change)
    /// Nothing, and why: the end of a key below `notice.same.`, and how many tasks it was so with.
    case same(String, count: Int?)

    var change: Change? { if case .changed(let change) = self { change } else { nil } }

    var notice: Notice {
        switch self {
        case .changed(let change): .change(change.id)
        case .same(let why, let count): .text("notice.same." + why, count: count)
        }
    }
}

/// A column that changes can touch. Its raw value is its name, in SQL and in `task_changes.fields`.
enum TaskColumn: String, CaseIterable, Sendable {
    case status
    case completedAt = "completed_at"
    case pinned
    case priority
    case categoryID = "category_id"
    case dueOn = "due_on"
    case dueAt = "due_at"
    case dueKey = "due_key"
    case trashedAt = "trashed_at"
    case title
    case content

    var sql: SQL {
        switch self {
        case .status: "status"
        case .completedAt: "completed_at"
        case .pinned: "pinned"
        case .priority: "priority"
        case .categoryID: "category_id"
        case .dueOn: "due_on"
        case .dueAt: "due_at"
        case .dueKey: "due_key"
        case .trashedAt: "trashed_at"
        case .title: "title"
        case .content: "content"
        }
    }
}

/// A column's new value. Only rows where a deciding column differs are touched.
struct Assignment {
    let column: TaskColumn
    let value: SQL
    var decides = true

    /// The inside of a `json_object` of from and to, as `task_changes.fields` keeps it.
    static func fields(_ all: [Assignment]) -> SQL {
        SQL.joined(all.map { "\($0.column.rawValue), json_array(\($0.column.sql), \($0.value))" }, separator: ", ")
    }

    /// What stands behind `SET`.
    static func setting(_ all: [Assignment]) -> SQL {
        SQL.joined(all.map { "\($0.column.sql) = \($0.value)" }, separator: ", ")
    }
}

extension TaskRepository {
    // MARK: One task

    /// Makes a task and tells its identifier.
    func create(_ draft: TaskDraft) throws -> (id: TaskID, change: Change) {
        let change = try begin("create")
        let id = try inserting(under: change) { try $0.create(draft) }
        return (id, try finish(change, count: 1))
    }

    /// What came of saving an edit.
    enum SaveResult {
        /// Saved; nil where nothing differed. `hasMerged` where others had changed other fields meanwhile, which were kept.
        case saved(Change?, hasMerged: Bool)
        /// Someone changed the same in between: nothing was changed, this is what stands now.
        case conflict(TaskItem)
    }

    /// Saves an edit that was made from a version. Throws `Refusal.notFound` where the task is not this person's, or in the trash.
    func save(_ id: TaskID, _ draft: TaskDraft, version: Int?) throws -> SaveResult {
        guard let task = try find(id), task.trashedAt == nil else { throw Refusal.notFound }
        var draft = draft
        let isStale = version.map { $0 != task.version } ?? false
        if let version, isStale {
            guard let merged = try merge(draft, madeFrom: version, with: task) else { return .conflict(task) }
            draft = merged
        }
        let assignments = differences(task, draft)
        if assignments.isEmpty { return .saved(nil, hasMerged: isStale) }
        let change = try apply("edit", to: "number = \(task.number)", assignments)
        if assignments.contains(where: { [.title, .content].contains($0.column) }) { try refold(task.number, draft.folded) }
        return .saved(change, hasMerged: isStale)
    }

    /// What is to be set in a task so that it becomes as the draft has it.
    func differences(_ task: TaskItem, _ draft: TaskDraft) -> [Assignment] {
        var assignments: [Assignment] = []
        if !task.title.utf8.elementsEqual(draft.title.utf8) {
            assignments.append(Assignment(column: .title, value: "\(draft.title)"))
        }
        if !task.content.utf8.elementsEqual(draft.content.utf8) {
            assignments.append(Assignment(column: .content, value: "\(draft.content)"))
        }
        if task.due != draft.due { assignments += dueAssignments(draft.due) }
        if task.categoryID != draft.category.id {
            assignments.append(Assignment(column: .categoryID, value: "\(draft.category.id)"))
        }
        if task.priority != draft.priority {
            assignments.append(Assignment(column: .priority, value: "\(draft.priority.rawValue)"))
        }
        if task.isPinned != draft.isPinned { assignments.append(Assignment(column: .pinned, value: "\(draft.isPinned)")) }
        if task.status != draft.status { assignments += statusAssignments(draft.status) }
        return assignments
    }

    // MARK: One or many

    /// Does one thing to the selected tasks, in one change.
    ///
    /// - Throws: `Refusal.notFound` where one of the identifiers is not this person's: then nothing is changed.
    func perform(_ action: TaskAction, on selection: TaskSelection) throws -> Outcome {
        let inTrash = if case .restore = action { true } else { false }
        let condition: SQL =
            switch selection {
            case .ids(let ids): try select(ids) + (inTrash ? " AND trashed_at IS NOT NULL" : " AND trashed_at IS NULL")
            case .filter(let filter): self.condition(filter, inTrash: inTrash)
            case .found(let numbers, let filter): try select(numbers, filter)
            }
        let assignments: [Assignment]
        switch action {
        case .complete: assignments = statusAssignments(.completed)
        case .reopen: assignments = statusAssignments(.pending)
        case .pin: assignments = [Assignment(column: .pinned, value: "1")]
        case .unpin: assignments = [Assignment(column: .pinned, value: "0")]
        case .category(let category): assignments = [Assignment(column: .categoryID, value: "\(category.id)")]
        case .priority(let priority): assignments = [Assignment(column: .priority, value: "\(priority.rawValue)")]
        case .due(let due): assignments = dueAssignments(due)
        case .trash: assignments = [Assignment(column: .trashedAt, value: "\(now.milliseconds)")]
        case .restore: assignments = [Assignment(column: .trashedAt, value: "NULL")]
        }
        if let change = try apply(action.kind, to: condition, assignments) { return .changed(change) }
        let count = Int(try database.scalar("SELECT count(*) FROM tasks WHERE \(condition)") ?? 0)
        guard count == 0 else { return .same(action.kind, count: count) }
        guard case .ids(let ids) = selection else { return .same("none", count: nil) }
        // They are in the trash, or taken out of it, since the page was shown.
        return .same(["trash", "restore"].contains(action.kind) ? action.kind : "trashed", count: Set(ids).count)
    }

    /// Removes what is in the trash, for good, up to a number. Says how many.
    func emptyTrash(atMost limit: Int = .max) throws -> Int {
        try database.execute(
            """
            DELETE FROM tasks WHERE number IN
            (SELECT number FROM tasks WHERE user_id = \(owner.id) AND trashed_at IS NOT NULL LIMIT \(limit))
            """)
        let count = database.changes
        if count > 0 { try bumpRevision() }
        return count
    }

    /// A condition that holds for just these tasks of this person; one that is not theirs refuses them all.
    private func select(_ ids: [TaskID]) throws -> SQL {
        if ids.count == 1 {
            guard try database.scalar("SELECT 1 FROM tasks WHERE id = \(ids[0].bytes) AND user_id = \(owner.id)") != nil else {
                throw Refusal.notFound
            }
            return "user_id = \(owner.id) AND id = \(ids[0].bytes)"
        }
        try beginSelection()
        for id in Set(ids) {
            try database.execute(
                "INSERT INTO temp.selected SELECT number FROM tasks WHERE id = \(id.bytes) AND user_id = \(owner.id)")
            guard database.changes == 1 else { throw Refusal.notFound }
        }
        return Self.selected
    }

    /// A condition that holds for those of the numbers that match a filter.
    private func select(_ numbers: [Int64], _ filter: TaskFilter) throws -> SQL {
        try beginSelection()
        try database.execute(
            """
            INSERT INTO temp.selected SELECT number FROM json_each(\("[" + numbers.map(String.init).joined(separator: ",") + "]"))
            CROSS JOIN tasks ON number = value WHERE \(condition(filter))
            """)
        return Self.selected
    }

    private func beginSelection() throws {
        try database.execute("CREATE TEMP TABLE IF NOT EXISTS selected (number INTEGER PRIMARY KEY)")
        try database.execute("DELETE FROM temp.selected")
    }

    private static let selected: SQL = "number IN (SELECT number FROM temp.selected)"

    // MARK: The core

    /// Opens a change.
    func begin(_ kind: String, undoes: Int? = nil, finished: Bool = true) throws -> Int {
        try database.execute(
            """
            INSERT INTO changes (user_id, made_at, way, kind, undoes, finished)
            VALUES (\(owner.id), \(now.milliseconds), \(way), \(kind), \(undoes), \(finished))
            """)
        return Int(database.lastInsertRowID)
    }

    /// Closes a change: how many tasks it touched, and a new revision of everything that the person sees.
    func finish(_ change: Int, count: Int) throws -> Change {
        try database.execute("UPDATE changes SET task_count = \(count), finished = 1 WHERE id = \(change)")
        try bumpRevision()
        return Change(id: change, taskCount: count)
    }

    func bumpRevision() throws {
        try database.execute("UPDATE users SET revision = revision + 1 WHERE id = \(owner.id)")
    }

    /// Sets columns of all tasks that meet a condition and differ, and writes down from what to what.
    func apply(_ kind: String, to condition: SQL, _ assignments: [Assignment]) throws -> Change? {
        let deciding = assignments.filter(\.decides)
        let columns = SQL.joined(deciding.map(\.column.sql), separator: ", ")
        let values = SQL.joined(deciding.map(\.value), separator: ", ")
        let change = try begin(kind)
        try database.execute(
            """
            INSERT INTO task_changes (change_id, task_number, fields) SELECT \(change), number, json_object(\(Assignment.fields(assignments))) FROM tasks
            WHERE \(condition) AND (\(columns)) IS NOT (\(values))
            """)
        let count = database.changes
        guard count > 0 else {
            try database.execute("DELETE FROM changes WHERE id = \(change)")
            return nil
        }
        try database.execute(
            """
            UPDATE tasks SET \(Assignment.setting(assignments)), updated_at = \(now.milliseconds), version = version + 1
            WHERE number IN (SELECT task_number FROM task_changes WHERE change_id = \(change))
            """)
        return try finish(change, count: count)
    }

    /// Completing sets the time, reopening clears it.
    private func statusAssignments(_ status: TaskStatus) -> [Assignment] {
        [
            Assignment(column: .status, value: "\(status.rawValue)"),
            Assignment(column: .completedAt, value: status == .completed ? "\(now.milliseconds)" : "NULL", decides: false),
        ]
    }

    private func dueAssignments(_ due: Due?) -> [Assignment] {
        let columns = DueColumns(due, owner.zone)
        return [
            Assignment(column: .dueOn, value: "\(columns.on)"), Assignment(column: .dueAt, value: "\(columns.at)"),
            Assignment(column: .dueKey, value: "\(columns.key)", decides: false),
        ]
    }
}

/// A due date as the three columns keep it.
struct DueColumns: Sendable {
    let on: String?
    let at: Int64?
    let key: Int64?

    init(_ due: Due?, _ zone: Zone) {
        switch due {
        case .day(let day): (on, at) = (day.description, nil)
        case .moment(let instant): (on, at) = (nil, instant.milliseconds)
        case nil: (on, at) = (nil, nil)
        }
        key = due?.key(in: zone)
    }
}
