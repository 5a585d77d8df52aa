// Categories that a file of ours brings along: those that the person lacks are made before the first task, and taken away again if the
// import fails. A removed category of the same key comes back, since its key is never given to another one.

import SQLite

final class NewCategories {
    private let wanted: [ImportedCategory]
    private let context: ImportContext
    private let way: String
    private let writer: any Writing
    private var made: [Int] = []

    init(_ wanted: [ImportedCategory], _ context: ImportContext, way: String, writer: any Writing) {
        self.wanted = wanted.filter { one in !context.categories.contains { $0.key == one.key } }
        self.context = context
        self.way = way
        self.writer = writer
    }

    /// Makes them and gives the context that knows them.
    func make() throws -> ImportContext {
        guard !wanted.isEmpty else { return context }
        let (wanted, context, way) = (wanted, context, way)
        let all: [Category] = try writer.result { database in
            let owner = context.owner.id
            for one in wanted {
                let category = Category(one, id: 0, among: try Category.all(database, userID: owner))
                try database.execute(
                    """
                    INSERT INTO categories (user_id, key, name, icon, color, position)
                    SELECT \(owner), \(category.key), \(category.ownName), \(category.icon), \(category.color), \
                    coalesce(max(position), 0) + 1 FROM categories WHERE user_id = \(owner)
                    ON CONFLICT (user_id, key) DO UPDATE SET removed_at = NULL
                    """)
            }
            try TaskRepository(database, owner: context.owner, now: context.now, way: way).bumpRevision()
            return try Category.all(database, userID: owner)
        }
        let known = Set(context.categories.map(\.id))
        made = all.map(\.id).filter { !known.contains($0) }
        return context.adding(all.filter { !known.contains($0.id) })
    }

    /// Takes away again what no task is in.
    func remove() throws {
        guard !made.isEmpty else { return }
        let (made, context, way) = (made, context, way)
        try writer.perform { database in
            for id in made {
                try database.execute(
                    """
                    UPDATE categories SET removed_at = \(context.now.milliseconds) WHERE id = \(id) AND user_id = \(context.owner.id)
                    AND NOT EXISTS (SELECT 1 FROM tasks WHERE user_id = \(context.owner.id) AND category_id = \(id))
                    """)
            }
            try TaskRepository(database, owner: context.owner, now: context.now, way: way).bumpRevision()
        }
    }
}

extension Category {
    /// What a file wants, as far as it can be had.
    init(_ wanted: ImportedCategory, id: Int, among others: [Category]) {
        self.init(
            id: id, key: wanted.key,
            ownName: wanted.name ?? (Category.first.contains { $0.key == wanted.key } ? nil : wanted.key),
            icon: CategoryDraft.icons.contains(wanted.icon) ? wanted.icon : "star",
            color: wanted.color.flatMap { CategoryDraft.colors.contains($0) ? $0 : nil } ?? CategoryDraft.freshColor(others))
    }
}

extension ImportContext {
    /// With more categories, which it does not have yet.
    func adding(_ more: [Category]) -> ImportContext {
        let new = more.filter { one in !categories.contains { $0.key == one.key } }
        return ImportContext(owner: owner, now: now, categories: categories + new, standard: standard)
    }
}
