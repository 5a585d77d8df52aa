// A todo.txt file as a source of tasks: each line that is not blank becomes a task, whatever is in it.

/// Reads a todo.txt or done.txt.
struct TodoTxtFile: ImportSource {
    private let lines: TextLines
    /// True where every line is done though none says so, as some tools write their done.txt.
    private let isAllCompleted: Bool
    /// True where its name says that it is the list of what is done.
    private let isDoneList: Bool
    let recordCount: Int

    var findings: ImportFindings { ImportFindings(format: .todotxt, encoding: encoding) }

    init(_ file: ByteFile, encoding: TextEncoding? = nil, isAllCompleted: Bool) throws {
        let survey = try TextSurvey(file)
        guard encoding != nil || !survey.holdsNUL else {
            throw ImportFailure(.notText, ["file": file.name])
        }
        lines = TextLines(file: file, encoding: encoding ?? survey.encoding)
        recordCount = survey.lineCount
        self.isAllCompleted = isAllCompleted
        let name =
            file.name.utf8.split(separator: UInt8(ascii: "/")).last.map { String(decoding: $0, as: UTF8.self).lowercased() } ?? ""
        isDoneList = name.hasPrefix("done") || name.hasSuffix("done.txt")
    }

    /// How its bytes are read.
    var encoding: TextEncoding { lines.encoding }

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        let identities = RunningCount()
        var (comments, completed, count) = (0, 0, 0)
        if encoding != .utf8 { report.warn(0, .encoding, ["encoding": encoding.rawValue]) }
        try lines.forEach { number, line in
            let text: String
            switch line {
            case .tooLong:
                report.skip(number, .tooLong)
                return
            case .damaged(let damaged):
                report.warn(number, .damaged, ["encoding": encoding.rawValue])
                text = damaged
            case .text(let whole): text = whole
            }
            guard text.utf8.contains(where: { $0 > 0x20 }), !text.utf8.elementsEqual("\u{FEFF}".utf8) else { return }
            let parsed = TodoTxtLine(text)
            count += 1
            if parsed.isCompleted { completed += 1 }
            if text.hasPrefix("#") || text.hasPrefix("//") { comments += 1 }
            for oddity in parsed.oddities { report.warn(number, oddity.code, ["value": ImportReason.excerpt(oddity.value)]) }
            try body(try task(parsed, number, context, &report, identities), &report)
        }
        if comments > 0 { report.warn(0, .comments, ["count": String(comments)]) }
        if count > 1, completed == 0, !isAllCompleted, isDoneList { report.warn(0, .doneList) }
    }

    private func task(
        _ line: TodoTxtLine, _ number: Int, _ context: ImportContext, _ report: inout ImportReport,
        _ identities: RunningCount
    ) throws -> ImportedTask {
        var (title, content) = ImportedText.split(title: line.text, content: "", place: number, context, &report)
        var task = ImportedTask(place: number, title: "", category: context.standard, source: "")
        if let found = line.tags.lazy.compactMap(context.category(named:)).first { task.category = found }
        switch line.letter {
        case UInt8(ascii: "A"): task.priority = .high
        case UInt8(ascii: "B"), nil: task.priority = .medium
        default: task.priority = .low
        }
        // High is A again and low is C when it is exported; what that would not give back is kept in the format's own words.
        if let letter = line.letter, letter != UInt8(ascii: "A"), letter != UInt8(ascii: "C") {
            ImportedText.append("pri:" + String(decoding: [letter], as: UTF8.self), to: &content)
        }
        task.status = line.isCompleted || isAllCompleted ? .completed : .pending
        task.due = line.due.map(Due.day)
        task.isPinned = line.isPinned
        let zone = context.owner.zone
        task.createdAt = line.createdOn.map(zone.startOfDay)
        task.completedAt = line.completedOn.map(zone.startOfDay)
        // What stands in todo.txt and, done once more, in done.txt are two tasks, and none may be lost. The name says no more than that:
        // a browser calls the second download `todo (1).txt`.
        task.source = try identities.identity(
            "todotxt", [isDoneList ? "done" : "", title, line.createdOn?.description ?? "", line.due?.description ?? ""])
        swap(&task.title, &title)
        task.content = content
        return task
    }
}
