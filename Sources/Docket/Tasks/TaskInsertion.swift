// The one place where rows of tasks are made. They are counted here and not by a trigger: with one, each INSERT would be a statement of
// several writes, for which SQLite keeps a copy of every page that it touches; that was more than half of the time of an import.

import SQLite

/// New rows under one change.
struct TaskInsertion {
    private struct Kind: Hashable {
        let status: TaskStatus
        let categoryID: Int
        let priority: Priority
        let isPinned: Bool
    }

    private let database: Connection
    private let owner: User
    private let now: Instant
    private let change: Int
    private var counts: [Kind: Int] = [:]
    /// The first row; those behind it are all ours, since this transaction alone writes.
    private var first: Int64?

    fileprivate init(_ repository: TaskRepository, change: Int) {
        (database, owner, now, self.change) = (repository.database, repository.owner, repository.now, change)
    }

    /// Makes a new task and tells its identifier.
    mutating func create(_ draft: TaskDraft) throws -> TaskID {
        let task = NewTask(
            id: TaskID(at: now), draft: draft, createdAt: now, updatedAt: now,
            completedAt: draft.status == .completed ? now : nil, source: nil)
        guard try insert(task, folded: draft.folded, due: DueColumns(draft.due, owner.zone)) else {
            throw Refusal.conflict("error.conflict")
        }
        return task.id
    }

    /// Adds a row. False, and nothing is changed, where its identifier is taken, or this person has its source.
    mutating func insert(_ task: NewTask, folded: String, due: DueColumns) throws -> Bool {
        let draft = task.draft
        try database.execute(
            """
            INSERT INTO tasks (id, user_id, category_id, priority, status, pinned, due_on, due_at, due_key, created_at, updated_at, \
            completed_at, version, source, title, content, folded)
            VALUES (\(task.id.bytes), \(owner.id), \(draft.category.id), \(draft.priority.rawValue), \(draft.status.rawValue), \
            \(draft.isPinned), \(due.on), \(due.at), \(due.key), \(task.createdAt.milliseconds), \(task.updatedAt.milliseconds), \
            \(task.completedAt?.milliseconds), \(task.version), \(task.source), \(draft.title), \(draft.content), \(folded))
            ON CONFLICT DO NOTHING
            """)
        guard database.changes == 1 else { return false }
        if first == nil { first = database.lastInsertRowID }
        let kind = Kind(
            status: draft.status, categoryID: draft.category.id, priority: draft.priority, isPinned: draft.isPinned)
        counts[kind, default: 0] += 1
        return true
    }

    /// Notes the rows under their change, and counts them: once for all of them, in a fraction of the time.
    fileprivate func finish() throws {
        guard let first else { return }
        try database.execute(
            "INSERT INTO task_changes (change_id, task_number) SELECT \(change), number FROM tasks WHERE number >= \(first)")
        for (kind, count) in counts {
            try database.execute(
                """
                INSERT INTO task_counts VALUES (\(owner.id), \(kind.status.rawValue), \(kind.categoryID), \(kind.priority.rawValue), \
                \(kind.isPinned), \(count)) ON CONFLICT DO UPDATE SET count = count + excluded.count
                """)
        }
    }
}

extension TaskRepository {
    /// Lets `body` add rows under a change, then notes and counts them. What it throws must end the transaction or its savepoint.
    func inserting<Result>(under change: Int, _ body: (inout TaskInsertion) throws -> Result) throws -> Result {
        var rows = TaskInsertion(self, change: change)
        let result = try body(&rows)
        try rows.finish()
        return result
    }
}
