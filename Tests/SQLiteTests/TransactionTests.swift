// Transactions, savepoints and locks: what throws leaves nothing behind, and waiting has an end.

import SQLite
import Testing

@Suite("Transactions")
struct TransactionTests {
    @Test("A transaction commits when its body returns, and gives its value")
    func commits() throws {
        let db = try people()
        let count = try db.transaction {
            #expect(db.isInTransaction)
            try db.execute("DELETE FROM people WHERE id = 3")
            return db.changes
        }
        #expect(count == 1 && !db.isInTransaction)
        #expect(try db.scalar("SELECT count(*) FROM people") == 2)
    }

    @Test("A transaction that throws is rolled back", arguments: [Connection.TransactionKind.immediate, .deferred])
    func rollsBack(_ kind: Connection.TransactionKind) throws {
        let db = try people()
        #expect(throws: Stop()) {
            try db.transaction(kind) {
                try db.execute("DELETE FROM people")
                throw Stop()
            }
        }
        #expect(!db.isInTransaction)
        #expect(try db.scalar("SELECT count(*) FROM people") == 3)
    }

    @Test("A commit that fails rolls back: a deferred foreign key")
    func failingCommit() throws {
        let db = try people()
        try db.executeScript(
            "CREATE TABLE later (id INTEGER REFERENCES people (id) DEFERRABLE INITIALLY DEFERRED) STRICT")
        let error = databaseError { try db.transaction { try db.execute("INSERT INTO later VALUES (99)") } }
        #expect(error?.constraint == .foreignKey)
        #expect(!db.isInTransaction)
        #expect(try db.scalar("SELECT count(*) FROM later") == 0)
    }

    @Test("What waits for the commit is done after it, once, and not where the transaction or its part is taken back")
    func afterCommit() throws {
        let db = try people()
        var done: [String] = []
        func note(_ word: String) { db.afterCommit { done.append(word + (db.isInTransaction ? " too early" : "")) } }
        note("outside")
        try db.transaction {
            note("kept")
            try? db.savepoint {
                note("taken back")
                throw Stop()
            }
            try db.savepoint { note("kept too") }
        }
        try? db.transaction {
            note("rolled back")
            throw Stop()
        }
        try db.savepoint { note("alone") }
        try db.transaction {}
        #expect(done == ["outside", "kept", "kept too", "alone"])
    }

    @Test("A savepoint that throws takes only its own part back")
    func savepoint() throws {
        let db = try people()
        try db.transaction {
            for (name, fails) in [("dora", false), ("eve", true), ("finn", false)] {
                try? db.savepoint {
                    try db.execute("INSERT INTO people (name) VALUES (\(name))")
                    try db.savepoint { try db.execute("UPDATE people SET age = 1 WHERE name = \(name)") }
                    if fails { throw Stop() }
                }
            }
            #expect(db.isInTransaction)
        }
        let names = try db.rows("SELECT name FROM people WHERE age = 1 ORDER BY id") { try $0.text(0) }
        #expect(names == ["dora", "finn"])
    }

    @Test("The plain calls do the same, and a rollback with nothing to roll back is no error")
    func plain() throws {
        let db = try people()
        try db.begin()
        try db.execute("DELETE FROM people")
        try db.rollback()
        try db.rollback()
        try db.begin(.deferred)
        try db.execute("DELETE FROM people WHERE id = 1")
        try db.commit()
        #expect(try db.scalar("SELECT count(*) FROM people") == 2)
    }

    @Test("A second writer waits for its bound and then hears that the file is busy")
    func busy() throws {
        let folder = try Folder()
        let first = try Connection(path: folder.file(), mode: .readWriteCreate)
        try first.executeScript("CREATE TABLE t (a INTEGER) STRICT")
        let second = try Connection(path: folder.file(), mode: .readWrite, busyMilliseconds: 50)
        let reader = try Connection(path: folder.file(), mode: .readOnly)
        try first.begin()
        try first.execute("INSERT INTO t VALUES (1)")
        let clock = ContinuousClock()
        let waited = clock.measure {
            #expect(databaseError { try second.begin() }?.isBusy == true)
        }
        #expect(waited >= .milliseconds(40))
        // A reader neither waits nor sees what is not committed.
        #expect(try reader.scalar("SELECT count(*) FROM t") == 0)
        try first.commit()
        try second.transaction { try second.execute("INSERT INTO t VALUES (2)") }
        #expect(try reader.scalar("SELECT count(*) FROM t") == 2)
    }

    @Test("The data version changes with another connection's commit only")
    func dataVersion() throws {
        let folder = try Folder()
        let writer = try Connection(path: folder.file(), mode: .readWriteCreate)
        try writer.executeScript("CREATE TABLE t (a INTEGER) STRICT")
        let reader = try Connection(path: folder.file(), mode: .readOnly)
        let before = try reader.dataVersion
        let own = try writer.dataVersion
        #expect(try reader.dataVersion == before)
        try writer.execute("INSERT INTO t VALUES (1)")
        #expect(try reader.dataVersion != before)
        #expect(try writer.dataVersion == own)
    }

    @Test("A full disk is told as such, the change is gone, reading goes on, and room makes it work again")
    func full() throws {
        let folder = try Folder()
        let db = try Connection(path: folder.file(), mode: .readWriteCreate)
        try db.executeScript("CREATE TABLE t (a TEXT NOT NULL) STRICT; INSERT INTO t VALUES ('kept'); PRAGMA max_page_count = 8")
        let long = String(repeating: "x", count: 100_000)
        let error = databaseError {
            try db.transaction {
                try db.execute("INSERT INTO t VALUES ('neighbour')")
                try db.savepoint { try db.execute("INSERT INTO t VALUES (\(long))") }
            }
        }
        #expect(error?.isFull == true)
        #expect(!db.isInTransaction)
        #expect(try db.rows("SELECT a FROM t") { try $0.text(0) } == ["kept"])
        try db.executeScript("PRAGMA max_page_count = 1000")
        try db.execute("INSERT INTO t VALUES (\(long))")
        #expect(try db.integrityCheck() == [])
    }
}
