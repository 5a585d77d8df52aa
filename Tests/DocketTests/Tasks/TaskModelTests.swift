// Random changes against the plainest model: all rows in an array, sorted and filtered by hand.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct TaskModelTests {
    /// One row as far as a change can be seen.
    private struct Row: Equatable {
        let id: TaskID
        let task: [String]
        let isTrashed: Bool

        init(_ task: TaskItem) {
            id = task.id
            isTrashed = task.trashedAt != nil
            self.task = [
                task.title, task.content, task.priority.word, task.status.word, "\(task.categoryID)",
                "\(String(describing: task.due))",
                "\(String(describing: task.dueKey))", "\(task.isPinned)", "\(String(describing: task.completedAt))",
                "\(String(describing: task.trashedAt))",
            ]
        }
    }

    private static let words = [
        "milk", "Milch", "牛奶", "今天买牛奶和面包", "Café", "CAFÉ", "ｍｉｌｋ", "ＡＢＣ１２３", "Привет", "ПРИВЕТ", "ÄPFEL", "straße", "STRASSE",
        "100%",
        "a_b", "axb", "TO-123", "\"quoted\"", "שלום", "مرحبا", "हिन्दी", "👨‍👩‍👧‍👦", "𝔘nicode", "ﬁsh", "İstanbul", "e\u{301}te", "가나다",
        "カメラ", "ｶﾒﾗ", "x", "牛",
    ]

    private let test: TestApp
    private let user: User
    private let categories: [Docket.Category]

    init() throws {
        test = try TestApp()
        _ = try test.person("bob")
        _ = try test.person("ada")
        user = try test.user("ada")
        categories = try Category.all(test.database, userID: user.id)
    }

    private func repository(_ generator: inout SeededGenerator) -> TaskRepository {
        // Few times, so that many keys are equal.
        TaskRepository(test.database, owner: user, now: test.now.adding(seconds: Int.random(in: -3...0, using: &generator) * 60))
    }

    private func due(_ generator: inout SeededGenerator) -> Due? {
        let offset = Int.random(in: -12...12, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0: return nil
        case 1: return .day(user.zone.day(at: test.now).adding(days: offset))
        default: return .moment(test.now.adding(seconds: offset * 3_600 * Int.random(in: 1...24, using: &generator)))
        }
    }

    private func text(_ generator: inout SeededGenerator) -> String {
        (0...Int.random(in: 0...3, using: &generator)).map { _ in Self.words.randomElement(using: &generator) ?? "" }.joined(
            separator: " ")
    }

    private func draft(_ generator: inout SeededGenerator) -> TaskDraft {
        TaskDraft(
            title: text(&generator), content: Bool.random(using: &generator) ? text(&generator) : "",
            priority: Priority.allCases.randomElement(using: &generator) ?? .low,
            status: Bool.random(using: &generator) ? .pending : .completed,
            category: categories.randomElement(using: &generator) ?? categories[0],
            due: due(&generator), isPinned: Int.random(in: 0...4, using: &generator) == 0)
    }

    private func filter(_ generator: inout SeededGenerator) -> TaskFilter {
        var filter = TaskFilter()
        filter.order = TaskOrder.allCases.randomElement(using: &generator) ?? .newest
        filter.status = StatusCondition.allCases.randomElement(using: &generator) ?? .all
        if Int.random(in: 0...3, using: &generator) == 0 { filter.category = categories.randomElement(using: &generator) }
        if Int.random(in: 0...3, using: &generator) == 0 { filter.priority = Priority.allCases.randomElement(using: &generator) }
        filter.pinnedOnly = Int.random(in: 0...5, using: &generator) == 0
        let today = user.zone.day(at: test.now)
        let from = today.adding(days: Int.random(in: -9...0, using: &generator))
        let to = today.adding(days: Int.random(in: 0...9, using: &generator))
        let dues: [DueCondition?] = [
            nil, nil, nil, .overdue, .today, .week, DueCondition.none, .any, .range(from, to), .range(from, nil), .range(nil, to),
        ]
        filter.due = dues.randomElement(using: &generator) ?? nil
        if Int.random(in: 0...3, using: &generator) == 0 {
            // Often a piece of a word, cut anywhere between characters.
            let word = Self.words.randomElement(using: &generator) ?? ""
            filter.search = Bool.random(using: &generator) ? word : String(word.suffix(Int.random(in: 1...3, using: &generator)))
        }
        return filter
    }

    private func all() throws -> [TaskItem] {
        try test.database.rows("SELECT \(TaskItem.columns) FROM tasks WHERE user_id = \(user.id)", TaskItem.init(row:))
    }

    /// What a filter shows, by hand.
    private func expected(_ filter: TaskFilter, _ tasks: [TaskItem]) -> [Int] {
        let (zone, today) = (user.zone, user.zone.day(at: test.now))
        let words = filter.search.split(whereSeparator: \.isWhitespace).map { Folding.fold(String($0)) }.filter { !$0.isEmpty }
        func shows(_ task: TaskItem) -> Bool {
            guard task.trashedAt == nil, filter.status.statuses.contains(task.status), !filter.pinnedOnly || task.isPinned else {
                return false
            }
            if let category = filter.category, category.id != task.categoryID { return false }
            if let priority = filter.priority, priority != task.priority { return false }
            let texts = [Folding.fold(task.title), Folding.fold(task.content)]
            guard words.allSatisfy({ word in texts.contains { Data($0).range(of: Data(word)) != nil } }) else { return false }
            let day = task.due?.day(in: zone)
            switch filter.due {
            case nil: return true
            case .some(.none): return task.due == nil
            case .any: return task.due != nil
            case .overdue: return task.due.map { $0.isOverdue(at: test.now, in: zone) } ?? false
            case .today: return day == today
            case .week:
                let start = today.startOfWeek(first: user.firstWeekday)
                return day.map { $0 >= start && $0 < start.adding(days: 7) } ?? false
            case .range(let from, let to): return day.map { (from ?? $0) <= $0 && $0 <= (to ?? $0) } ?? false
            }
        }
        func precedes(_ a: TaskItem, _ b: TaskItem) -> Bool {
            if a.isPinned != b.isPinned { return a.isPinned }
            switch filter.order {
            case .newest: return (a.createdAt.milliseconds, a.number) > (b.createdAt.milliseconds, b.number)
            case .oldest: return (a.createdAt.milliseconds, a.number) < (b.createdAt.milliseconds, b.number)
            case .priority:
                return (a.priority.rawValue, Int(a.createdAt.milliseconds), a.number) > (
                    b.priority.rawValue, Int(b.createdAt.milliseconds), b.number
                )
            case .dueSoonest: return (a.dueKey ?? .max, a.number) < (b.dueKey ?? .max, b.number)
            case .dueLatest: return (a.dueKey ?? .min, a.number) > (b.dueKey ?? .min, b.number)
            }
        }
        return tasks.filter(shows).sorted(by: precedes).map(\.number)
    }

    private func checkCounts(_ comment: Comment) throws {
        let counted = try test.database.rows(
            """
            SELECT printf('%d %d %d %d %d %d', user_id, status, category_id, priority, pinned, count(*)) FROM tasks WHERE trashed_at IS NULL
            GROUP BY user_id, status, category_id, priority, pinned ORDER BY 1
            """
        ) { try $0.text(0) }
        let kept = try test.database.rows(
            """
            SELECT printf('%d %d %d %d %d %d', user_id, status, category_id, priority, pinned, count) FROM task_counts WHERE count <> 0 ORDER BY 1
            """
        ) { try $0.text(0) }
        #expect(kept == counted, comment)
    }

    /// One random change; nil where nothing differed.
    private func change(_ generator: inout SeededGenerator, _ tasks: [TaskItem]) throws -> Change? {
        let repository = repository(&generator)
        guard let some = tasks.randomElement(using: &generator), Int.random(in: 0...3, using: &generator) > 0 else {
            return try repository.create(draft(&generator)).change
        }
        if some.trashedAt == nil, Int.random(in: 0...3, using: &generator) == 0 {
            guard case .saved(let change, _) = try repository.save(some.id, draft(&generator), version: some.version) else {
                throw Refusal.conflict("a save from the newest version")
            }
            return change
        }
        let actions: [TaskAction] = [
            .complete, .reopen, .pin, .unpin, .trash, .restore, .restore,
            .category(categories.randomElement(using: &generator) ?? categories[0]),
            .priority(Priority.allCases.randomElement(using: &generator) ?? .low), .due(due(&generator)),
        ]
        let action = actions.randomElement(using: &generator) ?? .pin
        switch Int.random(in: 0...3, using: &generator) {
        case 0: return try repository.perform(action, on: .filter(filter(&generator))).change
        case 1:
            let ids = tasks.shuffled(using: &generator).prefix(Int.random(in: 2...9, using: &generator)).map(\.id)
            return try repository.perform(action, on: .ids(ids + ids.prefix(1))).change
        default: return try repository.perform(action, on: .ids([some.id])).change
        }
    }

    @Test("Counts, lists, searches and undo stay right through thousands of random changes", arguments: [1, 2, 3] as [UInt64])
    func randomChanges(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for step in 0..<700 {
            let before = try all()
            let made = try change(&generator, before)
            if step % 5 == 0 { try checkCounts("seed \(seed), step \(step)") }
            if let made, Int.random(in: 0...2, using: &generator) == 0 {
                let undone = try repository(&generator).undo(made.id)
                #expect(undone.leftAlone == 0, "seed \(seed), step \(step)")
                // What the change made is in the trash now; everything else is as it was.
                let known = Set(before.map(\.id))
                let after = try all()
                #expect(
                    after.filter { known.contains($0.id) }.map(Row.init) == before.map(Row.init), "seed \(seed), step \(step)")
                #expect(after.filter { !known.contains($0.id) }.allSatisfy { $0.trashedAt != nil })
                #expect(throws: Refusal.conflict("error.undone_already")) { _ = try repository(&generator).undo(made.id) }
                if Bool.random(using: &generator) { _ = try repository(&generator).undo(undone.change.id) }
            }
            if step % 150 == 149 { _ = try repository(&generator).emptyTrash() }
            if step % 4 == 0 {
                let filter = filter(&generator)
                let repository = TaskRepository(test.database, owner: user, now: test.now)
                let wanted = expected(filter, try all())
                #expect(try repository.count(filter) == wanted.count, "seed \(seed), step \(step): \(filter)")
                let offset = wanted.isEmpty ? 0 : Int.random(in: 0..<wanted.count, using: &generator)
                let listed = try repository.list(filter, offset: offset, limit: 30, total: wanted.count).map(\.number)
                #expect(listed == Array(wanted.dropFirst(offset).prefix(30)), "seed \(seed), step \(step): \(filter)")
            }
        }
        try checkCounts("seed \(seed), at the end")
        #expect(try test.database.foreignKeyCheck() == [])
    }

    @Test func `Undo leaves alone what was changed since, and tells how much`() throws {
        var generator = SeededGenerator(seed: 4)
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        let ids = try (0..<3).map { _ in
            var draft = draft(&generator)
            (draft.status, draft.isPinned) = (.pending, false)
            return try repository.create(draft).id
        }
        let pinned = try #require(try repository.perform(.pin, on: .ids(ids)).change)
        _ = try repository.perform(.unpin, on: .ids([ids[0]]))
        _ = try repository.perform(.complete, on: .ids([ids[1]]))
        let undone = try repository.undo(pinned.id)
        #expect(undone.change.taskCount == 2 && undone.leftAlone == 1)
        #expect(try ids.allSatisfy { try repository.find($0)?.isPinned == false })
        #expect(try repository.find(ids[1])?.status == .completed, "another field that was changed since stays changed")
    }

    @Test func `A due day can be undone after its owner has moved to another zone`() throws {
        var generator = SeededGenerator(seed: 5)
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        let id = try repository.create(draft(&generator)).id
        let before = try #require(try repository.find(id)?.due)
        let day = try #require(Day("2027-01-31"))
        let change = try #require(try repository.perform(.due(.day(day)), on: .ids([id])).change)
        try test.database.execute("UPDATE users SET time_zone = 'Pacific/Auckland' WHERE id = \(user.id)")
        let moved = TaskRepository(test.database, owner: try test.user("ada"), now: test.now)
        try moved.rekey()
        #expect(try moved.undo(change.id).leftAlone == 0)
        let after = try #require(try moved.find(id))
        #expect(after.due == before && after.dueKey == before.key(in: moved.owner.zone))
    }

    @Test func `A change whose category is gone is undone without it breaking anything`() throws {
        var generator = SeededGenerator(seed: 6)
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        var draft = draft(&generator)
        draft.category = categories[0]
        let id = try repository.create(draft).id
        let change = try #require(try repository.perform(.category(categories[1]), on: .ids([id])).change)
        try test.database.execute("DELETE FROM categories WHERE id = \(categories[0].id)")
        #expect(throws: Refusal.conflict("error.nothing_to_undo")) {
            try test.database.savepoint { _ = try repository.undo(change.id) }
        }
        #expect(try repository.find(id)?.categoryID == categories[1].id)
    }

    @Test func `Search answers as a scan of the folded texts does, in any mix of scripts`() throws {
        var generator = SeededGenerator(seed: 7)
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        let letters = Array("abcABCéÉßſİıàãñøŁжЖйЙαΑςσ牛奶今天買买가각カメラｶﾀﾅ１２３①ﬁ％%_\"'*-+^~()שלםمرحहिन्😀🏳️‍🌈 \u{3000}\u{301}\u{200D}")
        func random(_ count: ClosedRange<Int>) -> String {
            String((0..<Int.random(in: count, using: &generator)).compactMap { _ in letters.randomElement(using: &generator) })
        }
        var tasks: [TaskItem] = []
        for _ in 0..<150 {
            var draft = draft(&generator)
            (draft.title, draft.content, draft.status) = ("x" + random(1...12), random(0...20), .pending)
            tasks.append(try #require(try repository.find(try repository.create(draft).id)))
        }
        for _ in 0..<400 {
            var filter = TaskFilter()
            filter.search = random(1...3)
            // Quotations and words left out have tests of their own.
            guard Piece.all(filter.search).allSatisfy({ $0.quoted == nil && !SearchQuery.isExcluded($0) }) else { continue }
            let words = filter.search.unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
                .map { Data(Folding.fold(String(Substring($0)))) }.filter { !$0.isEmpty }
            let wanted = tasks.filter { task in
                let texts = [Data(Folding.fold(task.title)), Data(Folding.fold(task.content))]
                return words.allSatisfy { word in texts.contains { $0.range(of: word) != nil } }
            }.map(\.number)
            let listed = try repository.list(filter, offset: 0, limit: 200, total: try repository.count(filter)).map(\.number)
            #expect(Set(listed) == Set(wanted), "\(filter.search.debugDescription)")
        }
    }
}
