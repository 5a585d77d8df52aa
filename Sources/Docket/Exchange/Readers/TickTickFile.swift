// A backup of TickTick as CSV: a preamble that explains the states, then the header, columns by name. Days are written as moments of
// midnight in the zone of a column of their own.

struct TickTickFile: ImportSource {
    private let shape: CSVShape
    private let header: Int
    private let columns: [String: Int]
    /// What the preamble says of each state.
    private let states: [String: String]
    /// Titles of tasks that others are part of.
    private let parents: [String: String]
    let recordCount: Int
    let findings: ImportFindings

    init(_ file: ByteFile, _ options: ImportOptions) throws {
        shape = try CSVShape(file, options)
        guard shape.format == .ticktick, let header = shape.header else {
            throw ImportFailure(.notFormat, ["file": file.name, "format": ImportFormat.ticktick.rawValue])
        }
        self.header = header
        let columns = Dictionary(shape.sample[header].enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        self.columns = columns
        states = Self.states(shape.sample[..<header].flatMap { $0 })
        var findings = ImportFindings(format: .ticktick, encoding: shape.encoding)
        findings.delimiter = shape.delimiter
        self.findings = findings
        var (count, wanted, titles): (Int, Set<String>, [String: String]) = (0, [], [:])
        try shape.forEach(behind: header) { record in
            count += 1
            let parent = columns["parentId"].map { record[$0] } ?? ""
            if !parent.isEmpty { wanted.insert(parent) }
        }
        if !wanted.isEmpty, let id = columns["taskId"], let title = columns["Title"] {
            try shape.forEach(behind: header) { record in
                if wanted.contains(record[id]), titles[record[id]] == nil {
                    titles[record[id]] = ImportedText.label(record[title])
                }
            }
        }
        (recordCount, parents) = (count, titles)
    }

    /// `0 Normal`, a state a line.
    private static func states(_ cells: [String]) -> [String: String] {
        var states: [String: String] = [:]
        for cell in cells where cell.hasPrefix("Status") {
            for line in cell.split(whereSeparator: \.isNewline) {
                let words = line.split(separator: " ", maxSplits: 1)
                if words.count == 2, Int(words[0]) != nil { states[String(words[0])] = Characters.trim(String(words[1])) }
            }
        }
        return states.isEmpty ? ["0": "Normal", "1": "Completed", "2": "Archived", "-1": "Abandoned"] : states
    }

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        if shape.encoding != .utf8 { report.warn(0, .encoding, ["encoding": shape.encoding.rawValue]) }
        let identities = RunningCount()
        var repeating = 0
        try shape.forEach(behind: header) { record in
            if let problem = record.problem { return report.skip(record.line, problem, ["limit": String(CSVReader.columnLimit)]) }
            if record.count < columns.count {
                report.warn(record.line, .fewCells, ["count": String(record.count), "wanted": String(columns.count)])
            } else if record.count > columns.count {
                report.warn(record.line, .manyCells, ["count": String(record.count), "wanted": String(columns.count)])
            }
            var task = ForeignTask(place: record.line)
            for column in columns.count..<max(columns.count, record.count) { task.keep("Column \(column + 1)", record[column]) }
            let row = Row(record: record, columns: columns)
            fill(&task, row, context, &report)
            if !row["Repeat"].isEmpty { repeating += 1 }
            let id = row["taskId"]
            // One repeating task is there once for each time that it was done.
            let source =
                try id.utf8.count >= 8
                ? identities.identity("ticktick", [id, row["Completed Time"]])
                : identities.identity("ticktick", bytes: record.digest)
            try body(task.task(context, source: source, &report), &report)
        }
        if repeating > 0 { report.warn(0, .recurrence, ["count": String(repeating)]) }
    }

