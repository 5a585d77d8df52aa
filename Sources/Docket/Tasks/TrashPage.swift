// The trash: what was thrown away, until it is emptied or its days are over.

import HTTP
import Mustache

enum TrashPage {
    /// GET /trash
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let strings = context.strings
        let summary = try context.summary(session)
        let repository = TaskRepository(context, session)
        var request = ListRequest(context, session.user, summary.categories, names: ["page", "per_page", "format"])
        request.path = "/trash"
        guard request.problems.isEmpty else { return context.refuse(request.problems, session) }
        let total = summary.trashed
        let pages = max(1, (total + request.perPage - 1) / request.perPage)
        let page = min(request.page, pages)
        let tasks = try repository.trash(offset: (page - 1) * request.perPage, limit: request.perPage)
        guard context.format == .html else {
            return try TaskAnswers(context, summary).list(
                TaskList(tasks: tasks, total: total, page: page, pages: pages, perPage: request.perPage), request)
        }
        let dates = DateText(context)
        let view: Object = [
            "page_title": .text(strings["nav.trash"]), "summary_text": .text(strings.count("list.count", total)),
            "has_tasks": .bool(!tasks.isEmpty), "empty_text": .text(strings.count("trash.empty_question", total)),
            "tasks": .list(
                tasks.map { task in
                    [
                        "id": .bytes(task.id.text), "title": .text(task.title),
                        "trashed_text": .text(left(task, context, dates)),
                        "restore_label": .text(strings("trash.restore_label", [("title", task.title)])),
                    ]
                }),
        ]
        return try context.page("tasks/trash", view.appending(Pager(context, page, pages, [], path: "/trash").object), session)
    }

    /// When it was thrown away and how long it stays.
    private static func left(_ task: TaskItem, _ context: Context, _ dates: DateText) -> String {
        let trashed = task.trashedAt ?? context.now
        let end = trashed.adding(days: context.app.config.trashDays)
        let days = context.zone.day(at: context.now).distance(to: context.zone.day(at: end))
        let when = [("when", dates.due(.day(context.zone.day(at: trashed))))]
        return days > 0 ? context.strings.count("trash.left", days, when) : context.strings("trash.left.today", when)
    }
}
