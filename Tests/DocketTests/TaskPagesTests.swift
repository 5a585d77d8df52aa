// The list and the editor, as a person uses them.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct TaskPagesTests {
    @Test func `A new account sees an empty page that says what to do`() throws {
        let ada = try TestApp().person("ada")
        let page = try ada.get("/tasks")
        #expect(page.status == 200)
        #expect(page.contains("Nothing here yet"))
        #expect(page.form("/tasks") != nil)
    }

    @Test func `The form on the page adds a task, once for each form`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let empty = try ada.get("/tasks")
        let after = try empty.submit("/tasks", [("title", "Buy milk"), ("due", "2026-12-24")])
        #expect(after.status == 200)
        #expect(after.contains("Buy milk") && after.contains("Thu 24 Dec"))
        // The same form sent again: the first answer, and no second task.
        try empty.submit("/tasks", [("title", "Buy milk"), ("due", "2026-12-24")])
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 1)
    }

    @Test func `A form with mistakes comes back with everything typed`() throws {
        let ada = try TestApp().person("ada")
        let page = try ada.get("/tasks").submit("/tasks", [("title", "  "), ("content", "kept <b>"), ("due", "2026-02-30")])
        #expect(page.status == 422)
        #expect(page.contains("kept &lt;b&gt;") && page.contains("value=\"2026-02-30\""))
    }

    @Test func `Completing, pinning and throwing away can be undone`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Water the plants")])
        let user = try test.user("ada")
        let task = try #require(
            try TaskRepository(test.database, owner: user, now: test.now).list(TaskFilter(), offset: 0, limit: 9, total: 1).first)
        for (action, form) in [("completion", ("completed", "1")), ("pin", ("pinned", "1")), ("trash", ("x", "y"))] {
            let page = try ada.post("/tasks/\(task.id)/\(action)", [form])
            let undo = try #require(page.forms.first { $0.action.hasPrefix("/undo/") })
            try ada.post(undo.action)
            let now = try #require(try TaskRepository(test.database, owner: user, now: test.now).find(task.id))
            #expect(now.status == .pending && !now.isPinned && now.trashedAt == nil && now.completedAt == nil)
            #expect(try ada.post(undo.action).status == 409)
        }
        #expect(try ada.get("/tasks/\(task.id)/history").texts("p").filter { $0 == "Undone" }.count == 3)
    }

    @Test func `A save from an old version changes nothing and shows both`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Report")])
        let id = try #require(try test.database.first("SELECT id FROM tasks") { TaskID(bytes: try $0.bytes(0)) } ?? nil)
        let first = try ada.get("/tasks/\(id)")
        let second = try ada.get("/tasks/\(id)")
        #expect(try first.submit("/tasks/\(id)", [("title", "Report for Bob")]).status == 200)
        let conflict = try second.submit("/tasks/\(id)", [("title", "Report for Cleo")])
        #expect(conflict.status == 409)
        #expect(conflict.contains("Report for Bob") && conflict.contains("value=\"Report for Cleo\""))
        #expect(try test.database.first("SELECT title FROM tasks") { try $0.text(0) } == "Report for Bob")
    }
}

/// What a first stranger's hour with the program found, kept as tests.
@Suite struct BreakageTests {
    @Test func `A token that may only add reads nothing in the answer to a mistake or a preview`() throws {
        let test = try TestApp()
        try test.person("ada").post("/tasks", [("title", "A secret of ada")])
        let script = test.stranger()
        script.token = try test.token("ada", scope: .add)
        for form in [[("title", "")], [("title", ""), ("editor", "1")], [("title", "x"), ("preview", "1")]] {
            let answer = try script.post("/tasks?per_page=200", form, accept: "text/html")
            #expect(!answer.contains("A secret of ada"))
            #expect(!answer.contains("<nav"))
        }
    }

    @Test func `A condition that is misspelt in a form for many changes nothing`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Stays")])
        let answer = try ada.post("/tasks/bulk", [("action", "trash"), ("all", "1"), ("categry", "work")])
        #expect(answer.status == 422)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks WHERE trashed_at IS NOT NULL") == 0)
    }

    @Test func `A save of a task that another window threw away keeps what was typed`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Report")])
        let id = try #require(try test.database.first("SELECT id FROM tasks") { TaskID(bytes: try $0.bytes(0)) } ?? nil)
        let page = try ada.get("/tasks/\(id)")
        try ada.post("/tasks/\(id)/trash")
        let answer = try page.submit("/tasks/\(id)", [("content", "An hour of typing")])
        #expect(answer.status == 409)
        #expect(answer.contains("An hour of typing") && answer.contains("/tasks/\(id)/restore"))
    }
}
