// The editor's way to the tasks before and behind.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct NeighboursTests {
    @Test func `Next leads through the whole list, over its pages, and back to the page that the task is on`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for number in 1...25 {
            try ada.post("/tasks", [("title", "Task \(number)"), ("priority", number % 2 == 0 ? "high" : "low")])
        }
        let list = "/tasks?priority=low&per_page=10&sort=created_asc"
        let first = try #require(
            try test.database.first("SELECT id FROM tasks ORDER BY number LIMIT 1") { TaskID(bytes: try $0.bytes(0)) } ?? nil)
        var page = try ada.get("/tasks/\(first)?" + FormFields.encode([("next", list)]))
        #expect(page.texts("a href=\"/tasks/").count == 2)  // next, and the history
        var titles: [String] = []
        for _ in 1...30 {
            titles.append(page.texts("title")[0])
            guard let next = link("Next", page) else { break }
            page = try ada.get(next)
        }
        #expect(titles == (1...25).filter { $0 % 2 == 1 }.map { "Task \($0) · Docket" })
        #expect(page.contains("page=2"))
        let previous = try #require(link("Previous", page))
        #expect(try ada.get(previous).texts("title") == ["Task 23 · Docket"])
    }

    @Test(
        "What is no list of ours has no neighbours",
        arguments: ["/tasks?due=odd", "/dashboard", "/filters/99", "/trash", "//elsewhere"])
    func none(next: String) throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for title in ["a", "b", "c"] { try ada.post("/tasks", [("title", title)]) }
        let id = try #require(
            try test.database.first("SELECT id FROM tasks WHERE title = 'b'") { TaskID(bytes: try $0.bytes(0)) } ?? nil)
        let page = try ada.get("/tasks/\(id)?" + FormFields.encode([("next", next)]))
        #expect(page.status == 200)
        #expect((link("Next", page) == nil) == (next != "//elsewhere"))
    }

    private func link(_ text: String, _ page: Page) -> String? {
        for piece in page.text.components(separatedBy: "<a href=\"").dropFirst() {
            guard let end = piece.firstIndex(of: "\""), let close = piece.range(of: "</a>") else { continue }
            if piece[..<close.lowerBound].hasSuffix(text) { return String(piece[..<end]).replacing("&amp;", with: "&") }
        }
        return nil
    }
}
