// The application in process: real templates, real SQLite in memory, a clock that tests set. No sockets, no threads.

import Foundation
import HTTP
import SQLite

@testable import Docket

/// One application with a database of its own.
final class TestApp {
    let app: App
    let database: Connection
    /// The time of the next request.
    var now: Instant
    private(set) var log: TestLog
    private let work = TestWork()

    /// - Parameter now: 2026-11-30 09:00 UTC, a Monday, if nothing else is said.
    init(
        _ config: Config = Config(), now: Instant = Instant(milliseconds: 1_796_029_200_000),
        database file: DatabaseFile = DatabaseFile(":memory:")
    ) throws {
        self.now = now
        let log = TestLog()
        self.log = log
        let logger = Logger(format: .text) { log.append($0) }
        app =
            config.publicURL == nil
            ? App(config: config, surface: try Self.surface.get(), logger: logger)
            : try App(config: config, resources: try Self.resources.get(), logger: logger)
        database = try file.openMigrated()
        app.imports.open(file, writer: DirectWriter(database)) { [work] in work.waiting.append($0) }
    }

    /// Does what waits for a thread of its own: reading and importing large files.
    func doWork() {
        while !work.waiting.isEmpty { work.waiting.removeFirst()(database) }
    }

    /// Read once for all tests.
    private static let resources = Result { try Resources(folder: repository) }

    private static let surface = Result { try Surface(try resources.get(), basePath: "") }

    /// The root of the repository.
    static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .deletingLastPathComponent().path()

    /// Answers a request on the lane that its route asks for, as the server does.
    func respond(_ request: Request) throws -> Response {
        switch app.plan(request) {
        case .answer(let response): return response
        case .job(let job):
            let writer = DirectWriter(database)
            defer { writer.makeNotes() }
            if let answer = job.answerAtOnce?(database, writer, now.milliseconds) { return answer }
            guard job.changes else { return job.respond(database: database, writer: writer, now: now.milliseconds) }
            try database.begin(.immediate)
            let response = job.respond(database: database, writer: writer, now: now.milliseconds)
            // Without room SQLite has ended the transaction by itself, and the answer says so.
            if database.isInTransaction { try database.commit() }
            return response
        }
    }

    /// What stands against a request whatever its content is.
    func objection(_ head: RequestHead) throws -> Response? {
        guard case .job(let job) = app.plan(Request(head: head, body: .bytes([]), peer: "127.0.0.1")) else { return nil }
        return job.objection(database: database, writer: DirectWriter(database), now: now.milliseconds)
    }

    /// A new account with a visitor who is signed in. Hashing is left out: the session is made directly.
    func person(_ name: String, zone: String = "Europe/Berlin", language: Language = .english) throws -> Visitor {
        let accounts = AccountRepository(database: database, now: now)
        let id = try accounts.create(
            AccountRepository.NewAccount(name: UserName(name), passwordHash: "none", language: language, zoneName: zone))
        let secret = try SessionRepository(database).create(userID: id, address: "127.0.0.1", userAgent: "test", now: now)
        let visitor = Visitor(self)
        visitor.cookies["docket"] = secret.text
        return visitor
    }

    /// Someone who is not signed in.
    func stranger() -> Visitor { Visitor(self) }

    /// The person of a name, as the database has them now.
    func user(_ name: String) throws -> User {
        let accounts = AccountRepository(database: database, now: now)
        guard let id = try accounts.id(of: UserName(name)), let user = try accounts.user(id) else { throw Refusal.notFound }
        return user
    }

    /// A token of a person.
    func token(_ name: String, scope: Scope = .full) throws -> String {
        let secret = Secret()
        try database.execute(
            """
            INSERT INTO tokens (user_id, name, digest, scope, created_at)
            VALUES (\(try user(name).id), \("token \(UInt32.random(in: 0...UInt32.max))"), \(secret.digest), \(scope.rawValue), 0)
            """)
        return secret.text
    }
}

/// Work that waits. Right because a test's application runs on the test's own thread.
private final class TestWork: @unchecked Sendable {
    var waiting: [@Sendable (Connection) -> Void] = []
}

/// What was logged. Right because a test's application runs on the test's own thread.
final class TestLog: @unchecked Sendable {
    private(set) var text = ""
    func append(_ line: [UInt8]) { text += String(decoding: line, as: UTF8.self) }
}

/// Changes from the hashing lane, made at once. Right because the test's only thread calls it.
private final class DirectWriter: Writing, Reading, @unchecked Sendable {
    private let database: Connection
    private var notes: [@Sendable (Connection) throws -> Void] = []

    init(_ database: Connection) { self.database = database }

    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws {
        try database.savepoint { try body(database) }
    }

    func note(_ body: @escaping @Sendable (Connection) throws -> Void) { notes.append(body) }

    /// What nobody has waited for, in a transaction of its own.
    func makeNotes() {
        for note in notes { try? perform(note) }
    }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try body(database)
    }
}
