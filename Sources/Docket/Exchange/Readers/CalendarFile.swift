// The tasks of iCalendar files (RFC 5545, VTODO) and of vCalendar 1.0: one calendar, several in one file, or bare tasks. Events and other
// entries are counted and left out. A file that ends within a task is refused: half a task is none.

struct CalendarFile: ImportSource {
    private let file: ByteFile
    private let encoding: TextEncoding
    private let others: Int
    private let isCut: Bool
    /// Titles of tasks that others are part of.
    private let parents: [String: String]
    let recordCount: Int
    /// Of calendars that Docket has written: there a category is one.
    let categories: [ImportedCategory]

    var findings: ImportFindings { ImportFindings(format: .icalendar, encoding: encoding) }

    init(_ file: ByteFile, _ options: ImportOptions) throws {
        self.file = file
        let start = try file.start(4_096)
        // Lines are decoded one by one, unless something else than bytes makes them.
        let isWide = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
        encoding = try options.encoding ?? (isWide ? TextSurvey(file).encoding : .utf8)
        guard isWide || options.encoding != nil || !start.contains(0) else { throw ImportFailure(.notText, ["file": file.name]) }
        var (count, wanted, titles): (Int, Set<String>, [String: String]) = (0, [], [:])
        var own: [ImportedCategory] = []
        (others, isCut) = try Self.walk(file, encoding) { todo, _ in
            count += 1
            if let parent = todo.parent { wanted.insert(parent) }
            if todo.isOwn, own.count < 100, let name = todo["CATEGORIES"]?.list.first, !own.contains(where: { $0.name == name }) {
                own.append(
                    ImportedCategory(key: CategoryKey.make(for: name, taken: Set(own.map(\.key))), name: name, isByName: true))
            }
        }
        categories = own
        guard count > 0 || others > 0 else {
            throw ImportFailure(isCut ? .noTasks : .notFormat, ["file": file.name, "format": ImportFormat.icalendar.rawValue])
        }
        if !wanted.isEmpty {
            _ = try Self.walk(file, encoding) { todo, _ in
                if let uid = todo.text("UID"), wanted.contains(uid), titles[uid] == nil {
                    titles[uid] = ImportedText.label(todo.text("SUMMARY") ?? "")
                }
            }
        }
        (recordCount, parents) = (count, titles)
    }

    /// Gives each task; tells how many other entries there are, and whether a calendar has no end.
    private static func walk(_ file: ByteFile, _ encoding: TextEncoding, _ body: (VTodo, TextEncoding?) throws -> Void) throws
        -> (
            others: Int, isCut: Bool
        )
    {
        var reader = CalendarReader(try ByteReader(file, encoding: encoding))
        var (stack, todo, others, isOwn): ([String], VTodo?, Int, Bool) = ([], nil, 0, false)
        while let item = try reader.next() {
            guard case .line(let line) = item else {
                if case .tooLong(let line, let name) = item { todo?.lose(name, line: line) }
                continue
            }
            let word = line.value.uppercased().filter { $0 != " " }
            switch line.name {
            case "BEGIN":
                if word == "VTODO" {
                    if let open = todo { throw ImportFailure(.cutTask, ["line": String(open.line)]) }
                    todo = VTodo(line: line.line, isOwn: isOwn)
                } else if todo == nil, ["VEVENT", "VJOURNAL", "VFREEBUSY"].contains(word) {
                    others += 1
                }
                guard stack.count < 32 else { throw ImportFailure(.notFormat, ["file": file.name, "format": "icalendar"]) }
                stack.append(word)
            case "END":
                if let place = stack.lastIndex(of: word) { stack.removeSubrange(place...) }
                if word == "VTODO", let done = todo {
                    todo = nil
                    try body(done, reader.fallback)
                }
            case "PRODID" where todo == nil: isOwn = line.value.contains("//Docket//")
            default:
                if stack.last == "VTODO" { todo?.add(line) } else if todo != nil, stack.last == "VALARM" { todo?.addAlarm(line) }
            }
        }
        if let todo { throw ImportFailure(.cutTask, ["line": String(todo.line)]) }
        return (others, stack.contains("VCALENDAR"))
    }

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        let identities = RunningCount()
        var (repeating, isFallbackTold) = (0, encoding != .utf8)
        if encoding != .utf8 { report.warn(0, .encoding, ["encoding": encoding.rawValue]) }
        var zones: Set<String> = []
        _ = try Self.walk(file, encoding) { todo, fallback in
            if let fallback, !isFallbackTold {
                isFallbackTold = true
                report.warn(todo.line, .encoding, ["encoding": fallback.rawValue])
            }
            if todo.isTooLong { return report.skip(todo.line, .tooLong) }
            for name in todo.lost { report.warn(todo.line, .longField, ["field": name]) }
            var mapping = VTodoMapping(todo: todo, context: context, parents: parents, unknownZones: zones)
            let task = mapping.task(&report)
            zones = mapping.unknownZones
            if todo.text("RRULE") != nil { repeating += 1 }
            let uid = todo.text("UID") ?? ""
            let id = todo.text("RECURRENCE-ID") == nil ? TaskID(uid) : nil
            let source =
                try uid.isEmpty
                ? identities.identity("ical", [todo.text("SUMMARY") ?? "", todo.text("DTSTAMP") ?? "", todo.text("DUE") ?? ""])
                : identities.identity("ical", [uid, todo.text("RECURRENCE-ID") ?? ""])
            var imported = task.task(context, source: source, &report)
            // The same identifier twice in one file is two tasks; only the first can have it.
            if let id, source.hasSuffix(":1") { imported.id = id }
            imported.version = todo.version
            try body(imported, &report)
        }
        if repeating > 0 { report.warn(0, .recurrence, ["count": String(repeating)]) }
        if others > 0 { report.warn(0, .others, ["count": String(others)]) }
        if isCut { report.warn(0, .cutCalendar) }
    }
}
