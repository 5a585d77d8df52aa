// The tasks before and behind one in the list that a person came from, so that the editor can go on to them.

import HTTP

/// Addresses of editors, nil at the ends of the list and where the task is not in it.
struct Neighbours {
    private(set) var previous: String?
    private(set) var next: String?

    /// - Parameter back: the address of a page of the list; what is none has no neighbours.
    init(_ id: TaskID, _ back: String, _ context: Context, _ session: Session, _ summary: Summary) throws {
        let parts = back.split(separator: "?", maxSplits: 1).map(String.init)
        guard let path = parts.first, let query = try? FormFields(query: parts.count > 1 ? parts[1] : nil),
            let request = try Self.request(path, context.with(query: query), session, summary), request.problems.isEmpty
        else { return }
        let repository = TaskRepository(context, session)
        var found = try repository.find(request.filter)
        let page = min(request.page, max(1, (found.total.count + request.perPage - 1) / request.perPage))
        // The page and one task at either side.
        let start = max(0, (page - 1) * request.perPage - 1)
        let tasks = try repository.page(
            request.filter, &found, offset: start, limit: request.perPage + 2, columns: TaskItem.listColumns)
        guard let index = tasks.firstIndex(where: { $0.id == id }) else { return }
        /// The editor of a task of the window, which leads back to the page of the list that the task is on.
        func address(_ index: Int) -> String? {
            guard tasks.indices.contains(index) else { return nil }
            let page = (start + index) / request.perPage + 1
            let kept = query.filter { $0.name != "page" }.map { ($0.name, $0.value) }
            let pairs = kept + (page == 1 ? [] : [("page", String(page))])
            let list = path + (pairs.isEmpty ? "" : "?" + FormFields.encode(pairs))
            return "/tasks/\(tasks[index].id)?" + FormFields.encode([("next", list)])
        }
        previous = address(index - 1)
        next = address(index + 1)
    }

    private static func request(_ path: String, _ context: Context, _ session: Session, _ summary: Summary) throws -> ListRequest?
    {
        if path == "/tasks" { return ListRequest(context, session.user, summary.categories) }
        guard path.utf8.starts(with: "/filters/".utf8), let id = Int(digits: path.utf8.dropFirst("/filters/".utf8.count)),
            let saved = summary.filters.map(\.filter).first(where: { $0.id == id })
        else { return nil }
        return ListRequest(saved, try FormFields(query: saved.query), context, session.user, summary.categories)
    }
}
