// The side bar of every page: names, addresses and counts are made once a summary, so that a page only tells where it is.

import HTTP
import Mustache

/// The side bar of one person in one language.
struct SideBar: Sendable {
    /// A line of a list with its address, without telling whether it is the page's own.
    private struct Line: Sendable {
        let address: String
        let names: Object

        func value(_ isCurrent: Bool) -> Value { .object(names.appending(["current": .bool(isCurrent)])) }
    }

    private var counts: Object = [:]
    private var categories: [Line] = []
    private var filters: [Line] = []
    /// The lists where none of their lines is the page's own, as on most pages.
    private var categoriesElsewhere: Value = []
    private var filtersElsewhere: Value = []

    /// An empty one.
    init() {}

    init(_ summary: Summary, _ strings: Strings) {
        func shown(_ count: Int) -> Value { count == 0 ? "" : .text(strings.grouped(count)) }
        counts = [
            "all_count": shown(summary.open), "today_count": shown(summary.dueToday), "overdue_count": shown(summary.overdue),
            "pinned_count": shown(summary.pinned), "trash_count": shown(summary.trashed),
            "has_filters": .bool(!summary.filters.isEmpty),
        ]
        categories = summary.categories.map { category in
            let address = "/tasks?category=" + PercentEncoding.encode(category.key)
            return Line(
                address: address,
                names: [
                    "name": .text(category.name(strings)), "url": .text(address), "color": .text("color-\(category.color)"),
                    "icon": .text(category.icon), "count": shown(summary.openByCategory[category.id] ?? 0),
                ])
        }
        filters = summary.filters.map { entry in
            Line(
                address: entry.filter.path,
                names: [
                    "name": .text(entry.filter.name), "url": .text(entry.filter.path),
                    "count": entry.total.isExact ? shown(entry.total.count) : .text(strings.grouped(entry.total.count) + "+"),
                ])
        }
        categoriesElsewhere = .list(categories.map { $0.value(false) })
        filtersElsewhere = .list(filters.map { $0.value(false) })
    }

    /// What the layout's template calls `nav`, on the page of a path and a query.
    func value(path: String, query: String) -> Value {
        let isList = path == "/tasks"
        let own: Object = [
            "at_all": .bool(isList && query.isEmpty), "at_today": .bool(isList && query == "due=today"),
            "at_overdue": .bool(isList && query == "due=overdue"), "at_pinned": .bool(isList && query == "pinned=1"),
            "at_dashboard": .bool(path == "/dashboard"), "at_trash": .bool(path == "/trash"),
            "at_settings": .bool(["/settings", "/admin", "/export", "/import"].contains { path.utf8.starts(with: $0.utf8) }),
            "at_help": .bool(path == "/help"),
            "categories": isList && !query.isEmpty ? Self.list(categories, at: path + "?" + query) : categoriesElsewhere,
            "filters": path.utf8.starts(with: "/filters/".utf8) ? Self.list(filters, at: path) : filtersElsewhere,
        ]
        return .object(own.appending(counts))
    }

    private static func list(_ lines: [Line], at address: String) -> Value {
        .list(lines.map { $0.value($0.address.utf8.elementsEqual(address.utf8)) })
    }
}
