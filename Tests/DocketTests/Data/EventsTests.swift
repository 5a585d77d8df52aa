// The stream of events: it tells the right windows, of what is committed, once, and ends with the session.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct EventsTests {
    private let test: TestApp
    private let ada: Visitor
    private let bob: Visitor

    init() throws {
        test = try TestApp()
        ada = try test.person("ada")
        bob = try test.person("bob")
        try NewsWatch.begin(test.database)
    }

    private func open(_ visitor: Visitor) throws -> any ContentStream {
        let page = try visitor.send(.get, "/events", nil, accept: "text/event-stream")
        #expect(page.status == 200 && page.response.fields[.contentType] == "text/event-stream")
        #expect(page.response.fields[.cacheControl] == "no-store")
        guard case .stream(let stream) = page.response.content else { throw Refusal.notFound }
        return stream
    }

    private static func next(_ stream: any ContentStream) async throws -> String? {
        try await stream.next().map { String(decoding: $0, as: UTF8.self) }
    }

    /// What the writer does after a commit.
    private func tell() throws { test.app.events.tell(try NewsWatch.take(test.database)) }

    @Test func `A change reaches all windows of its person, and nobody else's`() async throws {
        let (one, two, other) = (try open(ada), try open(ada), try open(bob))
        for stream in [one, two, other] { #expect(try await Self.next(stream) == "retry: 2000\n\n") }
        try ada.post("/tasks", [("title", "Buy milk")])
        try tell()
        let revision = try test.user("ada").revision
        for stream in [one, two] { #expect(try await Self.next(stream) == "event: change\ndata: \(revision)\n\n") }
        test.app.events.beat()
        for stream in [one, two, other] { #expect(try await Self.next(stream) == ":\n\n") }
    }

    @Test func `A window that waits is woken, and news that gather are one`() async throws {
        let stream = try open(ada)
        #expect(try await Self.next(stream) == "retry: 2000\n\n")
        async let waiting = Self.next(stream)
        try ada.post("/tasks", [("title", "One")])
        try tell()
        let heard = try #require(try await waiting)
        #expect(heard.hasPrefix("event: change\n"))
        for title in ["Two", "Three"] {
            try ada.post("/tasks", [("title", title)])
            try tell()
        }
        #expect(try await Self.next(stream) == "event: change\ndata: \(try test.user("ada").revision)\n\n")
        test.app.events.beat()
        #expect(try await Self.next(stream) == ":\n\n")
    }

    @Test func `What is refused or rolled back is no news`() async throws {
        try ada.post("/tasks", [("title", "")])
        try ada.get("/tasks")
        #expect(try NewsWatch.take(test.database).isEmpty)
        let user = try test.user("ada").id
        _ = try? test.database.savepoint {
            try test.database.execute("UPDATE users SET revision = revision + 1 WHERE id = \(user)")
            throw Refusal.notFound
        }
        #expect(try NewsWatch.take(test.database).isEmpty)
    }

    @Test func `The stream ends with the session, and only that one`() async throws {
        let second = test.stranger()
        let user = try test.user("ada").id
        second.cookies["docket"] = try SessionRepository(test.database).create(
            userID: user, address: "", userAgent: "", now: test.now
        ).text
        let (one, two) = (try open(ada), try open(second))
        for stream in [one, two] { _ = try await Self.next(stream) }
        try ada.post("/sign-out")
        try tell()
        #expect(try await Self.next(one) == nil)
        test.app.events.beat()
        #expect(try await Self.next(two) == ":\n\n")
        try test.database.execute("UPDATE users SET is_disabled = 1 WHERE id = \(user)")
        try tell()
        #expect(try await Self.next(two) == nil)
        #expect(test.app.events.isEmpty)
    }

    @Test func `The stream of a token ends when the token is revoked, and only that one`() async throws {
        let script = test.stranger()
        script.token = try test.token("ada")
        let (one, two) = (try open(script), try open(ada))
        for stream in [one, two] { _ = try await Self.next(stream) }
        try test.database.execute("DELETE FROM tokens")
        try tell()
        #expect(try await Self.next(one) == nil)
        test.app.events.beat()
        #expect(try await Self.next(two) == ":\n\n")
    }

    @Test func `Deleting the account ends its streams`() async throws {
        let stream = try open(ada)
        _ = try await Self.next(stream)
        try AccountRepository(database: test.database, now: test.now).delete(try test.user("ada").id)
        try tell()
        #expect(try await Self.next(stream) == nil)
    }

    @Test func `A window that goes away leaves nothing behind; a stream does not live for ever`() async throws {
        let (gone, old) = (try open(ada), try open(ada))
        gone.cancel()
        #expect(try await Self.next(gone) == nil)
        for _ in 0..<41 { test.app.events.beat() }
        #expect(try await Self.next(old) == nil)
        #expect(test.app.events.isEmpty)
        // HEAD opens none.
        #expect(try ada.send(.head, "/events", nil).status == 200)
        #expect(test.app.events.isEmpty)
        for _ in 0...EventHub.mostOfOne { _ = try open(ada) }
        let one = try open(ada)
        // A command may have ended the session or the person: the window hears that it has to look again, and has to ask for a new stream.
        test.app.events.tellEveryone()
        #expect(try await Self.next(one)?.contains("event: change") == true)
        #expect(try await Self.next(one) == nil)
        #expect(test.app.events.isEmpty)
    }

    @Test func `A page says where it listens, and how new it is`() throws {
        let page = try ada.get("/tasks")
        #expect(page.contains("data-live=\"/events\" data-revision=\"\(try test.user("ada").revision)\""))
        #expect(!(try test.stranger().get("/sign-in").contains("data-live")))
    }
}
