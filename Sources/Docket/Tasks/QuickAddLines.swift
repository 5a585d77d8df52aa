// Several tasks at once: a line is a task, with the marked words of quick add. The page tells how each line was read; a button adds
// them all in one change, which is one undo. A script gets no preview: its lines are added, or all refused.

import HTTP
import Mustache

enum QuickAddLines {
    static let limit = 200

    /// A line and what it means, or what is wrong with it.
    private struct Line {
        let words: QuickAddWords
        let draft: Result<TaskDraft, FormErrors>
    }

    /// GET /tasks/lines
    static func show(_ context: Context, _ session: Session) throws -> Response {
        try page(context, session, context.query.first("lines") ?? "")
    }

    /// POST /tasks/lines
    static func submit(_ context: Context, _ session: Session) throws -> Response {
        let isScript = context.format != .html || session.isToken
        let text = context.form.first("lines") ?? ""
        guard isScript || context.form.first("confirm") == "1" else { return try page(context, session, text) }
        do {
            let lines = try read(text, context, session)
            let drafts = try lines.map { try $0.draft.get() }
            guard !drafts.isEmpty else { throw FormErrors("lines", "problem.lines.none") }
            let change = try TaskRepository(context, session).create(drafts)
            guard isScript else {
                return context.redirect(to: context.form.first("next").flatMap(context.ownPath) ?? "/tasks", notice: change)
            }
            return try context.answer(
                ["added": change.taskCount, "change": change.id], line: "added \(change.taskCount)", status: 201)
        } catch let errors as FormErrors {
            guard !isScript else { return context.refuseForm(errors) }
            return try page(context, session, text, errors: errors, status: 422)
        }
    }

    private static func read(_ text: String, _ context: Context, _ session: Session) throws -> [Line] {
        let categories = try Category.all(context.database, userID: session.user.id)
        let lookup = context.lookup(categories)
        let typed = text.split(whereSeparator: \.isNewline).map { Characters.trim(String($0)) }.filter {
            !Characters.isInvisible($0)
        }
        let texts = typed.count == 1 ? typed : typed.map(withoutBullet).filter { !Characters.isInvisible($0) }
        guard texts.count <= limit else { throw FormErrors("lines", "problem.lines.many", [("n", String(limit))]) }
        return texts.map { text in
            let words = QuickAddWords(text, categories: lookup, zone: context.zone, now: context.now)
            do throws(FormErrors) {
                let form: FormFields = ["title": words.title]
                var draft = try TaskDraft(form, current: nil, categories: categories, user: session.user, now: context.now)
                words.apply(to: &draft)
                return Line(words: words, draft: .success(draft))
            } catch {
                return Line(words: words, draft: .failure(error))
            }
        }
    }

    /// A pasted list brings its bullets and boxes along.
    private static func withoutBullet(_ line: String) -> String {
        for bullet in ["- [ ] ", "* [ ] ", "- ", "* ", "• ", "· ", "☐ "] where line.utf8.starts(with: bullet.utf8) {
            return Characters.trim(String(line.unicodeScalars.dropFirst(bullet.unicodeScalars.count)))
        }
        return line
    }

    private static func page(
        _ context: Context, _ session: Session, _ text: String, errors: FormErrors? = nil, status: Int = 200
    ) throws -> Response {
        let strings = context.strings
        let dates = DateText(context)
        var lines: [Line] = []
        var problem = errors
        do { lines = try read(text, context, session) } catch let errors as FormErrors { problem = errors }
        let isRight = lines.allSatisfy { if case .success = $0.draft { true } else { false } }
        let view: Object = [
            "page_title": .text(strings["lines.title"]), "form_id": .text(Secret.formID()), "lines": .text(text),
            "next": .text(context.form.first("next").flatMap(context.ownPath) ?? "/tasks"),
            "lines_error": problem?.text("lines", strings).map { .text($0) } ?? .null, "has_read": .bool(!lines.isEmpty),
            "read_text": .text(strings.count("lines.read", lines.count)),
            "add_text": isRight && !lines.isEmpty ? .text(strings.count("lines.add", lines.count)) : .null,
            "read": .list(
                lines.map { line in
                    let error: Value =
                        if case .failure(let errors) = line.draft {
                            errors.text("title", strings).map { .text($0) } ?? .null
                        } else { .null }
                    return ["title": .text(line.words.title), "words": .text(line.words.words(dates)), "error": error]
                }),
        ]
        return try context.page("tasks/lines", view, session, status: status)
    }
}

extension TaskRepository {
    /// Makes tasks in one change. In a list of the newest they stand in the order given.
    func create(_ drafts: [TaskDraft]) throws -> Change {
        let change = try begin("create")
        try inserting(under: change) { rows in
            for draft in drafts.reversed() { _ = try rows.create(draft) }
        }
        return try finish(change, count: drafts.count)
    }
}