    private func fill(_ task: inout ForeignTask, _ row: Row, _ context: ImportContext, _ report: inout ImportReport) {
        task.title = row.raw("Title")
        task.content = Self.steps(row.raw("Content"))
        if row["Kind"] == "NOTE" || row["projectKind"] == "NOTE" { task.add(tag: "note") }
        let priority = row["Priority"]
        switch priority.hasPrefix("p") ? String(priority.dropFirst()) : priority {
        case "0", "", "3": break
        case "1": task.priority = .low
        case "5": task.priority = .high
        default: task.refuse("Priority", priority, instead: "medium", &report)
        }
        takeStatus(row["Status"], &task, &report)
        for name in ["Folder Name", "List Name", "Column Name"] { task.add(list: row[name], as: String(name.dropLast(5))) }
        for tag in row["Tags"].split(separator: ",") { task.add(tag: String(tag)) }
        takeDue(&task, row, context, &report)
        task.createdAt = task.time(
            "Created Time", row["Created Time"], ForeignDate(row["Created Time"]), context.owner.zone, &report)
        task.completedAt = task.time(
            "Completed Time", row["Completed Time"], ForeignDate(row["Completed Time"]), context.owner.zone, &report)
        task.keep("Repeats", row["Repeat"])
        task.keep("Reminder", row["Reminder"])
        let parent = row["parentId"]
        if !parent.isEmpty { task.keep("Part of", parents[parent] ?? parent) }
    }

    private func takeStatus(_ text: String, _ task: inout ForeignTask, _ report: inout ImportReport) {
        switch states[text] {
        case "Normal": break
        case "Completed", "Archived": task.status = .completed
        case let word?:
            task.status = .completed
            task.keep("Status", word)
        case nil:
            if text == "1" || text == "2" {
                task.status = .completed
            } else if !text.isEmpty, text != "0" {
                task.refuse("Status", text, instead: "pending", &report)
            }
        }
    }

    private func takeDue(_ task: inout ForeignTask, _ row: Row, _ context: ImportContext, _ report: inout ImportReport) {
        let (start, end) = (row["Start Date"], row["Due Date"])
        let text = end.isEmpty ? start : end
        if !start.isEmpty, start != text { task.keep("Start", start) }
        var zone = context.owner.zone
        if !row["Timezone"].isEmpty {
            if let found = try? Zone(named: row["Timezone"]) {
                zone = found
            } else {
                report.warn(task.place, .zone, ["zone": ImportReason.excerpt(row["Timezone"])])
            }
        }
        guard let date = ForeignDate(text) else { return task.takeDue("Due Date", text, nil, zone, &report) }
        let instant = date.instant(zone)
        switch (row["Is All Day"].lowercased(), row["Is Floating"].lowercased()) {
        case ("true", _): task.takeDue("Due Date", text, .day(zone.day(at: instant)), zone, &report)
        case (_, "true"):
            let (day, seconds) = zone.local(instant)
            task.takeDue("Due Date", text, .local(day, milliseconds: seconds * 1_000), context.owner.zone, &report)
        case ("false", _):
            task.takeDue("Due Date", text, date, zone, &report)
            // Midnight is meant: it is said that this is no day.
            if task.due != nil, date.due(zone) == task.due, case .day? = task.due { task.due = .moment(instant) }
        default: task.takeDue("Due Date", text, date, zone, &report)
        }
    }

    /// `▫text` and `▪text` are steps, open and done.
    private static func steps(_ content: String) -> String {
        guard content.unicodeScalars.contains(where: { $0 == "▫" || $0 == "▪" }) else { return content }
        return content.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            guard let first = line.unicodeScalars.first, first == "▫" || first == "▪" else { return String(line) }
            return (first == "▫" ? "- [ ] " : "- [x] ") + Characters.trim(String(line.unicodeScalars.dropFirst()))
        }.joined(separator: "\n")
    }

    private struct Row {
        let record: CSVRecord
        let columns: [String: Int]

        subscript(_ name: String) -> String { Characters.trim(raw(name)) }
        func raw(_ name: String) -> String { columns[name].map { record[$0] } ?? "" }
    }
}
