// One record of a table as a task, by the map of its columns. What a column may not hold stands in the content, with a warning.

struct CSVRow {
    let columns: CSVColumns
    let order: DateOrder
    let context: ImportContext
    let digitsAreOurs: Bool
    /// True for a table that Docket has written: its texts and times are exact.
    let isOwn: Bool
    /// True for the form that is made for spreadsheets, whose apostrophes before formulas are taken away again.
    let isSpreadsheet: Bool

    func task(_ record: CSVRecord, _ report: inout ImportReport, _ identities: RunningCount) throws -> ImportedTask {
        var task = ForeignTask(place: record.line)
        task.isExact = isOwn
        let cells = (0..<max(record.count, columns.count)).map { isSpreadsheet ? Self.plain(record[$0]) : record[$0] }
        if record.count < columns.count {
            report.warn(record.line, .fewCells, ["count": String(record.count), "wanted": String(columns.count)])
        } else if record.count > columns.count, cells[columns.count...].contains(where: { !$0.isEmpty }) {
            report.warn(record.line, .manyCells, ["count": String(record.count), "wanted": String(columns.count)])
        }
        var version = 1
        for (column, cell) in cells.enumerated() {
            let field = column < columns.count ? columns.map.fields[column] : .keep
            let name = column < columns.count ? columns.names[column] : "Column \(column + 1)"
            take(field, name, cell, &task, &version, &report)
        }
        if let column = columns.map.column(.due) {
            let time = columns.map.column(.dueTime).map { Characters.trim(cells[$0]) } ?? ""
            takeDue(cells[column], time, columns.names[column], &task, &report)
        }
        let source =
            try task.id.map { (isOwn ? "docket:" : "csv:") + $0.description } ?? identities.identity("csv", bytes: record.digest)
        var imported = task.task(context, source: source, &report)
        if isOwn { imported.version = version }
        return imported
    }

    /// The text of a cell before which an apostrophe was put, so that no spreadsheet takes it for a formula.
    static func plain(_ cell: String) -> String {
        let bytes = cell.utf8
        let rest = bytes.dropFirst()
        guard bytes.first == 0x27, rest.first == 0x27 || CSVWriter.isDangerous(rest) else { return cell }
        return String(decoding: bytes.dropFirst(), as: UTF8.self)
    }

    private func take(
        _ field: ColumnField, _ name: String, _ cell: String, _ task: inout ForeignTask, _ version: inout Int,
        _ report: inout ImportReport
    ) {
        guard !cell.isEmpty else { return }
        let zone = context.owner.zone
        switch field {
        case .title: task.title = cell
        case .content: task.content = task.content.isEmpty ? cell : task.content + "\n" + cell
        case .priority:
            if let priority = CSVWords.priority(cell, digitsAreOurs: digitsAreOurs) {
                task.priority = priority
            } else {
                task.refuse(name, cell, instead: "medium", &report)
            }
        case .status:
            if let status = CSVWords.status(cell) {
                task.status = status
            } else if let date = ForeignDate(cell, order: order) {
                // A column called `completed` may well tell when.
                task.status = .completed
                task.completedAt = date.instant(zone)
            } else {
                task.refuse(name, cell, instead: "pending", &report)
            }
        case .category:
            let words = words(cell)
            if words.count > ForeignTask.looked { return task.keep(name, cell) }
            for word in words { task.add(list: word, as: name) }
        case .tags: for word in words(cell) { task.add(tag: word) }
        case .pinned:
            if let flag = CSVWords.flag(cell) {
                task.isPinned = flag
            } else {
                report.warn(task.place, .notPinned, ["field": name, "value": ImportReason.excerpt(cell)])
                task.keep(name, cell)
            }
        case .version: if let number = Int(digits: cell.utf8), 1...1_000_000_000 ~= number { version = number }
        case .id:
            if let id = TaskID(Characters.trim(cell)) { task.id = id } else { task.keep(name, cell) }
        case .created: task.createdAt = task.time(name, cell, ForeignDate(cell, order: order), zone, &report)
        case .updated: task.updatedAt = task.time(name, cell, ForeignDate(cell, order: order), zone, &report)
        case .completed:
            task.completedAt = task.time(name, cell, ForeignDate(cell, order: order), zone, &report)
            // A time of completion says so where no column tells the state.
            if columns.map.column(.status) == nil, task.completedAt != nil { task.status = .completed }
        case .keep: task.keep(name, cell)
        case .due, .dueTime, .ignore: break
        }
    }

    private func takeDue(_ cell: String, _ time: String, _ name: String, _ task: inout ForeignTask, _ report: inout ImportReport)
    {
        if isOwn, let due = Due(own: cell, zone: context.owner.zone, now: context.now) {
            task.due = due
            return
        }
        let text = time.isEmpty ? cell : cell + " " + time
        task.takeDue(name, text, ForeignDate(text, order: order), context.owner.zone, &report)
    }

    /// Several words in one cell.
    private func words(_ cell: String) -> [String] {
        cell.unicodeScalars.split { [",", ";", "，", "；", "、", "\n"].contains($0) }.map { String($0) }
    }
}

extension Due {
    /// As our own files have it: a day, or a moment, which stays one at midnight too.
    init?(own text: String, zone: Zone, now: Instant) {
        guard let due = try? Due(form: text, zone: zone, now: now), text.utf8.first.map({ 0x30...0x39 ~= $0 }) == true else {
            return nil
        }
        self = due
    }
}
