// What forms do to tasks: create, complete, pin, trash, restore, in bulk, undo. Each runs inside the writer's transaction; the answer
// leaves after it is on disk.

import HTTP

enum TaskActions {
    // MARK: One task

    /// POST /tasks
    static func create(_ context: Context, _ session: Session) throws -> Response {
        let repository = TaskRepository(context, session)
        let categories = try Category.all(context.database, userID: session.user.id)
        // A token gets no page, whatever it accepts: one that may only add would read the list in it.
        let isPage = context.answersPage(session)
        do {
            let draft = try draft(context, session, categories)
            if isPage, context.form.first("preview") == "1" {
                return try TaskEditor.show(context, session, task: nil, form: context.form, errors: nil)
            }
            let (id, change) = try repository.create(draft)
            guard isPage else {
                var response = try TaskAnswers(context, categories).created(id, repository)
                response.fields[.location] = (context.app.config.publicURL?.basePath ?? "") + "/tasks/\(id)"
                return response
            }
            let next = context.form.first("next").flatMap(context.ownPath) ?? "/tasks"
            if draft.isMoved(from: context.form, in: context.zone) {
                return try context.redirect(to: next, saying: "notice.due_moved")
            }
            return context.redirect(to: next, notice: change)
        } catch let errors as FormErrors {
            guard isPage else { return context.refuseForm(errors) }
            if context.form.first("editor") == "1" {
                return try TaskEditor.show(context, session, task: nil, form: context.form, errors: errors, status: 422)
            }
            return try TaskListPage.show(
                context, session, try context.summary(session), ListRequest(context, session.user, categories),
                draft: (context.form, errors))
        }
    }

    /// The form's task. Marked words of the title are read only where the form asks for it: a script's title is literal.
    private static func draft(_ context: Context, _ session: Session, _ categories: [Category]) throws(FormErrors) -> TaskDraft {
        var form = context.form
        if let word = form.first("words"), !["", "0", "1"].contains(word) { throw FormErrors("words", "problem.words") }
        guard form.first("words") == "1", form.all("title").count == 1, let title = form.first("title") else {
            return try TaskDraft(form, current: nil, categories: categories, user: session.user, now: context.now)
        }
        let words = QuickAddWords(title, categories: context.lookup(categories), zone: context.zone, now: context.now)
        form = FormFields()
        for field in context.form { form.append(field.name, field.name == "title" ? words.title : field.value) }
        var draft = try TaskDraft(form, current: nil, categories: categories, user: session.user, now: context.now)
        words.apply(to: &draft)
        return draft
    }

    /// POST /tasks/{id}/completion
    static func complete(_ context: Context, _ session: Session) throws -> Response {
        try one(context, session, try flag(context, "completed") ? .complete : .reopen)
    }

    /// POST /tasks/{id}/pin
    static func pin(_ context: Context, _ session: Session) throws -> Response {
        try one(context, session, try flag(context, "pinned") ? .pin : .unpin)
    }

    /// POST /tasks/{id}/trash
    static func trash(_ context: Context, _ session: Session) throws -> Response { try one(context, session, .trash) }

    /// POST /tasks/{id}/restore
    static func restore(_ context: Context, _ session: Session) throws -> Response { try one(context, session, .restore) }

    private static func one(_ context: Context, _ session: Session, _ action: TaskAction) throws -> Response {
        let id = try context.taskID()
        return try perform(action, on: .ids([id]), context, session)
    }

    /// The state that is wanted.
    private static func flag(_ context: Context, _ name: String) throws -> Bool {
        switch context.form.first(name) {
        case "1": return true
        case "0": return false
        default: throw FormErrors(name, "problem." + name)
        }
    }

    // MARK: Many

    /// POST /tasks/bulk. Runs on a thread for what takes long: what a search matches is found there, and the writer only changes it.
    static func bulk(_ context: Context, _ session: Session) throws -> Response {
        let isAll = context.form.first("all") == "1" && context.form.first("action") != "restore"
        let found = try isAll ? search(context, session, status: nil) : nil
        return try context.writing(session) { try bulk($0, session, found) }
    }

    /// The tasks that a form's search matches; nil where it has none.
    private static func search(_ context: Context, _ session: Session, status: StatusCondition?) throws -> TaskSelection? {
        var filter = try filter(context, session, try Category.all(context.database, userID: session.user.id))
        if let status { filter.status = status }
        guard SearchQuery(filter.search) != nil else { return nil }
        return .found(try TaskRepository(context, session).numbers(filter), filter)
    }

    private static func bulk(_ context: Context, _ session: Session, _ found: TaskSelection?) throws -> Response {
        try context.form.checkAtMostOne(of: Self.rowButtons.map(\.name) + ["action"])
        if let (action, id, row) = try rowButton(context.form) {
            return try perform(action, on: .ids([id]), context, session, row: row)
        }
        let form = context.form
        let categories = try Category.all(context.database, userID: session.user.id)
        // Beside the filter's own fields of the same name, the list page sends the new value as `to_…`.
        func value(_ name: String) -> String { form.first("to_" + name) ?? form.first(name) ?? "" }
        let action: TaskAction
        switch form.first("action") {
        case "complete": action = .complete
        case "reopen": action = .reopen
        case "pin": action = .pin
        case "unpin": action = .unpin
        case "trash": action = .trash
        case "restore": action = .restore
        case "category":
            guard let category = categories.first(where: { $0.key == value("category") }) else {
                throw FormErrors("category", "problem.category", [("value", value("category"))])
            }
            action = .category(category)
        case "priority":
            guard let priority = Priority(word: value("priority")) else {
                throw FormErrors("priority", "problem.priority", [("value", value("priority"))])
            }
            action = .priority(priority)
        case "due":
            do throws(DueError) {
                action = .due(
                    try Due(form: value("due"), time: form.first("to_due_time"), zone: session.user.zone, now: context.now))
            } catch {
                throw FormErrors("due", "problem.due." + error.rawValue, [("value", value("due"))])
            }
        default: throw FormErrors("action", "problem.action", [("value", form.first("action") ?? "")])
        }
        return try perform(action, on: try found ?? selection(context, session, categories), context, session)
    }

