// A task as it stands in the database. (`Task` is Swift's own word for something else.)

import SQLite

/// How much a task matters.
enum Priority: Int, CaseIterable, Sendable {
    case low, medium, high

    /// The word in forms and answers.
    var word: String {
        switch self {
        case .low: "low"
        case .medium: "medium"
        case .high: "high"
        }
    }

    init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}

/// Whether a task is done.
enum TaskStatus: Int, CaseIterable, Sendable {
    case pending, completed

    /// The word in forms and answers.
    var word: String { self == .pending ? "pending" : "completed" }

    init?(word: String) {
        guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
        self = found
    }
}

/// One task.
struct TaskItem: Sendable {
    /// The row's own number: never shown, the last tie-breaker of every order.
    var number: Int
    var id: TaskID
    var categoryID: Int
    var priority: Priority
    var status: TaskStatus
    var isPinned: Bool
    var due: Due?
    /// When it becomes overdue: see `Due.key`.
    var dueKey: Int64?
    var createdAt: Instant
    var updatedAt: Instant
    var completedAt: Instant?
    var trashedAt: Instant?
    var version: Int
    var title: String
    var content: String

    /// The columns, in the order in which `init(row:)` reads them.
    static let columns: SQL = """
        number, id, category_id, priority, status, pinned, due_on, due_at, due_key, created_at, updated_at, completed_at, trashed_at, \
        version, title, content
        """

    /// The same with only the first character of the content: for lists, which tell whether there is any.
    static let listColumns: SQL = """
        number, id, category_id, priority, status, pinned, due_on, due_at, due_key, created_at, updated_at, completed_at, trashed_at, \
        version, title, substr(content, 1, 1)
        """

    init(row: Row) throws {
        number = try row.int(0)
        guard let id = try row.withBytes(1, TaskID.init(bytes:)), let priority = Priority(rawValue: try row.int(3)),
            let status = TaskStatus(rawValue: try row.int(4))
        else { throw DamagedRow(table: "tasks", number: number) }
        self.id = id
        self.priority = priority
        self.status = status
        categoryID = try row.int(2)
        isPinned = try row.int(5) == 1
        if let text = try row.textOrNil(6) {
            guard let day = Day(text) else { throw DamagedRow(table: "tasks", number: number) }
            due = .day(day)
        } else if let moment = try row.intOrNil(7) {
            due = .moment(Instant(milliseconds: Int64(moment)))
        } else {
            due = nil
        }
        dueKey = try row.intOrNil(8).map { Int64($0) }
        createdAt = Instant(milliseconds: Int64(try row.int(9)))
        updatedAt = Instant(milliseconds: Int64(try row.int(10)))
        completedAt = try row.intOrNil(11).map { Instant(milliseconds: Int64($0)) }
        trashedAt = try row.intOrNil(12).map { Instant(milliseconds: Int64($0)) }
        version = try row.int(13)
        title = try row.text(14)
        content = try row.text(15)
    }
}

/// A row that the program could not have written: someone changed the file by hand, or the disk did.
struct DamagedRow: Error, CustomStringConvertible {
    let table: String
    let number: Int

    var description: String { "row \(number) of \(table) is damaged: run docket check" }
}
