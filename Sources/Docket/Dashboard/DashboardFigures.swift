// The figures of the dashboard, exact at one time: what is open and late from the summary that every page shows, completions by day
// from an index. Days are the person's: each begins and ends when their zone says so, with 23, 24 or 25 hours.

import SQLite

/// The figures of one person.
struct DashboardFigures: Sendable {
    /// A day and how many tasks were completed on it.
    struct DayCount: Sendable {
        let day: Day
        let count: Int
    }

    /// How late: whole days from the due day to today.
    struct AgeCount: Sendable {
        /// The end of the key `dashboard.age.…`.
        let name: String
        /// The due days; nil for what was due earlier today, which no list of days can tell from what is due later.
        let days: DueCondition?
        let count: Int
    }

    /// How many days the chart has, today among them.
    static let dayCount = 30

    let today: Day
    let open: Int
    let dueToday: Int
    let overdue: Int
    let week: ClosedRange<Day>
    let doneThisWeek: Int
    let days: [DayCount]
    let byCategory: [(category: Category, count: Int)]
    let ages: [AgeCount]

    init(_ repository: TaskRepository, _ summary: Summary) throws {
        let (owner, now) = (repository.owner, repository.now)
        let today = owner.zone.day(at: now)
        self.today = today
        open = summary.open
        dueToday = summary.dueToday
        overdue = summary.overdue
        let start = today.startOfWeek(first: owner.firstWeekday)
        week = start...start.adding(days: 6)
        doneThisWeek = try repository.completedCount(start, start.adding(days: 6))
        days = try (0..<Self.dayCount).map { place in
            let day = today.adding(days: place + 1 - Self.dayCount)
            return DayCount(day: day, count: try repository.completedCount(day, day))
        }
        byCategory = summary.categories.map { ($0, summary.openByCategory[$0.id] ?? 0) }
        func late(_ name: String, from first: Int?, to last: Int) throws -> AgeCount {
            let days = DueCondition.range(first.map { today.adding(days: -$0) }, today.adding(days: -last))
            var filter = TaskFilter()
            filter.due = days
            return AgeCount(name: name, days: days, count: try repository.count(filter))
        }
        let earlier = [
            try late("day", from: 1, to: 1), try late("week", from: 7, to: 2), try late("month", from: 30, to: 8),
            try late("older", from: nil, to: 31),
        ]
        let before = earlier.reduce(0) { $0 + $1.count }
        ages = [AgeCount(name: "today", days: nil, count: summary.overdue - before)] + earlier
    }
}

extension TaskRepository {
    /// How many tasks (trash apart) were completed from one day to another, both included, by the owner's zone.
    func completedCount(_ first: Day, _ last: Day) throws -> Int {
        Int(try database.scalar(completedCountSQL(first, last)) ?? 0)
    }

    /// The statement of it; its plan is proven by a test.
    func completedCountSQL(_ first: Day, _ last: Day) -> SQL {
        """
        SELECT count(*) FROM tasks WHERE user_id = \(owner.id) AND completed_at >= \(owner.zone.startOfDay(first).milliseconds)
        AND completed_at < \(owner.zone.endOfDay(last).milliseconds) AND trashed_at IS NULL
        """
    }
}
