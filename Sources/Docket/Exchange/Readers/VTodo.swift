// One VTODO while it is read, and what its properties become (FORMATS: status decides over percentages, priorities have three levels, texts
// are kept with their names).

/// The lines of a task.
struct VTodo {
    let line: Int
    /// True where Docket wrote the calendar.
    let isOwn: Bool
    private(set) var lines: [CalendarLine] = []
    private(set) var alarms: [String] = []
    /// Names of properties that were too long to be kept.
    private(set) var lost: [String] = []
    private var room = ImportedText.byteLimit

    init(line: Int, isOwn: Bool) {
        self.line = line
        self.isOwn = isOwn
    }

    /// True where it is larger than any task.
    var isTooLong: Bool { room < 0 }

    mutating func add(_ line: CalendarLine) {
        room -= line.name.utf8.count + line.value.utf8.count + 64
        if room < 0 { lines = [] } else { lines.append(line) }
    }

    mutating func addAlarm(_ line: CalendarLine) {
        if line.name == "TRIGGER", alarms.count < 100 { alarms.append(String(line.value.prefix(100))) }
    }

    mutating func lose(_ name: String, line: Int) { if lost.count < 100 { lost.append(name) } }

    subscript(_ name: String) -> CalendarLine? { lines.first { $0.name == name } }

    func text(_ name: String) -> String? { self[name]?.text }

    /// The task that this one is part of.
    var parent: String? {
        lines.first { $0.name == "RELATED-TO" && ($0.parameter("RELTYPE") ?? "PARENT").uppercased() == "PARENT" }?.text
    }

    /// SEQUENCE is the version in files that Docket has written.
    var version: Int {
        guard isOwn, let number = Int(digits: (text("SEQUENCE") ?? "").utf8), 1...1_000_000_000 ~= number else { return 1 }
        return number
    }
}

/// Makes a task of a VTODO.
struct VTodoMapping {
    let todo: VTodo
    let context: ImportContext
    let parents: [String: String]
    /// Told once each.
    var unknownZones: Set<String>

    /// What calendars need and no person reads.
    private static let own: Set<String> = [
        "UID", "DTSTAMP", "SEQUENCE", "CLASS", "ORGANIZER", "ATTENDEE", "SUMMARY", "DESCRIPTION", "PRIORITY", "STATUS",
        "COMPLETED",
        "PERCENT-COMPLETE", "DUE", "DTSTART", "DURATION", "CREATED", "LAST-MODIFIED", "CATEGORIES", "RELATED-TO",
        "X-DOCKET-PINNED",
        "REQUEST-STATUS",
    ]
    private static let ownPrefixes = [
        "X-APPLE-", "X-MOZ-", "X-LIC-", "X-KDE-", "X-OC-", "X-EVOLUTION-", "X-MICROSOFT-", "X-WR-", "X-DAVICAL-",
        "X-CALENDARSERVER-",
    ]
    private static let labels = [
        "COMMENT": "Comment", "URL": "URL", "LOCATION": "Location", "ATTACH": "Attachment", "CONTACT": "Contact", "GEO": "Geo",
        "RESOURCES": "Resources", "RRULE": "Repeats", "EXDATE": "Not on", "RDATE": "Also on", "RECURRENCE-ID": "Instance of",
    ]

    mutating func task(_ report: inout ImportReport) -> ForeignTask {
        var task = ForeignTask(place: todo.line)
        task.title = todo.text("SUMMARY") ?? ""
        task.content = todo.text("DESCRIPTION") ?? ""
        task.isExact = todo.isOwn
        takePriority(&task, &report)
        takeStatus(&task, &report)
        takeDue(&task, &report)
        task.createdAt = time(todo["CREATED"] == nil ? "DTSTAMP" : "CREATED", &task, &report)
        task.updatedAt = time("LAST-MODIFIED", &task, &report)
        task.completedAt = time("COMPLETED", &task, &report)
        for line in todo.lines where line.name == "CATEGORIES" { for tag in line.list { task.add(tag: tag) } }
        task.isPinned = ["TRUE", "1"].contains((todo.text("X-DOCKET-PINNED") ?? "").uppercased())
        if let parent = todo.parent { task.keep("Part of", parents[parent] ?? parent) }
        for name in ["COMMENT", "URL", "LOCATION", "ATTACH"] { keep(todo.lines.filter { $0.name == name }, &task) }
        let known = Self.own.union(["COMMENT", "URL", "LOCATION", "ATTACH"])
        keep(
            todo.lines.filter { line in
                !known.contains(line.name) && !Self.ownPrefixes.contains { line.name.hasPrefix($0) }
            }, &task)
        for relation in todo.lines where relation.name == "RELATED-TO" {
            let kind = (relation.parameter("RELTYPE") ?? "PARENT").uppercased()
            if kind != "PARENT", kind != "CHILD" { task.keep("Related to (\(kind))", parents[relation.text] ?? relation.text) }
        }
        for alarm in todo.alarms { task.keep("Alarm", alarm) }
        return task
    }

