// A folder with a database file and people, for tests of what comes in and goes out. It is removed with its test.

import Foundation
import SQLite

@testable import Docket

final class ImportPlace {
    let folder: URL
    let database: DatabaseFile
    let connection: Connection
    let writer: ConnectionWriter

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "docket-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        database = DatabaseFile(folder.appending(path: "docket.sqlite3").path())
        connection = try database.openMigrated()
        writer = ConnectionWriter(connection)
    }

    deinit {
        connection.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes an account.
    @discardableResult
    func person(_ name: String, zone: String = "UTC") throws -> Int {
        try AccountRepository(database: connection, now: Instant.now()).create(
            AccountRepository.NewAccount(name: UserName(name), passwordHash: "none", language: .english, zoneName: zone))
    }

    /// Somebody's tasks.
    func repository(_ user: String) throws -> TaskRepository {
        let now = Instant.now()
        return TaskRepository(
            connection, owner: try AccountRepository(database: connection, now: now).named(user), now: now)
    }

    /// Writes a file.
    func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> ByteFile {
        let path = folder.appending(path: name).path()
        try Data(bytes).write(to: URL(filePath: path))
        return try ByteFile(path)
    }

    /// Makes a database of the phone's app, with the rows of a script.
    func phone(_ name: String, _ script: String, table: String = ImportPlace.table) throws -> ByteFile {
        let path = folder.appending(path: name).path()
        let phone = try Connection(path: path, mode: .readWriteCreate)
        try phone.executeScript("PRAGMA journal_mode = DELETE; " + table + ";" + script)
        phone.close()
        return try ByteFile(path)
    }

    /// What SQLite.swift makes of the app's table.
    static let table = """
        CREATE TABLE "tasks" ("id" TEXT PRIMARY KEY NOT NULL, "title" TEXT NOT NULL, "content" TEXT, \
        "priority" INTEGER NOT NULL DEFAULT (1), "status" INTEGER NOT NULL DEFAULT (0), "category" TEXT NOT NULL DEFAULT ('work'), \
        "due_date" REAL, "created_at" REAL NOT NULL, "updated_at" REAL NOT NULL, "completed_at" REAL, \
        "is_pinned" INTEGER NOT NULL DEFAULT (0))
        """

    /// Imports a file for a person.
    func take(
        _ file: ByteFile, for user: String, dry: Bool = false, completed: Bool = false, encoding: TextEncoding? = nil,
        options: ImportOptions = ImportOptions(), isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> ImportReport {
        var job = Import(user: user, way: "command")
        job.batchSize = 1_000
        job.options = options
        if completed { job.options.isAllCompleted = true }
        if let encoding { job.options.encoding = encoding }
        return try job.run(file, into: database, reading: connection, writer: dry ? nil : writer, isCancelled: isCancelled)
    }

    /// The person's tasks in the order in which they came in.
    func tasks(of user: String) throws -> [TaskItem] {
        try connection.rows(
            """
            SELECT \(TaskItem.columns) FROM tasks WHERE user_id = (SELECT id FROM users WHERE name = \(user)) AND trashed_at IS NULL
            ORDER BY number
            """, TaskItem.init(row:))
    }

    /// Each task on a line: title, priority, status, category, due date on the person's clock, content with ⏎ for line ends, * for a pin.
    func seen(of user: String) throws -> [String] {
        let id = Int(try connection.scalar("SELECT id FROM users WHERE name = \(user)") ?? 0)
        let owner = try AccountRepository(database: connection, now: Instant.now()).user(id)
        let categories = try Category.all(connection, userID: id)
        return try tasks(of: user).map { task in
            let category = categories.first { $0.id == task.categoryID }?.key ?? "?"
            let due = task.due?.formText(in: owner?.zone ?? .utc) ?? ""
            let content = task.content.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "⏎")
            return "\(task.title)|\(task.priority)|\(task.status)|\(category)|\(due)|\(content)\(task.isPinned ? "|*" : "")"
        }
    }

    func titles(of user: String) throws -> [String] { try tasks(of: user).map(\.title) }
}

/// Writes through one connection, a transaction each. Right because a test has one thread that uses it.
final class ConnectionWriter: Writing, @unchecked Sendable {
    private let connection: Connection
    /// How many transactions there were.
    private(set) var count = 0
    var isAwaited = false

    init(_ connection: Connection) { self.connection = connection }

    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws {
        count += 1
        try connection.transaction { try body(connection) }
    }
}

/// A writer that is cut off at one of its changes. Right because one thread at a time uses it.
final class FailingWriter: Writing, @unchecked Sendable {
    private let writer: ConnectionWriter
    private let failsAt: Int
    private var count = 0
    /// Tasks that were to be seen in the list just before.
    private(set) var seen = 0

    init(_ writer: ConnectionWriter, failsAt: Int) { (self.writer, self.failsAt) = (writer, failsAt) }

    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws {
        count += 1
        if count == failsAt {
            try writer.perform { [self] in seen = Int(try $0.scalar("SELECT count(*) FROM tasks WHERE trashed_at IS NULL") ?? 0) }
            throw ImportCancelled()
        }
        try writer.perform(body)
    }
}
