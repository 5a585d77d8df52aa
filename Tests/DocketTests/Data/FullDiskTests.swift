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
}
