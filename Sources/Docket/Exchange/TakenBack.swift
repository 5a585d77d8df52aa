// Tasks of an import that was taken back: they lie in the trash since. To the next import of their file they are as good as gone, since whoever
// takes an import back and chooses otherwise wants to see them come in again. What lies in the trash is not touched: it only gives up the
// identities by which it would be known again.

import SQLite

extension TaskRepository {
    /// True of a task in the trash to which nothing has happened since its import was taken back.
    static let isTakenBack: SQL = """
        trashed_at IS NOT NULL AND 'import' IS (SELECT taken.kind FROM task_changes JOIN changes AS latest ON latest.id = change_id
        LEFT JOIN changes AS taken ON taken.id = latest.undoes WHERE task_number = tasks.number ORDER BY change_id DESC LIMIT 1)
        """

    /// Makes room for a task that an import which was taken back has brought already; false where there is none such.
    func makeRoom(for prepared: PreparedTask) throws -> Bool {
        var found = false
        let identities: [SQL] =
            (prepared.keepsID ? ["id = \(prepared.task.id.bytes)"] : []) + ["source = \(prepared.source)"]
        for identity in identities {
            try database.execute(
                """
                UPDATE tasks SET source = NULL, id = \(TaskID(at: Instant.now()).bytes)
                WHERE user_id = \(owner.id) AND \(identity) AND \(Self.isTakenBack)
                """)
            if database.changes > 0 { found = true }
        }
        return found
    }
}
