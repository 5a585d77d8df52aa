// Categories for scripts: JSON, or plain text with one category a line.

import HTTP

/// Writes categories in the form that was asked for.
struct CategoryAnswers {
    private let context: Context
    private let summary: Summary

    init(_ context: Context, _ session: Session) throws {
        self.context = context
        summary = try context.summary(session)
    }

    func list() throws -> Response {
        switch context.format {
        case .json: try context.json(CategoryListJSON(categories: summary.categories.map(json)))
        default: context.text(summary.categories.map(line).joined())
        }
    }

    func one(_ id: Int, status: Int = 200) throws -> Response {
        guard let category = summary.category(id) else { throw Refusal.notFound }
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
        "\(category.id)\t\(category.key)\t\(summary.openByCategory[category.id] ?? 0)\t\(category.name(context.strings))\n"
    }

    private func json(_ category: Category) -> CategoryJSON {
        CategoryJSON(
            id: category.id, key: category.key, name: category.name(context.strings), icon: category.icon, color: category.color,
            open: summary.openByCategory[category.id] ?? 0)
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
