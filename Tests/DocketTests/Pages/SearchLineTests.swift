// The query line of the search field: how it is read, what it finds, what it refuses.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct SearchLineTests {
    /// 2026-11-30 09:00 UTC, a Monday.
    private func read(_ line: String) throws -> SearchLine {
        let test = try TestApp()
        _ = try test.person("ada")
        let categories = try Category.all(test.database, userID: try test.user("ada").id)
        let lookup = CategoryLookup(categories, Language.allCases.map { test.app.strings($0) })
        return SearchLine(
            ["q": line, "sort": "due_asc"], categories: lookup, zone: try Zone(named: "Europe/Berlin"), now: test.now)
    }

    @Test(
        "Conditions become the parameters of the list",
        arguments: [
            ("status:done milk", "q=milk&status=completed"), ("milk category:work bread", "q=milk bread&category=work"),
            ("category:\"Work\"", "category=work"), ("priority:high pinned:yes", "pinned=1&priority=high"),
            ("due:none", "due=none"),
            ("due:overdue", "due=overdue"), ("due:<fri", "due=..2026-12-03"), ("due:<=fri", "due=..2026-12-04"),
            ("due:>fri", "due=2026-12-05.."),
            ("due:tomorrow", "due=2026-12-01..2026-12-01"), ("created:>2026-01-01", "created=2026-01-02.."),
            ("created:2026-01-01..2026-02-01", "created=2026-01-01..2026-02-01"), ("STATUS:Open", "status=pending"),
            ("状态:已完成 牛奶", "q=牛奶&status=completed"), ("分类：工作", "category=work"), ("优先级:高", "priority=high"),
            ("截止:<周五", "due=..2026-12-03"),
            ("创建:>2026-01-01", "created=2026-01-02.."),
            ("-milk status:all \"exact words\"", "q=-milk \"exact words\"&status=all"),
        ])
    func reads(line: String, expected: String) throws {
        let read = try read(line)
        #expect(read.problems.isEmpty)
        let fields = read.query.filter { $0.name != "sort" }.map { "\($0.name)=\($0.value)" }
        #expect(fields.joined(separator: "&") == expected)
        #expect(read.query.first("sort") == "due_asc")
    }

    @Test(
        "Other words stay as they are",
        arguments: [
            "milk", "  two  spaces ", "C#", "http://a.b", "12:30", "note:this", "status:", "\"status:done\"", "a:b", "-", "-5",
            "--x", ":",
            "\"",
        ])
    func leaves(line: String) throws {
        let read = try read(line)
        #expect(read.problems.isEmpty && read.query.first("q") == line && read.query.count == 2)
    }

    @Test(
        "A mistake is a message and shows nothing",
        arguments: [
            ("status:odd", "There is no status “odd”."), ("category:nowhere", "There is no category “nowhere”."),
            ("priority:p1", "There is no priority “p1”."), ("due:someday", "There is no due condition “someday”."),
            ("due:2026-02-30", "There is no due condition “2026-02-30”."),
            ("created:<", "“&lt;” is not a day or a range of days"),
            ("status:open status:done", "this condition appears twice"),
        ])
    func refuses(line: String, message: String) throws {
        let ada = try TestApp().person("ada")
        try ada.post("/tasks", [("title", "Milk")])
        let page = try ada.get("/tasks?" + FormFields.encode([("q", line)]))
        #expect(page.status == 400 && page.contains(message))
        #expect(!page.contains("Milk") && page.form("/tasks") != nil)
        #expect(page.contains("value=\"\(line.replacing("<", with: "&lt;"))\""))
        #expect(try ada.get("/tasks?" + FormFields.encode([("q", line)]), accept: "application/json").status == 400)
        #expect(try ada.post("/tasks/bulk", [("q", line), ("all", "1"), ("action", "trash")]).status == 422)
    }

    @Test func `Words left out, exact words and days of making find what they say`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for title in ["Buy milk", "Milk to buy", "Buy bread"] { try ada.post("/tasks", [("title", title)]) }
        test.now = test.now.adding(days: 2)
        try ada.post("/tasks", [("title", "Buy rice")])
        func found(_ line: String) throws -> [String] {
            try ada.get("/tasks?format=text&" + FormFields.encode([("q", line)])).text.split(separator: "\n").map {
                String($0.dropFirst(4).prefix { $0 != "#" }.dropLast())
            }
        }
        #expect(try found("buy -milk") == ["Buy rice", "Buy bread"])
        #expect(try found("\"buy milk\"") == ["Buy milk"])
        #expect(try found("-\"buy milk\" -bread") == ["Buy rice", "Milk to buy"])
        #expect(try found("created:<tomorrow") == ["Buy rice", "Buy bread", "Milk to buy", "Buy milk"])
        #expect(try found("created:today") == ["Buy rice"])
        #expect(try found("created:<today milk") == ["Milk to buy", "Buy milk"])
    }

    @Test func `The page says how it was read, and each condition can be taken off`() throws {
        let ada = try TestApp().person("ada")
        let page = try ada.get("/tasks?" + FormFields.encode([("q", "milk -bread status:done created:>2026-01-01")]))
        for text in ["contains “milk”", "without “bread”", "completed", "created Fri 2 Jan or later"] {
            #expect(page.contains(">" + text) || page.texts("li").contains { $0.hasPrefix(text) }, "\(text)")
        }
        #expect(page.contains("value=\"milk -bread\""))
        #expect(page.contains("q=milk&amp;status=completed") && page.contains("q=-bread&amp;status=completed"))
    }
}
