// A list page that is sent again: it is the page that would be made now, or it is made.

import HTTP
import SQLite
import Testing

@testable import Docket

struct PageCacheTests {
    private let house: Household

    init() throws { house = try Household() }

    /// The page as it is answered from memory; nil where it would be made.
    private func kept(_ visitor: Visitor, _ address: String) throws -> String? {
        let parts = address.split(separator: "?", maxSplits: 1).map(String.init)
        var head = RequestHead(method: .get, path: parts[0], query: parts.count > 1 ? parts[1] : nil, authority: "docket.test")
        head.fields.append(.accept, "text/html")
        head.fields.append(.acceptLanguage, visitor.language)
        head.fields.append(.cookie, visitor.cookies.map { "\($0)=\($1)" }.joined(separator: "; "))
        let request = Request(head: head, body: .bytes([]), peer: visitor.peer)
        guard case .job(let job) = house.test.app.plan(request) else { return nil }
        let writer = NoWriter()
        guard
            let response = job.answerAtOnce?(house.test.database, writer, house.test.now.milliseconds),
            case .bytes(let bytes) = response.content
        else { return nil }
        #expect(response.fields.contains(.contentSecurityPolicy) && response.fields[.cacheControl] == "no-store")
        return String(decoding: bytes, as: UTF8.self)
    }

    private func formIDs(_ page: String) -> Set<Substring> {
        Set(page.matches(of: #/name="form_id" value="([^"]+)"/#).map(\.output.1))
    }

    @Test(
        "A page that was made is sent again, with another name of its form",
        arguments: ["/tasks", "/tasks?status=all&sort=due_asc"])
    func again(address: String) throws {
        #expect(try kept(house.ada, address) == nil)
        try house.ada.get("/tasks")  // takes the notice away
        let made = try house.ada.get(address).text
        let first = try #require(try kept(house.ada, address))
        let second = try #require(try kept(house.ada, address))
        let names = [made, first, second].map(formIDs)
        #expect(names.allSatisfy { $0.count == 1 } && Set(names).count == 3)
        func bare(_ page: String) -> String { page.replacing(#/name="form_id" value="[^"]+"/#, with: "") }
        #expect(bare(first) == bare(made) && bare(second) == bare(made))
        #expect(try kept(house.bob, address) == nil)
    }

    @Test(
        "Whatever a page shows, a change of it makes the page anew",
        arguments: [
            "UPDATE users SET name = 'Ada L.'", "UPDATE users SET is_admin = 1 - is_admin", "UPDATE users SET theme = 'dark'",
            "UPDATE users SET language = 'zh-Hans'", "UPDATE users SET time_zone = 'Asia/Shanghai'",
            "UPDATE users SET text_size = 'large'", "UPDATE users SET per_page = 10", "UPDATE users SET default_sort = 'due_asc'",
            "UPDATE users SET default_category = 'life'", "UPDATE users SET first_weekday = 7",
            "UPDATE users SET revision = revision + 1", "UPDATE users SET is_disabled = 1", "DELETE FROM sessions",
        ])
    func change(sql: String) throws {
        try house.ada.get("/tasks")
        try house.ada.get("/tasks")
        #expect(try kept(house.ada, "/tasks") != nil)
        try house.test.database.executeScript(sql)
        #expect(try kept(house.ada, "/tasks") == nil)
    }

    @Test("A task, a notice and the next day make the page anew")
    func ends() throws {
        try house.ada.get("/tasks")
        try house.ada.get("/tasks")
        _ = try house.ada.send(.post, "/tasks", "title=Milk")
        #expect(house.ada.cookies["docket-notice"] != nil)
        #expect(try kept(house.ada, "/tasks") == nil)
        try house.ada.get("/tasks")  // shows the notice
        #expect(try kept(house.ada, "/tasks") == nil)
        #expect(try house.ada.get("/tasks").text.contains("Milk"))
        #expect(try kept(house.ada, "/tasks") != nil)
        house.test.now = house.test.now.adding(days: 1)
        #expect(try kept(house.ada, "/tasks") == nil)
    }

    @Test("A window that looks again on its own leaves a notice to the one in which something was done")
    func background() throws {
        _ = try house.ada.send(.post, "/tasks", "title=Milk")
        house.ada.fields = [(.xBackground, "1")]
        let other = try house.ada.get("/tasks").text
        #expect(other.contains("Milk") && !other.contains("notice"))
        house.ada.fields = []
        #expect(try house.ada.get("/tasks").text.contains("Added “Milk”."))
        #expect(try !house.ada.get("/tasks").text.contains("Added “Milk”."))
    }

    @Test("A token, a script's forms and another method are answered by those who work for it")
    func others() throws {
        try house.ada.get("/tasks")
        try house.ada.get("/tasks")
        #expect(try house.ada.get("/tasks", accept: "application/json").text.hasPrefix("{"))
        house.ada.token = "wrong"
        #expect(try house.ada.send(.get, "/tasks", nil).status == 401)
    }
}

/// Nobody writes while a page is looked at.
private struct NoWriter: Writing, Reading {
    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws { throw Refusal.busy }
    func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        throw Refusal.busy
    }
}
