// Docket's own JSON: {"docket": 1, "categories": […], "tasks": […]}, a bare list of tasks, or a task a line. Everything comes back exactly:
// identifiers, times, versions, and the categories that the person does not have.

struct DocketFile: ImportSource {
    private let file: ByteFile
    private let encoding: TextEncoding
    let recordCount: Int
    let categories: [ImportedCategory]

    /// What a task of ours may have.
    static let keys: Set<String> = [
        "title", "content", "priority", "status", "category", "tags", "due", "due_date", "pinned", "is_pinned", "version", "id",
        "created_at", "updated_at", "completed_at", "checklist",
    ]

    var hasAllCategories: Bool { !categories.isEmpty }
    var findings: ImportFindings { ImportFindings(format: .json, encoding: encoding) }
    var placeKind: ImportPlaceKind { .record }

    init(_ file: ByteFile, _ options: ImportOptions) throws {
        self.file = file
        encoding = try JSONReader.encoding(file, options)
        var (count, categories): (Int, [ImportedCategory]) = (0, [])
        let hasTasks = try Self.walk(file, encoding) { _ in
            count += 1
        } category: { json in
            if categories.count < 1_000, let category = json.flatMap(ImportedCategory.init(json:)) { categories.append(category) }
        }
        guard hasTasks else { throw ImportFailure(.notFormat, ["file": file.name, "format": ImportFormat.json.rawValue]) }
        (recordCount, self.categories) = (count, categories)
    }

    /// Gives each task and each category, nil for one that is too large; false where there is no list of tasks at all.
    private static func walk(
        _ file: ByteFile, _ encoding: TextEncoding, _ body: (JSONValue?) throws -> Void,
        category: (JSONValue?) throws -> Void = { _ in }
    ) throws -> Bool {
        var reader = JSONReader(try ByteReader(file, encoding: encoding), name: file.name)
        if try reader.peek() == 0x5B {
            try reader.array { try body(try $0.value()) }
            try reader.end()
            return true
        }
        var hasTasks = false
        while let next = try reader.peek() {
            guard next == 0x7B else {
                try body(try reader.value())
                continue
            }
            // The outer object, or one of the tasks of a file that has one a line.
            var (members, room, isOuter): ([JSONValue.Member], Int, Bool) = ([], ImportedText.byteLimit, false)
            try reader.object { reader, key in
                switch (key, try reader.peek()) {
                case ("tasks", 0x5B):
                    isOuter = true
                    try reader.array { try body(try $0.value()) }
                case ("categories", 0x5B):
                    isOuter = true
                    try reader.array { try category(try $0.value(limit: 10_000)) }
                default:
                    let value = try reader.value(limit: max(0, room))
                    room = value.map { room - 32 - key.utf8.count - $0.readable.utf8.count } ?? -1
                    if let value { members.append(JSONValue.Member(key: key, value: value)) }
                }
            }
            let object = JSONValue.object(members)
            if !isOuter, !object["docket"].isNull { isOuter = true }
            if !isOuter { try body(room < 0 ? nil : object) }
            hasTasks = true
        }
        return hasTasks
    }

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        var place = 0
        let identities = RunningCount()
        _ = try Self.walk(file, encoding) { value in
            place += 1
            guard let value else { return report.skip(place, .tooLong) }
            guard value.isObject else { return report.skip(place, .noTask, ["value": value.kind]) }
            try body(try task(value, place, context, &report, identities), &report)
        }
    }

    private func task(
        _ value: JSONValue, _ place: Int, _ context: ImportContext, _ report: inout ImportReport, _ identities: RunningCount
    ) throws -> ImportedTask {
        var task = ForeignTask(place: place)
        task.isExact = true
        let zone = context.owner.zone
        var version = 1
        for key in value.doubledKeys { report.warn(place, .doubledKey, ["key": ImportReason.excerpt(key)]) }
        for member in value.members where !member.value.isNull {
            let text = member.value.readable
            switch member.key {
            case "title": task.title = text
            case "content": task.content = text
            case "priority":
                if let priority = CSVWords.priority(text, digitsAreOurs: true) {
                    task.priority = priority
                } else {
                    task.refuse("priority", text, instead: "medium", &report)
                }
            case "status":
                if let status = CSVWords.status(text) {
                    task.status = status
                } else {
                    task.refuse("status", text, instead: "pending", &report)
                }
            case "category": task.add(list: text, as: "category")
            case "tags": for tag in member.value.elements { task.add(tag: tag.readable) }
            case "due", "due_date":
                if let due = Due(own: text, zone: zone, now: context.now) {
                    task.due = due
                } else {
                    task.takeDue(member.key, text, ForeignDate(text), zone, &report)
                }
            case "pinned", "is_pinned": task.isPinned = CSVWords.flag(text) ?? false
            case "version": if let number = Int(digits: text.utf8), 1...1_000_000_000 ~= number { version = number }
            case "id": if let id = TaskID(text) { task.id = id } else { task.keep("id", text) }
            case "created_at": task.createdAt = task.time(member.key, text, ForeignDate(text), zone, &report)
            case "updated_at": task.updatedAt = task.time(member.key, text, ForeignDate(text), zone, &report)
            case "completed_at": task.completedAt = task.time(member.key, text, ForeignDate(text), zone, &report)
            case "checklist":
                for step in member.value.elements {
                    task.keep(line: "- [\(step["done"] == .bool(true) ? "x" : " ")] \(step["text"].readable)")
                }
            default: task.keep(member.key, text)
            }
        }
        let identity = try task.id.map { "docket:" + $0.description } ?? identities.identity("json", [value.readable])
        var imported = task.task(context, source: identity, &report)
        imported.version = version
        return imported
    }
}

extension ImportedCategory {
    /// Nil for what can be none of ours.
    init?(json: JSONValue) {
        guard let key = json["key"].text, CategoryKey.isOne(key) else { return nil }
        let name = json["name"].text.flatMap { try? Characters.line($0, limit: CategoryDraft.nameLimit) }
        self.init(
            key: key, name: name.flatMap { $0.unicodeScalars.count <= CategoryDraft.scalarLimit ? $0 : nil },
            icon: json["icon"].text ?? "star", color: CategoryDraft.color(json["color"].readable))
    }
}

extension JSONReader {
    /// How a file of JSON is read.
    static func encoding(_ file: ByteFile, _ options: ImportOptions) throws -> TextEncoding {
        let survey = try TextSurvey(file)
        guard options.encoding != nil || !survey.holdsNUL else { throw ImportFailure(.notText, ["file": file.name]) }
        return options.encoding ?? survey.encoding
    }
}
