// What `task export` of Taskwarrior writes: a list, objects line by line with or without commas and brackets, or its backlog, where each
// change of a task is a line and the last one counts. Times are UTC and in one form; days are midnight of the person's zone.

struct TaskwarriorFile: ImportSource {
    private let file: ByteFile
    private let encoding: TextEncoding
    let recordCount: Int
    /// Twice the place of the last object of each identifier, and one more for a task of a series that is not deleted.
    private let last: KeyTable
    /// How many such tasks there are of each pattern.
    private let children: KeyTable

    var findings: ImportFindings { ImportFindings(format: .taskwarrior, encoding: encoding) }
    var placeKind: ImportPlaceKind { .record }

    init(_ file: ByteFile, _ options: ImportOptions) throws {
        self.file = file
        encoding = try JSONReader.encoding(file, options)
        let (last, children) = (KeyTable(), KeyTable())
        var (count, isOne) = (0, false)
        try Self.walk(file, encoding) { place, value, _ in
            count += 1
            guard let value else { return }
            if value["uuid"].text != nil, value["description"].text != nil { isOne = true }
            guard let id = value["uuid"].text.flatMap({ TaskID($0) }) else { return }
            let parent = value["parent"].text.flatMap { TaskID($0) }
            // A series whose tasks are all deleted is still one.
            let wasChild = try last.number(id).map { $0 & 1 == 1 } ?? false
            let isChild = parent == nil ? wasChild : value["status"].text != "deleted"
            try last.set(id, place << 1 | (isChild ? 1 : 0))
            if let parent, isChild != wasChild {
                try children.set(parent, (try children.number(parent) ?? 0) + (isChild ? 1 : -1))
            }
        }
        guard isOne else { throw ImportFailure(.notFormat, ["file": file.name, "format": ImportFormat.taskwarrior.rawValue]) }
        (recordCount, self.last, self.children) = (count, last, children)
    }

    /// Gives each object, nil for one that is too large, or the line that is none.
    private static func walk(_ file: ByteFile, _ encoding: TextEncoding, _ body: (Int, JSONValue?, String?) throws -> Void) throws
    {
        var reader = JSONReader(try ByteReader(file, encoding: encoding), name: file.name)
        var (place, isOpen) = (0, false)
        while let byte = try reader.peek() {
            switch byte {
            case 0x5B: (isOpen, _) = (true, try reader.take(byte))
            case 0x5D: (isOpen, _) = (false, try reader.take(byte))
            case 0x2C: try reader.take(byte)
            case 0x7B:
                place += 1
                let value = try reader.value()
                try body(place, value, nil)
            default:
                place += 1
                let line = try reader.takeLine()
                try body(place, nil, line)
            }
        }
        if isOpen { throw ImportFailure(.cutJSON, ["file": file.name, "line": String(reader.line)]) }
    }

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        let identities = RunningCount()
        var (older, repeating) = (0, 0)
        try Self.walk(file, encoding) { place, value, line in
            if let line { return report.skip(place, .noTask, ["value": ImportReason.excerpt(line)]) }
            guard let value else { return report.skip(place, .tooLong) }
            let id = value["uuid"].text.flatMap { TaskID($0) }
            if let id, let final = try last.number(id), final >> 1 != place {
                older += 1
                return
            }
            let status = value["status"].text ?? "pending"
            if status == "deleted" { return report.skip(place, .deleted) }
            if status == "recurring", let id, try children.number(id) ?? 0 > 0 {
                return report.skip(place, .template)
            }
            if !value["recur"].isNull { repeating += 1 }
            var task = ForeignTask(place: place)
            fill(&task, value, status, context, &report)
            task.id = id
            let source = try id.map { "taskwarrior:" + $0.description } ?? identities.identity("taskwarrior", [value.readable])
            try body(task.task(context, source: source, &report), &report)
        }
        if older > 0 { report.warn(0, .superseded, ["count": String(older)]) }
        if repeating > 0 { report.warn(0, .recurrence, ["count": String(repeating)]) }
    }

    /// What only Taskwarrior itself needs.
    private static let own: Set<String> = ["uuid", "id", "urgency", "mask", "imask", "status"]

    private func fill(
        _ task: inout ForeignTask, _ value: JSONValue, _ status: String, _ context: ImportContext, _ report: inout ImportReport
    ) {
        let zone = context.owner.zone
        for key in value.doubledKeys { report.warn(task.place, .doubledKey, ["key": ImportReason.excerpt(key)]) }
        switch status {
        case "pending", "recurring": break
        case "waiting": task.keep("Status", status)
        case "completed": task.status = .completed
        default: task.refuse("status", status, instead: "pending", &report)
        }
        for member in value.members where !member.value.isNull && !Self.own.contains(member.key) {
            let text = member.value.readable
            switch member.key {
            case "description": task.title = text
            case "annotations":
                for note in member.value.elements {
                    let day =
                        ForeignDate(basic: note["entry"].readable).map { zone.day(at: $0.instant(zone)).description + ": " } ?? ""
                    ImportedText.append(day + note["description"].readable, to: &task.content)
                }
            case "priority":
                switch text {
                case "H": task.priority = .high
                case "M", "": break
                case "L": task.priority = .low
                default: task.refuse("priority", text, instead: "medium", &report)
                }
            case "due": task.takeDue("due", text, ForeignDate(basic: text), zone, &report)
            case "entry": task.createdAt = task.time("entry", text, ForeignDate(basic: text), zone, &report)
            case "modified": task.updatedAt = task.time("modified", text, ForeignDate(basic: text), zone, &report)
            case "end":
                let instant = task.time("end", text, ForeignDate(basic: text), zone, &report)
                if task.status == .completed { task.completedAt = instant } else { task.keep("End", text) }
            case "project": task.add(list: text, as: "Project")
            case "tags": for tag in member.value.elements { task.add(tag: tag.readable) }
            case "recur": task.keep("Repeats", text)
            default:
                // Times of other fields are shown on the person's clock.
                let date = text.utf8.count == 16 ? ForeignDate(basic: text) : nil
                task.keep(member.key, date.map { $0.due(zone).formText(in: zone) } ?? text)
            }
        }
    }
}
