// The data.json of an export of Vikunja: projects with their tasks and the projects below them; in older ones namespaces and lists. Dates
// that are none are written as the year 1; texts are HTML in newer ones.

struct VikunjaFile: ImportSource {
    private let file: ByteFile
    private let encoding: TextEncoding
    let recordCount: Int

    var findings: ImportFindings { ImportFindings(format: .vikunja, encoding: encoding) }
    var placeKind: ImportPlaceKind { .record }

    init(_ file: ByteFile, _ options: ImportOptions) throws {
        self.file = file
        encoding = try JSONReader.encoding(file, options)
        var count = 0
        try Self.walk(file, encoding) { reader, _ in
            count += 1
            try reader.skip()
        }
        recordCount = count
    }

    /// Walks to each task, with the names of its projects.
    private static func walk(_ file: ByteFile, _ encoding: TextEncoding, _ body: (inout JSONReader, [String]) throws -> Void)
        throws
    {
        var reader = JSONReader(try ByteReader(file, encoding: encoding), name: file.name)
        try projects(&reader, [], body)
        try reader.end()
    }

    private static func projects(
        _ reader: inout JSONReader, _ names: [String], _ body: (inout JSONReader, [String]) throws -> Void
    ) throws {
        guard try reader.peek() == 0x5B else {
            return try reader.peek() == 0x7B ? project(&reader, names, body) : reader.skip()
        }
        try reader.array { reader in
            if try reader.peek() == 0x7B { try project(&reader, names, body) } else { try reader.skip() }
        }
    }

    private static func project(
        _ reader: inout JSONReader, _ names: [String], _ body: (inout JSONReader, [String]) throws -> Void
    ) throws {
        var names = names
        try reader.object { reader, key in
            switch (key, try reader.peek()) {
            case ("title", 0x22):
                if let title = try reader.value(limit: 4_096)?.text { names.append(title) }
            case ("tasks", 0x5B): try reader.array { try body(&$0, names) }
            case ("child_projects", 0x5B), ("projects", 0x5B), ("lists", 0x5B), ("namespaces", 0x5B):
                try projects(&reader, names, body)
            default: try reader.skip()
            }
        }
    }

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        let identities = RunningCount()
        var (place, repeating) = (0, 0)
        try Self.walk(file, encoding) { reader, names in
            place += 1
            guard let value = try reader.value() else { return report.skip(place, .tooLong) }
            guard value.isObject, value["title"].text != nil else { return report.skip(place, .noTask, ["value": value.kind]) }
            var task = ForeignTask(place: place)
            fill(&task, value, names, context, &report)
            if let seconds = Int(value["repeat_after"].readable), seconds > 0 { repeating += 1 }
            // A number alone means another task in another Vikunja.
            let source = try identities.identity("vikunja", [value["id"].readable, value["created"].readable])
            try body(task.task(context, source: source, &report), &report)
        }
        if repeating > 0 { report.warn(0, .recurrence, ["count": String(repeating)]) }
    }

    /// What only Vikunja itself needs, or says a second time.
    private static let own: Set<String> = [
        "id", "identifier", "index", "hex_color", "project_id", "list_id", "bucket_id", "position", "kanban_position",
        "cover_image_attachment_id", "created_by", "created_by_id", "repeat_mode", "is_archived", "subscription", "reactions",
        "bucket", "buckets", "is_unread", "uid",
    ]

    private func fill(
        _ task: inout ForeignTask, _ value: JSONValue, _ names: [String], _ context: ImportContext, _ report: inout ImportReport
    ) {
        let zone = context.owner.zone
        for name in names.reversed() { task.add(list: name, as: "Project") }
        for member in value.members where !Self.isNothing(member.value) && !Self.own.contains(member.key) {
            let text = member.value.readable
            switch member.key {
            case "title": task.title = text
            case "description": task.content = HTMLText.plain(text) + (task.content.isEmpty ? "" : "\n" + task.content)
            case "done": if text == "true" { task.status = .completed }
            case "done_at": task.completedAt = task.time("done_at", text, ForeignDate(text), zone, &report)
            case "due_date": task.takeDue("due_date", text, ForeignDate(text), zone, &report)
            case "priority":
                switch text {
                case "0", "2": break
                case "1": task.priority = .low
                case "3", "4", "5": task.priority = .high
                default: task.refuse("priority", text, instead: "medium", &report)
                }
            case "is_favorite": task.isPinned = text == "true"
            case "labels": for label in member.value.elements { task.add(tag: label["title"].readable) }
            case "created": task.createdAt = task.time("created", text, ForeignDate(text), zone, &report)
            case "updated": task.updatedAt = task.time("updated", text, ForeignDate(text), zone, &report)
            case "comments":
                for comment in member.value.elements {
                    ImportedText.append(HTMLText.plain(comment["comment"].readable), to: &task.content)
                }
            case "repeat_after":
                if text != "0" { task.keep("Repeats", Self.span(text, mode: value["repeat_mode"].readable)) }
            case "percent_done": if text != "0" { task.keep("percent_done", text) }
            case "attachments": for one in member.value.elements { task.keep("File", one["file"]["name"].readable) }
            case "assignees": for one in member.value.elements { task.keep("Assignee", one["username"].readable) }
            case "reminders", "reminder_dates":
                for one in member.value.elements { task.keep("Reminder", one.isObject ? one["reminder"].readable : one.readable) }
            case "related_tasks":
                for relation in member.value.members {
                    for other in relation.value.elements { task.keep(relation.key, other["title"].readable) }
                }
            default: task.keep(member.key, text)
            }
        }
    }

    private static func isNothing(_ value: JSONValue) -> Bool {
        value.isNull || value == .string("") || (value.text?.hasPrefix("0001-01-01T") ?? false)
    }

    /// Seconds as people say them; modes 1 and 2 are monthly and from the day of completion.
    private static func span(_ text: String, mode: String) -> String {
        if mode == "1" { return "monthly" }
        guard let seconds = Int(text), seconds > 0 else { return text }
        let units = [(604_800, "weeks"), (86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds")]
        let unit = units.first { seconds.isMultiple(of: $0.0) } ?? (1, "seconds")
        return "every \(seconds / unit.0) \(unit.1)" + (mode == "2" ? " after completion" : "")
    }
}
