// Google Tasks: Takeout's Tasks.json (lists in a list), pages of the API, or one task. A due date is a day, whatever hour stands behind it.

struct GoogleTasksFile: ImportSource {
    private let file: ByteFile
    private let encoding: TextEncoding
    let recordCount: Int
    /// Titles of tasks that others are part of.
    private let parents: [String: String]

    var findings: ImportFindings { ImportFindings(format: .google, encoding: encoding) }
    var placeKind: ImportPlaceKind { .record }

    init(_ file: ByteFile, _ options: ImportOptions) throws {
        self.file = file
        encoding = try JSONReader.encoding(file, options)
        var (count, wanted, titles): (Int, Set<String>, [String: String]) = (0, [], [:])
        try Self.walk(file, encoding) { task, _ in
            count += 1
            if let parent = task?["parent"].text { wanted.insert(parent) }
        }
        if !wanted.isEmpty {
            try Self.walk(file, encoding) { task, _ in
                if let id = task?["id"].text, wanted.contains(id), titles[id] == nil {
                    titles[id] = ImportedText.label(task?["title"].readable ?? "")
                }
            }
        }
        guard count > 0 else { throw ImportFailure(.noTasks, ["file": file.name]) }
        (recordCount, parents) = (count, titles)
    }

    /// Gives each task, nil for one that is too large, with the name of its list.
    private static func walk(_ file: ByteFile, _ encoding: TextEncoding, _ body: (JSONValue?, String) throws -> Void) throws {
        var reader = JSONReader(try ByteReader(file, encoding: encoding), name: file.name)
        if try reader.peek() == 0x5B {
            try reader.array { try node(&$0, "", body) }
        } else {
            try node(&reader, "", body)
        }
        try reader.end()
    }

    /// A list, a page or a task: what has items is no task.
    private static func node(_ reader: inout JSONReader, _ list: String, _ body: (JSONValue?, String) throws -> Void) throws {
        guard try reader.peek() == 0x7B else {
            // Nothing of this format: a task that is none.
            return try body(try reader.value(), list)
        }
        var (members, room, hasItems, name): ([JSONValue.Member], Int, Bool, String) = ([], ImportedText.byteLimit, false, list)
        try reader.object { reader, key in
            if key == "items", try reader.peek() == 0x5B {
                hasItems = true
                return try reader.array { try node(&$0, name, body) }
            }
            let value = try reader.value(limit: max(0, room))
            room = value.map { room - 32 - key.utf8.count - $0.readable.utf8.count } ?? -1
            if key == "title", let title = value?.text { name = title }
            if let value { members.append(JSONValue.Member(key: key, value: value)) }
        }
        let object = JSONValue.object(members)
        let kind = object["kind"].text ?? ""
        if hasItems || kind == "tasks#tasks" || kind == "tasks#taskLists" || kind == "tasks#taskList" { return }
        try body(room < 0 ? nil : object, list)
    }

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        var place = 0
        let identities = RunningCount()
        try Self.walk(file, encoding) { value, list in
            place += 1
            guard let value else { return report.skip(place, .tooLong) }
            guard value.isObject, value["title"].text != nil || value["id"].text != nil else {
                return report.skip(place, .noTask, ["value": value.kind])
            }
            if value["deleted"] == .bool(true) { return report.skip(place, .deleted) }
            var task = ForeignTask(place: place)
            fill(&task, value, list, context, &report)
            let id = value["id"].text ?? ""
            let source = try identities.identity("google", [id.isEmpty ? value.readable : id])
            try body(task.task(context, source: source, &report), &report)
        }
    }

    /// What only Google itself needs.
    private static let own: Set<String> = [
        "kind", "id", "etag", "selfLink", "webViewLink", "position", "hidden", "deleted", "task_type",
    ]

    private func fill(
        _ task: inout ForeignTask, _ value: JSONValue, _ list: String, _ context: ImportContext, _ report: inout ImportReport
    ) {
        let zone = context.owner.zone
        task.add(list: list, as: "List")
        for member in value.members where !member.value.isNull && !Self.own.contains(member.key) {
            let text = member.value.readable
            switch member.key {
            case "title": task.title = text
            case "notes": task.content = text
            case "status":
                switch text {
                case "needsAction": break
                case "completed": task.status = .completed
                default: task.refuse("status", text, instead: "pending", &report)
                }
            case "due":
                // Midnight of UTC, always: taking it as a moment would move it a day west of Greenwich.
                task.takeDue("due", text, Day(String(text.prefix(10))).map(ForeignDate.day), zone, &report)
            case "created": task.createdAt = task.time("created", text, ForeignDate(text), zone, &report)
            case "updated": task.updatedAt = task.time("updated", text, ForeignDate(text), zone, &report)
            case "completed": task.completedAt = task.time("completed", text, ForeignDate(text), zone, &report)
            case "parent": task.keep("Part of", parents[text] ?? text)
            case "links":
                for link in member.value.elements {
                    task.keep(
                        "Link",
                        [link["description"].readable, link["link"].readable].filter { !$0.isEmpty }.joined(separator: " "))
                }
            default: task.keep(member.key, text)
            }
        }
    }
}
