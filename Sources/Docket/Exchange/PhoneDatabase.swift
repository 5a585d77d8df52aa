// The database of the iOS app (todo.sqlite3) as a source of tasks. A stranger's file: it is read from a private copy, checked first,
// with an untrusted schema; only a real table `tasks` is read, its columns by name, and a missing one has its default. A value of another
// kind than its column promises is told and never guessed.

import SQLite

/// Reads the copy of a phone's database.
struct PhoneDatabase: ImportSource {
    private let database: Connection
    private let columns: Set<String>
    let recordCount: Int
    let findings = ImportFindings(format: .ios)
    let placeKind = ImportPlaceKind.record

    /// Checks that the copy is what it should be.
    ///
    /// - Throws: `ImportFailure` that calls the file by the name that the person knows.
    init(_ file: PrivateCopy, name: String) throws {
        let copy = file.path
        do {
            // Its log, if there is one, is read in: a phone may have been copied while the app ran. It is our copy, so we may.
            let hasLog = FileAccess.exists(copy + "-wal") || FileAccess.exists(copy + "-journal")
            database = try Connection(path: copy, mode: hasLog ? .readWrite : .readOnly)
            // A generated column can ask for far more memory than the file has bytes.
            database.limitLength(16 << 20)
            // Open now, it needs its name no more: even a kill leaves nothing of it.
            file.remove()
            if let problem = try database.integrityCheck().first {
                throw ImportFailure(.damagedDatabase, ["file": name, "problem": problem])
            }
            let tables = try database.rows(
                // What has no root page is a view, or a virtual table: somebody's code decides what is in it.
                "SELECT name FROM sqlite_schema WHERE name IN ('tasks', 'users', 'task_changes') AND type = 'table' AND rootpage > 0"
            ) { try $0.text(0) }
            if tables.contains("users"), tables.contains("task_changes") { throw ImportFailure(.docketDatabase, ["file": name]) }
            guard tables.contains("tasks") else { throw ImportFailure(.noTable, ["file": name]) }
            columns = Set(try database.rows("SELECT name FROM pragma_table_info('tasks')") { try $0.text(0) })
            guard columns.contains("title") else {
                throw ImportFailure(.noTitleColumn, ["file": name])
            }
            recordCount = Int(try database.scalar("SELECT count(*) FROM tasks") ?? 0)
        } catch let error as DatabaseError {
            if error.isNotADatabase { throw ImportFailure(.notDatabase, ["file": name]) }
            throw ImportFailure(.damagedDatabase, ["file": name, "problem": error.message])
        }
    }

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        var place = 0
        let list: [SQL] = [
            column("id", #""id""#), column("title", #""title""#), column("content", #""content""#),
            column("priority", #""priority""#),
            column("status", #""status""#), column("category", #""category""#), column("due_date", #""due_date""#),
            column("created_at", #""created_at""#), column("updated_at", #""updated_at""#),
            column("completed_at", #""completed_at""#),
            column("is_pinned", #""is_pinned""#),
        ]
        let identities = RunningCount()
        try database.forEach("SELECT \(SQL.joined(list, separator: ", ")) FROM tasks") { row in
            place += 1
            let reader = PhoneRow(row: row, place: place, context: context)
            if let task = try reader.task(&report, identities) { try body(task, &report) }
            return true
        }
    }

    /// What is not there is NULL, and NULL is the default.
    private func column(_ name: String, _ sql: SQL) -> SQL { columns.contains(name) ? sql : "NULL" }
}
