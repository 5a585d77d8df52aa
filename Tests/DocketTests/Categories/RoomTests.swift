// How many categories and saved filters a person may have: each page lists them all.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("The room beside each page")
struct RoomTests {
    /// Ada with so many categories, or saved filters.
    private func house(_ table: String, _ count: Int, language: Language = .english) throws -> (TestApp, Visitor) {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        for number in (table == "categories" ? 5 : 1)...count {
            if table == "categories" {
                try test.database.execute(
                    "INSERT INTO categories (user_id, key, name, icon, color, position) SELECT id, \("k\(number)"), \("K \(number)"), 'star', 1, \(number) FROM users"
                )
            } else {
                try test.database.execute(
                    "INSERT INTO filters (user_id, name, query, position) SELECT id, \("F \(number)"), 'q=milk', \(number) FROM users"
                )
            }
        }
        try test.database.execute("UPDATE users SET revision = revision + 1")
        return (test, ada)
    }

    @Test("The five hundredth is taken, and one more is refused with the reason and what was typed", arguments: Language.allCases)
    func full(language: Language) throws {
        for (table, key) in [("categories", "problem.categories_full"), ("filters", "problem.filters_full")] {
            let (test, ada) = try house(table, Limits.listed - 1, language: language)
            let message = test.app.strings(language)(key, [("n", "500")])
            #expect(try ada.post("/" + table, [("name", "Milk")]).status == 200)
            let page = try ada.post("/" + table, [("name", "Bread")])
            #expect(page.status == 422 && page.contains(message) && page.contains("value=\"Bread\""))
            let script = try ada.post("/" + table, [("name", "Bread")], accept: "application/json")
            #expect(script.status == 422 && script.contains(message))
            // What is there can still be changed.
            let id = try #require(
                try test.database.scalar("SELECT max(id) FROM \(table == "filters" ? "filters" : "categories" as SQL)"))
            #expect(try ada.post("/\(table)/\(id)", [("name", "Butter")]).status == 200)
        }
    }

    @Test("A removed category comes back by undo only where there is room for it")
    func undo() throws {
        let (test, ada) = try house("categories", Limits.listed)
        let id = try #require(try test.database.scalar("SELECT id FROM categories WHERE key = 'k9'"))
        try ada.post("/tasks", [("title", "Bread"), ("category", "k9")])
        let removed = try ada.post("/categories/\(id)/trash", [("to", "work")])
        let undo = try #require(removed.forms.first { $0.action.hasPrefix("/undo/") })
        try ada.post("/categories", [("name", "Garden")])
        let page = try ada.post(undo.action)
        #expect(page.status == 422 && page.contains("You have 500 categories"))
        #expect(try test.database.scalar("SELECT count(*) FROM categories WHERE removed_at IS NULL") == 500)
        try ada.post("/categories/\(id + 1)/trash", [("to", "work")])
        #expect(try ada.post(undo.action).contains("Undone."))
    }

    @Test("An import makes as many categories as there is room for, and tells how many it did not make")
    func imported() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let categories = (1...700).map { #"{"key":"k\#($0)","name":"K \#($0)","icon":"star","color":1}"# }.joined(separator: ",")
        let file = try place.file(
            "docket.json",
            #"{"docket":1,"categories":[\#(categories)],"tasks":[{"title":"Bread","category":"k1"},{"title":"Milk","category":"k699"}]}"#
                .utf8)
        for isDry in [true, false] {
            let report = try place.take(file, for: "ada", dry: isDry)
            #expect(report.added == 2)
            let told = report.warnings.first { $0.place == 0 }?.reason
            #expect(told == ImportReason(.categoriesFull, ["count": "204", "limit": "500"]))
        }
        #expect(try place.connection.scalar("SELECT count(*) FROM categories WHERE removed_at IS NULL") == 500)
        #expect(try place.seen(of: "ada") == ["Bread|medium|pending|k1||", "Milk|medium|pending|work||category: k699"])
    }

    @Test("A file that takes the place of an untouched account's categories brings all of them, as many as there may be")
    func replaced() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let keys = ["work"] + (2...Limits.listed).map { "k\($0)" }
        let categories = keys.map { #"{"key":"\#($0)","name":"N \#($0)","icon":"star","color":1}"# }.joined(separator: ",")
        let file = try place.file(
            "docket.json",
            #"{"docket":1,"categories":[\#(categories)],"tasks":[{"title":"Bread","category":"k\#(Limits.listed)"}]}"#.utf8)
        for isDry in [true, false] {
            let report = try place.take(file, for: "ada", dry: isDry)
            #expect(report.added == 1 && report.warnings.isEmpty, "\(report.warnings)")
        }
        #expect(try place.connection.scalar("SELECT count(*) FROM categories WHERE removed_at IS NULL") == Int64(Limits.listed))
    }

    @Test("A category that a file names is made though another one has its key, and a removed one of that name comes back")
    func byName() throws {
        let place = try ImportPlace()
        let ada = try place.person("ada")
        // Renamed since, or of signs that no key can say: the key says nothing of the name.
        try place.connection.executeScript(
            """
            INSERT INTO categories (user_id, key, name, icon, color, position, removed_at) VALUES
                (\(ada), 'big-garden', 'Yard', 'star', 1, 9, NULL), (\(ada), 'c1', '家务', 'star', 1, 10, NULL),
                (\(ada), 'cellar', 'Attic', 'star', 1, 11, 5), (\(ada), 'c2', '阳台', 'star', 1, 12, 5)
            """)
        let names = ["Big garden", "花园", "Attic", "阳台"]
        let todos = names.map {
            "BEGIN:VTODO\r\nUID:\($0)\r\nSUMMARY:\($0)\r\nCATEGORIES:\($0)\r\nEND:VTODO\r\n"
        }.joined()
        let file = try place.file(
            "tasks.ics", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Docket//Docket//EN\r\n\(todos)END:VCALENDAR\r\n".utf8)
        for isDry in [true, false] {
            let report = try place.take(file, for: "ada", dry: isDry)
            #expect(report.added == 4 && report.warnings.isEmpty, "\(report.warnings)")
        }
        let found = try place.connection.rows(
            """
            SELECT title || '=' || coalesce(name, key) FROM tasks JOIN categories ON categories.id = category_id ORDER BY number
            """
        ) { try $0.text(0) }
        #expect(found == ["Big garden=Big garden", "花园=花园", "Attic=Attic", "阳台=阳台"])
    }
}
