// No room: reading goes on, a change is refused in words and leaves nothing, and goes on by itself when there is room again.

import HTTP
import SQLite
import Testing

@testable import Docket
@testable import SQLite

@Suite struct FullDiskTests {
    @Test func `Without room a change is refused with 507 and nothing is half there`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Buy milk")])
        // The file may not grow any more, as on a full disk.
        let pages = try #require(try test.database.scalar("PRAGMA page_count"))
        _ = try test.database.scalar(SQL(trusted: "PRAGMA max_page_count = \(pages)"))
        var before: [String] = []
        var refused: Page?
        for number in 0..<100 where refused == nil {
            before = try test.database.contents()
            let form = FormFields.encode([("title", "Task \(number)"), ("content", String(repeating: "milk ", count: 2_000))])
            let answer = try ada.send(.post, "/tasks", form)
            if answer.status != 303 { refused = answer }
        }
        let page = try #require(refused)
        #expect(page.status == 507 && page.response.fields[.retryAfter] != nil)
        #expect(try test.database.contents() == before)
        #expect(try ada.get("/tasks").contains("Buy milk"))
        #expect(try test.database.integrityCheck() == [])
        _ = try test.database.scalar(SQL(trusted: "PRAGMA max_page_count = \(pages + 1_000)"))
        #expect(try ada.send(.post, "/tasks", FormFields.encode([("title", "Room again")])).status == 303)
        #expect(try ada.get("/tasks").contains("Room again"))
    }

    @Test func `Without room a script's import is refused with 507, and nothing of it is there`() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let script = test.stranger()
        script.token = try test.token("ada")
        let rows = (0..<600).map { "task \($0) \(String(repeating: "milk ", count: 60))\n" }.joined()
        let waits = try script.upload("/import", "b.txt", rows.utf8, [("dry_run", "1")], accept: "application/json")
        let pages = try #require(try test.database.scalar("PRAGMA page_count"))
        _ = try test.database.scalar(SQL(trusted: "PRAGMA max_page_count = \(pages + 20)"))
        for answer in [
            try script.send(.post, try #require(waits.location), "action=run", accept: "application/json"),
            try script.upload("/import", "todo.txt", rows.utf8, accept: "application/json"),
        ] {
            #expect(answer.status == 507 && answer.contains("\"storage_full\""), "\(answer.text)")
            #expect(answer.contains("disk is full"))
        }
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 0)
        #expect(test.log.text.contains("import_trouble"))
    }

    @Test func `Whatever meets a full disk, it comes to the same answer`() throws {
        for error: any Error in [
            CommandFailure(system: "/data/docket.sqlite3-download", code: 28), CommandFailure(system: "copy", code: 122),
            DatabaseError(code: ResultCode(rawValue: 13), message: "database or disk is full"), Refusal.storageFull,
        ] {
            #expect(Refusal(ofStorage: error) == .storageFull)
            #expect(ImportTrouble(error).code == .storageFull)
        }
        #expect(Refusal(ofStorage: CommandFailure(system: "copy", code: 13)) == nil)
        #expect(ImportTrouble(CommandFailure("no account")).code == .internal)
        #expect(ImportTrouble(Refusal.busy).code == .busy)
        let test = try TestApp()
        var head = RequestHead(method: .post, path: "/import", authority: "docket.test")
        head.fields.append(.accept, "application/json")
        #expect(test.app.noRoom(head).status.code == 507 && test.log.text.contains("storage_full"))
    }
}
