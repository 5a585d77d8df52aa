// The editor page: a new task, an edit, a conflict, a preview, and the history of a task.

import HTTP
import Mustache

enum TaskEditor {
    /// GET /tasks/new
    static func new(_ context: Context, _ session: Session) throws -> Response {
        try show(context, session, task: nil, form: nil, errors: nil)
    }

    /// GET /tasks/{id}
    static func edit(_ context: Context, _ session: Session) throws -> Response {
        guard let task = try TaskRepository(context, session).find(try context.taskID()) else { throw Refusal.notFound }
        guard context.format == .html else {
            return try TaskAnswers(context, try Category.all(context.database, userID: session.user.id)).task(task)
        }
        return try show(context, session, task: task, form: nil, errors: nil)
    }

    /// POST /tasks/{id}
    static func save(_ context: Context, _ session: Session) throws -> Response {
        let repository = TaskRepository(context, session)
        let id = try context.taskID()
        guard let task = try repository.find(id) else { throw Refusal.notFound }
        let categories = try Category.all(context.database, userID: session.user.id)
        let form = context.form
        guard task.trashedAt == nil else {  // thrown away in another window: what was typed in this one is not lost
            guard context.answersPage(session) else { throw Refusal.conflict("error.in_trash") }
            return try show(
                context, session, task: task, form: form, errors: FormErrors("version", "error.in_trash"), status: 409)
        }
        do {
            let draft = try TaskDraft(form, current: task, categories: categories, user: session.user, now: context.now)
            if context.answersPage(session), form.first("preview") == "1" {
                return try show(context, session, task: task, form: form, errors: nil)
            }
            var version: Int?
            // An empty one is a script's variable that was not set: taken for none, it would overwrite what others wrote.
            if let text = form.first("version") {
                version = Int(digits: text.utf8)
                if version == nil { throw FormErrors("version", "problem.version") }
            }
            switch try repository.save(id, draft, version: version) {
            case .conflict(let current):
                guard context.answersPage(session) else { throw Refusal.conflict("error.conflict.text") }
                return try show(context, session, task: current, form: form, errors: nil, conflict: draft, status: 409)
            case .saved(let change, let hasMerged):
                guard context.answersPage(session) else {
                    guard let saved = try repository.find(id) else { throw Refusal.notFound }
                    return try TaskAnswers(context, categories).task(saved)
                }
                let next = form.first("next").flatMap(context.ownPath) ?? "/tasks"
                if draft.isMoved(from: form, in: context.zone) {
                    return try context.redirect(to: next, saying: "notice.due_moved")
                }
                if hasMerged { return try context.redirect(to: next, saying: "notice.merged") }
                return context.redirect(to: next, change.map { .change($0.id) } ?? .text("notice.same.edit"))
            }
        } catch let errors as FormErrors {
            guard context.answersPage(session) else { return context.refuseForm(errors) }
            return try show(context, session, task: task, form: form, errors: errors, status: 422)
        }
    }

    /// GET /tasks/{id}/history
    static func history(_ context: Context, _ session: Session) throws -> Response {
        let repository = TaskRepository(context, session)
        guard let task = try repository.find(try context.taskID()) else { throw Refusal.notFound }
        guard context.format == .html else { return try HistoryAnswers(context, session).list(task) }
        let view: Object = [
            "page_title": .text(context.strings["history.title"]), "title": .text(task.title), "id": .bytes(task.id.text),
            "events": .list(try HistoryView(context, session).events(task)),
        ]
        return try context.page(
            "tasks/history", view.appending(Pager(context, 1, 1, []).object), session)
    }

    /// The page: as the task stands, or (`form`) as it was typed.
    static func show(
        _ context: Context, _ session: Session, task: TaskItem?, form: FormFields?, errors: FormErrors?,
        conflict mine: TaskDraft? = nil,
        status: Int = 200
    ) throws -> Response {
        let strings = context.strings
        let summary = try context.summary(session)
        let back = backPath(context)
        let content = form?.first("content") ?? task?.content ?? ""
        let title = task == nil ? strings["edit.new_title"] : strings["edit.title"]
        let html = content.isEmpty ? [] : Markdown.html(of: content)
        var view: Object = [
            "page_title": .text(task.map { $0.title } ?? title), "is_new": .bool(task == nil),
            "in_trash": .bool(task?.trashedAt != nil),
            "id": task.map { .bytes($0.id.text) } ?? "", "form_id": .text(Secret.formID()),
            // After a conflict the form goes on from what stands now: sending it again is meant to win.
            "version": .text(
                mine == nil
                    ? form?.first("version") ?? task.map { String($0.version) } ?? "" : task.map { String($0.version) } ?? ""),
            "next": .text(back), "cancel_url": .text(back), "prev_url": .null, "next_url": .null,
            "action_url": .text(task.map { "/tasks/\($0.id)" } ?? "/tasks"),
            "form": formValue(context, session, summary, task, form, errors),
            "form_error": otherErrors(errors, strings),
            "content_html": html.isEmpty ? .null : .html(html),
            "conflict": .null, "events": .list([]),
        ]
        if let task {
            if task.trashedAt == nil {
                let neighbours = try Neighbours(task.id, back, context, session, summary)
                view["prev_url"] = neighbours.previous.map { .text($0) } ?? .null
                view["next_url"] = neighbours.next.map { .text($0) } ?? .null
            }
            view["events"] = .list(Array(try HistoryView(context, session).events(task).prefix(5)))
            if let mine { view["conflict"] = conflict(context, summary, theirs: task, mine: mine) }
        }
        return try context.page("tasks/edit", view, session, status: status)
    }

