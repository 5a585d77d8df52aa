// Categories for scripts: JSON, or plain text with one category a line.

import HTTP
import SQLite

/// Writes categories in the form that was asked for.
struct CategoryAnswers {
    private let context: Context
    private let categories: [Category]
    private var open: [Int: Int] = [:]

    init(_ context: Context, _ session: Session) throws {
        self.context = context
        // Not from the summary, which counts what each saved filter shows: behind a change everybody waits for it.
        categories = try Category.all(context.database, userID: session.user.id)
        let counts = try context.database.rows(
            "SELECT category_id, sum(count) FROM task_counts WHERE user_id = \(session.user.id) AND status = 0 GROUP BY category_id"
        ) { (category: try $0.int(0) as Int, open: try $0.int(1) as Int) }
        for count in counts { open[count.category] = count.open }
    }

    func list() throws -> Response {
        switch context.format {
        case .json: try context.json(CategoryListJSON(categories: categories.map(json)))
        default: context.text(categories.map(line).joined())
        }
    }

    func one(_ id: Int, status: Int = 200) throws -> Response {
        guard let category = categories.first(where: { $0.id == id }) else { throw Refusal.notFound }
        return switch context.format {
        case .json: try context.json(json(category), status: status)
        default: context.text(line(category), status: status)
        }
    }

    /// How many tasks of a removed category went to another.
    static func moved(_ change: Change?, _ context: Context) throws -> Response {
        let count = change?.taskCount ?? 0
        return try context.answer(["change": JSON(change?.id), "moved": JSON(count)], line: "moved \(count)")
    }

    /// Number, key, open tasks and name, parted by tabs: a name has no tab.
    private func line(_ category: Category) -> String {
        "\(category.id)\t\(category.key)\t\(open[category.id] ?? 0)\t\(category.name(context.strings))\n"
    }

    private func json(_ category: Category) -> CategoryJSON {
        CategoryJSON(
            id: category.id, key: category.key, name: category.name(context.strings), icon: category.icon, color: category.color,
            open: open[category.id] ?? 0)
    }
}

private struct CategoryListJSON: Encodable {
    let categories: [CategoryJSON]
}

private struct CategoryJSON: Encodable {
    let id: Int
    let key: String
    let name: String
    let icon: String
    let color: Int
    let open: Int
}
