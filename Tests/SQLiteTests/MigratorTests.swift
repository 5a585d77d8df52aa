// The schema's history: every version reaches today's, a crash leaves a whole version, a newer file is left alone.

import Foundation
import SQLite
import Testing

@Suite("Migrator")
struct MigratorTests {
    /// Eight statements in three migrations; after the one with number `step`, something happens.
    static func history(
        at step: Int = 0, _ happening: @escaping @Sendable (Connection) throws -> Void = { _ in }
    ) -> [Migration] {
        let statements: [[StaticString]] = [
            ["CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT", "INSERT INTO a VALUES (1)"],
            [
                "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id) ON DELETE CASCADE) STRICT",
                "INSERT INTO b VALUES (1, 1)",
            ],
            [
                "CREATE TABLE new_a (id INTEGER PRIMARY KEY, title TEXT NOT NULL) STRICT",
                "INSERT INTO new_a SELECT id, 'title' FROM a", "DROP TABLE a", "ALTER TABLE new_a RENAME TO a",
            ],
        ]
        var number = 0
        return statements.enumerated().map { index, group in
            let numbered = group.map { statement in
                number += 1
                return (number, statement)
            }
            return Migration(name: "step \(index + 1)") { db in
                for (number, statement) in numbered {
                    try db.executeScript(statement)
                    if number == step { try happening(db) }
                }
            }
        }
    }

    static func schema(_ db: Connection) throws -> [String] {
        try db.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") { try $0.text(0) }
    }

    @Test("A new file goes through all of them, and a second run does nothing")
    func fresh() throws {
        let db = try Connection(path: ":memory:", mode: .readWriteCreate)
        let migrator = Migrator(Self.history())
        var copies: [[Int]] = []
        try migrator.migrate(db) { from, to in copies.append([from, to]) }
        try migrator.migrate(db) { from, to in copies.append([from, to]) }
        #expect(copies == [[0, 3]])
        #expect(try db.userVersion == 3 && migrator.version == 3)
        // The table was rebuilt while another referred to it: the reference lives.
        #expect(try db.first("SELECT title FROM a JOIN b ON b.a = a.id") { try $0.text(0) } == "title")
        #expect(try db.scalar("PRAGMA foreign_keys") == 1)
    }

    @Test("Every older version becomes the same schema", arguments: 0...3)
    func older(_ version: Int) throws {
        let old = try Connection(path: ":memory:", mode: .readWriteCreate)
        try Migrator(Array(Self.history().prefix(version))).migrate(old)
        #expect(try old.userVersion == version)
        try Migrator(Self.history()).migrate(old)
        let new = try Connection(path: ":memory:", mode: .readWriteCreate)
        try Migrator(Self.history()).migrate(new)
        #expect(try Self.schema(old) == Self.schema(new))
    }

    @Test("A crash after any statement leaves a whole version, and the next start ends the work", arguments: 1...8)
    func crash(_ step: Int) throws {
        let folder = try Folder()
        let db = try Connection(path: folder.file(), mode: .readWriteCreate)
        #expect(throws: Stop()) { try Migrator(Self.history(at: step) { _ in throw Stop() }).migrate(db) }
        let version = try db.userVersion
        #expect(version == (step <= 2 ? 0 : step <= 4 ? 1 : 2))
        #expect(!db.isInTransaction)
        #expect(try db.scalar("PRAGMA foreign_keys") == 1)
        let whole = try Connection(path: ":memory:", mode: .readWriteCreate)
        try Migrator(Array(Self.history().prefix(version))).migrate(whole)
        #expect(try Self.schema(db) == Self.schema(whole))
        db.close()

        let again = try Connection(path: folder.file(), mode: .readWrite)
        try Migrator(Self.history()).migrate(again)
        #expect(try again.userVersion == 3)
        #expect(try again.integrityCheck() == [])
    }

