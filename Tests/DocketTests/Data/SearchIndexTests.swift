// The search index says the same as looking at every text, whatever was written, changed and removed, and however far behind it is.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct SearchIndexTests {
    private let test: TestApp
    private let user: User
    private let categories: [Docket.Category]

    init() throws {
        test = try TestApp()
        _ = try test.person("ada")
        _ = try test.person("bob")
        user = try test.user("ada")
        categories = try Category.all(test.database, userID: user.id)
    }

    private var repository: TaskRepository {
        var repository = TaskRepository(test.database, owner: user, now: test.now)
        repository.indexThreshold = 0
        return repository
    }

    private static let pieces = [
        "a", "b", "A", "é", "e\u{301}", "ß", "ss", "ﬁ", "ａ", "０", "1", " ", "\u{3000}", "牛", "奶", "面", "包", "がぎ", "が", "한", "국",
        "й", "и", "Ω",
        "%", "_", "'", "\"", "*", "(", "AND", "·", "-", "😀", "👩‍👧", "\u{FDFA}", "z", "\u{180}", "ƀ", "7", "\\", "^", ":", "٣", "क्ष",
    ]

    private func text(_ generator: inout SeededGenerator, _ lengths: ClosedRange<Int>) -> String {
        (0..<Int.random(in: lengths, using: &generator)).map { _ in Self.pieces.randomElement(using: &generator) ?? "a" }.joined()
    }

    private func draft(_ generator: inout SeededGenerator) -> TaskDraft {
        TaskDraft(
            title: "t" + text(&generator, 1...12), content: text(&generator, 0...20),
            priority: Priority.allCases.randomElement(using: &generator) ?? .low,
            status: TaskStatus.allCases.randomElement(using: &generator) ?? .pending,
            category: categories.randomElement(using: &generator) ?? categories[0],
            due: Bool.random(using: &generator) ? nil : Day("2026-12-24").map { .day($0) },
            isPinned: Bool.random(using: &generator))
    }

    private func filter(_ search: String, _ generator: inout SeededGenerator) -> TaskFilter {
        var filter = TaskFilter()
        filter.search = search
        filter.status = StatusCondition.allCases.randomElement(using: &generator) ?? .all
        filter.order = TaskOrder.allCases.randomElement(using: &generator) ?? .newest
        if Int.random(in: 0...3, using: &generator) == 0 { filter.priority = .high }
        if Int.random(in: 0...3, using: &generator) == 0 { filter.category = categories[0] }
        if Int.random(in: 0...3, using: &generator) == 0 { filter.due = .any }
        if Int.random(in: 0...5, using: &generator) == 0 { filter.pinnedOnly = true }
        return filter
    }

    @Test("It finds what a look at every text finds, in every script and order", arguments: [1, 2, 3, 4] as [UInt64])
    func exact(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let index = SearchIndex(test.database)
        let plain = TaskRepository(test.database, owner: user, now: test.now)
        let other = TaskRepository(test.database, owner: try test.user("bob"), now: test.now)
        var others = draft(&generator)
        others.category = try Category.all(test.database, userID: other.owner.id)[0]
        var found = 0
        for step in 0..<400 {
            switch Int.random(in: 0...9, using: &generator) {
            case 0...4:
                _ = try repository.create(draft(&generator))
                _ = try other.create(others)
            case 5:
                let tasks = try plain.list(TaskFilter(), offset: 0, limit: 200, total: 200)
                if let task = tasks.randomElement(using: &generator) {
                    _ = try repository.save(task.id, draft(&generator), version: nil)
                }
            case 6:
                let change = try test.database.scalar("SELECT max(id) FROM changes WHERE kind = 'edit' AND undone_by IS NULL")
                if let change { _ = try? test.database.savepoint { try repository.undo(Int(change)) } }
            case 7 where step % 20 == 0:
                let tasks = try plain.list(TaskFilter(), offset: 0, limit: 3, total: 3)
                if !tasks.isEmpty { _ = try repository.perform(.trash, on: .ids(tasks.map(\.id))) }
                _ = try repository.emptyTrash()
            default: while try index.step(slack: Int.random(in: 1...30, using: &generator), size: 7) {}
            }
            guard step % 2 == 0 else { continue }
            let sample = try test.database.rows("SELECT title || ' ' || content FROM tasks ORDER BY random() LIMIT 1") {
                try $0.text(0)
            }
            let characters = Array(sample.first ?? "")
            let start = characters.isEmpty ? 0 : Int.random(in: 0..<characters.count, using: &generator)
            let part = String(characters.dropFirst(start).prefix(Int.random(in: 1...6, using: &generator)))
            let search = Bool.random(using: &generator) ? part : part + " " + text(&generator, 1...2)
            let filter = filter(search, &generator)
            let wanted = try plain.count(filter)
            #expect(try repository.count(filter) == wanted, "seed \(seed), step \(step): \(filter)")
            let offset = wanted == 0 ? 0 : Int.random(in: 0..<wanted, using: &generator)
            var looked = try repository.find(filter, Bool.random(using: &generator) ? .whole : .quick)
            #expect(looked.total == TaskTotal(wanted), "seed \(seed), step \(step): \(filter)")
            let page = try repository.page(filter, &looked, offset: offset, limit: 10).map(\.number)
            let plainPage = try plain.list(filter, offset: offset, limit: 10, total: wanted).map(\.number)
            #expect(page == plainPage, "seed \(seed), step \(step): \(filter)")
            found += wanted
        }
        #expect(found > 200)
        #expect(try index.through() > 0)
    }

    @Test func `What is gone leaves the index too, and numbers are not given twice`() throws {
        var generator = SeededGenerator(seed: 7)
        let index = SearchIndex(test.database)
        for _ in 0..<30 { _ = try repository.create(draft(&generator)) }
        while try index.step(slack: 1, size: 7) {}
        #expect(try index.through() == 30)
        _ = try repository.perform(.trash, on: .filter(TaskFilter()))
        var completed = TaskFilter()
        completed.status = .completed
        _ = try repository.perform(.trash, on: .filter(completed))
        _ = try repository.emptyTrash()
        var draft = draft(&generator)
        draft.title = "牛奶"
        _ = try repository.create(draft)
        #expect(try test.database.scalar("SELECT number FROM tasks") == 31)
        while try index.step(slack: 1, size: 7) {}
        // Nothing is left of the thirty.
        let term = "\"\(user.id)·t\""
        #expect(try test.database.scalar("SELECT count(*) FROM search_terms WHERE search_terms MATCH \(term)") == 0)
        #expect(try index.through() == 31)
    }

    @Test func `A page of a search walks the index of terms and then only its own rows`() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<20 { _ = try repository.create(draft(&generator)) }
        while try SearchIndex(test.database).step(slack: 1, size: 7) {}
        var filter = TaskFilter()
        filter.search = "牛奶 ab"
        let (recent, indexed) = (try repository.sources(filter, keeps: true)[0], try repository.sources(filter, keeps: true)[1])
        let plan = try test.database.explain(indexed)
        #expect(
            plan.contains { $0.contains("search_terms VIRTUAL TABLE INDEX") } && !plan.contains { $0.contains("B-TREE") },
            "\(plan)")
        for plan in [plan, try test.database.explain(recent)] {
            #expect(plan.filter { $0.contains("tasks USING") }.allSatisfy { $0.contains("USING INTEGER PRIMARY KEY") }, "\(plan)")
        }
        // Days that few tasks have are looked through sooner than the index of terms.
        filter.due = .today
        let few = try repository.sources(filter, keeps: true)
        #expect(few.count == 1)
        #expect(try test.database.explain(few[0]).allSatisfy { $0.contains("INDEX tasks_by_due") })
    }

    @Test func `Looking ends where it takes long, says so, shows what it found, and goes on where it is asked to`() throws {
        try test.database.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
            INSERT INTO tasks (id, user_id, category_id, priority, status, pinned, created_at, updated_at, title, folded)
            SELECT randomblob(16), \(user.id), \(categories[0].id), 1, 0, 0, i, i, 'abc bcd ' || i, 'abc bcd ' || iif(i = 7, 'abcd', i) FROM n
            """)
        try DatabaseMend.counters.mend(test.database)
        while try SearchIndex(test.database).step(slack: 1, size: 500) {}
        for order in TaskOrder.allCases {
            var filter = TaskFilter()
            (filter.search, filter.order) = ("abcd", order)
            var repository = repository
            repository.stepLimit = 20_000
            var found = try repository.find(filter)
            #expect(found.total.isCutShort && !found.total.isExact && found.total.count < 2)
            #expect(try repository.page(filter, &found, offset: 0, limit: 10).count == found.total.count)
            found = try repository.find(filter, .whole)
            #expect(found.total == TaskTotal(1))
            #expect(try repository.page(filter, &found, offset: 0, limit: 10).map(\.number) == [7])
            #expect(try repository.numbers(filter) == [7])
        }
        // Many that cost much share what three may take; what costs little is exact beside them, wherever it stands.
        var (costly, cheap) = (TaskFilter(), TaskFilter())
        (costly.search, cheap.due) = ("abc", .today)
        var frugal = repository
        frugal.stepLimit = 20_000
        let one = try frugal.total(costly)
        let totals = try frugal.totals(Array(repeating: costly, count: 26) + [cheap, TaskFilter()])
        #expect(one.isCutShort && one.count > 0 && totals[0].count > one.count / 2)
        #expect(totals[..<26].allSatisfy { $0.isCutShort } && totals[..<26].reduce(0) { $0 + $1.count } < 4 * one.count)
        #expect(totals[26...] == [TaskTotal(0), TaskTotal(6_000)])
        // The connection is as it was: nothing else ends early.
        #expect(try test.database.scalar("SELECT count(*) FROM tasks WHERE folded LIKE '%b%'") == 6_000)
    }

    @Test func `Counting ends at a bound, says so, and goes on where it is asked to`() throws {
        let ada = test.stranger()
        ada.cookies["docket"] = try SessionRepository(test.database).create(
            userID: user.id, address: "", userAgent: "", now: test.now
        ).text
        try test.database.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10050)
            INSERT INTO tasks (id, user_id, category_id, priority, status, pinned, created_at, updated_at, title, folded)
            SELECT randomblob(16), \(user.id), \(categories[0].id), 1, 0, 0, i, i, 'milk ' || i, 'milk ' || i FROM n
            """)
        var filter = TaskFilter()
        filter.search = "milk"
        for step in 0..<2 {
            #expect(try repository.total(filter) == TaskTotal(10_000, isExact: false))
            #expect(try repository.count(filter) == 10_050)
            let page = try ada.get("/tasks?q=milk&per_page=100")
            #expect(
                page.contains("1–100 of more than 10,000") && page.contains("Page 1 of more than 100")
                    && !page.contains("rel=\"last\""))
            let link = try #require(
                HTMLCheck.tags(page.bytes).compactMap { HTMLReader.attribute("href", $0) }.first { $0.contains("count=all") })
            #expect(try ada.get(link).contains("1–100 of 10,050"))
            #expect(try ada.get("/tasks?q=milk&per_page=100&page=101").contains("10,001–10,050 of 10,050"))
            #expect(try ada.get("/tasks?q=milk&per_page=10", accept: "application/json").contains("\"total\":10050"))
            if step == 0 { while try SearchIndex(test.database).step() {} }
        }
        #expect(try SearchIndex(test.database).through() > 9_000)
    }
}
