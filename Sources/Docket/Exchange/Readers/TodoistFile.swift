// A project of Todoist as CSV: columns by name, sections, notes below their task, subtasks as steps of the nearest task above, labels in the
// text. Who wrote what is personal and is not taken. Such a file holds open tasks only, and no identifiers.

struct TodoistFile: ImportSource {
    private let shape: CSVShape
    private let columns: [String: Int]
    let recordCount: Int
    let findings: ImportFindings

    init(_ file: ByteFile, _ options: ImportOptions) throws {
        shape = try CSVShape(file, options)
        guard shape.format == .todoist, let header = shape.sample.first else {
            throw ImportFailure(.notFormat, ["file": file.name, "format": ImportFormat.todoist.rawValue])
        }
        columns = Dictionary(header.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        var findings = ImportFindings(format: .todoist, encoding: shape.encoding)
        findings.delimiter = shape.delimiter
        self.findings = findings
        var count = 0
        try shape.forEach(behind: 0) { _ in count += 1 }
        recordCount = count
    }

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        if shape.encoding != .utf8 { report.warn(0, .encoding, ["encoding": shape.encoding.rawValue]) }
        let identities = RunningCount()
        var (section, repeating) = ("", 0)
        var current: (task: ForeignTask, identity: [String])?
        func flush(_ report: inout ImportReport, _ identities: RunningCount) throws {
            guard let done = current else { return }
            current = nil
            try body(done.task.task(context, source: try identities.identity("todoist", done.identity), &report), &report)
        }
        try shape.forEach(behind: 0) { record in
            if let problem = record.problem { return report.skip(record.line, problem, ["limit": String(CSVReader.columnLimit)]) }
            let row = Row(record: record, columns: columns)
            if let extra = row.extra {
                report.warn(record.line, .manyCells, ["count": String(record.count), "wanted": String(columns.count)])
                current?.task.keep("Column \(columns.count + 1)", extra)
            }
            switch row["TYPE"] {
            case "section":
                try flush(&report, identities)
                section = row["CONTENT"]
            case "note":
                let text = Self.note(row["CONTENT"])
                if current == nil { report.skip(record.line, .noTask, ["value": "note"]) } else { current?.task.addNote(text) }
            case "task":
                let level = Int(digits: row["INDENT"].utf8) ?? 1
                if level > 1, current != nil {
                    current?.task.addStep(row, level: level)
                    return
                }
                try flush(&report, identities)
                if level > 1 { report.warn(record.line, .noParent) }
                var task = ForeignTask(place: record.line)
                row.fill(&task, section: section, context, &report, &repeating)
                current = (task, [row["CONTENT"], row["DATE"]])
            case "meta", "": break
            case let kind: report.skip(record.line, .noTask, ["value": ImportReason.excerpt(kind)])
            }
        }
        try flush(&report, identities)
        if repeating > 0 { report.warn(0, .recurrence, ["count": String(repeating)]) }
    }

    /// A comment; of an attachment the name and the address stay.
    private static func note(_ text: String) -> String {
        var (output, rest) = ("", text[...])
        while let open = rest.range(of: "[[file {"), let close = rest.range(of: "}]]", in: open.upperBound..<rest.endIndex),
            let object = JSONReader.small(Array("{\(rest[open.upperBound..<close.lowerBound])}".utf8))
        {
            let address = object["file_url"].text ?? object["image"].text ?? object["url"].text
            output +=
                rest[..<open.lowerBound] + "File: "
                + [object["file_name"].text, address].compactMap(\.self).joined(separator: " ")
            rest = rest[close.upperBound...]
        }
        return output + rest
    }

    /// One record by the names of its columns.
    struct Row {
        let record: CSVRecord
        let columns: [String: Int]

        subscript(_ name: String) -> String { columns[name].map { Characters.trim(record[$0]) } ?? "" }

        /// What stands behind the last column.
        var extra: String? {
            let cells = (columns.count..<max(record.count, columns.count)).map { record[$0] }.filter { !$0.isEmpty }
            return cells.isEmpty ? nil : cells.joined(separator: ", ")
        }

