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
    /// The 36 characters of an identifier.
    mutating func append(_ id: TaskID) {
        for digit in 0..<32 {
            if digit == 8 || digit == 12 || digit == 16 || digit == 20 { append(UInt8(ascii: "-")) }
            let word = digit < 16 ? id.high : id.low
            let value = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(digit % 16))) & 0x0F
            append(value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a"))
        }
    }

    /// `2026-12-24T17:30:00Z`, with milliseconds only where there are any: nothing is lost and nothing invented.
    mutating func append(_ instant: Instant) {
        let (seconds, milliseconds) = Gregorian.floorDivide(Int(instant.milliseconds), 1_000)
        let (day, ofDay) = Gregorian.floorDivide(seconds, Gregorian.secondsPerDay)
        append(Day(clamping: day), separator: UInt8(ascii: "-"))
        append(UInt8(ascii: "T"))
        append(two: ofDay / 3_600)
        append(UInt8(ascii: ":"))
        append(two: ofDay / 60 % 60)
        append(UInt8(ascii: ":"))
        append(two: ofDay % 60)
        if milliseconds != 0 {
            append(UInt8(ascii: "."))
            append(UInt8(truncatingIfNeeded: 0x30 + milliseconds / 100))
            append(two: milliseconds % 100)
        }
        append(UInt8(ascii: "Z"))
    }

    /// `2026-12-24`, or with another separator or none.
    mutating func append(_ day: Day, separator: UInt8?) {
        let (year, month, dayOfMonth) = day.date
        append(two: year / 100)
        append(two: year % 100)
        if let separator { append(separator) }
        append(two: month)
        if let separator { append(separator) }
        append(two: dayOfMonth)
    }

    /// A day as it is, a moment as an instant of UTC: it means the same in whatever zone the file is read.
    mutating func append(_ due: Due) {
        switch due {
        case .day(let day): append(day, separator: UInt8(ascii: "-"))
        case .moment(let instant): append(instant)
        }
    }

    mutating func append(number: Int) { append(decimal: number, width: 1) }

    /// A number from 0 to 99 in two digits.
    mutating func append(two value: Int) {
        append(UInt8(truncatingIfNeeded: 0x30 + value / 10))
        append(UInt8(truncatingIfNeeded: 0x30 + value % 10))
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { append(contentsOf: $0) }
    }
}
