// What an import says where it stands: its warnings, and after its end that it was taken back, or is in force again, in every form and both
// languages.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct ImportStandingTests {
    @Test("An import that was taken back says so, and no longer once that is undone in turn", arguments: Language.allCases)
    func takenBack(language: Language) throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        let texts = test.app.strings(language)
        let answer = try ada.upload("/import", "todo.txt", "Buy milk\nCall Tom\n".utf8, accept: "application/json")
        let address = try #require(answer.location)
        let done = texts("import.did", [("added", "2"), ("present", "0"), ("skipped", "0")])

        func expect(_ state: String, _ text: String, undo: Int?) throws {
            let page = try ada.get(address)
            #expect(page.contains(text) && (page.form("/undo/\(undo ?? 1)") != nil) == (undo != nil))
            let json = try ada.get(address, accept: "application/json").json()
            #expect(json["state"] as? String == state && json["message"] as? String == text && json["change"] as? Int == undo)
            let lines = try ada.get(address, accept: "text/plain").text
            #expect(lines.contains("state: \(state)\n") && lines.contains("/undo/") == (undo != nil))
            #expect(lines.contains(text) == (state == "taken_back") && lines.contains("added: 2") == (state == "done"))
            #expect(try ada.get("/import").contains(text))
            #expect(try ada.get("/import", accept: "application/json").contains("\"state\":\"\(state)\""))
            #expect(try ada.get("/import", accept: "text/plain").text == "1 \(state) todo.txt\n")
        }

        let titles = "SELECT count(*) FROM tasks WHERE trashed_at IS NULL" as SQL
        try expect("done", done, undo: 1)
        try ada.post("/undo/1")
        try expect("taken_back", texts["import.state.taken_back"], undo: nil)
        #expect(try test.database.scalar(titles) == 0)
        try ada.post("/undo/2")
        try expect("done", done, undo: 3)
        #expect(try test.database.scalar(titles) == 2)
        try ada.post("/undo/3")
        try expect("taken_back", texts["import.state.taken_back"], undo: nil)
        try ada.post("/undo/4")
        // A change that history has forgotten, in part or whole, was not taken back for that.
        try test.database.execute("UPDATE changes SET undone_by = id WHERE id = 1")
        try expect("done", done, undo: nil)
        try test.database.execute("DELETE FROM changes")
        try expect("done", done, undo: nil)
    }

    @Test("Long warnings are told as far as a page holds them, and counted")
    func manyWarnings() throws {
        let ada = try TestApp().person("ada")
        let answer = try ada.upload("/import", "todo.txt", (1...300).map { "Task \($0) due:never\n" }.joined().utf8)
        let page = try ada.get(try #require(answer.location))
        #expect(page.contains("And 200 more") && page.contains("all=1"))
        #expect(try ada.get(page.address + "?all=1").contains("Line 300"))
    }
}
