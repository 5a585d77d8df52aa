// The dashboard: four figures that are links to their lists, completions of the last 30 days as bars, open by category, overdue by age.
// The pictures are SVG made here, with the same figures as tables beside them.

import HTTP
import Mustache

enum DashboardPage {
    /// GET /dashboard
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let summary = try context.summary(session)
        let figures = try DashboardFigures(TaskRepository(context, session), summary)
        switch context.format {
        case .html: return try context.page("dashboard", view(figures, context), session)
        case .json: return try context.json(DashboardJSON(figures, context.strings))
        default: return context.text(lines(figures, context.strings))
        }
    }

    private static let doneQuery = "/tasks?status=completed&done="

    private static func view(_ figures: DashboardFigures, _ context: Context) -> Object {
        let strings = context.strings
        let dates = DateText(context)
        func figure(_ number: Int, _ key: String, _ url: String, isLate: Bool = false) -> Value {
            [
                "number": .text(strings.grouped(number)), "label": .text(strings["dashboard." + key]), "url": .text(url),
                "is_late": .bool(isLate && number > 0),
            ]
        }
        let highest = figures.days.map(\.count).max() ?? 0
        let total = figures.days.reduce(0) { $0 + $1.count }
        let mostOpen = figures.byCategory.map(\.count).max() ?? 0
        let mostLate = figures.ages.map(\.count).max() ?? 0
        let text = strings.count("dashboard.completions_text", total, [("max", strings.grouped(highest))])
        return [
            "page_title": .text(strings["nav.dashboard"]), "today_text": .text(dates.day(figures.today)),
            "figures": [
                figure(figures.open, "open", "/tasks"), figure(figures.dueToday, "today", "/tasks?due=today"),
                figure(figures.overdue, "overdue", "/tasks?due=overdue", isLate: true),
                figure(figures.doneThisWeek, "week", doneQuery + "\(figures.week.lowerBound)..\(figures.week.upperBound)"),
            ],
            "has_completions": .bool(total > 0), "completions_text": .text(text),
            "days": .list(
                figures.days.enumerated().map { place, entry in
                    // At least a line where there is something: one among a thousand is not none.
                    let height = entry.count == 0 ? 0 : max(2, share(entry.count, of: highest))
                    return [
                        "x": .text(String(place * 20 + 3)), "y": .text(String(100 - height)), "height": .text(String(height)),
                        "label": .text(dates.day(entry.day)), "count": .text(strings.grouped(entry.count)),
                        "url": .text(doneQuery + "\(entry.day)..\(entry.day)"),
                    ]
                }),
            "first_day": .text(figures.days.first.map { dates.day($0.day) } ?? ""),
            "last_day": .text(figures.days.last.map { dates.day($0.day) } ?? ""),
            "by_category": .list(
                figures.byCategory.map { category, count in
                    [
                        "label": .text(category.name(strings)),
                        "url": .text("/tasks?category=" + PercentEncoding.encode(category.key)),
                        "color": .text("color-\(category.color)"), "count": .text(strings.grouped(count)),
                        "percent": .text(String(share(count, of: mostOpen))),
                    ]
                }),
            "has_overdue": .bool(figures.overdue > 0),
            "by_age": .list(
                figures.ages.map { age in
                    [
                        "label": .text(strings["dashboard.age." + age.name]),
                        "url": age.days.map { .text("/tasks?due=" + $0.word) } ?? .null,
                        "count": .text(strings.grouped(age.count)),
                        "percent": .text(String(share(age.count, of: mostLate))),
                    ]
                }),
        ]
    }

    /// In hundredths: what is there at all can be seen beside however much more.
    private static func share(_ count: Int, of highest: Int) -> Int {
        count == 0 ? 0 : max(1, (count * 200 + highest) / (highest * 2))
    }

    private static func lines(_ figures: DashboardFigures, _ strings: Strings) -> String {
        let figures = [
            ("open", figures.open), ("today", figures.dueToday), ("overdue", figures.overdue), ("week", figures.doneThisWeek),
        ]
        return figures.map { "\(strings["dashboard." + $0.0])\t\($0.1)\n" }.joined()
    }
}

/// The figures for scripts.
private struct DashboardJSON: Encodable {
    struct DayJSON: Encodable {
        let day: String
        let completed: Int
    }

    struct CategoryJSON: Encodable {
        let category: String
        let name: String
        let open: Int
    }

    struct AgeJSON: Encodable {
        let age: String
        let overdue: Int
    }

    let today: String
    let open: Int
    let dueToday: Int
    let overdue: Int
    let completedThisWeek: Int
    let days: [DayJSON]
    let categories: [CategoryJSON]
    let ages: [AgeJSON]

    init(_ figures: DashboardFigures, _ strings: Strings) {
        today = figures.today.description
        open = figures.open
        dueToday = figures.dueToday
        overdue = figures.overdue
        completedThisWeek = figures.doneThisWeek
        days = figures.days.map { DayJSON(day: $0.day.description, completed: $0.count) }
        categories = figures.byCategory.map {
            CategoryJSON(category: $0.category.key, name: $0.category.name(strings), open: $0.count)
        }
        ages = figures.ages.map { AgeJSON(age: $0.name, overdue: $0.count) }
    }

    enum CodingKeys: String, CodingKey {
        case today, open, overdue, days, categories, ages
        case dueToday = "due_today"
        case completedThisWeek = "completed_this_week"
    }
}
