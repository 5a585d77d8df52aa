// Files that are damaged, foreign, read-only or copied while in use.

import Foundation
import SQLite
import Testing

@Suite("Files")
struct FileTests {
    /// A database with a table of rows that fill many pages, closed again.
    static func filled(_ path: String, rows: Int = 2_000) throws {
        let db = try Connection(path: path, mode: .readWriteCreate)
        try db.executeScript("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL) STRICT; CREATE INDEX t_by_a ON t (a)")
        try db.transaction {
            for number in 0..<rows {
                try db.execute("INSERT INTO t (a) VALUES (\("row \(number) " + String(repeating: "x", count: 100)))")
            }
        }
        try db.checkpoint(.truncate)
    }

    @Test("A file that is no database is told at opening", arguments: [Connection.Mode.readWriteCreate, .readWrite, .readOnly])
    func notADatabase(_ mode: Connection.Mode) throws {
        let folder = try Folder()
        let text = Data(String(repeating: "this is a letter, not a database. ", count: 100).utf8)
        try text.write(to: URL(fileURLWithPath: folder.file()))
        #expect(databaseError { _ = try Connection(path: folder.file(), mode: mode) }?.isNotADatabase == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file())) == text)
    }

    @Test("Bytes overwritten in the middle are told as damage, when read and by the checks")
    func corrupt() throws {
        let folder = try Folder()
        try Self.filled(folder.file())
        var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file()))
        #expect(bytes.count > 100_000)
        bytes.replaceSubrange(8_192..<(bytes.count - 4_096), with: Data(repeating: 0xa5, count: bytes.count - 12_288))
        try bytes.write(to: URL(fileURLWithPath: folder.file()))
        let db = try Connection(path: folder.file(), mode: .readOnly)
        #expect(databaseError { _ = try db.rows("SELECT a FROM t") { try $0.text(0) } }?.isCorrupt == true)
        for check in [db.quickCheck, db.integrityCheck] {
            var found = false
            do { found = try !check().isEmpty } catch let error as DatabaseError { found = error.isCorrupt }
            #expect(found)
        }
    }

    @Test("A row that the check finds out of place is named")
    func integrity() throws {
        let folder = try Folder()
        try Self.filled(folder.file(), rows: 10)
        let db = try Connection(path: folder.file(), mode: .readWrite)
        #expect(try db.quickCheck() == [] && db.integrityCheck() == [])
        try db.executeScript(
            """
            PRAGMA foreign_keys = OFF;
            CREATE TABLE child (id INTEGER PRIMARY KEY, t INTEGER REFERENCES t (id)) STRICT;
            INSERT INTO child VALUES (7, 999);
            """)
        #expect(try db.foreignKeyCheck() == ["child row 7 refers to a missing row of t"])
    }

    @Test("What cannot be opened says so")
    func cannotOpen() throws {
        let folder = try Folder()
        #expect(databaseError { _ = try Connection(path: folder.file(), mode: .readWrite) }?.cannotOpen == true)
        #expect(databaseError { _ = try Connection(path: folder.file(), mode: .readOnly) }?.cannotOpen == true)
        #expect(
            databaseError { _ = try Connection(path: folder.file("no/such/folder"), mode: .readWriteCreate) }?.cannotOpen == true)
        #expect(databaseError { _ = try Connection(path: folder.path, mode: .readWriteCreate) }?.cannotOpen == true)
        #expect(databaseError { _ = try Connection(path: folder.file("a\0b"), mode: .readWriteCreate) }?.cannotOpen == true)
        #expect(try folder.names() == [])
    }

    @Test("A connection for reading writes nothing")
    func readOnlyConnection() throws {
        let folder = try Folder()
        try Self.filled(folder.file(), rows: 3)
        let db = try Connection(path: folder.file(), mode: .readOnly)
        #expect(try db.scalar("SELECT count(*) FROM t") == 3)
        #expect(databaseError { try db.execute("DELETE FROM t") }?.isReadOnly == true)
    }

    @Test("A file without the right to write is refused for writing and read for reading", .enabled(if: getuid() != 0))
    func readOnlyFile() throws {
        let folder = try Folder()
        try Self.filled(folder.file(), rows: 3)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.file())
        #expect(databaseError { _ = try Connection(path: folder.file(), mode: .readWriteCreate) }?.isReadOnly == true)
        let db = try Connection(path: folder.file(), mode: .readOnly)
        #expect(try db.scalar("SELECT count(*) FROM t") == 3)
    }

    @Test("A backup is one whole file, with progress, while another connection writes")
    func backup() throws {
        let folder = try Folder()
        try Self.filled(folder.file())
        let source = try Connection(path: folder.file(), mode: .readOnly)
        let writer = try Connection(path: folder.file(), mode: .readWrite)
        let copy = folder.file("copy.sqlite3")
        var remaining: [Int] = []
        try source.backup(to: copy, pagesPerStep: 10) { left, total in
            #expect(total > 10)
            remaining.append(left)
            // Each step is followed by a commit of a neighbour; the copy does not begin anew, and does not have it.
            try writer.execute("INSERT INTO t (a) VALUES ('late')")
        }
        #expect(remaining.count > 10 && remaining.last == 0)
        #expect(remaining == remaining.sorted(by: >))
        #expect(!source.isInTransaction)
        #expect(try folder.names().filter { $0.hasPrefix("copy") } == ["copy.sqlite3"])
        let copied = try Connection(path: copy, mode: .readOnly)
        #expect(try copied.scalar("SELECT count(*) FROM t") == 2_000)
        #expect(try copied.integrityCheck() == [])
        #expect(try writer.scalar("SELECT count(*) FROM t WHERE a = 'late'") == Int64(remaining.count))
    }

    @Test("A backup whose progress throws ends with that error, and the source goes on")
    func cancelledBackup() throws {
        let folder = try Folder()
        try Self.filled(folder.file())
        let db = try Connection(path: folder.file(), mode: .readWrite)
        #expect(throws: Stop()) {
            try db.backup(to: folder.file("copy.sqlite3"), pagesPerStep: 1) { _, _ in throw Stop() }
        }
        #expect(!db.isInTransaction)
        try db.execute("DELETE FROM t")
    }

    @Test("A backup to a place that is none, or inside of a transaction, is an error")
    func impossibleBackup() throws {
        let folder = try Folder()
        let db = try people()
        #expect(databaseError { try db.backup(to: folder.file("no/copy")) }?.cannotOpen == true)
        #expect(databaseError { try db.transaction { try db.backup(to: folder.file("copy")) } } != nil)
        #expect(try folder.names() == [])
    }

    @Test("A checkpoint empties the log, and a reader in its way makes it busy within the bound")
    func checkpoint() throws {
        let folder = try Folder()
        try Self.filled(folder.file(), rows: 100)
        let writer = try Connection(path: folder.file(), mode: .readWrite, busyMilliseconds: 20)
        let reader = try Connection(path: folder.file(), mode: .readOnly)
        try reader.begin(.deferred)
        _ = try reader.scalar("SELECT count(*) FROM t")
        try writer.execute("DELETE FROM t")
        try writer.checkpoint(.passive)
        #expect(databaseError { try writer.checkpoint(.truncate) }?.isBusy == true)
        try reader.rollback()
        try writer.checkpoint(.truncate)
        let log = try FileManager.default.attributesOfItem(atPath: folder.file("test.sqlite3-wal"))
        #expect(log[.size] as? Int == 0)
    }
}