    private func keep(_ lines: [CalendarLine], _ task: inout ForeignTask) {
        for line in lines {
            // The bytes of a file inside the calendar are nothing to read.
            let isBinary =
                line.parameter("VALUE")?.uppercased() == "BINARY" || line.parameter("ENCODING")?.uppercased() == "BASE64"
            task.keep(
                Self.labels[line.name] ?? line.name,
                isBinary
                    ? line.parameter("FILENAME") ?? line.parameter("X-FILENAME") ?? line.parameter("FMTTYPE") ?? "file"
                    : line.text)
        }
    }

    private func takePriority(_ task: inout ForeignTask, _ report: inout ImportReport) {
        let text = Characters.trim(todo["PRIORITY"]?.value ?? "")
        switch Int(digits: text.utf8) {
        case 1?, 2?, 3?, 4?: task.priority = .high
        case 0?, 5?: break
        case 6?, 7?, 8?, 9?: task.priority = .low
        default: if !text.isEmpty { task.refuse("PRIORITY", text, instead: "medium", &report) }
        }
    }

    private func takeStatus(_ task: inout ForeignTask, _ report: inout ImportReport) {
        let percent = todo["PERCENT-COMPLETE"].flatMap { Int(digits: Characters.trim($0.value).utf8) } ?? 0
        let text = todo.text("STATUS") ?? ""
        switch text.uppercased().filter({ $0 != "-" && $0 != " " }) {
        case "": if percent == 100 || todo["COMPLETED"] != nil { task.status = .completed }
        case "COMPLETED": task.status = .completed
        case "NEEDSACTION", "INPROCESS": break
        case "CANCELLED", "CANCELED":
            task.status = .completed
            task.keep("Status", text)
        default: task.refuse("STATUS", text, instead: "pending", &report)
        }
        if 1...99 ~= percent { task.keep("Done", "\(percent) %") }
    }

    private mutating func takeDue(_ task: inout ForeignTask, _ report: inout ImportReport) {
        let start = todo["DTSTART"]
        if let due = todo["DUE"] {
            set(due, date(due, &report), &task, &report)
            if let start, !start.value.utf8.elementsEqual(due.value.utf8) { task.keep("Start", start.value) }
            return
        }
        guard let start else { return }
        guard let length = todo["DURATION"], let span = CalendarTime.span(Characters.trim(length.value)),
            let begin = date(start, &report), let end = begin.date.adding(span: span, begin.zone)
        else {
            task.keep("Start", start.value)
            if let length = todo["DURATION"] { task.keep("Duration", length.value) }
            return
        }
        set(start, (end, begin.zone), &task, &report)
    }

    /// A day or a moment.
    private func set(
        _ line: CalendarLine, _ date: (date: ForeignDate, zone: Zone)?, _ task: inout ForeignTask, _ report: inout ImportReport
    ) {
        let zone = context.owner.zone
        guard let date else { return task.takeDue(line.name, line.value, nil, zone, &report) }
        task.takeDue(line.name, line.value, date.date, date.zone, &report)
        // Other programs write midnight where they mean the day; ours has both.
        guard task.due != nil, todo.isOwn else { return }
        if case .day(let day) = date.date { task.due = .day(day) } else { task.due = .moment(date.date.instant(date.zone)) }
    }

    private mutating func time(_ name: String, _ task: inout ForeignTask, _ report: inout ImportReport) -> Instant? {
        guard let line = todo[name] else { return nil }
        let found = date(line, &report)
        // Without a zone these are UTC, whatever the file forgot to say.
        var zone = found?.zone ?? .utc
        if case .local? = found?.date, line.parameter("TZID") == nil { zone = .utc }
        return task.time(name, line.value, found?.date, zone, &report)
    }

    /// A date with the zone that it is meant in.
    private mutating func date(_ line: CalendarLine, _ report: inout ImportReport) -> (date: ForeignDate, zone: Zone)? {
        guard let date = ForeignDate(basic: Characters.trim(line.value)) else { return nil }
        var zone = context.owner.zone
        if case .local = date, let name = line.parameter("TZID") {
            if let found = CalendarTime.zone(name) {
                zone = found
            } else if unknownZones.insert(name).inserted {
                report.warn(line.line, .zone, ["zone": ImportReason.excerpt(name)])
            }
        }
        return (date, zone)
    }
}
