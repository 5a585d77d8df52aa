// The marked words of quick add: what is taken, what stays text.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct QuickAddWordsTests {
    /// 2026-11-30 09:00 UTC, a Monday.
    private let now = Instant(milliseconds: 1_796_029_200_000)

    /// A line as its title and what was taken: `Buy milk | 2026-12-01 work high pinned`.
    private func read(_ line: String) throws -> String {
        let test = try TestApp()
        _ = try test.person("ada")
        let categories = try Category.all(test.database, userID: try test.user("ada").id)
        let zone = try Zone(named: "Europe/Berlin")
        let lookup = CategoryLookup(categories, Language.allCases.map { test.app.strings($0) })
        let words = QuickAddWords(line, categories: lookup, zone: zone, now: now)
        var parts = [words.title, "|"]
        if let due = words.due { parts.append(due.formText(in: zone)) }
        if let category = words.category { parts.append(category.key) }
        if let priority = words.priority { parts.append(priority.word) }
        if words.isPinned { parts.append("pinned") }
        return parts.joined(separator: " ")
    }

    @Test(
        "Marked words are taken wherever they stand",
        arguments: [
            ("Buy milk !high", "Buy milk | high"), ("!!! Buy milk", "Buy milk | high"), ("Buy #work milk", "Buy milk | work"),
            ("Buy milk ^tomorrow", "Buy milk | 2026-12-01"), ("Buy milk ^2026-12-24 18:30", "Buy milk | 2026-12-24T18:30"),
            ("Buy milk ^fri", "Buy milk | 2026-12-04"), ("Buy ^next monday milk", "Buy milk | 2026-12-07"),
            ("* Buy milk", "Buy milk | pinned"),
            ("Buy milk ^tomorrow 6pm #life !low *", "Buy milk | 2026-12-01T18:00 life low pinned"),
            ("买牛奶 ^明天", "买牛奶 | 2026-12-01"), ("买牛奶 ^后天 #生活", "买牛奶 | 2026-12-02 life"), ("买牛奶 ^下周一 !高", "买牛奶 | 2026-12-07 high"),
            ("买牛奶 ^今晚8点", "买牛奶 | 2026-11-30T20:00"), ("买牛奶　＃工作　！高", "买牛奶 | work high"), ("Milk #WORK !High", "Milk | work high"),
        ])
    func takes(line: String, expected: String) throws {
        #expect(try read(line) == expected)
    }

    @Test(
        "Everything else stays text",
        arguments: [
            "Learn C#", "2+2", "a@b.c", "Buy milk!", "Wow!!!", "2^3", "#", "^", "!", "!!", "#nothing like this", "^someday",
            "^2026-02-30",
            "a ^ b", "Buy  two   spaces", "!urgent", "issue#work", "\"buy #work now\"", "\"", "\"#work", "**bold**",
        ])
    func leaves(line: String) throws {
        #expect(try read(line) == line + " |")
    }

    @Test(
        "What is quoted is text and loses its marks; a kind is taken once; a line of marked words alone is all title",
        arguments: [
            ("Say \"#work\"", "Say #work |"), ("Say “!high” #work", "Say !high | work"), ("a #work #life", "a #life | work"),
            ("a ^fri ^mon", "a ^mon | 2026-12-04"), ("#work", "#work |"), ("^tomorrow #work", "^tomorrow #work |"),
        ])
    func quotes(line: String, expected: String) throws {
        #expect(try read(line) == expected)
    }

    @Test func `The form on the page reads them, a script's title is literal unless it asks`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let page = try ada.get("/tasks").submit("/tasks", [("title", "Buy milk #work ^fri"), ("category", "life")])
        #expect(page.contains("Fri 4 Dec") && page.texts("a href=\"/tasks/").contains("Buy milk"))
        try ada.post("/tasks", [("title", "Plain #work")])
        try ada.post("/tasks", [("title", "Asked #life"), ("words", "1")])
        let titles = try test.database.rows("SELECT title FROM tasks ORDER BY number") { try $0.text(0) }
        #expect(titles == ["Buy milk", "Plain #work", "Asked"])
    }

    @Test func `Several lines are shown as they were read, added in one change, and undone in one`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let preview = try ada.post(
            "/tasks/lines", [("lines", "- Milk ^tomorrow\r\n\r\n- Bread #work\n* Rice"), ("next", "/tasks?due=today")])
        #expect(preview.status == 200 && preview.contains("3 tasks, as they were read"))
        #expect(preview.contains("tomorrow") && preview.contains("Add 3 tasks"))
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 0)
        let added = try preview.submit("/tasks/lines", [("confirm", "1")])
        #expect(added.contains("Added 3 tasks."))
        try preview.submit("/tasks/lines", [("confirm", "1")])  // sent twice
        #expect(
            try test.database.rows("SELECT title FROM tasks ORDER BY number DESC") { try $0.text(0) } == [
                "Milk", "Bread", "Rice",
            ])
        let undo = try #require(added.forms.first { $0.action.hasPrefix("/undo/") })
        try ada.post(undo.action)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks WHERE trashed_at IS NULL") == 0)
    }

    @Test func `A line that is wrong adds none of them and is told`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let lines = "Milk\n" + String(repeating: "x", count: 501)
        let preview = try ada.post("/tasks/lines", [("lines", lines)])
        #expect(preview.status == 200 && preview.contains("this one has 501") && !preview.contains("name=\"confirm\""))
        #expect(try ada.post("/tasks/lines", [("lines", lines), ("confirm", "1")]).status == 422)
        #expect(try ada.post("/tasks/lines", [("lines", " \n "), ("confirm", "1")]).status == 422)
        let many = Array(repeating: "a", count: 201).joined(separator: "\n")
        #expect(try ada.post("/tasks/lines", [("lines", many), ("confirm", "1")]).status == 422)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 0)
        ada.token = try test.token("ada", scope: .add)
        ada.cookies = [:]
        let script = try ada.post("/tasks/lines", [("lines", "Milk\nBread !high")], accept: "*/*")
        #expect(script.status == 201 && script.text == "added 2\n")
    }
}
