// Scripts use the same addresses: the lines of the README, the shapes of the answers, the forms that Accept asks for.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct ScriptTests {
    private let test: TestApp
    private let script: Visitor

    init() throws {
        test = try TestApp()
        _ = try test.person("ada")
        script = test.stranger()
        script.token = try test.token("ada")
    }

    @Test func `curl makes a task and reads today's`() throws {
        let made = try script.send(.post, "/tasks", "title=Buy+milk&due=2026-12-24", accept: "*/*")
        #expect(made.status == 201)
        let location = try #require(made.location)
        #expect(location.wholeMatch(of: /\/tasks\/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(made.text == location.dropFirst("/tasks/".count) + "\n")
        #expect(made.response.fields[.contentType] == "text/plain; charset=utf-8")
        #expect(try script.send(.get, "/tasks?due=today&format=text", nil, accept: "*/*").text == "")
        test.now = test.now.adding(seconds: 24 * 86_400)
        #expect(
            try script.send(.get, "/tasks?due=today&format=text", nil, accept: "*/*").text == "[ ] 2026-12-24 Buy milk #work\n")
        #expect(try script.send(.get, location, nil, accept: "*/*").text.hasPrefix("[ ] 2026-12-24 Buy milk #work\n"))
    }

    @Test func `curl with the cookie of a person makes a task`() throws {
        let jar = try test.person("bob")
        #expect(try jar.send(.post, "/tasks", "title=Water+the+plants", accept: "*/*").status == 303)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks WHERE title = 'Water the plants'") == 1)
    }

    @Test func `A list in JSON has the documented names and nothing else`() throws {
        _ = try script.post(
            "/tasks", [("title", "One"), ("content", "a\nb"), ("due", "2026-12-24T18:30"), ("priority", "high"), ("pinned", "1")])
        test.now = test.now.adding(seconds: 1)
        _ = try script.post("/tasks", [("title", "Two"), ("status", "completed"), ("category", "life"), ("due", "2026-12-24")])
        let answer = try script.get("/tasks?status=all", accept: "application/json")
        #expect(answer.response.fields[.contentType] == "application/json")
        let list = try answer.json()
        #expect(Set(list.keys) == ["tasks", "total", "page", "per_page", "pages"])
        #expect([list["total"], list["page"], list["per_page"], list["pages"]].map { $0 as? Int } == [2, 1, 25, 1])
        let tasks = try #require(list["tasks"] as? [[String: Any]])
        let names: Set = [
            "id", "title", "content", "priority", "status", "category", "due", "pinned", "version", "created_at", "updated_at",
            "completed_at",
        ]
        for task in tasks { #expect(Set(task.keys) == names) }
        let (one, two) = (try #require(tasks.first), try #require(tasks.last))
        #expect(one["title"] as? String == "One" && one["content"] as? String == "a\nb" && one["priority"] as? String == "high")
        #expect(one["due"] as? String == "2026-12-24T18:30" && one["pinned"] as? Bool == true && one["version"] as? Int == 1)
        #expect(
            one["created_at"] as? String == "2026-11-30T09:00:00Z" && one["completed_at"] is NSNull
                && one["status"] as? String == "pending")
        #expect(
            two["due"] as? String == "2026-12-24" && two["completed_at"] as? String == "2026-11-30T09:00:01Z"
                && two["category"] as? String == "life")
        let id = try #require(one["id"] as? String)
        let single = try script.get("/tasks/\(id)", accept: "application/json").json()
        #expect(NSDictionary(dictionary: single) == NSDictionary(dictionary: one))
    }

    @Test func `Errors have one shape`() throws {
        for (address, status, code) in [
            ("/tasks/0190f5fe-7c00-7a00-8000-0123456789ab", 404, "not_found"), ("/nowhere", 404, "not_found"),
            ("/tasks?format=pdf", 400, "bad_request"),
            ("/tasks?sort=odd", 400, "invalid"),
        ] {
            let answer = try script.get(address, accept: "application/json")
            #expect(answer.status == status, "\(address)")
            guard address != "/tasks?format=pdf" else { continue }
            let error = try #require(try answer.json()["error"] as? [String: Any], "\(address)")
            #expect(error["code"] as? String == code && (error["message"] as? String)?.isEmpty == false, "\(address)")
            #expect(Set(error.keys).isSubset(of: ["code", "message", "fields"]))
            let line = try script.get(address, accept: "*/*")
            #expect(line.status == status && line.response.fields[.contentType] == "text/plain; charset=utf-8", "\(address)")
            #expect(line.text.split(separator: "\n").count == 1, "\(address)")
        }
    }

    @Test(
        "The form of an answer follows Accept",
        arguments: [
            ("*/*", "text/plain"), ("application/json", "application/json"), ("text/html", "text/html"),
            ("text/plain", "text/plain"),
            ("text/html;q=0.5, application/json", "application/json"), ("application/json;q=0, text/plain;q=0.1", "text/plain"),
            ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html"), ("APPLICATION/JSON", "application/json"),
            ("application/*", "application/json"),
        ])
    func accept(accept: String, type: String) throws {
        let answer = try script.get("/tasks", accept: accept)
        #expect(answer.status == 200)
        #expect(answer.response.fields[.contentType]?.hasPrefix(type) == true)
    }

    @Test("Every format can be asked for by name, whatever Accept says", arguments: Format.allCases)
    func format(format: Format) throws {
        _ = try script.post("/tasks", [("title", "One")])
        let answer = try script.get("/tasks?format=\(format.rawValue)", accept: "image/png")
        #expect(answer.status == 200)
        let type = try #require(format.mediaType ?? format.file?.contentType)
        #expect(answer.response.fields[.contentType]?.hasPrefix(type) == true)
    }

    @Test func `Pages are linked, and following them with any order gives each task once`() throws {
        try test.database.execute("UPDATE users SET default_sort = 'priority_desc'")
        for number in 0..<25 {
            test.now = test.now.adding(seconds: 1)
            _ = try script.post("/tasks", [("title", "Task \(number)"), ("priority", ["low", "high"][number % 2])])
        }
        for order in ["", "&sort=created_desc", "&sort=created_asc"] {
            var titles: [String] = []
            var address: String? = "/tasks?per_page=10" + order
            while let next = address {
                let page = try script.get(next, accept: "application/json")
                titles += (try page.json()["tasks"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
                address = page.response.fields[.link]?.firstMatch(of: /<([^>]*)>; rel="next"/).map { String($0.output.1) }
            }
            #expect(titles.count == 25 && Set(titles).count == 25, "\(order)")
        }
    }

    @Test func `A change tells what it changed, and says the same when nothing was left to change`() throws {
        let made = try script.send(.post, "/tasks", "title=a", accept: "*/*")
        let address = try #require(made.location)
        #expect(try script.send(.post, address + "/completion", "completed=1", accept: "*/*").text == "changed 1\n")
        #expect(try script.send(.post, address + "/completion", "completed=1", accept: "*/*").text == "changed 0\n")
        let pinned = try script.post(address + "/pin", [("pinned", "1")], accept: "application/json").json()
        #expect(pinned["changed"] as? Int == 1 && pinned["change"] is Int)
        let version = try script.get(address, accept: "application/json").json()["version"] as? Int
        #expect(version == 3)
        // A script that edits one field leaves the others.
        let edited = try script.post(address, [("content", "more")], accept: "application/json").json()
        #expect(edited["title"] as? String == "a" && edited["content"] as? String == "more" && edited["pinned"] as? Bool == true)
        // From an older version: another field merges, the same one is a conflict.
        let merged = try script.post(address, [("title", "b"), ("version", "1")], accept: "application/json").json()
        #expect(merged["title"] as? String == "b" && merged["content"] as? String == "more" && merged["pinned"] as? Bool == true)
        let stale = try script.post(address, [("content", "less"), ("version", "1")], accept: "application/json")
        #expect(stale.status == 409 && stale.contains("\"conflict\""))
    }

    @Test func `Sent twice with one form_id, a script gets the first answer`() throws {
        let first = try script.post("/tasks", [("title", "a"), ("form_id", "cron-1")], accept: "application/json")
        let second = try script.post("/tasks", [("title", "a"), ("form_id", "cron-1")], accept: "application/json")
        #expect(first.status == 201 && second.status == 201 && first.text == second.text && first.location == second.location)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 1)
    }

    @Test func `A token that is over, and one of a disabled person, is refused`() throws {
        try test.database.execute("UPDATE tokens SET expires_at = \(test.now.milliseconds)")
        #expect(try script.get("/tasks", accept: "*/*").status == 401)
        try test.database.execute("UPDATE tokens SET expires_at = \(test.now.milliseconds + 1)")
        #expect(try script.get("/tasks", accept: "*/*").status == 200)
        try test.database.execute("UPDATE users SET is_disabled = 1")
        #expect(try script.get("/tasks", accept: "*/*").status == 401)
    }
}

extension Page {
    /// The answer as a JSON object.
    func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }
}