        /// The title, without the labels and without the star of what can't be ticked off.
        var title: (text: String, labels: [String], isUncheckable: Bool) {
            var text = self["CONTENT"]
            let isUncheckable = text.hasPrefix("* ")
            if isUncheckable { text = String(text.dropFirst(2)) }
            var words: [Substring] = []
            var labels: [String] = []
            for word in text.split(separator: " ", omittingEmptySubsequences: false) {
                if word.utf8.first == 0x40, word.utf8.count > 1, !words.isEmpty {
                    labels.append(String(word))
                } else {
                    words.append(word)
                }
            }
            return (labels.isEmpty ? text : words.joined(separator: " "), labels, isUncheckable)
        }

        func fill(
            _ task: inout ForeignTask, section: String, _ context: ImportContext, _ report: inout ImportReport,
            _ repeating: inout Int
        ) {
            let title = title
            task.title = title.text
            for label in title.labels { task.add(tag: label) }
            if title.isUncheckable { report.warn(task.place, .noCheckbox) }
            task.content = self["DESCRIPTION"]
            switch self["PRIORITY"] {
            case "1", "2": task.priority = .high
            case "3", "": break
            case "4": task.priority = .low
            case let other: task.refuse("PRIORITY", other, instead: "medium", &report)
            }
            task.add(list: section, as: "Section")
            var zone = context.owner.zone
            if !self["TIMEZONE"].isEmpty {
                if let found = try? Zone(named: self["TIMEZONE"]) {
                    zone = found
                } else {
                    report.warn(task.place, .zone, ["zone": ImportReason.excerpt(self["TIMEZONE"])])
                }
            }
            let (date, deadline) = (self["DATE"], self["DEADLINE"])
            takeDate(date.isEmpty ? deadline : date, zone, &task, context, &report, &repeating)
            if !date.isEmpty { task.keep("Deadline", deadline) }
            task.keep(
                "Duration",
                [self["DURATION"], self["DURATION_UNIT"]].filter { !$0.isEmpty && $0 != "None" }.joined(separator: " "))
        }

        /// Dates in words; what repeats keeps its rule readable.
        private func takeDate(
            _ text: String, _ zone: Zone, _ task: inout ForeignTask, _ context: ImportContext, _ report: inout ImportReport,
            _ repeating: inout Int
        ) {
            if text.lowercased().hasPrefix("every") {
                repeating += 1
                return task.keep("Repeats", text)
            }
            var date = ForeignDate(text)
            if date == nil, let blank = text.firstIndex(of: " "), let first = ForeignDate(String(text[..<blank])) {
                // `2017-09-21 Monthly`
                date = first
                repeating += 1
                task.keep("Repeats", String(text[blank...]))
            }
            if date == nil { date = Self.next(text, after: zone.day(at: context.now)) }
            if case .local(let day, let milliseconds)? = date,
                let due = try? Due.moment(on: day, millisecondsOfDay: milliseconds, zone: zone)
            {
                task.due = due
            } else {
                task.takeDue("Due", text, date, zone, &report)
            }
        }

        /// `4 Jan`: the next such day.
        private static func next(_ text: String, after today: Day) -> ForeignDate? {
            for year in today.year...today.year + 8 {
                if case .day(let day)? = ForeignDate("\(text) \(year)"), day >= today { return .day(day) }
            }
            return nil
        }
    }
}

extension ForeignTask {
    fileprivate mutating func addNote(_ text: String) {
        keep(line: "")
        keep(line: text)
    }

    fileprivate mutating func addStep(_ row: TodoistFile.Row, level: Int) {
        let indent = String(repeating: "  ", count: min(level, 8) - 2)
        keep(line: indent + "- [ ] " + row["CONTENT"])
        for (label, name) in [("Due", "DATE"), ("Deadline", "DEADLINE")] where !row[name].isEmpty {
            keep(line: indent + "  \(label): \(row[name])")
        }
        if !row["DESCRIPTION"].isEmpty { keep(line: indent + "  " + row["DESCRIPTION"]) }
    }
}

extension StringProtocol {
    /// Where a text stands, by its bytes.
    fileprivate func range(of text: String, in range: Range<Index>? = nil) -> Range<Index>? {
        let wanted = Array(text.utf8)
        var index = range?.lowerBound ?? startIndex
        let end = range?.upperBound ?? endIndex
        while index < end {
            if utf8[index..<end].starts(with: wanted) { return index..<utf8.index(index, offsetBy: wanted.count) }
            index = utf8.index(after: index)
        }
        return nil
    }
}
