// A task on its way out: the values of a row, and its two texts as bytes that are only lent.

import SQLite

/// One task, as writers see it. Valid only inside the closure that is given it: the texts belong to the row, or to the string, that
/// lends them.
struct ExportedTask {
    let id: TaskID
    let categoryID: Int
    let priority: Priority
    let isCompleted: Bool
    let isPinned: Bool
    let due: Due?
    let createdAt: Instant
    let updatedAt: Instant
    let completedAt: Instant?
    let version: Int
    let title: UnsafeBufferPointer<UInt8>
    let content: UnsafeBufferPointer<UInt8>

    /// Lends the task of a row that begins with `TaskItem.columns`.
    static func lend(_ row: Row, _ body: (ExportedTask) -> Void) throws {
        let number: Int = try row.int(0)
        func damaged() -> DamagedRow { DamagedRow(table: "tasks", number: number) }
        guard let id = try row.withBytes(1, TaskID.init(bytes:)), let priority = Priority(rawValue: try row.int(3)) else {
            throw damaged()
        }
        var due: Due?
        if let moment = try row.intOrNil(7) {
            due = .moment(Instant(milliseconds: moment))
        } else if let text = try row.textOrNil(6) {
            guard let day = Day(text) else { throw damaged() }
            due = .day(day)
        }
        try row.withUTF8(14) { title in
            try row.withUTF8(15) { content in
                body(
                    ExportedTask(
                        id: id, categoryID: try row.int(2), priority: priority, isCompleted: try row.int(4) as Int == 1,
                        isPinned: try row.int(5) as Int == 1, due: due, createdAt: Instant(milliseconds: try row.int(9)),
                        updatedAt: Instant(milliseconds: try row.int(10)),
                        completedAt: try row.intOrNil(11).map { Instant(milliseconds: $0) }, version: try row.int(13),
                        title: title, content: content))
            }
        }
    }

    /// Lends a task that was read already.
    static func lend(_ task: TaskItem, _ body: (ExportedTask) -> Void) {
        var (title, content) = (task.title, task.content)
        title.withUTF8 { title in
            content.withUTF8 { content in
                body(
                    ExportedTask(
                        id: task.id, categoryID: task.categoryID, priority: task.priority,
                        isCompleted: task.status == .completed,
                        isPinned: task.isPinned, due: task.due, createdAt: task.createdAt, updatedAt: task.updatedAt,
                        completedAt: task.completedAt, version: task.version, title: title, content: content))
            }
        }
    }
}

/// What files of tasks are made of.
extension [UInt8] {
    /// `2026-12-24T17:30:00Z`, with milliseconds only where there are any: nothing is lost and nothing invented.
    mutating func append(_ instant: Instant) {
        append(instant, withMilliseconds: instant.milliseconds % 1_000 != 0)
    }

    /// A day as it is, a moment as an instant of UTC: it means the same in whatever zone the file is read.
    mutating func append(_ due: Due) {
        switch due {
        case .day(let day): append(day, separator: UInt8(ascii: "-"))
        case .moment(let instant): append(instant)
        }
    }

    mutating func append(number: Int) { append(decimal: number, width: 1) }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
