// The one home of SQL that changes categories. Ownership stands in every WHERE: someone else's category is simply not found.
// Every change gives the person a new revision, since each page shows the categories.

import SQLite

/// The categories of one person.
struct CategoryRepository {
    private let tasks: TaskRepository
    private var database: Connection { tasks.database }
    private var owner: Int { tasks.owner.id }

    init(_ tasks: TaskRepository) { self.tasks = tasks }

    init(_ context: Context, _ session: Session) { tasks = TaskRepository(context, session) }

    func all() throws -> [Category] { try Category.all(database, userID: owner) }

    /// How many tasks are in a category, completed ones and the trash among them.
    func taskCount(_ id: Int) throws -> Int {
        Int(try database.scalar("SELECT count(*) FROM tasks WHERE user_id = \(owner) AND category_id = \(id)") ?? 0)
    }

    /// Adds a category at the end and tells its number.
    func add(_ draft: CategoryDraft) throws -> Int {
        // Keys of removed categories stay taken: a filter that names one shall not come to mean another.
        let taken = Set(try database.rows("SELECT key FROM categories WHERE user_id = \(owner)") { try $0.text(0) })
        let name = draft.name ?? ""
        try database.execute(
            """
            INSERT INTO categories (user_id, key, name, icon, color, position)
            SELECT \(owner), \(CategoryKey.make(for: name, taken: taken)), \(name), \(draft.icon), \(draft.color), \
            coalesce(max(position), 0) + 1 FROM categories WHERE user_id = \(owner)
            """)
        let id = Int(database.lastInsertRowID)
        try tasks.bumpRevision()
        return id
    }

    func save(_ id: Int, _ draft: CategoryDraft) throws {
        try database.execute(
            """
            UPDATE categories SET name = \(draft.name), icon = \(draft.icon), color = \(draft.color)
            WHERE id = \(id) AND user_id = \(owner)
            """)
        try tasks.bumpRevision()
    }

    /// Moves a category one place up (-1) or down (1); at the end of the list nothing happens.
    func move(_ id: Int, by step: Int) throws {
        var order = try all().map(\.id)
        guard let place = order.firstIndex(of: id), order.indices.contains(place + step) else { return }
        order.swapAt(place, place + step)
        for (position, id) in order.enumerated() {
            try database.execute("UPDATE categories SET position = \(position) WHERE id = \(id) AND user_id = \(owner)")
        }
        try tasks.bumpRevision()
    }

    /// Removes a category. Its tasks, those in the trash too, go to another one: a change like any other, nil where there were none.
    func remove(_ category: Category, movingTo target: Category) throws -> Change? {
        let change = try tasks.apply(
            TaskRepository.categoryRemoval, to: "user_id = \(owner) AND category_id = \(category.id)",
            [Assignment(column: .categoryID, value: "\(target.id)")])
        try database.execute(
            "UPDATE categories SET removed_at = \(tasks.now.milliseconds) WHERE id = \(category.id) AND user_id = \(owner)")
        try database.execute(
            "UPDATE users SET default_category = \(target.key) WHERE id = \(owner) AND default_category = \(category.key)")
        try tasks.bumpRevision()
        return change
    }

    /// Brings back the removed categories that tasks of a change are in again, because it took back what had moved them.
    func revive(usedBy change: Int) throws {
        try database.execute(
            """
            UPDATE categories SET removed_at = NULL WHERE user_id = \(owner) AND removed_at IS NOT NULL AND id IN (
                SELECT category_id FROM task_changes JOIN tasks ON number = task_number WHERE change_id = \(change))
            """)
        guard database.changes > 0 else { return }
        var errors = FormErrors()
        errors.checkRoom(try all().count - 1, "problem.categories_full")
        try errors.check()
    }
}

extension TaskRepository {
    /// The kind of the change that moves the tasks of a removed category.
    static let categoryRemoval = "category_removed"
}
