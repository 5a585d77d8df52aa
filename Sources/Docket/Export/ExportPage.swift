// GET /export: with a format the file, without one the page that offers all of them.

import HTTP
import Mustache

enum ExportPage {
    /// GET /export
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let categories = try Category.all(context.database, userID: session.user.id)
        let request = try ExportRequest(
            context.searchLine(context.query, categories), context.database, owner: session.user, categories: categories)
        guard context.format != .html else { return try page(context, session, request) }
        guard let format = context.format.file else { throw Refusal.badRequest("error.unknown_format_of_tasks") }
        guard request.problems.isEmpty else {
            // A person who follows a link sees the page with what is wrong; a script gets it in its own form.
            guard !context.asksAsBrowser else { return try page(context, session, request) }
            return context.refuse(request.problems, session)
        }
        let walk = ExportWalk(owner: session.user, filter: request.filter, now: context.now, format: format)
        var response = try walk.response(context, contentType: format.contentType)
        let name = format.fileName(context.zone.day(at: context.now))
        response.fields[.contentDisposition] = "attachment; filename=\"\(name)\""
        if context.request.head.method != .head { context.noteExport(format, session) }
        return response
    }

    /// What each form is for stands beside it.
    private static func page(_ context: Context, _ session: Session, _ request: ExportRequest) throws -> Response {
        let strings = context.strings
        let summary = try context.summary(session)
        let isChosen = request.isNarrowed || request.saved != nil || !request.problems.isEmpty
        let total = request.problems.isEmpty ? try TaskRepository(context, session).total(request.filter) : TaskTotal(0)
        let what = request.saved?.name ?? FilterWords.line(request.filter, DateText(context))
        let view: Object = [
            "page_title": .text(strings["export.title"]), "is_chosen": .bool(isChosen),
            "has_filters": .bool(!summary.filters.isEmpty),
            "what_text": .text(
                strings("export.only", [("what", what), ("n", strings.grouped(total))])),
            "all_text": .text(strings.count("export.all", summary.open + summary.completed)),
            "can_save": .bool(request.problems.isEmpty),
            "problems": .list(request.problems.map { ["text": .text(strings($0.key, [("value", $0.value)]))] }),
            "kept": .list(request.query.map { ["name": .text($0.0), "value": .text($0.1)] }),
            "filters": .list(
                summary.filters.filter { $0.filter.filter != nil }.map {
                    [
                        "value": .text(String($0.filter.id)),
                        "label": .text(strings("export.filter", [("name", $0.filter.name), ("n", strings.grouped($0.total))])),
                    ]
                }),
            "formats": .list(
                ExportFormat.allCases.map {
                    [
                        "value": .text($0.rawValue), "name": .text(strings["export.format." + $0.rawValue]),
                        "hint": .text(strings["export.hint." + $0.rawValue]),
                        "label": .text(
                            strings("export.save_as", [("format", strings["export.format." + $0.rawValue])])),
                    ]
                }),
        ]
        return try context.page(
            "export", view.appending(SettingsTab.export.names), session, status: request.problems.isEmpty ? 200 : 400)
    }
}

extension Context {
    /// The one place that knows that a person's tasks have left as a file.
    fileprivate func noteExport(_ format: ExportFormat, _ session: Session) {
        let (audit, user) = (Audit(self, by: session), session.user.id)
        // Reading goes on where the disk is full; who must know, has the log.
        writer.note { try audit.record(.exported, of: user, detail: format.rawValue, in: $0) }
    }

    /// True where the request comes from a page or an address bar, and not from a script.
    fileprivate var asksAsBrowser: Bool {
        !Bearer.isPresent(request.head)
            && request.head.fields.combined(.accept)?.utf8.starts(with: "text/html,".utf8) == true
    }

}
