// A task of a file, ready to be inserted: everything that takes time is done before the transaction begins.

import SQLite

struct PreparedTask: Sendable {
    let task: NewTask
    let folded: String
    let due: DueColumns
    /// True where `task.id` is the file's own, and its identity with it.
    let keepsID: Bool
    let source: String

    init(_ imported: ImportedTask, _ context: ImportContext) {
        let isCompleted = imported.status == .completed
        let completedAt = isCompleted ? imported.completedAt : nil
        // Completed in 2014 and created now cannot be: then both are the earlier one.
        let createdAt = imported.createdAt ?? completedAt.map { min($0, context.now) } ?? context.now
        let draft = TaskDraft(
            title: imported.title, content: imported.content, priority: imported.priority, status: imported.status,
            category: imported.category, due: imported.due, isPinned: imported.isPinned)
        keepsID = imported.id != nil
        source = imported.source
        task = NewTask(
            // Of this very moment, so that they rise with the file and the rows stand together at the end of their index.
            id: imported.id ?? TaskID(at: Instant.now()), draft: draft, createdAt: createdAt,
            updatedAt: imported.updatedAt ?? completedAt.map { max($0, createdAt) } ?? createdAt, completedAt: completedAt,
            source: imported.id == nil ? imported.source : nil, version: imported.version)
        folded = draft.folded
        due = DueColumns(draft.due, context.owner.zone)
    }

    /// One line, as a dry run shows it.
    func preview(_ zone: Zone) -> String {
        let draft = task.draft
        let due = draft.due.map { " due " + $0.formText(in: zone) } ?? ""
        return
            "\(draft.status == .completed ? "[x]" : "[ ]") \(draft.title) (\(draft.category.key), \(draft.priority.word)\(due)\(draft.isPinned ? ", pinned" : ""))"
    }
}

extension TaskRepository {
    /// Where a task of an earlier import is.
    enum Place: Equatable {
        case list, trash
        /// In the trash since its import was taken back: the next one brings it back.
        case takenBack(TaskID)
    }

    /// The place of a task that is here already, by its identifier or by its identity in the file.
    func place(_ prepared: PreparedTask) throws -> Place? {
        func place(_ condition: SQL) throws -> Place? {
            try database.first(
                """
                SELECT id, trashed_at IS NOT NULL, \(Self.isTakenBack) FROM tasks
                WHERE user_id = \(owner.id) AND \(condition)
                """
            ) { row in
                if try row.int(2) == 1, let id = TaskID(bytes: try row.bytes(0)) { return .takenBack(id) }
                return try row.int(1) == 1 ? .trash : .list
            }
        }
        if prepared.keepsID, let found = try place("id = \(prepared.task.id.bytes)") { return found }
        return try place("source = \(prepared.source)")
    }

    /// True where this person has tasks that an import gave identifiers of their own.
    var hasSources: Bool {
        get throws { try database.scalar("SELECT 1 FROM tasks WHERE user_id = \(owner.id) AND source > '' LIMIT 1") != nil }
    }

    /// Throws where an import must not go on: its person is gone, or was shut out while it is theirs and not the operator's; or someone
    /// took it away meanwhile.
    ///
    /// - Parameters:
    ///   - change: nil where it has not added anything yet.
    ///   - row: its number in the table `imports`; nil for an operator's command.
    func checkGoesOn(_ change: Int?, _ row: Int?) throws {
        let mayGoOn =
            if let row {
                try ImportRepository(database).mayGoOn(row, userID: owner.id)
            } else {
                try database.scalar("SELECT 1 FROM users WHERE id = \(owner.id)") != nil
            }
        guard mayGoOn else { throw ImportCancelled() }
        guard let change else { return }
        guard try database.scalar("SELECT finished FROM changes WHERE id = \(change) AND user_id = \(owner.id)") == 0 else {
            throw CommandFailure("the import was taken away while it ran")
        }
    }
}

extension TaskInsertion {
    /// Adds a task whose identifier another person has: it gets one of its own, and keeps its identity in the file.
    mutating func insertRenamed(_ prepared: PreparedTask) throws {
        var task = prepared.task
        task.id = TaskID(at: Instant.now())
        task.source = prepared.source
        guard try insert(task, folded: prepared.folded, due: prepared.due) else { throw DatabaseFailure.identifierTaken }
    }

    private enum DatabaseFailure: Error, CustomStringConvertible {
        case identifierTaken
        var description: String { "a new identifier is taken: the random source of this machine repeats itself" }
    }
}
