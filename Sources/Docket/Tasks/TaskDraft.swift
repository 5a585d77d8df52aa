// What a form, a script or a file says a task shall be: validated once, valid from then on.

import HTTP

/// The parts of a task that people write.
struct TaskDraft: Sendable {
    var title: String
    var content: String
    var priority: Priority
    var status: TaskStatus
    var category: Category
    var due: Due?
    var isPinned: Bool

    static let titleLimit = 500
    static let contentLimit = 20_000

    /// Title and content as search compares them.
    var folded: String { Self.fold(title: title, content: content) }

    static func fold(title: String, content: String) -> String {
        var bytes = Folding.fold(title)
        if !content.isEmpty {
            bytes.append(UInt8(ascii: "\n"))
            bytes += Folding.fold(content)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A task about to be added, with what the server or the source file knows of it.
struct NewTask: Sendable {
    var id: TaskID
    var draft: TaskDraft
    var createdAt: Instant
    var updatedAt: Instant
    var completedAt: Instant?
    /// Identity in the program that it comes from.
    var source: String?
    /// More than 1 only where a file of ours says so.
    var version = 1
}

/// Reading forms.
extension TaskDraft {
    /// Reads the fields of a task's form. A field that is not there keeps what `current` has (an edit by a script), or the default.
    ///
    /// - Throws: `FormErrors` with every mistake, by field.
    init(_ form: FormFields, current: TaskItem?, categories: [Category], user: User, now: Instant) throws(FormErrors) {
        var errors = FormErrors()
        errors.addDoubled(form)

        title = current?.title ?? ""
        if form.first("title") != nil || current == nil {
            do throws(TextError) {
                title = try Characters.line(form.first("title") ?? "", limit: Self.titleLimit)
            } catch {
                errors.add("title", error)
            }
        }
        content = current?.content ?? ""
        if let text = form.first("content") {
            do throws(TextError) {
                content = try Characters.lines(text, limit: Self.contentLimit)
            } catch {
                errors.add("content", error)
            }
        }
        func choose<Value>(_ name: String, _ standard: Value, _ make: (String) -> Value?) -> Value {
            guard let word = form.first(name), !word.isEmpty else { return standard }
            if let value = make(word) { return value }
            errors.add(name, "problem." + name, [("value", word)])
            return standard
        }
        priority = choose("priority", current?.priority ?? .medium, Priority.init(word:))
        status = choose("status", current?.status ?? .pending, TaskStatus.init(word:))
        isPinned = choose("pinned", current?.isPinned ?? false) { $0 == "1" ? true : $0 == "0" ? false : nil }
        let standard =
            categories.first { $0.id == current?.categoryID } ?? categories.first { $0.key == user.defaultCategory }
            ?? categories.first
        let chosen = choose("category", standard) { key in categories.first { $0.key == key } }
        due = current?.due
        if let text = form.first("due") {
            do throws(DueError) {
                due = try Due(form: text, time: form.first("due_time"), zone: user.zone, now: now, current: current?.due)
            } catch {
                errors.add("due", "problem.due." + error.rawValue, [("value", text)])
            }
        }
        guard let chosen else { throw FormErrors("category", "problem.category", [("value", "")]) }
        category = chosen
        try errors.check()
    }
}

extension Due {
    /// Reads the two inputs of a form, day and time, or one that holds both.
    init?(form text: String, time: String?, zone: Zone, now: Instant, current: Due? = nil) throws(DueError) {
        let time = Characters.trim(time ?? "")
        let day = Characters.trim(text)
        if day.isEmpty, !time.isEmpty { throw .timeOnly }
        try self.init(form: time.isEmpty ? text : day + "T" + time, zone: zone, now: now, current: current)
    }
}

extension TaskDraft {
    /// True where the form names a time that the clocks skip on its day: it became the same time after the jump, as in calendars.
    func isMoved(from form: FormFields, in zone: Zone) -> Bool {
        guard let due, let day = form.first("due"), let time = form.first("due_time"), !time.isEmpty else { return false }
        // Both fields are a browser's own, which write one form only.
        let typed = day + "T" + time
        return typed.utf8.count == 16 && !due.formText(in: zone).utf8.elementsEqual(typed.utf8)
    }
}

extension FormErrors {
    /// What is wrong with a text, in words.
    mutating func add(_ field: String, _ error: TextError) {
        switch error {
        case .empty: add(field, "problem.\(field).empty")
        case .tooShort(let minimum, let actual):
            add(field, "problem.\(field).short", [("limit", String(minimum)), ("n", String(actual))])
        case .tooLong(let limit, let actual):
            add(field, "problem.\(field).long", [("limit", String(limit)), ("n", String(actual))])
        case .tooManyBytes(let limit, _): add(field, "problem.too_many_bytes", [("n", String(limit))])
        case .control: add(field, "problem.control")
        }
    }
}

extension FormErrors {
    /// What is wrong with a user name, in words.
    mutating func add(_ field: String, _ error: UserNameError) {
        switch error {
        case .empty: add(field, "problem.username.empty")
        case .tooLong(let limit): add(field, "problem.username.long", [("n", String(limit))])
        case .forbidden(let character): add(field, "problem.username.characters", [("character", character)])
        case .edge: add(field, "problem.username.edge")
        case .mixedAlphabets: add(field, "problem.username.mixed")
        }
    }
}
