// Tasks of an import that was taken back: they lie in the trash since. To the next import of their file they are as good as gone, since whoever
// takes an import back and chooses otherwise wants to see them come in again. They come in as the same tasks, as the file has them now: an
// identity has one task for ever, whatever is undone, undone again and imported in between, so that none can stand twice.

import SQLite

extension TaskRepository {
    /// True of a task in the trash that was last changed by an undo which goes back to an import: of the import, or of an undo of its undo.
    static let isTakenBack: SQL = """
        trashed_at IS NOT NULL AND 'import' IS (
            WITH RECURSIVE undone (id) AS (
                SELECT max(change_id) FROM task_changes WHERE task_number = tasks.number
                UNION ALL SELECT undoes FROM undone JOIN changes USING (id) WHERE undoes IS NOT NULL)
            SELECT kind FROM undone JOIN changes USING (id) WHERE undoes IS NULL)
        """

    /// Brings a task that was taken back out of the trash, as the file has it now.
    func bringBack(_ id: TaskID, as prepared: PreparedTask, under change: Int) throws {
        guard let task = try find(id) else { return }
        let assignments =
            differences(task, prepared.task.draft).filter { $0.column != .completedAt } + [
                Assignment(column: .completedAt, value: "\(prepared.task.completedAt?.milliseconds)"),
                Assignment(column: .trashedAt, value: "NULL"),
            ]
        try database.execute(
            """
            INSERT INTO task_changes (change_id, task_number, fields)
            SELECT \(change), number, json_object(\(Assignment.fields(assignments))) FROM tasks WHERE number = \(task.number)
            """)
        try database.execute(
            """
            UPDATE tasks SET \(Assignment.setting(assignments)), created_at = \(prepared.task.createdAt.milliseconds),
            updated_at = \(prepared.task.updatedAt.milliseconds), version = version + 1 WHERE number = \(task.number)
            """)
        try refold(task.number, prepared.folded)
    }

    /// Puts some of the tasks that an unfinished import has brought back where they were, as they were but for the times when they were made
    /// and changed; says how many.
    func layBack(_ change: Int, atMost limit: Int) throws -> Int {
        let some: SQL = """
            (SELECT task_number FROM task_changes WHERE change_id = \(change) AND fields IS NOT NULL ORDER BY task_number LIMIT \(limit))
            """
        let setting = SQL.joined(
            TaskColumn.allCases.map { column in
                let (name, path) = (column.sql, "$." + column.rawValue)
                return "\(name) = iif(json_type(fields, \(path)) IS NULL, \(name), json_extract(fields, \(path + "[0]")))"
            }, separator: ", ")
        try database.execute(
            """
            UPDATE tasks SET \(setting), version = version - 1 FROM task_changes AS new
            WHERE new.change_id = \(change) AND number = new.task_number AND number IN \(some)
            """)
        try refold("number IN \(some)")
        try database.execute("DELETE FROM task_changes WHERE change_id = \(change) AND task_number IN \(some)")
        return database.changes
    }
}
