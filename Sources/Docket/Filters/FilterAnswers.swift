// Saved filters for scripts: JSON, or plain text with one filter a line. What a filter shows is answered by its own address.

import HTTP

/// Writes saved filters in the form that was asked for.
struct FilterAnswers {
    private let context: Context
    private let session: Session
    private let repository: TaskRepository

    init(_ context: Context, _ session: Session) {
        (self.context, self.session) = (context, session)
        repository = TaskRepository(context, session)
    }

    func list() throws -> Response {
        let summary = try context.summary(session)
        return switch context.format {
        case .json: try context.json(FilterListJSON(filters: try summary.filters.map(json)))
        default: context.text(try summary.filters.map(line).joined())
        }
    }

    func one(_ id: Int, status: Int = 200) throws -> Response {
        let categories = try Category.all(context.database, userID: session.user.id)
        guard let saved = try SavedFilter.find(id, context.database, owner: session.user, categories: categories) else {
            throw Refusal.notFound
        }
        let entry = Summary.FilterCount(filter: saved, total: try saved.filter.map { try repository.total($0) } ?? TaskTotal(0))
        return switch context.format {
        case .json: try context.json(try json(entry), status: status)
        default: context.text(try line(entry), status: status)
        }
    }

    /// Number, how many tasks it shows and name, parted by tabs: a name has no tab. `-` where it names something that is gone.
    private func line(_ entry: Summary.FilterCount) throws -> String {
        "\(entry.filter.id)\t\(try count(entry).map { String($0) } ?? "-")\t\(entry.filter.name)\n"
    }

    private func json(_ entry: Summary.FilterCount) throws -> FilterJSON {
        FilterJSON(
            id: entry.filter.id, name: entry.filter.name, query: entry.filter.query, count: try count(entry),
            problem: entry.filter.problems.first.map { context.strings($0.key, [("value", $0.value)]) })
    }

    /// Scripts are told the whole number; behind a change, for which everybody's changes wait, only one that is found soon.
    private func count(_ entry: Summary.FilterCount) throws -> Int? {
        guard let filter = entry.filter.filter else { return nil }
        if entry.total.isExact { return entry.total.count }
        return context.isWriting ? nil : try repository.count(filter)
    }
}

private struct FilterListJSON: Encodable {
    let filters: [FilterJSON]
}

private struct FilterJSON: Encodable {
    let id: Int
    let name: String
    let query: String
    let count: Int?
    let problem: String?

    /// Every name is always there: what is empty is null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encode(query, forKey: .query)
        try container.encode(count, forKey: .count)
        try container.encode(problem, forKey: .problem)
    }

    enum CodingKeys: CodingKey {
        case id, name, query, count, problem
    }
}
