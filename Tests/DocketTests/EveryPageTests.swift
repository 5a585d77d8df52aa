// Every page in every language: its fields, its heading, its labels, its texts.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct EveryPageTests {
    @Test("Every page is whole in each language, empty and full", arguments: Language.allCases)
    func pages(language: Language) throws {
        let house = try Household(language: language)
        let ada = house.ada
        let empty = try house.test.person("cleo", language: language)
        let keys = Set(house.test.app.strings(language).texts.keys)
        func check(_ page: Page, _ what: String, status: Int = 200) {
            #expect(page.status == status, "\(what)")
            guard page.response.fields[.contentType]?.hasPrefix("text/html") == true else { return }
            #expect(HTMLCheck.problems(page, language: language, keys: keys) == [], "\(what)")
        }
        for number in 1...60 {
            try ada.post(
                "/tasks",
                [
                    ("title", "Task \(number)"), ("due", "2026-\(number % 2 == 0 ? "11-29" : "12-24")"),
                    ("pinned", number % 7 == 0 ? "1" : "0"),
                    ("priority", ["low", "medium", "high"][number % 3]), ("status", number % 5 == 0 ? "completed" : "pending"),
                ])
        }
        let id = try #require(try house.address("/tasks/{id}", of: "ada"))
        try ada.post(id + "/pin", [("pinned", "1")])
        try ada.post(id + "/trash")
        for route in Routes.all where route.method == .get {
            let visitors = route.isForEveryone ? [house.test.stranger(), ada] : [ada, empty]
            for visitor in visitors {
                visitor.language = language.rawValue
                // Figures are for the machine itself.
                visitor.authority = route.pattern == "/metrics" ? "localhost" : "docket.test"
                guard let address = try house.address(route.pattern, of: visitor === empty ? "cleo" : "ada") else { continue }
                let isOpen = !route.isForAdministrators || visitor === ada
                let page = try visitor.get(address)
                check(page, "\(route)", status: isOpen ? 200 : 403)
                guard isOpen, page.response.fields[.contentType]?.hasPrefix("text/html") == true else { continue }
                #expect(route.isForEveryone || page.form("/sign-out") != nil, "\(route)")
            }
        }
        for query in [
            "page=2", "page=3&per_page=10", "status=all", "status=completed&sort=due_desc", "q=task", "q=nothing+like+this",
            "due=overdue",
            "due=today", "due=week", "due=none", "due=any", "due=2026-12-01..2026-12-24", "due=2026-12-01..", "due=..2026-12-24",
            "category=work&priority=high&pinned=1", "priority=low", "category=health",
        ] { check(try ada.get("/tasks?" + query), query) }
        for query in [
            "status=odd",
            "sort=up&due=soon&category=none&priority=p1&pinned=2&page=0&per_page=9&q=\(String(repeating: "a", count: 1_001))",
        ] {
            check(try ada.get("/tasks?" + query), query, status: 400)
        }
        check(try ada.get("/nowhere"), "404", status: 404)
        check(try ada.send(.post, "/tasks?x", FormFields.encode([("title", "")])), "quick add", status: 422)
        check(try ada.send(.post, "/tasks", FormFields.encode([("title", ""), ("editor", "1")])), "editor", status: 422)
        check(try ada.send(.post, "/tasks", FormFields.encode([("title", "a"), ("preview", "1")])), "preview", status: 200)
        check(try ada.send(.post, "/tasks/bulk", "action=pin"), "bulk", status: 422)
        check(try ada.send(.post, "/tasks/bulk", "all=1&action=odd"), "bulk", status: 422)
        check(try ada.send(.put, "/tasks", nil), "405", status: 405)
        check(try ada.send(.post, "/tasks", "title=%FF"), "400", status: 400)
    }

    @Test func `Other answers carry the security fields too`() throws {
        let house = try Household()
        for (method, address, accept) in [
            (.get, "/", "*/*"), (.get, "/healthz", "*/*"), (.get, "/tasks", "application/json"), (.get, "/nowhere", "text/plain"),
            (.post, "/sign-out", "*/*"),
        ] as [(HTTP.Method, String, String)] {
            let page = try house.ada.send(method, address, method == .post ? "" : nil, accept: accept)
            #expect(HTMLCheck.fields(page) == [], "\(method) \(address)")
        }
    }

    @Test func `A history of long notes is a short page`() throws {
        let house = try Household()
        let id = try #require(try house.address("/tasks/{id}", of: "ada"))
        for number in 0..<5 {
            let status = try house.ada.post(id, [("content", "\(number)" + String(repeating: "字", count: 19_000))]).status
            #expect(status == 200)
        }
        let page = try house.ada.get(id + "/history")
        #expect(page.texts("ins").contains { $0.hasPrefix("4字字") && $0.hasSuffix("字…") })
        #expect(page.text.utf8.count < 30_000)
    }

    @Test func `What was thrown away can be looked at, and taken back from its page`() throws {
        let house = try Household()
        let id = try #require(try house.address("/tasks/{id}", of: "ada"))
        try house.ada.post(id + "/trash")
        let page = try house.ada.get(id)
        #expect(page.status == 200 && page.contains("\(id)/restore"))
        try house.ada.post(id + "/restore")
        #expect(try house.ada.get("/tasks").contains("plants of ada"))
    }
}

extension HTTP.Method {
    static let put = HTTP.Method("PUT")
}
