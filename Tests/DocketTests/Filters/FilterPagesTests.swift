// The filter page and saved filters, as a person and a script use them.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct FilterPagesTests {
    /// Ada with five tasks.
    private func ada(_ test: TestApp, _ language: Language = .english) throws -> Visitor {
        let ada = try test.person("ada", language: language)
        for (title, category, priority, due, pinned) in [
            ("Milk", "life", "high", "2026-12-24", "1"), ("Bread", "life", "low", "2026-12-01", "0"),
            ("Report", "work", "high", "", "0"),
            ("Taxes", "work", "medium", "2026-11-01", "0"), ("Run", "health", "medium", "2026-11-30", "0"),
        ] {
            try ada.post(
                "/tasks", [("title", title), ("category", category), ("priority", priority), ("due", due), ("pinned", pinned)])
        }
        return ada
    }

    @Test(
        "The page counts what the conditions would show",
        arguments: [
            ("", 5), ("q=rea", 1), ("category=work", 2), ("category=life&priority=high", 1), ("due=overdue", 1), ("due=none", 1),
            ("due=today", 1), ("due=any", 4), ("due=range&due_from=2026-12-01&due_to=2026-12-24", 2),
            ("due=range&due_from=2026-12-02", 1),
            ("due=range&due_to=2026-11-30", 2), ("due=2026-12-01..2026-12-24", 2), ("pinned=1", 1), ("status=completed", 0),
            ("done=2026-11-01..2026-11-30&status=all", 0), ("category=&priority=&due=&q=&name=x&form_id=y", 5),
        ])
    func count(query: String, expected: Int) throws {
        let page = try ada(try TestApp()).get("/filters?" + query)
        #expect(page.status == 200)
        #expect(page.texts("output") == ["shows \(expected == 0 ? "no" : String(expected)) task\(expected == 1 ? "" : "s")"])
    }

    @Test(
        "What is wrong is told beside everything typed, and nothing is counted or kept",
        arguments: [
            ("status=gone", "There is no status “gone”."), ("category=gone", "There is no category “gone”."),
            ("priority=urgent", "There is no priority “urgent”."), ("due=someday", "There is no due condition “someday”."),
            ("due=range", "Choose the first day, the last day or both."),
            ("due=range&due_from=2026-12-24&due_to=2026-12-01", "The range ends before it begins."),
            ("due=range&due_from=2026-02-30", "“2026-02-30” is not a day in the calendar."),
            ("due=2026-12-24..2026-12-01", "The range ends before it begins."), ("sort=random", "There is no order “random”."),
            ("pinned=maybe", "Pinned is 1 or 0."), ("done=yesterday", "“yesterday” is not a range of days."),
            ("status=all&status=pending", "There is no status “all, pending”."), ("q=a&q=b", "“q” was sent more than once."),
            ("due=range&due_from=2026-12-01&due_from=2026-12-02", "“due_from” was sent more than once."),
        ])
    func wrong(query: String, message: String) throws {
        let test = try TestApp()
        let ada = try ada(test)
        let page = try ada.get("/filters?" + query + "&name=Kept")
        #expect(page.status == 422 && page.contains(message) && page.texts("output") == [""])
        var form = try FormFields(query: query).map { ($0.name, $0.value) }
        form.append(("name", "Kept"))
        let sent = try ada.post("/filters", form)
        #expect(sent.status == 422 && sent.contains(message) && sent.contains("value=\"Kept\""))
        #expect(try ada.post("/filters", form, accept: "application/json").status == 422)
        #expect(try test.database.scalar("SELECT count(*) FROM filters") == 0)
    }

    @Test func `A filter is kept under a name, has its own address and stands in the side bar with its count`() throws {
        let test = try TestApp()
        let ada = try ada(test)
        let page = try ada.get("/filters?category=life").submit("/filters", [("name", "Home things")])
        #expect(page.address == "/filters/1" && page.heading == "Home things" && page.contains("Filter saved."))
        #expect(page.contains("Milk") && page.contains("Bread") && !page.contains("Report"))
        #expect(page.contains("href=\"/filters/1/edit\""))
        let elsewhere = try ada.get("/tasks")
        #expect(elsewhere.contains("href=\"/filters/1\"") && elsewhere.contains("Home things"))
        #expect(try ada.get("/filters").contains("Life"))
    }

    @Test func `The form's own range becomes one condition, and comes back as a range`() throws {
        let test = try TestApp()
        let ada = try ada(test)
        try ada.post("/filters", [("name", "December"), ("due", "range"), ("due_from", "2026-12-01"), ("due_to", "2026-12-24")])
        #expect(
            try test.database.first("SELECT query FROM filters") { try $0.text(0) }
                == "due=2026-12-01..2026-12-24&sort=created_desc")
        let fields = try #require(try ada.get("/filters/1/edit").form("/filters/1/edit")).fields
        for (name, value) in [("due", "range"), ("due_from", "2026-12-01"), ("due_to", "2026-12-24"), ("name", "December")] {
            #expect(fields.contains { $0 == (name, value) })
        }
    }

    @Test func `The pages of a saved filter keep its address`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for number in 1...25 { try ada.post("/tasks", [("title", "Task \(number)")]) }
        try ada.post("/filters", [("name", "All of it"), ("sort", "created_asc")])
        let first = try ada.get("/filters/1?per_page=10")
        #expect(
            first.contains("href=\"/filters/1?per_page=10&amp;page=2\"") && first.contains(">Task 1<")
                && !first.contains(">Task 11<"))
        #expect(try ada.get("/filters/1?per_page=10&page=3").contains(">Task 25<"))
        let json = try ada.get("/filters/1?per_page=10", accept: "application/json")
        #expect(json.contains("\"total\":25") && json.contains("\"pages\":3"))
        #expect(json.response.fields[.link]?.contains("</filters/1?per_page=10&page=2>; rel=\"next\"") == true)
        let told = try ada.get("/filters/1?due=today")
        #expect(told.status == 400 && told.contains("“due” is not a condition here.") && !told.contains(">Task 1<"))
    }

    @Test func `The edit page counts what is sent to it, and saving changes the filter`() throws {
        let test = try TestApp()
        let ada = try ada(test)
        try ada.post("/filters", [("name", "Home"), ("category", "life")])
        let counted = try ada.get("/filters/1/edit?category=work&name=Office")
        #expect(counted.texts("output") == ["shows 2 tasks"] && counted.contains("value=\"Office\""))
        #expect(try ada.get("/filters/1").contains("Milk"))
        let fields = try #require(counted.form("/filters/1/edit")).fields
        let saved = try ada.post("/filters/1", fields)
        #expect(saved.heading == "Office" && saved.contains("Report") && !saved.contains("Milk"))
    }

    @Test func `A list with a condition that is not understood never leads to one without it`() throws {
        let ada = try ada(try TestApp())
        let page = try ada.get("/tasks?category=gone&priority=high")
        #expect(page.status == 400 && !page.contains("Milk"))
        #expect(
            try #require(page.forms.first { $0.action == "/tasks" && $0.method == "get" }).fields.contains {
                $0 == ("category", "gone")
            })
        #expect(
            page.contains("href=\"/tasks?category=gone\"") && page.contains("href=\"/filters?priority=high&amp;category=gone\""))
    }

    @Test func `Show leads to the list with only what differs from the defaults`() throws {
        let ada = try ada(try TestApp())
        let shown = try ada.send(
            .get, "/filters?q=&status=pending&category=life&priority=&due=range&due_from=2026-12-02&show=1&name=x", nil)
        #expect(shown.status == 303 && shown.location == "/tasks?category=life&due=2026-12-02..")
    }

    @Test func `Names are unique and come back when they are wrong`() throws {
        let ada = try ada(try TestApp())
        try ada.post("/filters", [("name", "Home"), ("category", "life")])
        for (name, message) in [
            ("", "Give it a name."), ("ＨＯＭＥ", "This name is taken."), (String(repeating: "n", count: 61), "at most 60"),
        ] {
            let page = try ada.post("/filters", [("name", name), ("category", "work")])
            #expect(page.status == 422 && page.contains(message) && page.contains("value=\"work\" checked"))
        }
        // A filter may keep its own name.
        #expect(try ada.post("/filters/1", [("name", "home")]).heading == "home")
    }

    @Test func `A filter is removed, and nobody else reaches it`() throws {
        let test = try TestApp()
        let ada = try ada(test)
        let bob = try test.person("bob")
        try ada.post("/filters", [("name", "Home"), ("category", "life")])
        #expect(try bob.get("/filters/1").status == 404)
        #expect(try bob.get("/filters/1/edit").status == 404)
        #expect(try bob.post("/filters/1", [("name", "Mine")]).status == 404)
        #expect(try bob.post("/filters/1/trash").status == 404)
        #expect(!(try bob.get("/filters")).contains("Home"))
        for wrong in ["0", "-1", "abc", String(repeating: "9", count: 30)] {
            #expect(try ada.get("/filters/\(wrong)").status == 404)
        }
        #expect(try ada.get("/filters/1/edit").submit("/filters/1/trash").contains("Filter removed."))
        #expect(try ada.get("/filters/1").status == 404)
    }

    @Test func `A hostile name and search are text wherever they stand`() throws {
        let ada = try ada(try TestApp())
        let text = "\"><script>alert(1)</script>"
        try ada.post("/filters", [("name", text), ("q", text)])
        for address in ["/filters", "/filters/1", "/filters/1/edit", "/tasks"] {
            let page = try ada.get(address)
            #expect(page.status == 200 && !page.contains("<script>alert") && page.contains("&lt;script&gt;alert(1)"))
        }
    }

    @Test func `Scripts keep, list and read filters`() throws {
        let test = try TestApp()
        _ = try ada(test)
        let script = test.stranger()
        script.token = try test.token("ada")
        let made = try script.post("/filters", [("name", "Home"), ("category", "life")], accept: "application/json")
        #expect(
            made.status == 201 && made.location == "/filters/1" && made.contains("\"count\":2")
                && made.contains("\"problem\":null"))
        #expect(try script.get("/filters", accept: nil).text == "1\t2\tHome\n")
        #expect(try script.get("/filters/1", accept: nil).text.split(separator: "\n").count == 2)
        #expect(try script.get("/filters/1?format=json", accept: nil).contains("\"total\":2"))
        #expect(try script.post("/filters/1", [("name", "")], accept: nil).status == 422)
        #expect(try script.post("/filters/1/trash", accept: nil).text == "removed 1\n")
    }

    @Test func `The pages speak Chinese`() throws {
        let ada = try ada(try TestApp(), .chinese)
        let page = try ada.get("/filters?due=range&due_from=2026-12-24&due_to=2026-12-01")
        #expect(page.heading == "筛选" && page.contains("结束日期早于开始日期。"))
        try ada.post("/filters", [("name", "家里的事"), ("category", "life"), ("priority", "high")])
        #expect(try ada.get("/filters").contains("生活 · 高优先级"))
        #expect(try ada.get("/filters/1").heading == "家里的事")
    }
}
