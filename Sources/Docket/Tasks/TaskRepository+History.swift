// Undo and history: what was changed, from what to what, and back again.

import FoundationEssentials
import SQLite

/// What an undo did.
struct Undone: Sendable {
    let change: Change
    /// Tasks that someone has changed since, and that were left as they are.
    let leftAlone: Int
}

/// A change as a notice tells it.
struct ChangeDescription: Sendable {
    let kind: String
    let count: Int
    let canBeUndone: Bool
    /// Of one of its tasks.
    let title: String

    func text(_ strings: Strings) -> String {
        let key =
            switch kind {
            case "create": "added"
            case "edit": "saved"
            case "complete": "completed"
            case "reopen": "reopened"
            case "pin": "pinned"
            case "unpin": "unpinned"
            case "trash": "trashed"
            case "restore": "restored"
            case "import": "imported"
            case "undo": "undone"
            default: "changed"
            }
        if key == "undone" { return strings["notice.undone"] }
        if kind == TaskRepository.categoryRemoval { return strings.count("notice.bulk.category_removed", count) }
        if count == 1, key != "imported" {
            return strings(key == "changed" ? "notice.saved" : "notice." + key, [("title", title)])
        }
        return strings.count("notice.bulk." + key, count)
    }
}

/// One line of a task's history.
struct HistoryEntry: Sendable {
    let changeID: Int
    let madeAt: Instant
    let way: String
    let kind: String
    /// From and to, by column; empty where the task was made.
    let fields: [TaskColumn: (from: StoredValue, to: StoredValue)]
}

/// A value as `task_changes.fields` keeps it.
enum StoredValue: Sendable, Decodable {
    case none
    case number(Int64)
    case text(String)

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .none
        } else if let number = try? container.decode(Int64.self) {
            self = .number(number)
        } else {
            self = .text(try container.decode(String.self))
        }
    }
}

extension TaskRepository {
    /// What a notice tells of a change; nil where it is not this person's.
    func describe(change: Int) throws -> ChangeDescription? {
        try database.first(
            """
            SELECT kind, task_count, undone_by IS NULL AND finished = 1,
            (SELECT title FROM tasks JOIN task_changes ON number = task_number WHERE change_id = changes.id LIMIT 1)
            FROM changes WHERE id = \(change) AND user_id = \(owner.id)
            """
        ) { row in
            ChangeDescription(
                kind: try row.text(0), count: try row.int(1), canBeUndone: try row.int(2) == 1, title: try row.textOrNil(3) ?? "")
        }
    }

    /// What undid a change, what undid that, and so on: an odd number of them has taken it back. What history has forgotten in part names
    /// itself there (`Housekeeping`), and was not undone.
    func undos(of change: Int) throws -> [Int] {
        var undos: [Int] = []
        var last = change
        while let next = try database.scalar(
            "SELECT undone_by FROM changes WHERE id = \(last) AND user_id = \(owner.id) AND undone_by > id")
        {
            last = Int(next)
            undos.append(last)
        }
        return undos
    }

    /// Takes a change back. Tasks that were changed in the same fields since are left alone and counted.
    ///
    /// The undo is a change of its own, so that it can be undone too.
    func undo(_ id: Int) throws -> Undone {
        guard let found = try describe(change: id) else { throw Refusal.notFound }
        guard found.canBeUndone else { throw Refusal.conflict("error.undone_already") }
        let change = try begin("undo", undoes: id)
        // Tasks that the change made go to the trash; an import has made those, too, that it has brought back.
        let made: SQL = found.kind == "import" ? "1" : "fields IS NULL"
        let columns = found.kind == "import" ? [] : try columns(of: id)
        try database.execute(
            """
            INSERT INTO task_changes (change_id, task_number, fields)
            SELECT \(change), number, json_object('trashed_at', json_array(NULL, \(now.milliseconds)))
            FROM task_changes JOIN tasks ON number = task_number
            WHERE change_id = \(id) AND \(made) AND trashed_at IS NULL
            """)
        var touched = database.changes
        if touched > 0 { try write(change, [.trashedAt]) }
        // The others get back what they had, where they still have what the change gave them.
        var others = 0
        if !columns.isEmpty {
            // The key of a due day moves with the owner's zone, which is no change of the task.
            var conditions: [SQL] = columns.filter { $0 != .dueKey }.map {
                "\($0.sql) IS json_extract(old.fields, \("$.\($0.rawValue)[1]"))"
            }
            if columns.contains(.categoryID) {  // a category that is gone takes no task back
                conditions.append(
                    "EXISTS (SELECT 1 FROM categories WHERE id = json_extract(old.fields, '$.category_id[0]') AND user_id = \(owner.id))"
                )
            }
            let same = SQL.joined(conditions, separator: " AND ")
            let fields = SQL.joined(
                columns.map { "\($0.rawValue), json_array(\($0.sql), json_extract(old.fields, \("$.\($0.rawValue)[0]")))" },
                separator: ", ")
            try database.execute(
                """
                INSERT INTO task_changes (change_id, task_number, fields) SELECT \(change), number, json_object(\(fields))
                FROM task_changes AS old JOIN tasks ON number = task_number
                WHERE old.change_id = \(id) AND old.fields IS NOT NULL AND user_id = \(owner.id) AND \(same)
                """)
            others = database.changes
            touched += others
            if others > 0 { try write(change, columns) }
            if columns.contains(.categoryID) { try CategoryRepository(self).revive(usedBy: change) }
        }
        let total = Int(try database.scalar("SELECT count(*) FROM task_changes WHERE change_id = \(id)") ?? 0)
        guard touched > 0 else { throw Refusal.conflict("error.nothing_to_undo") }
        try database.execute("UPDATE changes SET undone_by = \(change) WHERE id = \(id)")
        return Undone(change: try finish(change, count: touched), leftAlone: total - touched)
    }

