// One import: what would come of a file, with everything that can be chosen; how far it is, which renews itself without a script; what came
// of it, and the button that takes it back.

import HTTP
import Mustache

enum ImportStatusPage {
    /// Lines of warnings on the page, unless all that are kept are asked for.
    private static let linesShown = 100
    private static let refresh = FieldName("refresh")

    /// GET /import/{id}
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let standing = try standing(context, session)
        if let answer = try standing.answer(context) { return answer }
        return try page(standing, context, session)
    }

    private enum Action: String { case examine, run, cancel, discard }

    /// POST /import/{id}: `action` is `examine` (with other choices), `run`, `cancel` or `discard`.
    static func change(_ context: Context, _ session: Session) throws -> Response {
        let id = try context.numberID()
        let (desk, user) = (context.app.imports, session.user.id)
        guard let record = try ImportRepository(context.database).find(id, userID: user) else { throw Refusal.notFound }
        guard let action = context.form.first("action").flatMap(Action.init(rawValue:)) else {
            throw FormErrors("action", "problem.action", [("value", context.form.first("action") ?? "")])
        }
        guard let job = desk.job(of: record, userID: user, context.now), !job.isOver else {
            // The page says what became of it.
            if context.format == .html { return context.redirect(to: "/import/\(record.id)") }
            throw Refusal.conflict(record.state == .open ? "import.state.gone" : "import.over")
        }
        do {
            switch action {
            case .cancel: job.cancel()
            case .discard:
                guard job.phase != .running else { throw Refusal.conflict("import.running_already") }
                desk.remove(job)
                try context.write { try ImportRepository($0).remove(id, userID: user) }
                return try context.redirect(to: "/import", saying: "notice.import_discarded")
            case .examine, .run: try begin(job, context, session)
            }
        } catch let errors as FormErrors {
            guard context.format == .html else { return context.refuseForm(errors) }
            return try page(ImportStanding(job), context, session, errors: errors)
        }
        if context.format == .html { return context.redirect(to: "/import/\(id)") }
        return try ImportStanding(job).answer(context, session, status: 200)
    }

    /// What was looked at is what is imported: where something was chosen anew, the person sees first what would come of it.
    private static func begin(_ job: ImportJob, _ context: Context, _ session: Session) throws {
        let now = job.now
        let categories = try Category.all(context.database, userID: session.user.id)
        let wanted = try ImportOptions(context.form, categories: categories).fitting(now.report?.findings)
        let isShown = now.report.map { wanted.agrees(with: now.options, $0.findings) } ?? false
        let runs = context.form.first("action") == "run" && (isShown || context.format != .html)
        if context.app.imports.running(of: session.user.id) != nil { throw Refusal.conflict("import.running_already") }
        // Sent twice, the second one finds it at work.
        guard job.begin(runs ? .running : .examining, isShown ? nil : wanted) else { return }
        context.app.imports.work(job, context)
    }

    private static func standing(_ context: Context, _ session: Session) throws -> ImportStanding {
        let user = session.user.id
        guard let record = try ImportRepository(context.database).find(try context.numberID(), userID: user) else {
            throw Refusal.notFound
        }
        // What is in memory goes first: a row may be older than what has happened since this request began to read.
        let job = context.app.imports.job(of: record, userID: user, context.now)
        return try (job.map(ImportStanding.init) ?? ImportStanding(record)).now(TaskRepository(context, session))
    }

    // MARK: The page

    private static func page(
        _ standing: ImportStanding, _ context: Context, _ session: Session, errors: FormErrors? = nil
    ) throws -> Response {
        let strings = context.strings
        let isBusy = standing.state == .examining || standing.state == .running
        let error = errors?.fields.first.map { strings($0.message.key, $0.message.values) }
        let view: Object = [
            "page_title": .text(strings["import.title"]), "action_url": .text("/import/\(standing.id)"),
            "name": .text(standing.fileName), "form_error": error.map { .text($0) } ?? .null,
            "state_text": .text(standing.text(strings)),
            "is_wrong": .bool(standing.isUnreadable || standing.state == .failed), "is_busy": .bool(isBusy),
            "progress": progress(standing, strings), "can_cancel": .bool(standing.state == .running),
            "can_discard": .bool(standing.state == .examining),
            "can_undo": .bool(standing.change != nil), "undo_url": .text("/undo/\(standing.change ?? 0)"),
            "is_over": .bool(!isBusy && standing.state != .examined),
            "choices": standing.state == .examined
                ? ImportChoices(standing, context).view(try categories(context, session)) : .null,
            "trash_text": standing.result.presentInTrash > 0
                ? .text(strings.count("import.in_trash", standing.result.presentInTrash)) : .null,
        ]
        var response = try context.page(
            "import-status",
            view.appending(warnings(standing, context)).appending(SettingsTab.import.names), session,
            status: errors == nil ? 200 : 422)
        if isBusy, let refresh { response.fields.append(refresh, standing.state == .examining ? "1" : "2") }
        return response
    }

    private static func categories(_ context: Context, _ session: Session) throws -> [Category] {
        try Category.all(context.database, userID: session.user.id)
    }

    private static func progress(_ standing: ImportStanding, _ strings: Strings) -> Value {
        guard standing.state == .running, let text = standing.progressText(strings) else { return .null }
        return [
            "value": .text(String(min(standing.progress.done, standing.progress.total))),
            "maximum": .text(String(standing.progress.total)), "text": .text(text),
        ]
    }

    /// What was not taken comes first, then what was taken otherwise than it stood.
    private static func warnings(_ standing: ImportStanding, _ context: Context) -> Object {
        let strings = context.strings
        let all = standing.result.warnings
        let limit = context.query.first("all") == "1" ? Int.max : linesShown
        func list(_ lines: [ImportWarning]) -> Value { .list(lines.prefix(limit).map { .text($0.text(strings)) }) }
        let (skipped, others) = (all.filter(\.isSkipped), all.filter { !$0.isSkipped })
        let shown = min(skipped.count, limit) + min(others.count, limit)
        let hidden = standing.result.warningCount - shown
        return [
            "has_skipped": .bool(!skipped.isEmpty), "skipped": list(skipped),
            "has_notes": .bool(!others.isEmpty), "notes": list(others),
            "more_text": hidden > 0 ? .text(strings.count("import.more", hidden)) : .null,
            "all_url": shown < all.count ? .text("/import/\(standing.id)?all=1") : .null,
        ]
    }
}

extension ImportOptions {
    /// True where these choices are how the file was read already: what is chosen is what was recognised.
    func agrees(with used: ImportOptions, _ findings: ImportFindings?) -> Bool {
        guard let findings else { return self == used }
        let columns = findings.columns.isEmpty ? nil : ColumnMap(findings.columns.map(\.field))
        return format ?? findings.format == findings.format && encoding ?? findings.encoding == findings.encoding
            && delimiter ?? findings.delimiter == findings.delimiter && hasHeader ?? findings.hasHeader == findings.hasHeader
            && dateOrder ?? findings.dateOrder == findings.dateOrder && self.columns ?? columns == columns
            && category == used.category && isAllCompleted == used.isAllCompleted
    }
}
