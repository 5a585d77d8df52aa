// A category: a person's own, with a key for forms, a name, an icon and one of twelve colours.

import SQLite

/// One category of one person.
struct Category: Equatable, Sendable {
    let id: Int
    /// What forms and scripts call it.
    let key: String
    /// The name that the person gave it, nil for a first category that was never renamed.
    let ownName: String?
    /// The icon's name in the sprite.
    let icon: String
    /// 1 to 12: a class of the style sheet.
    let color: Int

    /// The categories of a new account.
    static let first: [(key: String, icon: String, color: Int)] = [
        ("work", "briefcase", 9), ("life", "home", 5), ("study", "book", 3), ("health", "heart", 12),
    ]

    /// The name that a page shows.
    func name(_ strings: Strings) -> String { ownName ?? strings["category.default." + key] }

    static let columns: SQL = "id, key, name, icon, color"

    init(id: Int, key: String, ownName: String?, icon: String, color: Int) {
        self.id = id
        self.key = key
        self.ownName = ownName
        self.icon = icon
        self.color = color
    }

    init(row: Row) throws {
        id = try row.int(0)
        key = try row.text(1)
        ownName = try row.textOrNil(2)
        icon = try row.text(3)
        color = try row.int(4)
    }
}

extension Category {
    /// A person's categories in their order.
    static func all(_ database: Connection, userID: Int) throws -> [Category] {
        try database.rows(
            "SELECT \(Category.columns) FROM categories WHERE user_id = \(userID) AND removed_at IS NULL ORDER BY position, id",
            Category.init(row:))
    }
}