    private static let rowButtons: [(name: String, action: TaskAction)] = [
        ("complete", .complete), ("reopen", .reopen), ("pin", .pin), ("unpin", .unpin),
    ]

    /// A row's own button names its task and nothing else counts: `complete=…`, `pin=…`; behind a point the number of its row.
    private static func rowButton(_ form: FormFields) throws(Refusal) -> (TaskAction, TaskID, row: Int?)? {
        for (name, action) in rowButtons {
            guard let text = form.first(name) else { continue }
            let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let id = TaskID(String(parts[0])) else { throw .notFound }
            return (action, id, parts.count > 1 ? Int(digits: parts[1].utf8) : nil)
        }
        return nil
    }

    /// The tasks that a bulk form means: its `id`s, or with `all=1` everything that its filter's fields show.
    private static func selection(_ context: Context, _ session: Session, _ categories: [Category]) throws -> TaskSelection {
        if context.form.first("all") == "1" { return .filter(try filter(context, session, categories)) }
        let texts = context.form.all("id")
        guard !texts.isEmpty else { throw FormErrors("id", "notice.bulk.none") }
        return .ids(
            try texts.map { text in
                guard let id = TaskID(text) else { throw Refusal.notFound }
                return id
            })
    }

    private static func filter(_ context: Context, _ session: Session, _ categories: [Category]) throws -> TaskFilter {
        var problems: [TaskFilter.Problem] = []
        let line = context.searchLine(context.form, categories)
        problems = line.problems
        let filter = TaskFilter(query: line.query, categories: categories, order: session.user.order, problems: &problems)
        // A change never widens either: a condition that is misspelt would be none at all.
        problems = TaskFilter.Problem.unknown(context.form, besides: Self.fieldNames) + problems
        if let problem = problems.first {
            throw FormErrors(problem.field, problem.key, [("value", problem.value)])
        }
        return filter
    }

    /// All that a form for many tasks may carry: conditions, and what a list's form has beside them.
    private static let fieldNames: Set<String> = [
        "q", "status", "category", "priority", "pinned", "due", "due_from", "due_to", "done", "created", "sort", "page",
        "per_page",
        "count", "action", "all", "id", "next", "form_id", "format", "to_category", "to_priority", "to_due", "to_due_time",
        "complete",
        "reopen", "pin", "unpin",
    ]

    /// POST /tasks/trash-completed. Where and why as with `bulk`.
    static func trashCompleted(_ context: Context, _ session: Session) throws -> Response {
        let found = try search(context, session, status: .completed)
        return try context.writing(session) { context in
            var filter = try filter(context, session, try Category.all(context.database, userID: session.user.id))
            filter.status = .completed
            return try perform(.trash, on: found ?? .filter(filter), context, session)
        }
    }

    // MARK: Trash and undo

    /// POST /trash/empty. In slices, between which others have their turn.
    static func emptyTrash(_ context: Context, _ session: Session) throws -> Response {
        let slice = 1_000
        let (owner, now, way) = (session.user, context.now, session.way)
        var (count, removed) = (0, slice)
        while removed == slice {
            removed = try context.write {
                try TaskRepository($0, owner: owner, now: now, way: way).emptyTrash(atMost: slice)
            }
            count += removed
        }
        guard context.answersPage(session) else { return try context.answer(["removed": count], line: "removed \(count)") }
        return try context.redirect(to: "/trash", saying: "notice.trash_emptied")
    }

    /// POST /undo/{change}
    static func undo(_ context: Context, _ session: Session) throws -> Response {
        let undone = try TaskRepository(context, session).undo(try context.numberID())
        guard context.answersPage(session) else {
            let (count, leftAlone) = (undone.change.taskCount, undone.leftAlone)
            return try context.answer(
                ["change": undone.change.id, "undone": count, "left_alone": leftAlone],
                line: "undone \(count), left alone \(leftAlone)")
        }
        let next = context.form.first("next").flatMap(context.ownPath) ?? "/tasks"
        if undone.leftAlone > 0 { return try context.redirect(to: next, saying: "notice.undone_in_part") }
        return context.redirect(to: next, notice: undone.change)
    }

    /// Does it, and goes back to where the form came from, with a notice of what was changed, or that nothing was; a script gets a line or
    /// an object.
    ///
    /// - Parameter row: the row that was changed. Without JavaScript a page begins at its top: it is led to some rows above that one.
    private static func perform(
        _ action: TaskAction, on selection: TaskSelection, _ context: Context, _ session: Session, row: Int? = nil
    ) throws -> Response {
        let outcome = try TaskRepository(context, session).perform(action, on: selection)
        guard context.answersPage(session) else {
            let change = outcome.change
            let count = change?.taskCount ?? 0
            return try context.answer(["change": JSON(change?.id), "changed": JSON(count)], line: "changed \(count)")
        }
        let next = context.form.first("next").flatMap(context.ownPath) ?? "/tasks"
        let place = row.flatMap { $0 > 6 && !next.utf8.contains(UInt8(ascii: "#")) ? "#r\($0 - 4)" : nil }
        return context.redirect(to: next + (place ?? ""), outcome.notice)
    }
}
