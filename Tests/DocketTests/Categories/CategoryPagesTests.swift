// Categories as a person and a script use them.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct CategoryPagesTests {
    private func keys(_ test: TestApp, _ name: String) throws -> [String] {
        try Category.all(test.database, userID: try test.user(name).id).map(\.key)
    }

    private func id(_ key: String, _ test: TestApp, _ name: String) throws -> Int {
        try #require(try Category.all(test.database, userID: try test.user(name).id).first { $0.key == key }).id
    }

    @Test func `The form on the page adds a category, shown on every page`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let page = try ada.get("/categories").submit(
            "/categories", [("name", " Garden "), ("color", "color-6"), ("icon", "leaf")])
        #expect(page.status == 200 && page.contains("Category added.") && page.contains("href=\"/tasks?category=garden\""))
        let added = try #require(try Category.all(test.database, userID: try test.user("ada").id).last)
        #expect(added.key == "garden" && added.ownName == "Garden" && added.color == 6 && added.icon == "leaf")
        #expect(try ada.get("/tasks").contains(">Garden"))
    }

    @Test func `Renaming keeps the key, and an unchanged name goes on following the language`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let work = try id("work", test, "ada")
        try ada.get("/categories/\(work)").submit("/categories/\(work)", [("color", "color-2")])
        #expect(try Category.all(test.database, userID: try test.user("ada").id).first?.ownName == nil)
        try ada.get("/categories/\(work)").submit("/categories/\(work)", [("name", "Büro")])
        let renamed = try #require(try Category.all(test.database, userID: try test.user("ada").id).first)
        #expect(renamed.ownName == "Büro" && renamed.key == "work" && renamed.color == 2 && renamed.icon == "briefcase")
    }

    @Test(
        "What is wrong comes back with 422 and everything typed",
        arguments: [
            ([("name", "  ")], "Give it a name."),
            ([("name", String(repeating: "n", count: 61))], "A name has at most 60 characters."),
            ([("name", String(repeating: "👨‍👩‍👧‍👦", count: 60))], "This is too long."),
            ([("name", "Work")], "This name is taken."), ([("name", "ＷＯＲＫ")], "This name is taken."),
            ([("name", "工作")], "This name is taken."), ([("name", "a"), ("name", "b")], "“name” was sent more than once."),
            ([("name", "Garden"), ("color", "color-13")], "Choose one of the colours."),
            ([("name", "Garden"), ("color", "red")], "Choose one of the colours."),
            ([("name", "Garden"), ("icon", "skull")], "Choose one of the icons."),
        ] as [([(String, String)], String)])
    func wrong(form: [(String, String)], message: String) throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for address in ["/categories", "/categories/\(try id("life", test, "ada"))"] {
            let page = try ada.post(address, form)
            #expect(page.status == 422 && page.contains(message))
            #expect(HTMLReader.decode(page.text).contains("value=\"\(form[0].1)\""))
            let script = try ada.post(address, form, accept: "application/json")
            #expect(script.status == 422 && script.contains("\"code\":\"invalid\""))
        }
        #expect(try keys(test, "ada") == ["work", "life", "study", "health"])
    }

    @Test func `Categories move up and down, and stay at the ends`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let (work, life) = (try id("work", test, "ada"), try id("life", test, "ada"))
        try ada.post("/categories/\(life)", [("move", "up")])
        #expect(try keys(test, "ada") == ["life", "work", "study", "health"])
        try ada.post("/categories/\(life)", [("move", "up")])
        #expect(try keys(test, "ada") == ["life", "work", "study", "health"])
        try ada.post("/categories/\(work)", [("move", "down")])
        #expect(try keys(test, "ada") == ["life", "study", "work", "health"])
        #expect(try ada.post("/categories/\(work)", [("move", "away")]).status == 422)
    }

    @Test func `Removing moves the tasks, those in the trash too, and undo brings everything back`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for title in ["Open", "Thrown", "Done"] { try ada.post("/tasks", [("title", title), ("category", "work")]) }
        let repository = TaskRepository(test.database, owner: try test.user("ada"), now: test.now)
        let tasks = try repository.list(TaskFilter(), offset: 0, limit: 9, total: 3)
        try ada.post("/tasks/\(tasks[0].id)/completion", [("completed", "1")])
        try ada.post("/tasks/\(tasks[1].id)/trash")
        let (work, study) = (try id("work", test, "ada"), try id("study", test, "ada"))

        let page = try ada.get("/categories/\(work)").submit("/categories/\(work)/trash", [("to", "study")])
        #expect(page.contains("Category removed; its 3 tasks were moved."))
        #expect(try test.database.scalar("SELECT count(*) FROM tasks WHERE category_id = \(study)") == 3)
        #expect(try keys(test, "ada") == ["life", "study", "health"])
        #expect(try test.user("ada").defaultCategory == "study")
        #expect(try ada.get("/categories/\(work)").status == 404)
        #expect(try ada.get("/tasks/\(tasks[2].id)/history").contains("a removed category"))

        let undo = try #require(page.forms.first { $0.action.hasPrefix("/undo/") })
        try ada.post(undo.action)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks WHERE category_id = \(work)") == 3)
        #expect(try keys(test, "ada") == ["work", "life", "study", "health"])
        #expect(try ada.get("/tasks?category=work").contains("Open"))
        #expect(try test.database.foreignKeyCheck().isEmpty)
    }

    @Test func `An older change into a category that is gone can be undone too`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Report"), ("category", "work")])
        let work = try id("work", test, "ada")
        let moved = try ada.post("/tasks/bulk", [("all", "1"), ("action", "category"), ("to_category", "life")])
        let undo = try #require(moved.forms.first { $0.action.hasPrefix("/undo/") })
        #expect(try ada.post("/categories/\(work)/trash", [("to", "study")]).contains("Category removed."))
        #expect(try ada.post(undo.action).status == 200)
        #expect(try keys(test, "ada").contains("work"))
    }

    @Test func `Removing asks where the tasks go, and one category stays`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let work = try id("work", test, "ada")
        for form in [[], [("to", "")], [("to", "work")], [("to", "nowhere")], [("to", "life"), ("to", "study")]]
            as [[(String, String)]]
        {
            #expect(try ada.post("/categories/\(work)/trash", form).status == 422)
        }
        for key in ["life", "study", "health"] { try ada.post("/categories/\(try id(key, test, "ada"))/trash", [("to", "work")]) }
        #expect(try keys(test, "ada") == ["work"])
        #expect(try ada.get("/categories/\(work)").form("/categories/\(work)/trash") == nil)
        #expect(try ada.post("/categories/\(work)/trash", [("to", "work")]).status == 409)
        #expect(try keys(test, "ada") == ["work"])
    }

    @Test func `A saved filter that names a removed category is told, shows nothing, and never means a new one`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Secret of life"), ("category", "life")])
        try ada.post("/filters", [("name", "Alive"), ("category", "life")])
        let life = try id("life", test, "ada")
        #expect(try ada.get("/categories/\(life)").contains("will show nothing until they are changed: Alive."))
        try ada.post("/categories/\(life)/trash", [("to", "work")])
        try ada.post("/categories", [("name", "Life")])
        #expect(try keys(test, "ada").last == "life-2")
        let list = try ada.get("/filters/1")
        #expect(list.contains("There is no category “life”.") && !list.contains("Secret of life"))
        #expect(try ada.get("/filters").contains("There is no category “life”."))
        let edit = try ada.get("/filters/1/edit")
        #expect(edit.status == 200 && edit.contains("There is no category “life”."))
        // Sent back as it stands it is refused again, not widened to all categories.
        #expect(try ada.post("/filters/1", try #require(edit.form("/filters/1/edit")).fields).status == 422)
    }

    @Test func `Nobody reaches another person's categories`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let bob = try test.person("bob")
        let work = try id("work", test, "ada")
        #expect(try bob.get("/categories/\(work)").status == 404)
        for (path, form) in [("", ("name", "Mine")), ("", ("move", "down")), ("/trash", ("to", "life"))] {
            #expect(try bob.post("/categories/\(work)\(path)", [form]).status == 404)
        }
        for wrong in ["0", "-1", "abc", "+1", String(repeating: "9", count: 30)] {
            #expect(try ada.get("/categories/\(wrong)").status == 404)
        }
        #expect(try keys(test, "ada") == ["work", "life", "study", "health"])
        #expect(try test.stranger().get("/categories", accept: "application/json").status == 401)
    }

    @Test func `A hostile name is text wherever it stands`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let name = "<script>alert(1)</script>\"'&"
        try ada.post("/categories", [("name", name)])
        let hostile = try #require(try Category.all(test.database, userID: try test.user("ada").id).last)
        for address in [
            "/categories", "/categories/\(hostile.id)", "/filters", "/dashboard", "/tasks", "/tasks?category=\(hostile.key)",
        ] {
            let page = try ada.get(address)
            #expect(page.status == 200 && !page.contains("<script>alert") && !page.contains("script>\"'"))
            #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        }
    }

    @Test func `Scripts get what they made, by token`() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let script = test.stranger()
        script.token = try test.token("ada")
        let made = try script.post("/categories", [("name", "Garden"), ("color", "6")], accept: "application/json")
        #expect(made.status == 201 && made.contains("\"key\":\"garden\"") && made.contains("\"color\":6"))
        let location = try #require(made.location)
        #expect(try script.get(location, accept: nil).text == "5\tgarden\t0\tGarden\n")
        #expect(try script.post(location + "/trash", [("to", "life")], accept: nil).text == "moved 0\n")
        #expect(try script.get("/categories", accept: nil).text.split(separator: "\n").count == 4)
        let reader = test.stranger()
        reader.token = try test.token("ada", scope: .read)
        #expect(try reader.post("/categories", [("name", "No")]).status == 403)
    }

    @Test func `The pages speak Chinese`() throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: .chinese)
        #expect(try ada.get("/categories").heading == "分类")
        let work = try id("work", test, "ada")
        #expect(try ada.get("/categories/\(work)").contains("value=\"工作\""))
        #expect(try ada.post("/categories", [("name", "工作")]).contains("这个名称已被使用。"))
    }
}
