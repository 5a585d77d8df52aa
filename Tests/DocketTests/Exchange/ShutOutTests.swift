// A person who is shut out has no import that goes on, however soon they are let in again and whichever process does it.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct ShutOutTests {
    enum Way: CaseIterable { case page, command }

    private let test: TestApp
    private let ada: Visitor
    private let bob: Visitor

    init() throws {
        test = try TestApp()
        ada = try test.person("ada")
        _ = try test.person("bob")
        bob = test.stranger()
        bob.token = try test.token("bob")
    }

    /// Large enough for a thread of its own, and for some batches.
    private static let large = (1...900).map { "task \($0) " + String(repeating: "x", count: 400) + "\n" }.joined()

    private func send(dry: Bool) throws -> String {
        let answer = try bob.upload("/import", "todo.txt", Self.large.utf8, dry ? [("dry_run", "1")] : [], accept: "*/*")
        #expect(answer.status == 202)
        return try #require(answer.location)
    }

    private func shutOutAndLetIn(_ way: Way) throws {
        for isDisabled in [true, false] {
            switch way {
            case .page:
                let form = [(isDisabled ? "disable" : "enable", String(try test.user("bob").id))]
                #expect(try ada.post("/admin/users", form).status == 200)
            case .command: #expect(try Administration(test.database).setDisabled("bob", isDisabled))
            }
        }
    }

    /// Ended, for good, with nothing left of it.
    private func expectEnded(_ address: String) throws {
        #expect(try bob.get(address, accept: "application/json").contains("\"state\":\"cancelled\""))
        #expect(try bob.send(.post, address, "action=run", accept: "*/*").status == 409)
        test.doWork()
        #expect(try test.database.scalar("SELECT count(*) FROM imports WHERE state <> 'cancelled'") == 0)
        for table in ["tasks", "changes"] as [SQL] { #expect(try test.database.scalar("SELECT count(*) FROM \(table)") == 0) }
        // It stands in nobody's way.
        #expect(try bob.upload("/import", "b.txt", "Buy milk".utf8, accept: "*/*").status == 201)
    }

    @Test("An import that runs ends, though its person is let in again before its next batch", arguments: Way.allCases)
    func running(way: Way) throws {
        let writer = Meddler(test.database, at: 3) { try shutOutAndLetIn(way) }
        let work = Work()
        test.app.imports.open(DatabaseFile(":memory:"), writer: writer) { work.waiting.append($0) }
        let address = try send(dry: false)
        work.waiting.removeFirst()(test.database)
        #expect(writer.seen > 0 && writer.count > 3)
        try expectEnded(address)
    }

    @Test("So does one that has not begun to write", arguments: Way.allCases)
    func waiting(way: Way) throws {
        let address = try send(dry: false)
        try shutOutAndLetIn(way)
        test.doWork()
        try expectEnded(address)
    }

    @Test("A file that is being looked at, or waits for its person, is let go", arguments: Way.allCases, [true, false])
    func examining(way: Way, isLookedAt: Bool) throws {
        let address = try send(dry: true)
        if isLookedAt { test.doWork() }
        try shutOutAndLetIn(way)
        test.doWork()
        try expectEnded(address)
    }

    @Test("A file of who may not sign in is not looked at to its end")
    func shutOut() throws {
        _ = try send(dry: true)
        try test.database.execute("UPDATE users SET is_disabled = 1 WHERE name = 'bob'")
        test.doWork()
        #expect(try test.database.scalar("SELECT count(*) FROM imports WHERE state = 'cancelled'") == 1)
    }
}

/// Work that waits. Right because a test's application runs on the test's own thread.
private final class Work: @unchecked Sendable {
    var waiting: [@Sendable (Connection) -> Void] = []
}

/// Something that happens behind one of an import's changes. Right because one thread at a time uses it.
private final class Meddler: Writing, @unchecked Sendable {
    private let database: Connection
    private let place: Int
    private let deed: () throws -> Void
    private(set) var count = 0
    /// Tasks that were there just before.
    private(set) var seen = 0

    init(_ database: Connection, at place: Int, _ deed: @escaping () throws -> Void) {
        (self.database, self.place, self.deed) = (database, place, deed)
    }

    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws {
        try database.savepoint { try body(database) }
        count += 1
        guard count == place else { return }
        seen = Int(try database.scalar("SELECT count(*) FROM tasks") ?? 0)
        try deed()
    }
}
