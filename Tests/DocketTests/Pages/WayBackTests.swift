// After a change, a mistake or a wrong address: where the person is led, and what is said there.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("The way back")
struct WayBackTests {
    private func house(tasks: Int) throws -> (TestApp, Visitor) {
        let test = try TestApp()
        let ada = try test.person("ada")
        for number in 1...tasks { try ada.post("/tasks", [("title", "Task \(number)")]) }
        return (test, ada)
    }

    /// What a row's button sends.
    private func value(_ page: Page, _ name: String, row: Int) throws -> String {
        let tags = HTMLCheck.tags(page.bytes).filter { $0.hasPrefix("button name=\"\(name)\"") }
        return try #require(HTMLReader.attribute("value", tags[row - 1]))
    }

    @Test(
        "A row that is changed without JavaScript leads back to its place on the same page of the same list",
        arguments: ["complete", "pin"])
    func place(button: String) throws {
        let (_, ada) = try house(tasks: 25)
        let page = try ada.get("/tasks?sort=created_asc&per_page=20")
        #expect(page.contains(" id=\"r20\">"))
        func location(_ row: Int) throws -> String? {
            try ada.send(
                .post, "/tasks/bulk",
                FormFields.encode([("next", "/tasks?sort=created_asc&per_page=20"), (button, try value(page, button, row: row))])
            ).location
        }
        #expect(try location(15) == "/tasks?sort=created_asc&per_page=20#r11")
        #expect(try location(2) == "/tasks?sort=created_asc&per_page=20")
    }

    /// The tasks of a list.
    private static func ids(_ list: Page) -> [String] {
        HTMLCheck.tags(list.bytes).filter { $0.contains("name=\"id\"") }.compactMap { HTMLReader.attribute("value", $0) }
    }

    @Test("A bulk form that is sent twice changes things once, and both answers say what was done")
    func twice() throws {
        let (test, ada) = try house(tasks: 3)
        let list = try ada.get("/tasks")
        let ids = Self.ids(list)
        let sent = ids.prefix(2).map { ("id", Optional($0)) } + [("action", "trash")]
        for _ in 0..<2 { #expect(try list.submit("/tasks/bulk", sent).contains("Moved 2 tasks to the trash.")) }
        #expect(try test.database.scalar("SELECT count(*) FROM changes WHERE kind = 'trash'") == 1)
        // Another button of the same form is another change.
        let next = try list.submit("/tasks/bulk", [("complete", ids[2] + ".3")])
        #expect(next.contains("Completed “Task"))
        #expect(try test.database.scalar("SELECT count(*) FROM tasks WHERE status = 1") == 1)
    }

    /// Texts of a notice that says that nothing was changed.
    private static let same: [(action: String, fields: [(String, String)], key: String)] = [
        ("complete", [], "complete"), ("reopen", [], "reopen"), ("pin", [], "pin"), ("unpin", [], "unpin"),
        ("category", [("to_category", "life")], "category"), ("priority", [("to_priority", "high")], "priority"),
        ("due", [("to_due", "2026-12-24")], "due"), ("trash", [], "trash"), ("restore", [], "restore"),
    ]

    @Test("What changes nothing says so, of one task and of many", arguments: Language.allCases)
    func same(language: Language) throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        for number in 1...3 { try ada.post("/tasks", [("title", "Task \(number)")]) }
        let strings = test.app.strings(language)
        let ids = Self.ids(try ada.get("/tasks"))
        for (action, fields, key) in Self.same {
            for count in [1, 3] {
                let form = fields + [("action", action)] + ids.prefix(count).map { ("id", $0) }
                _ = try ada.post("/tasks/bulk", form)
                let page = try ada.post("/tasks/bulk", form)
                #expect(page.status == 200 && page.texts("p class=\"notice\"") == [strings.count("notice.same." + key, count)])
                #expect(try ada.post("/tasks/bulk", form, accept: "application/json").text.contains("\"changed\":0"))
            }
        }
        // What another window has thrown away meanwhile, and a filter that nothing matches.
        try ada.post("/tasks/bulk", [("action", "trash"), ("all", "1")])
        let gone = try ada.post("/tasks/\(ids[0])/completion", [("completed", "1")])
        #expect(gone.texts("p class=\"notice\"") == [strings.count("notice.same.trashed", 1)])
        let none = try ada.post("/tasks/bulk", [("action", "pin"), ("all", "1")])
        #expect(none.texts("p class=\"notice\"") == [strings["notice.same.none"]])
        #expect(try ada.post("/tasks/trash-completed").texts("p class=\"notice\"") == [strings["notice.same.none"]])
    }

    @Test("An edit that changes nothing says so")
    func sameEdit() throws {
        let (_, ada) = try house(tasks: 1)
        let id = try #require(Self.ids(try ada.get("/tasks")).first)
        let page = try ada.get("/tasks/\(id)").submit("/tasks/\(id)")
        #expect(page.texts("p class=\"notice\"") == ["Nothing to save: the task is as it was."])
    }

    @Test("A bulk form with a mistake leads back to the list that it came from")
    func mistake() throws {
        let (_, ada) = try house(tasks: 1)
        let page = try ada.post("/tasks/bulk", [("action", "trash"), ("next", "/tasks?due=today&page=2")])
        #expect(page.status == 422 && page.contains("Select tasks first."))
        #expect(page.contains("href=\"/tasks?due=today&amp;page=2\""))
        #expect(try !ada.post("/tasks/bulk", [("action", "trash"), ("next", "//evil.example")]).contains("evil"))
    }

    @Test(
        "An address that leads nowhere shows the way to what is nearest",
        arguments: [
            ("/filters/999", "/filters"), ("/categories/999", "/categories"), ("/settings/nothing", "/settings"),
            ("/admin/nothing", "/settings"), ("/tasks/999", "/tasks"), ("/nowhere", "/tasks"),
        ])
    func nowhere(address: String, way: String) throws {
        let (test, ada) = try house(tasks: 1)
        let page = try ada.get(address)
        #expect(page.status == 404 && page.contains("<a class=\"button main\" href=\"\(way)\">"))
        #expect(
            try test.stranger().get(address).contains("<a class=\"button main\" href=\"/\">") || !address.hasPrefix("/nowhere"))
    }

    @Test(
        "What is late says so in words, however late",
        arguments: [("2026-11-30T08:00", "late"), ("2026-11-27", "3 days late"), ("2026-01-05", "5 Jan, late")])
    func late(due: String, words: String) throws {
        let test = try TestApp()
        let ada = try test.person("ada", zone: "UTC")
        let page = try ada.post("/tasks", [("title", "Bread"), ("due", due)])
        #expect(page.texts("span class=\"late\"").contains { $0.hasSuffix(words) })
    }

    @Test("Where an invitation is needed the pages say so", arguments: Language.allCases)
    func invitation(language: Language) throws {
        var config = Config()
        config.registration = .invite
        let test = try TestApp(config)
        _ = try test.person("ada")
        let stranger = test.stranger()
        stranger.language = language.rawValue
        let words = test.app.strings(language)["sign_in.invite"]
        #expect(try stranger.get("/sign-in").contains(words))
        #expect(try stranger.get("/sign-up").contains(words))
    }
}