    @Test("A process that dies in a migration, its log left behind, leaves a whole version", arguments: 1...8)
    func killed(_ step: Int) throws {
        let folder = try Folder()
        let copy = try Folder()
        let db = try Connection(path: folder.file(), mode: .readWriteCreate)
        // Pages go to the log before the commit, as they do in a migration larger than the cache.
        try db.executeScript("PRAGMA cache_size = 1; PRAGMA cache_spill = 1")
        let from = folder.path
        let to = copy.path
        let history = Self.history(at: step) { _ in
            // The files as a kill leaves them: copied with the transaction open.
            for name in try folder.names() where !name.hasSuffix("-shm") {
                try FileManager.default.copyItem(atPath: "\(from)/\(name)", toPath: "\(to)/\(name)")
            }
        }
        try Migrator(history).migrate(db)

        let left = try Connection(path: copy.file(), mode: .readWrite)
        #expect(try left.userVersion == (step <= 2 ? 0 : step <= 4 ? 1 : 2))
        try Migrator(Self.history()).migrate(left)
        #expect(try left.integrityCheck() == [] && left.foreignKeyCheck() == [])
        #expect(try Self.schema(left) == Self.schema(db))
    }

    @Test("A file of a newer program is refused and stays as it is")
    func newer() throws {
        let folder = try Folder()
        let db = try Connection(path: folder.file(), mode: .readWriteCreate)
        try db.executeScript("PRAGMA user_version = 4")
        #expect(throws: Migrator.Failure.newerSchema(file: 4, program: 3)) {
            try Migrator(Self.history()).migrate(db) { _, _ in Issue.record("nothing is to be copied") }
        }
        #expect(try Self.schema(db) == [])
    }

    @Test("What the copy throws ends it before any change")
    func copyFails() throws {
        let db = try Connection(path: ":memory:", mode: .readWriteCreate)
        #expect(throws: Stop()) { try Migrator(Self.history()).migrate(db) { _, _ in throw Stop() } }
        #expect(try db.userVersion == 0 && Self.schema(db) == [])
    }

    @Test("A migration that breaks a reference is not committed")
    func brokenReference() throws {
        let db = try Connection(path: ":memory:", mode: .readWriteCreate)
        try Migrator(Self.history()).migrate(db)
        let broken = Self.history() + [Migration(name: "lose", sql: "DELETE FROM a")]
        #expect(
            throws: Migrator.Failure.foreignKeys(migration: "lose", violations: ["b row 1 refers to a missing row of a"])
        ) { try Migrator(broken).migrate(db) }
        #expect(try db.scalar("SELECT count(*) FROM a") == 1)
        #expect(try db.userVersion == 3)
    }

    @Test("A migration that commits by itself is told")
    func ownCommit() throws {
        let db = try Connection(path: ":memory:", mode: .readWriteCreate)
        let migrator = Migrator([Migration(name: "rude", sql: "CREATE TABLE a (id INTEGER) STRICT; COMMIT")])
        #expect(throws: Migrator.Failure.transactionEnded(migration: "rude")) { try migrator.migrate(db) }
        #expect(try db.userVersion == 0)
    }

    @Test("Several programs that start at once on a new file migrate it once")
    func atOnce() async throws {
        let folder = try Folder()
        let path = folder.file()
        let (results, finish) = AsyncStream.makeStream(of: String?.self)
        let starters = 4
        for _ in 0..<starters {
            // Threads, as a start waits for the other's lock, which the pool of Swift's tasks must not.
            Thread.detachNewThread {
                do {
                    let db = try Connection(path: path, mode: .readWriteCreate, busyMilliseconds: 30_000)
                    try Migrator(Self.history()).migrate(db)
                    finish.yield(nil)
                } catch {
                    finish.yield("\(error)")
                }
            }
        }
        var failures: [String] = []
        var iterator = results.makeAsyncIterator()
        for _ in 0..<starters {
            if let failure = await iterator.next() ?? nil { failures.append(failure) }
        }
        #expect(failures == [])
        let db = try Connection(path: path, mode: .readOnly)
        #expect(try db.userVersion == 3)
        #expect(try db.scalar("SELECT count(*) FROM b") == 1)
    }
}
