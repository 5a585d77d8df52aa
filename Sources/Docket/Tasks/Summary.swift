// What stands beside every page: categories and saved filters with their counts, open, due today and overdue. One source that every
// screen follows: it is made anew only when the person's revision has moved, or the clock has.

import Mustache
import SQLite
import Synchronization

/// The figures and names of one person at one revision.
struct Summary: Sendable {
    /// A saved filter with what it shows.
    struct FilterCount: Sendable {
        let filter: SavedFilter
        let total: TaskTotal
    }

    let revision: Int
    let language: Language
    /// From here on the figures that depend on the clock are to be made anew.
    let expires: Instant
    let categories: [Category]
    /// Open tasks by category.
    let openByCategory: [Int: Int]
    let open: Int
    let completed: Int
    let pinned: Int
    let overdue: Int
    let dueToday: Int
    let trashed: Int
    let filters: [FilterCount]
    /// The side bar that shows all this.
    private(set) var sideBar = SideBar()
    /// The options of a select of categories: none chosen, and the person's standard one chosen.
    private(set) var plainChoices: Value = []
    private(set) var standardChoices: Value = []

    func category(_ id: Int) -> Category? { categories.first { $0.id == id } }

    /// How many tasks a filter shows, where that is known already.
    func count(_ filter: TaskFilter) -> Int? {
        var plain = TaskFilter()
        (plain.status, plain.order) = (filter.status, filter.order)
        guard filter == plain else { return nil }
        switch filter.status {
        case .pending: return open
        case .completed: return completed
        case .all: return open + completed
        }
    }

    /// Reads everything.
    init(_ repository: TaskRepository, _ strings: Strings) throws {
        let (database, owner, now) = (repository.database, repository.owner, repository.now)
        revision = owner.revision
        language = strings.language
        categories = try Category.all(database, userID: owner.id)
        var openByCategory: [Int: Int] = [:]
        var (completed, pinned) = (0, 0)
        try database.forEach("SELECT status, category_id, pinned, count FROM task_counts WHERE user_id = \(owner.id)") { row in
            let count: Int = try row.int(3)
            if try row.int(0) == 0 {
                openByCategory[try row.int(1), default: 0] += count
                if try row.int(2) == 1 { pinned += count }
            } else {
                completed += count
            }
            return true
        }
        self.openByCategory = openByCategory
        self.completed = completed
        self.pinned = pinned
        open = openByCategory.values.reduce(0, +)
        var filter = TaskFilter()
        filter.due = .overdue
        overdue = try repository.count(filter)
        filter.due = .today
        dueToday = try repository.count(filter)
        trashed = try repository.trashCount()
        let saved = try SavedFilter.all(database, owner: owner, categories: categories)
        var totals = try repository.totals(saved.compactMap(\.filter))[...]
        filters = saved.map { FilterCount(filter: $0, total: $0.filter.flatMap { _ in totals.popFirst() } ?? TaskTotal(0)) }
        // The next moment that an open task becomes overdue, or the next day begins.
        let tomorrow = owner.zone.endOfDay(owner.zone.day(at: now))
        let next = try database.scalar(
            """
            SELECT min(due_key) FROM tasks
            WHERE user_id = \(owner.id) AND status = 0 AND pinned IN (0, 1) AND due_key >= \(now.milliseconds) AND trashed_at IS NULL
            """)
        expires = next.map { min(Instant(milliseconds: $0 + 1), tomorrow) } ?? tomorrow
        let options = categories.map { (value: $0.key, label: $0.name(strings)) }
        plainChoices = Choices.list(options, chosen: nil)
        standardChoices = Choices.list(options, chosen: owner.defaultCategory)
        sideBar = SideBar(self, strings)
    }
}

/// Summaries by person. Right because a summary is used only at the revision that it was made at, and the revision is read with the
/// session in the same request.
final class SummaryCache: Sendable {
    private static let limit = 2_000
    private let summaries = Mutex<[Int: Summary]>([:])

    func summary(_ repository: TaskRepository, _ strings: Strings) throws -> Summary {
        let (user, now) = (repository.owner, repository.now)
        if let kept = summaries.withLock({ $0[user.id] }), kept.revision == user.revision, kept.language == strings.language,
            now < kept.expires
        {
            return kept
        }
        let made = try Summary(repository, strings)
        summaries.withLock {
            if $0.count >= Self.limit { $0.removeAll() }
            $0[user.id] = made
        }
        return made
    }
}
