// Everything that a form can get wrong: the right status, what was typed kept, nothing changed.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct BadInputTests {
    /// Fields that a task's form refuses, with the field that the answer names.
    private static let badTasks: [(form: [(String, String)], field: String)] = [
        ([("title", "")], "title"), ([("title", " \t\u{3000}\u{200B}")], "title"), ([("content", "no title")], "title"),
        ([("title", String(repeating: "长", count: 501))], "title"),
        ([("title", "a" + String(repeating: "\u{301}", count: 20_000))], "title"),
        ([("title", "a"), ("content", String(repeating: "字", count: 20_001))], "content"),
        ([("title", "a"), ("title", "b")], "title"), ([("title", "a"), ("due", "2026-12-24"), ("due", "2026-12-25")], "due"),
        ([("title", "a"), ("priority", "p1")], "priority"), ([("title", "a"), ("priority", "HIGH")], "priority"),
        ([("title", "a"), ("status", "done")], "status"), ([("title", "a"), ("category", "nonsense")], "category"),
        ([("title", "a"), ("category", "work\u{301}")], "category"), ([("title", "a"), ("pinned", "true")], "pinned"),
        ([("title", "a"), ("due", "2026-02-30")], "due"), ([("title", "a"), ("due", "2026-13-01")], "due"),
        ([("title", "a"), ("due", "no")], "due"),
        ([("title", "a"), ("due", "0000-01-01")], "due"), ([("title", "a"), ("due", "99999-01-01")], "due"),
        ([("title", "a"), ("due", "-2026-01-01")], "due"), ([("title", "a"), ("due", "2026-12-24T25:00")], "due"),
        ([("title", "a"), ("due", "2026-12-24"), ("due_time", "18h")], "due"),
        ([("title", "a"), ("due", ""), ("due_time", "18:30")], "due"),
        ([("title", "a"), ("due", "２０２６-12-24x")], "due"),
        ([("title", "a"), ("due", String(repeating: "9", count: 100_000))], "due"),
    ]

    @Test func `A task that is not right is not made, and what was typed is kept`() throws {
        let house = try Household()
        let script = house.test.stranger()
        script.token = try house.test.token("ada")
        let before = try house.test.database.contents()
        for (form, field) in Self.badTasks {
            let short = form.map { "\($0.0)=\($0.1.prefix(20))" }.joined(separator: "&")
            for extra in [[], [("editor", "1")]] as [[(String, String)]] {
                let page = try house.ada.post("/tasks", form + extra + [("content", "Kept: \"<b>\" & more")])
                #expect(page.status == 422, "\(short)")
                #expect(
                    page.contains("Kept: &quot;&lt;b&gt;&quot; &amp; more") || form.contains { $0.0 == "content" }, "\(short)")
                #expect(page.contains("class=\"err\""), "\(short)")
                for (name, value) in form where name == "title" && form.filter({ $0.0 == "title" }).count == 1 {
                    #expect(
                        page.form("/tasks")?.fields.contains { $0.0 == "title" && $0.1.utf8.elementsEqual(value.utf8) } == true,
                        "\(short)")
                }
            }
            let answer = try script.post("/tasks", form, accept: "application/json")
            #expect(answer.status == 422, "\(short)")
            let error = try answer.json()["error"] as? [String: Any]
            #expect(error?["code"] as? String == "invalid", "\(short)")
            #expect((error?["fields"] as? [String: String])?[field]?.isEmpty == false, "\(short): \(answer.text)")
            let line = try script.post("/tasks", form, accept: "*/*")
            #expect(line.status == 422 && line.text.hasPrefix(field + ": "), "\(short)")
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test func `An edit that is not right changes nothing, and what was typed is kept`() throws {
        let house = try Household()
        let id = try #require(try house.address("/tasks/{id}", of: "ada"))
        let before = try house.test.database.contents()
        for (form, _) in Self.badTasks where form.contains(where: { $0.0 == "title" }) {
            let short = form.map { "\($0.0)=\($0.1.prefix(20))" }.joined(separator: "&")
            let page = try house.ada.post(id, form + [("version", "1"), ("x", "y")])
            #expect(page.status == 422 && page.form(id) != nil, "\(short)")
        }
        for version in ["", "0", "-1", "abc", "1.0", "１", "99999999999999999999", " 1"] {
            let status = try house.ada.post(id, [("title", "Mine"), ("version", version)]).status
            #expect(status == (version == "0" ? 409 : 422), "\(version)")
        }
        #expect(try house.ada.post(id, [("title", "Mine"), ("version", "1"), ("version", "2")]).status == 422)
        #expect(try house.ada.post(id, [("title", "Mine"), ("version", "77")]).status == 409)
        #expect(try house.test.database.contents() == before)
    }

    @Test(
        "A form that cannot be read is refused whole",
        arguments: [
            "title=%FF", "title=a%00b", "%00=a", "title=%C3%28", "title=%ED%A0%80", "title=%F4%90%80%80", "title=a&content=%80",
        ])
    func unreadable(form: String) throws {
        let house = try Household()
        let id = try #require(try house.address("/tasks/{id}", of: "ada"))
        let before = try house.test.database.contents()
        for address in ["/tasks", "/tasks/bulk", id, id + "/pin", id + "/trash", "/tasks/trash-completed"] {
            #expect(try house.ada.send(.post, address, form).status == 400, "\(address)")
            #expect(
                try house.ada.send(.post, address, form, accept: "application/json").text.contains("\"bad_request\""),
                "\(address)")
        }
        for address in ["/tasks?\(form)", "/trash?\(form)", "\(id)?\(form)"] {
            #expect(try house.ada.send(.get, address, nil).status == 400, "\(address)")
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test(
        "Content that is no form is refused",
        arguments: [
            "application/jsonx", "text/json", "text/plain", "", "application/x-www-form-urlencodedx", "multipart/form-data",
        ])
    func contentType(type: String) throws {
        let house = try Household()
        let before = try house.test.database.contents()
        var head = RequestHead(method: .post, path: "/tasks", authority: "docket.test")
        head.fields.append(.cookie, "docket=\(house.ada.cookies["docket"] ?? "")")
        if !type.isEmpty { head.fields.append(.contentType, type) }
        let response = try house.test.respond(Request(head: head, body: .bytes(Array("{\"title\":\"a\"}".utf8))))
        #expect(response.status.code == (type.hasPrefix("multipart") ? 400 : 415))
        #expect(try house.test.database.contents() == before)
    }

    @Test(
        "A list parameter that is none is told and shows nothing",
        arguments: [
            "page=0", "page=-1", "page=999999999999999999999", "page=1.5", "page=%2B1", "page=１", "page=1&page=2", "per_page=9",
            "per_page=201",
            "per_page=abc", "per_page=", "status=done", "status=PENDING", "status=pending&status=all", "category=nonsense",
            "priority=urgent",
            "sort=title", "sort=created_desc&sort=due_asc", "due=soon", "due=2026-02-30..2026-03-01", "due=..",
            "due=2026-12-24..2026-12-01",
            "due=2026-12-24...2026-12-25", "due=2026-12-24", "pinned=2", "q=a&q=b", "format=pdf", "format=JSON",
        ])
    func listParameter(query: String) throws {
        let house = try Household()
        let isFine = query == "per_page="
        let page = try house.ada.get("/tasks?" + query)
        #expect(page.status == (isFine ? 200 : 400))
        #expect(page.contains("plants of ada") == isFine)
        guard !isFine, !query.hasPrefix("format") else { return }
        #expect(page.contains("class=\"err\""))
        house.ada.token = try house.test.token("ada")
        let answer = try house.ada.get("/tasks?" + query, accept: "application/json")
        #expect(answer.status == 400)
        let name = String(query.prefix { $0 != "=" })
        let fields = (try answer.json()["error"] as? [String: Any])?["fields"] as? [String: String]
        #expect(fields?.keys.contains(name) == true)
    }

    @Test func `A page behind the last is the last one`() throws {
        let house = try Household()
        #expect(try house.ada.get("/tasks?page=999999999").contains("plants of ada"))
    }

    @Test func `Bulk forms that are not right change nothing`() throws {
        let house = try Household()
        let mine = String(try #require(try house.address("/tasks/{id}", of: "ada")).dropFirst("/tasks/".count))
        let theirs = String(try #require(try house.address("/tasks/{id}", of: "bob")).dropFirst("/tasks/".count))
        let before = try house.test.database.contents()
        let cases: [([(String, String)], Int)] = [
            ([], 422), ([("action", "pin")], 422), ([("id", mine)], 422), ([("id", mine), ("action", "explode")], 422),
            ([("id", mine), ("id", theirs), ("action", "trash")], 404), ([("id", theirs), ("action", "trash")], 404),
            ([("id", mine), ("id", "abc"), ("action", "pin")], 404), ([("id", mine), ("id", ""), ("action", "pin")], 404),
            ([("id", mine), ("id", "0190f5fe-7c00-7a00-8000-0123456789ab"), ("action", "pin")], 404),
            ([("id", mine), ("action", "category"), ("to_category", "nonsense")], 422),
            ([("id", mine), ("action", "category")], 422),
            ([("id", mine), ("action", "priority"), ("priority", "p1")], 422),
            ([("id", mine), ("action", "due"), ("to_due", "2026-02-30")], 422),
            ([("all", "1"), ("action", "trash"), ("status", "odd")], 422),
            ([("all", "1"), ("action", "trash"), ("category", "odd")], 422),
            ([("all", "1"), ("action", "trash"), ("due", "odd")], 422),
            ([("all", "1"), ("action", "trash"), ("priority", "odd")], 422),
            ([("all", "1"), ("action", "trash"), ("pinned", "odd")], 422),
            ([("all", "1"), ("action", "trash"), ("q", String(repeating: "a", count: 2_000))], 422),
            ([("all", "1"), ("action", "trash"), ("status", "pending"), ("status", "all")], 422),
            ([("all", "1"), ("action", "trash"), ("q", "a"), ("q", "b")], 422), ([("all", "yes"), ("action", "trash")], 422),
        ]
        for (form, status) in cases {
            #expect(try house.ada.post("/tasks/bulk", form).status == status, "\(form)")
            let answer = try house.ada.post("/tasks/bulk", form, accept: "application/json")
            #expect(answer.status == status && answer.contains("\"error\""), "\(form)")
        }
        #expect(try house.ada.post("/tasks/trash-completed", [("category", "odd")]).status == 422)
        for flag in ["completion", "pin"] {
            for form in [[], [("completed", "yes")], [("pinned", "")], [("completed", "2"), ("pinned", "2")]]
                as [[(String, String)]]
            {
                #expect(try house.ada.post("/tasks/\(mine)/\(flag)", form).status == 422, "\(flag) \(form)")
            }
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test func `One form takes thousands of tasks, and one that holds a stranger's none`() throws {
        let house = try Household()
        let owner = try house.test.user("ada").id
        try house.test.database.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
            INSERT INTO tasks (id, user_id, category_id, priority, status, pinned, created_at, updated_at, title, folded)
            SELECT randomblob(16), \(owner), (SELECT min(id) FROM categories WHERE user_id = \(owner)), 1, 0, 0, i, i, 'Task', 'task' FROM n
            """)
        let ids = try house.test.database.rows("SELECT id FROM tasks WHERE user_id = \(owner)") { TaskID(bytes: try $0.bytes(0)) }
            .compactMap { $0 }
        let form = "action=pin" + ids.map { "&id=\($0)" }.joined()
        var head = RequestHead(method: .post, path: "/tasks/bulk", authority: "docket.test")
        func limit() -> Int { house.test.app.contentTerms(head, length: 1, isAwaited: false) { nil }.limit }
        #expect(limit() > form.utf8.count * 10, "a hundred thousand pass the limit")
        head.path = "/tasks"
        #expect(limit() < 16 << 20)
        let theirs = try #require(try house.address("/tasks/{id}", of: "bob")).dropFirst("/tasks/".count)
        #expect(try house.ada.send(.post, "/tasks/bulk", form + "&id=\(theirs)", accept: "application/json").status == 404)
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE pinned = 1") == 0)
        let answer = try house.ada.send(.post, "/tasks/bulk", form, accept: "application/json")
        #expect(answer.status == 200)
        #expect(try answer.json()["changed"] as? Int == ids.count)
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE pinned = 1") == Int64(ids.count))
        let change = try #require(try answer.json()["change"] as? Int)
        #expect(try house.ada.send(.post, "/undo/\(change)", "").status == 303)
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE pinned = 1") == 0)
    }

    @Test func `A form's identifier counts for its own address and person`() throws {
        let house = try Household()
        let id = try #require(try house.address("/tasks/{id}", of: "ada"))
        let key = ("form_id", "the same one")
        try house.ada.post("/tasks", [("title", "First"), key])
        try house.ada.post("/tasks", [("title", "Second"), key])
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE title IN ('First', 'Second')") == 1)
        try house.ada.post(id + "/pin", [("pinned", "1"), key])
        try house.ada.post(id + "/completion", [("completed", "1"), key])
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE pinned = 1 AND status = 1") == 1)
        try house.bob.post("/tasks", [("title", "First"), key])
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE title = 'First'") == 2)
        // A form that had mistakes may come again; a day later the identifier is forgotten.
        let other = ("form_id", "another")
        #expect(try house.ada.post("/tasks", [("title", ""), other]).status == 422)
        try house.ada.post("/tasks", [("title", "Mended"), other])
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE title = 'Mended'") == 1)
        house.test.now = house.test.now.adding(seconds: 86_401)
        try house.ada.post("/tasks", [("title", "Mended"), other])
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE title = 'Mended'") == 2)
        // One that is too long to keep is refused, not passed over.
        #expect(
            try house.ada.post("/tasks", [("title", "Long"), ("form_id", String(repeating: "k", count: 5_000))]).status == 422)
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE title = 'Long'") == 0)
    }

    @Test func `A preview saves nothing, shows what was typed, and the same form can still be saved`() throws {
        let house = try Household()
        for address in ["/tasks", try #require(try house.address("/tasks/{id}", of: "ada"))] {
            let before = try house.test.database.contents()
            let form = [("title", "Plan"), ("content", "- **bold**"), ("form_id", "p" + address), ("version", "1")]
            let page = try house.ada.post(address, form + [("preview", "1")])
            #expect(page.status == 200 && page.contains("<strong>bold</strong>"))
            #expect(page.form(address)?.fields.contains { $0.0 == "title" && $0.1 == "Plan" } == true)
            #expect(try house.test.database.contents() == before)
            #expect(try house.ada.post(address, form).status == 200)
            #expect(
                try house.test.database.scalar("SELECT count(*) FROM tasks WHERE title = 'Plan'") == (address == "/tasks" ? 1 : 2)
            )
        }
    }

    @Test func `Everything in the trash that a filter shows can be restored at once`() throws {
        let house = try Household()
        try house.ada.post("/tasks", [("title", "Other")])
        try house.ada.post("/tasks/bulk", [("all", "1"), ("action", "trash")])
        try house.ada.post("/tasks/bulk", [("all", "1"), ("action", "restore"), ("q", "plants")])
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE trashed_at IS NOT NULL") == 1)
        #expect(try house.ada.get("/tasks").contains("plants of ada"))
    }

    @Test("Very many names that are not known, and a very long one, are answered with a few of them")
    func unknownNames() throws {
        let house = try Household()
        let many = "{" + (0..<50_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
        let long = "{\"" + String(repeating: "k", count: 1_000_000) + "\":1}"
        for body in [many, long] {
            let answer = try house.ada.postJSON("/tasks", body)
            #expect(answer.status == 422 && answer.text.utf8.count < 50_000)
        }
    }
}
