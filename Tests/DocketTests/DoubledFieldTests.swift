// A form says one thing: a field that has one value comes once, and of buttons of which each asks for something else one is pressed.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct DoubledFieldTests {
    @Test("A field that comes twice is refused by every form: which one counts would be a guess", arguments: [true, false])
    func doubled(isDifferent: Bool) throws {
        let house = try Household()
        let before = try house.test.database.contents()
        for route in Routes.all where route.method == .post {
            guard let address = try house.address(route.pattern, of: "ada") else { continue }
            let operation = try #require(Operation.of(route))
            let names = operation.form.filter { if case .file = $0.kind { false } else { !$0.isRepeated } }.map(\.name)
            for name in names + ["next"] {
                let form = [(name, "1"), (name, isDifferent ? "2" : "1")]
                #expect(try house.ada.post(address, form).status == 422, "\(address) \(name)")
                let script = try house.ada.post(address, form, accept: "application/json")
                #expect(script.status == 422 && script.contains("\"\(name)\":"), "\(address) \(name) \(script.text)")
            }
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test func `A field that names many things may come many times`() throws {
        let house = try Household()
        let other = try house.ada.post("/tasks", [("title", "Other")], accept: "application/json")
        let ids = [try #require(try house.address("/tasks/{id}", of: "ada")), try #require(other.location)]
        try house.ada.post("/tasks/bulk", ids.map { ("id", String($0.dropFirst(7))) } + [("action", "pin")])
        #expect(try house.test.database.scalar("SELECT count(*) FROM tasks WHERE pinned = 1") == 2)
    }

    @Test("A very long name that comes twice is told by its beginning")
    func longName() throws {
        let house = try Household()
        let name = String(repeating: "n", count: 10_000)
        let answer = try house.ada.post("/tasks/bulk", [(name, "1"), (name, "1"), ("action", "pin")])
        #expect(answer.status == 422 && answer.contains("n…”") && !answer.contains(name))
    }

    @Test("What asks for two things at once does neither")
    func exclusive() throws {
        let house = try Household()
        let task = try #require(try house.address("/tasks/{id}", of: "ada")).dropFirst(7)
        let category = try #require(try house.address("/categories/{id}", of: "ada"))
        let bob = String(try house.test.user("bob").id)
        let token = String(try house.test.database.scalar("SELECT min(id) FROM tokens") ?? 0)
        let before = try house.test.database.contents()
        let cases: [(String, [(String, String)])] = [
            ("/admin/users", [("disable", bob), ("promote", bob)]), ("/admin/users", [("end_sessions", bob), ("invite", "1")]),
            ("/tasks/bulk", [("complete", "\(task).1"), ("pin", "\(task).1")]),
            ("/tasks/bulk", [("pin", "\(task)"), ("all", "1"), ("action", "trash")]),
            ("/settings/tokens", [("revoke", token), ("name", "cron"), ("scope", "read")]),
            (category, [("move", "down"), ("name", "Garden")]), (category, [("color", "3"), ("move", "down")]),
        ]
        for (address, form) in cases {
            #expect(try house.ada.post(address, form).status == 422, "\(address) \(form)")
            #expect(try house.ada.post(address, form, accept: "application/json").status == 422, "\(address) \(form)")
        }
        #expect(try house.test.database.contents() == before)
    }
}
