// One row of the iOS app's database as a task: what each column may hold, and what becomes of what it may not.

import SQLite

/// Reads one row. Valid as long as the row is.
struct PhoneRow {
    let row: Row
    let place: Int
    let context: ImportContext

    func task(_ report: inout ImportReport, _ identities: RunningCount) throws -> ImportedTask? {
        if (0..<11).contains(where: isHuge) {
            report.skip(place, .tooLong)
            return nil
        }
        let rawTitle = text(1, "title", &report)
        var rawContent = text(2, "content", &report)
        let word = self.text(5, "category", &report)
        var category = context.standard
        if !word.isEmpty {
            if let found = context.category(named: word) {
                category = found
            } else {
                report.warn(place, .category, ["word": ImportReason.excerpt(word), "category": category.key])
                ImportedText.append("@" + word.split { $0.isWhitespace }.joined(separator: "-"), to: &rawContent)
            }
        }
        var task = ImportedTask(place: place, title: "", category: category, source: "")
        task.priority = choice(3, "priority", .medium, Priority.init(rawValue:), &report)
        task.status = choice(4, "status", .pending, TaskStatus.init(rawValue:), &report)
        task.isPinned = isPinned(&report)
        task.createdAt = instant(7, "created_at", &report)
        task.updatedAt = instant(8, "updated_at", &report)
        let completedAt = instant(9, "completed_at", &report)
        if task.status == .completed {
            task.completedAt = completedAt
        } else if completedAt != nil {
            report.warn(place, .openWithTime)
        }
        task.due = due(&report)
        if task.due == nil, !row.isNull(6) { ImportedText.append("due_date: " + describe(6), to: &rawContent) }
        (task.title, task.content) = ImportedText.split(title: rawTitle, content: rawContent, place: place, context, &report)
        try identify(&task, rawTitle, &report, identities)
        return task
    }

    /// The app writes UUIDs in capitals; what is none is kept as the identity in the file, and the task gets an identifier of its own.
    private func identify(
        _ task: inout ImportedTask, _ title: String, _ report: inout ImportReport, _ identities: RunningCount
    ) throws {
        let id = row.isNull(0) ? "" : text(0, "id", &report)
        if let uuid = TaskID(id) {
            task.id = uuid
            task.source = "ios:" + uuid.description
        } else if id.isEmpty {
            task.source = try identities.identity("ios", [title, task.createdAt.map { String($0.milliseconds) } ?? ""])
        } else {
            let isPlain = id.utf8.count <= 200 && !id.unicodeScalars.contains { Characters.isUnshowable($0.value) }
            task.source = try isPlain ? "ios:" + id.lowercased() : identities.identity("ios", [id])
        }
    }

    /// True for a value that no task has, and that is better not copied.
    private func isHuge(_ column: Int) -> Bool {
        let bytes =
            switch row.storageClass(column) {
            case .text: try? row.withUTF8(column) { $0.count }
            case .blob: try? row.withBytes(column) { $0.count }
            case .null, .integer, .real: 0
            }
        return bytes ?? .max > ImportedText.byteLimit
    }

    // MARK: Columns

    private func text(_ column: Int, _ name: String, _ report: inout ImportReport) -> String {
        switch row.storageClass(column) {
        case .null: return ""
        case .text:
            if let text = try? row.text(column) { return text }
            report.warn(place, .notUTF8, ["field": name])
            return (try? row.withUTF8(column) { String(decoding: $0, as: UTF8.self) }) ?? ""
        case .integer: return describe(column)
        case .real: return describe(column)
        case .blob:
            report.warn(place, .bytes, ["field": name])
            return String(decoding: (try? row.bytes(column)) ?? [], as: UTF8.self)
        }
    }

    private func choice<Value>(
        _ column: Int, _ name: String, _ standard: Value, _ make: (Int) -> Value?, _ report: inout ImportReport
    ) -> Value {
        guard !row.isNull(column) else { return standard }
        if row.storageClass(column) == .integer, let number: Int = try? row.int(column), let value = make(number) { return value }
        report.warn(place, .unknownValue, ["field": name, "value": describe(column), "instead": "\(standard)"])
        return standard
    }

    private func isPinned(_ report: inout ImportReport) -> Bool {
        switch row.storageClass(10) {
        case .null: return false
        case .integer: return (try? row.int(10) as Int64) != 0
        default:
            report.warn(place, .notPinned, ["field": "is_pinned", "value": describe(10)])
            return false
        }
    }

    /// Seconds since 1970 with a fraction, to the millisecond.
    private func instant(_ column: Int, _ name: String, _ report: inout ImportReport) -> Instant? {
        let seconds: Double
        switch row.storageClass(column) {
        case .null: return nil
        case .real: seconds = (try? row.double(column)) ?? .nan
        case .integer: seconds = Double((try? row.int(column) as Int64) ?? 0)
        default:
            report.warn(place, .noTime, ["field": name, "value": describe(column)])
            return nil
        }
        let milliseconds = (seconds * 1_000).rounded()
        guard seconds.isFinite, abs(seconds) < 1e11, abs(milliseconds) < 9e15 else {
            report.warn(place, .milliseconds, ["field": name, "value": describe(column)])
            return nil
        }
        let instant = Instant(milliseconds: Int64(milliseconds))
        guard instant.isWithinRange else {
            report.warn(place, .farTime, ["field": name, "value": describe(column)])
            return nil
        }
        return instant
    }

    /// The app has no due days: a day is midnight, or the last second, on the clock of the person.
    private func due(_ report: inout ImportReport) -> Due? {
        guard let instant = instant(6, "due_date", &report) else { return nil }
        let due = Due.imported(instant, context.owner.zone)
        let year = due.day(in: context.owner.zone).year
        guard Due.years.contains(year) else {
            report.warn(place, .farDate, ["field": "due_date", "value": instant.iso8601])
            return nil
        }
        // Seconds counted from 2001 instead of 1970 are 31 years early; the app is younger than 2008.
        if year < 2_008, let created = try? row.double(7), created > 1.2e9, instant.seconds < Int(created) - 10 * 365 * 86_400 {
            report.warn(place, .appleEpoch, ["field": "due_date", "value": instant.iso8601])
        }
        return due
    }

    /// A value for a warning, never a long one.
    private func describe(_ column: Int) -> String {
        switch row.storageClass(column) {
        case .null: return "NULL"
        case .integer: return (try? row.int(column) as Int64).map { String($0) } ?? "?"
        case .real: return (try? row.double(column)).map { String($0) } ?? "?"
        case .text: return "\"" + ((try? row.text(column)).map(ImportReason.excerpt) ?? "?") + "\""
        case .blob: return "BLOB"
        }
    }
}

extension Due {
    /// A moment of a program without due days: midnight and the last second of a day of the person's zone mean the day.
    static func imported(_ instant: Instant, _ zone: Zone) -> Due {
        let (day, seconds) = zone.local(instant)
        let isWhole = Int(instant.milliseconds) == instant.seconds * 1_000
        return seconds == 0 && isWhole || seconds == 86_399 ? .day(day) : .moment(instant)
    }
}
