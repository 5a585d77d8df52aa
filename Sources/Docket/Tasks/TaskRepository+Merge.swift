// A save that was made from an older version: what others have changed since in other fields stays, and what both have changed is a
// conflict. What the older version was is read off the history, so that forms and scripts send nothing more than its number.

import SQLite

extension TaskRepository {
    /// The draft with what others have changed since `version` in fields that it leaves as they were. Nil where both have changed the
    /// same field, or the history does not reach back so far.
    func merge(_ draft: TaskDraft, madeFrom version: Int, with task: TaskItem) throws -> TaskDraft? {
        guard let base = try values(of: task, at: version) else { return nil }
        var merged = draft
        if let title = base[.title] {
            guard let choice = Self.choose(title.bytes, Array(task.title.utf8), Array(draft.title.utf8)) else { return nil }
            if choice == .theirs { merged.title = task.title }
        }
        if let content = base[.content] {
            guard let choice = Self.choose(content.bytes, Array(task.content.utf8), Array(draft.content.utf8)) else { return nil }
            if choice == .theirs { merged.content = task.content }
        }
        if base[.dueOn] != nil || base[.dueAt] != nil {
            let (old, theirs, mine) = (base.due, DueColumns(task.due, owner.zone), DueColumns(draft.due, owner.zone))
            guard let choice = Self.choose(old, "\(theirs.on ?? "") \(theirs.at ?? 0)", "\(mine.on ?? "") \(mine.at ?? 0)") else {
                return nil
            }
            if choice == .theirs { merged.due = task.due }
        }
        if let category = base[.categoryID] {
            guard let choice = Self.choose(category.number, Int64(task.categoryID), Int64(draft.category.id)) else { return nil }
            if choice == .theirs {
                let all = try Category.all(database, userID: owner.id)
                guard let theirs = all.first(where: { $0.id == task.categoryID }) else { return nil }
                merged.category = theirs
            }
        }
        if let priority = base[.priority] {
            guard let choice = Self.choose(priority.number, Int64(task.priority.rawValue), Int64(draft.priority.rawValue)) else {
                return nil
            }
            if choice == .theirs { merged.priority = task.priority }
        }
        // Of two states that differ from the same third one there is only one: these never conflict.
        if let pinned = base[.pinned], pinned.number == (draft.isPinned ? 1 : 0) { merged.isPinned = task.isPinned }
        if let status = base[.status], status.number == Int64(draft.status.rawValue) { merged.status = task.status }
        return merged
    }

    /// The columns that have been changed since a version, each with what it was then. Nil where that is not known.
    private func values(of task: TaskItem, at version: Int) throws -> [TaskColumn: StoredValue]? {
        let age = task.version - version
        guard (1...1_000).contains(age) else { return nil }
        // Each change of a task is one version.
        let changes = try database.rows(
            """
            SELECT fields FROM task_changes WHERE task_number = \(task.number) AND fields IS NOT NULL
            ORDER BY change_id DESC LIMIT \(age)
            """
        ) { try Self.fields(try $0.text(0)) }
        guard changes.count == age else { return nil }
        return changes.reduce(into: [:]) { base, fields in
            for (column, pair) in fields { base[column] = pair.from }
        }
    }

    private enum Choice { case mine, theirs }

    /// Whose value stands; nil where both have changed it, not to the same.
    private static func choose<Value: Equatable>(_ base: Value, _ theirs: Value, _ mine: Value) -> Choice? {
        if mine == theirs || base == theirs { return .mine }
        return mine == base ? .theirs : nil
    }
}

extension StoredValue {
    fileprivate var bytes: [UInt8] { if case .text(let text) = self { Array(text.utf8) } else { [] } }
    fileprivate var number: Int64 { if case .number(let number) = self { number } else { -1 } }
}

extension [TaskColumn: StoredValue] {
    /// Day and moment as one text to compare.
    fileprivate var due: String {
        let day = if case .text(let text)? = self[.dueOn] { text } else { "" }
        let moment: Int64 = if case .number(let number)? = self[.dueAt] { number } else { 0 }
        return "\(day) \(moment)"
    }
}