    /// The list that the person came from, so that cancel and save lead back to the same page of it.
    private static func backPath(_ context: Context) -> String {
        if let path = (context.query.first("next") ?? context.form.first("next")).flatMap(context.ownPath) { return path }
        let url = context.app.config.publicURL
        if let referer = context.request.head.fields[.referer],
            let start = [context.origin.authority, url?.authority ?? ""].lazy.compactMap({ referer.firstRange(ofPathAfter: $0) })
                .first
        {
            let whole = String(referer[start...])
            let base = url?.basePath ?? ""
            let path = whole.utf8.starts(with: (base + "/").utf8) ? String(whole.dropFirst(base.count)) : whole
            if path.utf8.starts(with: "/tasks?".utf8) || path.utf8.starts(with: "/filters/".utf8) || path == "/trash",
                let own = context.ownPath(path)
            {
                return own
            }
        }
        return "/tasks"
    }

    private static func otherErrors(_ errors: FormErrors?, _ strings: Strings) -> Value {
        let shown = ["title", "content", "due", "due_time"]
        guard let other = errors?.fields.first(where: { !shown.contains($0.name) }) else { return .null }
        return .text(strings(other.message.key, other.message.values))
    }

    private static func formValue(
        _ context: Context, _ session: Session, _ summary: Summary, _ task: TaskItem?, _ form: FormFields?, _ errors: FormErrors?
    ) -> Value {
        let strings = context.strings
        func typed(_ name: String, _ stored: String) -> Value { .text(form?.first(name) ?? stored) }
        let due = (task?.due?.formText(in: context.zone) ?? "").split(separator: "T", maxSplits: 1).map(String.init)
        let category =
            form?.first("category") ?? task.flatMap { summary.category($0.categoryID)?.key } ?? session.user.defaultCategory
        let priority = form?.first("priority") ?? (task?.priority ?? .medium).word
        return [
            "title": typed("title", task?.title ?? ""), "content": typed("content", task?.content ?? ""),
            "due": typed("due", due.first ?? ""), "due_time": typed("due_time", due.count > 1 ? due[1] : ""),
            "title_error": error("title", errors, strings), "content_error": error("content", errors, strings),
            "due_error": errors?.text("due", strings).map { .text($0) } ?? error("due_time", errors, strings),
            "pinned": .bool(form?.first("pinned").map { $0 == "1" } ?? task?.isPinned ?? false),
            "completed": .bool(form?.first("status").map { $0 == "completed" } ?? (task?.status == .completed)),
            "categories": .list(
                summary.categories.map {
                    [
                        "value": .text($0.key), "label": .text($0.name(strings)), "selected": .bool($0.key == category),
                        "color": .text("color-\($0.color)"), "icon": .text($0.icon),
                    ]
                }),
            "priorities": .list(
                Priority.allCases.reversed().map {
                    [
                        "value": .text($0.word), "label": .text(strings["priority." + $0.word]),
                        "selected": .bool($0.word == priority),
                    ]
                }),
        ]
    }

    private static func error(_ name: String, _ errors: FormErrors?, _ strings: Strings) -> Value {
        errors?.text(name, strings).map { .text($0) } ?? .null
    }

    /// Both versions, field by field.
    private static func conflict(_ context: Context, _ summary: Summary, theirs: TaskItem, mine: TaskDraft) -> Value {
        let strings = context.strings
        let dates = DateText(context)
        func row(_ field: String, _ a: String, _ b: String) -> Value {
            [
                "label": .text(strings["field." + field]), "theirs": .text(a), "mine": .text(b),
                "differs": .bool(!a.utf8.elementsEqual(b.utf8)),
            ]
        }
        let yes = strings["edit.pinned"]
        let no = strings["edit.not_pinned"]
        return [
            "text": .text(strings("conflict.text", [("when", dates.moment(theirs.updatedAt))])),
            "fields": [
                row("title", theirs.title, mine.title), row("content", theirs.content, mine.content),
                row("due", theirs.due.map(dates.exact) ?? strings["due.none"], mine.due.map(dates.exact) ?? strings["due.none"]),
                row("category", summary.category(theirs.categoryID)?.name(strings) ?? "", mine.category.name(strings)),
                row("priority", strings["priority." + theirs.priority.word], strings["priority." + mine.priority.word]),
                row("pinned", theirs.isPinned ? yes : no, mine.isPinned ? yes : no),
                row("status", strings["status." + theirs.status.word], strings["status." + mine.status.word]),
            ],
        ]
    }
}

extension String {
    /// Where the path begins in an absolute address of the given authority.
    fileprivate func firstRange(ofPathAfter authority: String) -> Index? {
        for scheme in ["http://", "https://"] where utf8.starts(with: (scheme + authority + "/").utf8) {
            return utf8.index(startIndex, offsetBy: scheme.utf8.count + authority.utf8.count)
        }
        return nil
    }
}
