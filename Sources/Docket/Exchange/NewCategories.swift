// Categories that a file of ours brings along: those that the person lacks are made before the first task. Who has no tasks yet and has
// changed no category, gets all of them as they stand in the file: a new account becomes what the old one was. All of it is taken back if
// the import fails. A removed category of the same key comes back, since its key is never given to another one. No person gets more than
// `Limits.listed` of them: the file's others are told, and their tasks say their names in their notes.

import SQLite

final class NewCategories {
    private let wanted: [ImportedCategory]
    private let areAll: Bool
    private let context: ImportContext
    private let way: String
    private let writer: any Writing
    /// What there was before, removed ones too; nil where nothing was changed.
    private var before: [Stored]?

    init(_ source: some ImportSource, _ context: ImportContext, way: String, writer: any Writing) {
        wanted = source.categories
        // The category for tasks without one must be there afterwards.
        areAll =
            source.hasAllCategories && wanted.count <= Limits.listed && wanted.contains { $0.key == context.standard.key }
        self.context = context
        self.way = way
        self.writer = writer
    }

    private struct Stored: Sendable {
        let id: Int
        let name: String?
        let icon: String
        let color: Int
        let position: Int
        let removedAt: Int?
    }

    /// The context that would know them, for a dry run.
    func foreseen(_ database: Connection) throws -> ImportContext {
        if try areAll && Self.isUntouched(database, context) {
            return context.adding(wanted.map { Category($0, id: 0, among: []) })
        }
        return context.missing(wanted).reduce(context) { $0.adding([Category($1, id: 0, among: $0.categories)]) }
    }

    /// Makes them and gives the context that knows them.
    func make() throws -> ImportContext {
        let (wanted, areAll, context, way) = (wanted, areAll, context, way)
        let missing = context.missing(wanted)
        guard areAll || !missing.isEmpty else { return context }
        let made: (before: [Stored], all: [Category]) = try writer.result { database in
            let owner = context.owner.id
            let before = try database.rows(
                "SELECT id, name, icon, color, position, removed_at FROM categories WHERE user_id = \(owner)"
            ) {
                Stored(
                    id: try $0.int(0), name: try $0.textOrNil(1), icon: try $0.text(2), color: try $0.int(3),
                    position: try $0.int(4),
                    removedAt: try $0.intOrNil(5))
            }
            if try areAll && Self.isUntouched(database, context) {
                try Self.replace(with: wanted, database, context)
            } else {
                for one in missing { try Self.add(one, database, context) }
            }
            try TaskRepository(database, owner: context.owner, now: context.now, way: way).bumpRevision()
            return (before, try Category.all(database, userID: owner))
        }
        before = made.before
        return context.adding(made.all)
    }

    private static func isUntouched(_ database: Connection, _ context: ImportContext) throws -> Bool {
        guard try database.scalar("SELECT 1 FROM tasks WHERE user_id = \(context.owner.id) LIMIT 1") == nil else { return false }
        return context.categories.elementsEqual(Category.first) { one, first in
            one.key == first.key && one.ownName == nil && one.icon == first.icon && one.color == first.color
        }
    }

    private static func add(_ one: ImportedCategory, _ database: Connection, _ context: ImportContext) throws {
        let owner = context.owner.id
        let others = try Category.all(database, userID: owner)
        let category = Category(one, id: 0, among: others)
        var key = category.key
        if one.isByName, let name = one.name {
            if context.with(others).category(named: name) != nil { return }
            // Of the removed ones that comes back which has the name, not which would have had the key.
            let removed = context.with(
                try database.rows(
                    "SELECT \(Category.columns) FROM categories WHERE user_id = \(owner) AND removed_at IS NOT NULL",
                    Category.init(row:)))
            let taken = try database.rows("SELECT key FROM categories WHERE user_id = \(owner)") { try $0.text(0) }
            key = removed.category(named: name)?.key ?? CategoryKey.make(for: name, taken: Set(taken))
        }
        try database.execute(
            """
            INSERT INTO categories (user_id, key, name, icon, color, position)
            SELECT \(owner), \(key), \(category.ownName), \(category.icon), \(category.color), \
            coalesce(max(position), 0) + 1 FROM categories WHERE user_id = \(owner)
            ON CONFLICT (user_id, key) DO UPDATE SET removed_at = NULL
            """)
    }

    private static func replace(with wanted: [ImportedCategory], _ database: Connection, _ context: ImportContext) throws {
        let owner = context.owner.id
        try database.execute("UPDATE categories SET removed_at = \(context.now.milliseconds) WHERE user_id = \(owner)")
        for (index, one) in wanted.enumerated() {
            let category = Category(one, id: 0, among: [])
            try database.execute(
                """
                INSERT INTO categories (user_id, key, name, icon, color, position)
                VALUES (\(owner), \(category.key), \(category.ownName), \(category.icon), \(category.color), \(index + 1))
                ON CONFLICT (user_id, key) DO UPDATE SET name = excluded.name, icon = excluded.icon, color = excluded.color,
                position = excluded.position, removed_at = NULL
                """)
        }
    }

    /// Puts back what there was. What was made is removed, unless a task came into it meanwhile.
    func remove() throws {
        guard let before else { return }
        let (context, way) = (context, way)
        try writer.perform { database in
            let owner = context.owner.id
            try database.execute(
                """
                UPDATE categories SET removed_at = \(context.now.milliseconds) WHERE user_id = \(owner)
                AND NOT EXISTS (SELECT 1 FROM tasks WHERE tasks.user_id = \(owner) AND category_id = categories.id)
                """)
            for one in before {
                try database.execute(
                    """
                    UPDATE categories SET name = \(one.name), icon = \(one.icon), color = \(one.color), position = \(one.position), \
                    removed_at = \(one.removedAt) WHERE id = \(one.id) AND user_id = \(owner)
                    """)
            }
            try TaskRepository(database, owner: context.owner, now: context.now, way: way).bumpRevision()
        }
        self.before = nil
    }
}

extension Category {
    /// What a file wants, as far as it can be had.
    init(_ wanted: ImportedCategory, id: Int, among others: [Category]) {
        self.init(
            id: id,
            key: wanted.isByName
                ? CategoryKey.make(for: wanted.name ?? wanted.key, taken: Set(others.map(\.key))) : wanted.key,
            ownName: wanted.name ?? (Category.first.contains { $0.key == wanted.key } ? nil : wanted.key),
            icon: CategoryDraft.icons.contains(wanted.icon) ? wanted.icon : "star",
            color: wanted.color.flatMap { CategoryDraft.colors.contains($0) ? $0 : nil } ?? CategoryDraft.freshColor(others))
    }
}

extension ImportContext {
    /// Those that the person lacks, as far as there is room for them.
    func missing(_ wanted: [ImportedCategory]) -> [ImportedCategory] {
        Array(lacking(wanted).prefix(max(0, Limits.listed - categories.count)))
    }

    /// Those that the person lacks.
    func lacking(_ wanted: [ImportedCategory]) -> [ImportedCategory] {
        wanted.filter { one in
            if one.isByName, let name = one.name { return category(named: name) == nil }
            return !categories.contains { $0.key == one.key }
        }
    }

    /// With more categories, which it does not have yet.
    func adding(_ more: [Category]) -> ImportContext {
        let new = more.filter { one in !categories.contains { $0.key == one.key } }
        return with(categories + new)
    }

    fileprivate func with(_ categories: [Category]) -> ImportContext {
        ImportContext(owner: owner, now: now, categories: categories, standard: standard)
    }
}
