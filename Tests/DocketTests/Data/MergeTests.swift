// Two windows on one task: what each changed in other fields stays, what both changed is shown to the one who comes second.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct MergeTests {
    private let test: TestApp
    private let ada: Visitor
    private let address: String

    init() throws {
        test = try TestApp()
        ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Report"), ("content", "For Bob"), ("due", "2026-12-24")])
        let id = try test.database.first("SELECT id FROM tasks") { TaskID(bytes: try $0.bytes(0)) } ?? nil
        address = "/tasks/\(try #require(id))"
    }

    private func task() throws -> String {
        try test.database.first(
            "SELECT title || '|' || content || '|' || coalesce(due_on, '-') || '|' || priority || pinned || status || '|' || folded FROM tasks"
        ) { try $0.text(0) } ?? ""
    }

    @Test(
        "Different fields merge, and it is said",
        arguments: [
            ([("title", "Report for Cleo")], [("content", "Soon")], "Report for Cleo|Soon|2026-12-24|100|report for cleo\nsoon"),
            ([("due", "2026-12-31")], [("priority", "high")], "Report|For Bob|2026-12-31|200|report\nfor bob"),
            ([("due", ""), ("pinned", "1")], [("title", "A"), ("status", "completed")], "A|For Bob|-|111|a\nfor bob"),
            ([("title", "Same")], [("title", "Same"), ("content", "B")], "Same|B|2026-12-24|100|same\nb"),
        ] as [([(String, String?)], [(String, String?)], String)])
    func merge(first: [(String, String?)], second: [(String, String?)], wanted: String) throws {
        let (one, two) = (try ada.get(address), try ada.get(address))
        #expect(try one.submit(address, first).status == 200)
        let after = try two.submit(address, second)
        #expect(after.status == 200 && after.contains("What was changed elsewhere meanwhile was kept too."))
        #expect(try task() == wanted)
    }

    @Test(
        "The same field is a conflict, and nothing is changed",
        arguments: [
            ([("title", "One")], [("title", "Two")]), ([("content", "")], [("content", "x")]),
            ([("due", "")], [("due", "2027-01-01")]),
            ([("priority", "high")], [("priority", "low"), ("title", "T")]), ([("category", "life")], [("category", "study")]),
            ([("title", "cafe\u{301}")], [("title", "caf\u{E9}")]),
        ] as [([(String, String?)], [(String, String?)])])
    func conflict(first: [(String, String?)], second: [(String, String?)]) throws {
        let (one, two) = (try ada.get(address), try ada.get(address))
        try one.submit(address, first)
        let before = try test.database.contents()
        let page = try two.submit(address, second)
        #expect(page.status == 409)
        #expect(try test.database.contents() == before)
        // The form goes on from what stands now: sent again it wins.
        #expect(try page.submit(address).status == 200)
    }

    @Test func `Several changes in between, one of them taken back, are one difference`() throws {
        let old = try ada.get(address)
        try ada.get(address).submit(address, [("title", "One")])
        let notice = try ada.get(address).submit(address, [("content", "Other")])
        let undo = try #require(notice.forms.first { $0.action.hasPrefix("/undo/") })
        try ada.post(address + "/pin", [("pinned", "1")])
        try ada.post(undo.action)
        #expect(try old.submit(address, [("content", "Mine"), ("title", "Report")]).status == 200)
        #expect(try task().hasPrefix("One|Mine|2026-12-24|110|"))
    }

    @Test func `Without the history of the time in between it is a conflict`() throws {
        let old = try ada.get(address)
        try ada.post(address + "/pin", [("pinned", "1")])
        try test.database.execute("DELETE FROM changes")
        #expect(try old.submit(address, [("title", "Mine")]).status == 409)
        #expect(try ada.post(address, [("title", "Mine"), ("version", "99")]).status == 409)
    }
}
