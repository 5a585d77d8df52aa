// How large the pages may be, uncompressed: what a phone on a weak connection has to wait for.

import Foundation
import Testing

@testable import Docket

@Suite("Budgets")
struct BudgetTests {
    @Test("Style and script keep to their size", arguments: [("app.css", 24), ("app.js", 12)])
    func files(name: String, kilobytes: Int) throws {
        let file = URL(filePath: TestApp.repository).appending(path: "Public/" + name)
        #expect(try Data(contentsOf: file).count <= kilobytes << 10)
    }

    @Test("A list of 25 tasks is at most 22 kB of HTML", arguments: Language.allCases)
    func list(language: Language) throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        for number in 1...30 {
            try ada.post(
                "/tasks",
                [
                    ("title", language == .english ? "Water the plants \(number)" : "给阳台的花浇水 \(number)"), ("due", "2026-12-24"),
                    ("content", number % 2 == 0 ? "x" : ""), ("priority", ["low", "medium", "high"][number % 3]),
                ])
        }
        let page = try ada.get("/tasks")
        #expect(page.contains(" id=\"r25\">"))
        #expect(page.text.utf8.count <= 22 << 10, "\(page.text.utf8.count) bytes")
    }
}