    /// The history of one task, last change first.
    func history(_ task: TaskItem) throws -> [HistoryEntry] {
        try database.rows(
            """
            SELECT id, made_at, way, kind, fields FROM task_changes JOIN changes ON id = change_id
            WHERE task_number = \(task.number) AND user_id = \(owner.id) ORDER BY change_id DESC LIMIT 500
            """
        ) { row in
            HistoryEntry(
                changeID: try row.int(0), madeAt: Instant(milliseconds: try row.int(1)), way: try row.text(2),
                kind: try row.text(3), fields: try Self.fields(try row.textOrNil(4)))
        }
    }

    /// What `task_changes.fields` says: from and to, by column.
    static func fields(_ text: String?) throws -> [TaskColumn: (from: StoredValue, to: StoredValue)] {
        guard let text else { return [:] }
        var fields: [TaskColumn: (from: StoredValue, to: StoredValue)] = [:]
        for (name, pair) in try JSONDecoder().decode([String: [StoredValue]].self, from: Data(text.utf8)) where pair.count == 2 {
            if let column = TaskColumn(rawValue: name) { fields[column] = (pair[0], pair[1]) }
        }
        return fields
    }

    /// The columns that a change wrote: the same in each of its rows.
    private func columns(of change: Int) throws -> [TaskColumn] {
        let names = try database.rows(
            """
            SELECT key FROM json_each((SELECT fields FROM task_changes WHERE change_id = \(change) AND fields IS NOT NULL LIMIT 1))
            """
        ) { try $0.text(0) }
        return names.compactMap(TaskColumn.init(rawValue:))
    }

    /// Sets the columns to what the rows of a change say, and what follows from them: sort keys and folded texts.
    private func write(_ change: Int, _ columns: [TaskColumn]) throws {
        let setting = SQL.joined(
            columns.map { "\($0.sql) = json_extract(new.fields, \("$.\($0.rawValue)[1]"))" }, separator: ", ")
        let first = "$." + columns[0].rawValue
        try database.execute(
            """
            UPDATE tasks SET \(setting), updated_at = \(now.milliseconds), version = version + 1 FROM task_changes AS new
            WHERE new.change_id = \(change) AND number = new.task_number AND json_type(new.fields, \(first)) IS NOT NULL
            """)
        let touched: SQL = "number IN (SELECT task_number FROM task_changes WHERE change_id = \(change))"
        if columns.contains(.dueOn) { try rekey(touched) }
        if columns.contains(.title) || columns.contains(.content) { try refold(touched) }
    }

    /// Folds the texts of tasks anew, for searches.
    func refold(_ condition: SQL) throws {
        let texts = try database.rows("SELECT number, title, content FROM tasks WHERE \(condition)") {
            (number: try $0.int(0) as Int, folded: TaskDraft.fold(title: try $0.text(1), content: try $0.text(2)))
        }
        for text in texts { try refold(text.number, text.folded) }
    }

    /// Gives a task the folded text that it has now; where that is the same, nothing is to be done.
    func refold(_ number: Int, _ folded: String) throws {
        try database.execute("UPDATE tasks SET folded = \(folded) WHERE number = \(number) AND folded <> \(folded)")
        if database.changes > 0 { try SearchIndex(database).update(number, owner: owner.id, folded: folded) }
    }

    /// Makes the sort keys of due days anew, for tasks that meet a condition: their day may end at another moment in the owner's zone now.
    func rekey(_ condition: SQL = "1") throws {
        let days = try database.rows(
            "SELECT DISTINCT due_on FROM tasks WHERE user_id = \(owner.id) AND due_on IS NOT NULL AND \(condition)"
        ) { try $0.text(0) }
        // One pass over the tasks, however many days there are.
        try database.execute("CREATE TEMP TABLE IF NOT EXISTS day_ends (day TEXT PRIMARY KEY, due_key INTEGER NOT NULL)")
        try database.execute("DELETE FROM temp.day_ends")
        for text in days {
            guard let day = Day(text) else { continue }
            try database.execute("INSERT INTO temp.day_ends VALUES (\(text), \(Due.day(day).key(in: owner.zone)))")
        }
        try database.execute(
            """
            UPDATE tasks SET due_key = (SELECT due_key FROM temp.day_ends WHERE day = due_on)
            WHERE user_id = \(owner.id) AND due_on IN (SELECT day FROM temp.day_ends) AND \(condition)
            """)
    }
}
