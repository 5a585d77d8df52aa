// What every list costs: one walk along an index for each part, no sort, counts without counting.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct ListPlanTests {
    /// Every combination of conditions that the list page can ask for.
    private static func filters(_ category: Docket.Category) -> [TaskFilter] {
        let days = (Day("2026-12-01"), Day("2026-12-24"))
        let dues: [DueCondition?] = [
            nil, .overdue, .today, .week, DueCondition.none, .any, .range(days.0, days.1), .range(days.0, nil),
            .range(nil, days.1),
        ]
        var filters: [TaskFilter] = []
        for order in TaskOrder.allCases {
            for status in StatusCondition.allCases {
                for due in dues {
                    for narrow in 0..<16 {
                        var filter = TaskFilter()
                        filter.order = order
                        filter.status = status
                        filter.due = due
                        if narrow & 1 != 0 { filter.category = category }
                        if narrow & 2 != 0 { filter.priority = .high }
                        filter.pinnedOnly = narrow & 4 != 0
                        if narrow & 8 != 0 { filter.search = "milk 牛奶" }
                        filters.append(filter)
                    }
                }
            }
        }
        return filters
    }

    @Test func `Each list is a walk along an index, and only a range of due dates in another order is sorted`() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let user = try test.user("ada")
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        let category = try #require(try Category.all(test.database, userID: user.id).first)
        var bad: [String: [String]] = [:]
        for filter in Self.filters(category) {
            for backwards in [false, true] {
                for segment in repository.segments(filter, backwards: backwards) {
                    let plan = try test.database.explain(
                        repository.walk(filter, segment, backwards: backwards, limit: 25, offset: 50))
                    let walks = plan.filter { $0.contains("tasks") }
                    let isSorted = plan.contains { $0.contains("TEMP B-TREE") }
                    // Days of the calendar are few of all: their rows are found by the index of due dates, and only they are sorted.
                    let maySort = Self.isRange(filter.due) && ![.dueSoonest, .dueLatest].contains(filter.order)
                    let isByRange = walks.allSatisfy {
                        $0.contains("tasks_by_due (user_id=? AND status=? AND pinned=? AND due_key")
                    }
                    let isWalk =
                        walks.count == filter.status.statuses.count
                        && walks.allSatisfy { $0.hasPrefix(Self.walk(filter)) && $0.contains("INDEX tasks_by_") }
                        && !plan.contains { $0.hasPrefix("SCAN tasks") }
                    if !isWalk || isSorted && !(maySort && isByRange) { bad["\(plan)", default: []].append("\(filter)") }
                }
            }
        }
        // One line for each kind of plan, with the first list that has it.
        for (plan, filters) in bad { Issue.record("\(plan): \(filters.count) lists, such as \(filters[0])") }
    }

    @Test func `Where very many match, a walk goes in the order of the list, and nothing is sorted`() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let user = try test.user("ada")
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        let category = try #require(try Category.all(test.database, userID: user.id).first)
        for filter in Self.filters(category) {
            for backwards in [false, true] {
                for segment in repository.segments(filter, backwards: backwards) {
                    let plan = try test.database.explain(
                        repository.walk(filter, segment, backwards: backwards, limit: 25, offset: 50, isDense: true))
                    let walks = plan.filter { $0.contains("tasks") }
                    #expect(
                        walks.count == filter.status.statuses.count
                            && walks.allSatisfy { $0.hasPrefix(Self.walk(filter)) && $0.contains("INDEX tasks_by_") }
                            && !plan.contains { $0.contains("TEMP B-TREE") }, "\(filter) \(plan)")
                }
            }
        }
    }

    @Test func `What is looked for is looked for along an index, whatever conditions meet`() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let user = try test.user("ada")
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        let category = try #require(try Category.all(test.database, userID: user.id).first)
        let days = try #require(Day("2026-11-01"))
        for var filter in Self.filters(category) {
            for more in 0..<4 {
                filter.done = more & 1 != 0 ? days...days : nil
                filter.created = more & 2 != 0 ? DaySpan(word: "2026-11-01..") : nil
                for source in try repository.sources(filter, keeps: true) {
                    let plan = try test.database.explain(source)
                    let isByIndex = plan.allSatisfy {
                        $0.hasPrefix("SEARCH tasks USING") && ($0.contains("INDEX tasks_by_") || $0.contains("PRIMARY KEY"))
                            || $0.hasPrefix("SCAN search_terms VIRTUAL TABLE INDEX")
                    }
                    #expect(isByIndex, "\(filter) \(plan)")
                }
            }
        }
    }

    @Test("Deep pages of both statuses are the same whether one jumps there or walks", arguments: TaskOrder.allCases)
    func jumping(order: TaskOrder) throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let user = try test.user("ada")
        let category = try #require(try Category.all(test.database, userID: user.id).first)
        // Many equal keys, and the completed ones mostly at one end, so that a guess may be wrong both ways.
        try test.database.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO tasks (id, user_id, category_id, priority, status, pinned, due_at, due_key, created_at, updated_at, title, folded)
            SELECT randomblob(16), \(user.id), \(category.id), i % 3, i * i % 3000 > i, i % 7 = 0, iif(i % 4, i / 9, NULL), iif(i % 4, i / 9, NULL),
            i / 5, 0, 't', 't' FROM n
            """)
        try DatabaseMend.counters.mend(test.database)
        var walker = TaskRepository(test.database, owner: user, now: test.now)
        var jumper = walker
        (walker.jumpThreshold, jumper.jumpThreshold) = (.max, 40)
        var filter = TaskFilter()
        (filter.order, filter.status) = (order, .all)
        for priority in [nil, Priority.high] {
            filter.priority = priority
            let total = try walker.count(filter)
            for offset in stride(from: 0, to: total, by: 97) {
                let wanted = try walker.list(filter, offset: offset, limit: 10, total: total).map(\.number)
                #expect(try jumper.list(filter, offset: offset, limit: 10, total: total).map(\.number) == wanted, "\(offset)")
            }
        }
    }

    /// Only what looks into texts looks into the table, too.
    private static func walk(_ filter: TaskFilter) -> String {
        filter.search.isEmpty ? "SEARCH tasks USING COVERING INDEX tasks_by_" : "SEARCH tasks USING"
    }

    private static func isRange(_ due: DueCondition?) -> Bool {
        switch due {
        case .overdue, .today, .week, .range: true
        case nil, .some(.none), .any: false
        }
    }

    @Test func `Counting walks an index too, and never the table of everybody's tasks`() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let user = try test.user("ada")
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        let category = try #require(try Category.all(test.database, userID: user.id).first)
        for filter in Self.filters(category) where filter.order == .newest {
            let plan = try test.database.explain("SELECT count(*) FROM tasks WHERE \(repository.condition(filter))")
            #expect(plan.allSatisfy { $0.hasPrefix(Self.walk(filter)) && $0.contains("INDEX tasks_by_") }, "\(filter) \(plan)")
        }
    }

    @Test func `Where kept counts can tell, nothing is counted`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Water the plants")])
        let user = try test.user("ada")
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        try test.database.execute("UPDATE task_counts SET count = count + 1000")
        let category = try #require(try Category.all(test.database, userID: user.id).first)
        for narrow in 0..<8 {
            var filter = TaskFilter()
            if narrow & 1 != 0 { filter.category = category }
            if narrow & 2 != 0 { filter.priority = .medium }
            filter.status = narrow & 4 != 0 ? .all : .pending
            #expect(try repository.count(filter) == 1_001)
        }
    }

    @Test("Walking the pages shows each task once, with equal keys, from either end", arguments: TaskOrder.allCases)
    func walking(order: TaskOrder) throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let user = try test.user("ada")
        let category = try #require(try Category.all(test.database, userID: user.id).first)
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        let day = try #require(Day("2026-12-24"))
        for number in 0..<120 {
            let draft = TaskDraft(
                title: "Task \(number)", content: "", priority: .medium, status: .pending, category: category,
                due: number % 3 == 0 ? nil : .day(day), isPinned: number % 40 == 7)
            _ = try repository.create(draft)
        }
        var filter = TaskFilter()
        filter.order = order
        for size in [7, 10, 25, 60, 119, 120, 500] {
            var seen: [TaskItem] = []
            var offset = 0
            while offset < 120 {
                let page = try repository.list(filter, offset: offset, limit: size, total: 120)
                #expect(page.count == min(size, 120 - offset))
                seen += page
                offset += size
            }
            #expect(Set(seen.map(\.number)).count == 120, "\(size)")
            #expect(seen.prefix(3).allSatisfy(\.isPinned) && !seen.dropFirst(3).contains(where: \.isPinned))
            if order == .dueSoonest || order == .dueLatest {
                let rest = seen.dropFirst(3)
                let firstWithout = rest.firstIndex { $0.due == nil } ?? rest.endIndex
                #expect(rest[firstWithout...].allSatisfy { $0.due == nil }, "no due date is last both ways")
            }
        }
        // The same on the pages themselves.
        var titles: [String] = []
        var address: String? = "/tasks?per_page=50&sort=\(order.rawValue)"
        while let next = address {
            let page = try ada.get(next)
            titles += page.text.matches(of: /<a href="\/tasks\/[0-9a-f-]{36}"[^>]*>([^<]*)<\/a>/).map { String($0.output.1) }
            address = HTMLCheck.tags(page.bytes).first { $0.contains("rel=\"next\"") }.flatMap {
                HTMLReader.attribute("href", $0)
            }
        }
        #expect(titles.count == 120 && Set(titles).count == 120)
    }
}
