// Tasks for scripts: JSON as PRODUCT.md has it, and plain text, one task a line.

import HTTP

/// Writes tasks in the form that was asked for.
struct TaskAnswers {
    private let context: Context
    private let categories: [Category]

    init(_ context: Context, _ summary: Summary) { self.init(context, summary.categories) }

    init(_ context: Context, _ categories: [Category]) {
        self.context = context
        self.categories = categories
    }

    /// A page of a list. The next and previous pages stand in Link fields (RFC 8288).
    func list(_ list: TaskList, _ request: ListRequest) throws -> Response {
        var response: Response
        switch context.format {
        case .json:
            response = try context.json(
                ListJSON(
                    tasks: list.tasks.map(json), total: list.total, page: list.page, perPage: list.perPage, pages: list.pages))
        case .csv, .ics, .spreadsheet, .todotxt:
            response = file(list.tasks)
        default:
            response = context.text(list.tasks.map { line($0) + "\n" }.joined())
        }
        if list.pages > 1 {
            // The form of the answer goes along: who follows a link asks for the same.
            let conditions =
                (request.path == "/tasks" ? request.filter.query(order: nil) : [])
                + (context.query.first("format").map { [("format", $0)] } ?? [])
            func link(_ page: Int, _ relation: String) -> String {
                let pairs = conditions + [("per_page", String(list.perPage)), ("page", String(page))]
                let base = context.app.config.publicURL?.basePath ?? ""
                return "<\(base)\(request.path)?\(FormFields.encode(pairs))>; rel=\"\(relation)\""
            }
            var links = [link(1, "first"), link(list.pages, "last")]
            if list.page > 1 { links.append(link(list.page - 1, "prev")) }
            if list.page < list.pages { links.append(link(list.page + 1, "next")) }
            response.fields[.link] = links.joined(separator: ", ")
        }
        return response
    }

    /// One task.
    func task(_ task: TaskItem, status: Int = 200) throws -> Response {
        switch context.format {
        case .json: try context.json(json(task), status: status)
        case .csv, .ics, .spreadsheet, .todotxt: file([task], status: status)
        default: context.text(line(task) + "\n" + (task.content.isEmpty ? "" : "\n" + task.content + "\n"), status: status)
        }
    }

    /// The tasks as a file of theirs, as an export of them would be.
    private func file(_ tasks: [TaskItem], status: Int = 200) -> Response {
        let format = context.format.file ?? .csv
        let writer = format.writer(CategoryTexts(categories, context.language), context.zone)
        var output: [UInt8] = []
        writer.begin(&output)
        for (index, task) in tasks.enumerated() {
            ExportedTask.lend(task) { writer.write($0, isFirst: index == 0, &output) }
        }
        writer.end(&output)
        var response = Response(Status(status), content: .bytes(output))
        response.fields[.contentType] = format.contentType
        return response
    }

    /// `201` for a task that a script has just made.
    func created(_ id: TaskID, _ repository: TaskRepository) throws -> Response {
        guard let made = try repository.find(id) else { throw Refusal.notFound }
        return switch context.format {
        case .json: try context.json(json(made), status: 201)
        default: context.text("\(id)\n", status: 201)
        }
    }

    /// `[x] 2026-12-24 18:30  !high  #work  Buy milk`: status, due, priority and category where they say something, title.
    private func line(_ task: TaskItem) -> String {
        var parts = [task.status == .completed ? "[x]" : "[ ]"]
        if let due = task.due { parts.append(due.formText(in: context.zone)) }
        if task.priority != .medium { parts.append("!" + task.priority.word) }
        if task.isPinned { parts.append("*") }
        parts.append(task.title)
        if let category = categories.first(where: { $0.id == task.categoryID }) { parts.append("#" + category.key) }
        return parts.joined(separator: " ")
    }

    private func json(_ task: TaskItem) -> TaskJSON {
        TaskJSON(
            id: task.id.description, title: task.title, content: task.content, priority: task.priority.word,
            status: task.status.word,
            category: categories.first { $0.id == task.categoryID }?.key ?? "",
            due: task.due.map { $0.formText(in: context.zone) },
            pinned: task.isPinned, version: task.version, createdAt: task.createdAt.iso8601, updatedAt: task.updatedAt.iso8601,
            completedAt: task.completedAt?.iso8601)
    }
}

private struct ListJSON: Encodable {
    let tasks: [TaskJSON]
    let total: Int
    let page: Int
    let perPage: Int
    let pages: Int

    enum CodingKeys: String, CodingKey {
        case tasks, total, page, pages
        case perPage = "per_page"
    }
}

private struct TaskJSON: Encodable {
    let id: String
    let title: String
    let content: String
    let priority: String
    let status: String
    let category: String
    let due: String?
    let pinned: Bool
    let version: Int
    let createdAt: String
    let updatedAt: String
    let completedAt: String?

    enum CodingKeys: String, CodingKey {
        case id, title, content, priority, status, category, due, pinned, version
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case completedAt = "completed_at"
    }

    /// Every name is always there: what is empty is null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(content, forKey: .content)
        try container.encode(priority, forKey: .priority)
        try container.encode(status, forKey: .status)
        try container.encode(category, forKey: .category)
        try container.encode(due, forKey: .due)
        try container.encode(pinned, forKey: .pinned)
        try container.encode(version, forKey: .version)
        try container.encode(createdAt, forKey: .createdAt)
        try container.encode(updatedAt, forKey: .updatedAt)
        try container.encode(completedAt, forKey: .completedAt)
    }
}
