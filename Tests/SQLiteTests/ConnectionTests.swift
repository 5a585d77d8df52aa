// Statements on a connection: rows, strict types, errors, nesting, settings.

import Foundation
import SQLite
import Testing

@Suite("Connection")
struct ConnectionTests {
    @Test("Rows, the first row, a scalar and a stream come as they are asked for")
    func reading() throws {
        let db = try people()
        #expect(try db.rows("SELECT name FROM people ORDER BY id") { try $0.text(0) } == ["ada", "bob", "cleo"])
        #expect(try db.first("SELECT name FROM people WHERE id = \(2)") { try $0.text(0) } == "bob")
        #expect(try db.first("SELECT name FROM people WHERE id = \(9)") { try $0.text(0) } == nil)
        #expect(try db.scalar("SELECT max(id) FROM people") == 3)
        #expect(try db.scalar("SELECT id FROM people WHERE id = 9") == nil)
        #expect(try db.scalar("SELECT NULL") == nil)
        var seen: [String] = []
        try db.forEach("SELECT name FROM people ORDER BY id") { row in
            seen.append(try row.text(0))
            return seen.count < 2
        }
        #expect(seen == ["ada", "bob"])
    }

    @Test("Every kind of value comes back as it went in")
    func roundTrip() throws {
        let db = try people()
        let bytes: [UInt8] = [0, 255, 1]
        let sql: SQL = "SELECT \(Int64.min), \(-0.5), \("né"), \(bytes), \(false), \(nil as Int?), \([] as [UInt8]), \("")"
        try db.forEach(sql) { row throws in
            #expect(row.count == 8)
            #expect(try row.int(0) == Int64.min)
            #expect(try row.double(1) == -0.5)
            #expect(try row.text(2) == "né")
            #expect(try row.withUTF8(2) { Array($0) } == Array("né".utf8))
            #expect(try row.bytes(3) == bytes)
            #expect(try row.bool(4) == false)
            #expect(row.isNull(5))
            #expect(try row.intOrNil(5) == nil)
            #expect(try row.textOrNil(5) == nil)
            #expect(try row.bytesOrNil(5) == nil)
            #expect(try row.doubleOrNil(5) == nil)
            #expect(try row.bytes(6) == [])
            #expect(row.storageClass(6) == .blob)
            #expect(try row.text(7) == "")
            #expect(row.storageClass(7) == .text)
            return true
        }
    }

    @Test("An integer takes the type that its place wants, and one that does not fit throws")
    func integerTypes() throws {
        let db = try people()
        try db.forEach("SELECT 300, -1, NULL") { row throws in
            let plain = try row.int(0)
            #expect(type(of: plain) == Int64.self)
            let int: Int = try row.int(0)
            let wide: UInt16 = try row.int(0)
            let optional: Int? = try row.intOrNil(0)
            let none: Int? = try row.intOrNil(2)
            #expect(int == 300 && wide == 300 && optional == 300 && none == nil)
            #expect(databaseError { let _: UInt8 = try row.int(0) }?.isMismatch == true)
            #expect(databaseError { let _: UInt? = try row.intOrNil(1) }?.isMismatch == true)
            return true
        }
    }

    static let wrongReads: [(name: String, read: @Sendable (Row) throws -> Void)] = [
        ("text as int", { row in let _: Int64 = try row.int(0) }),
        ("text as int or nil", { row in let _: Int64? = try row.intOrNil(0) }),
        ("text as double", { row in _ = try row.double(0) }),
        ("text as bytes", { row in _ = try row.bytes(0) }),
        ("int as text", { row in _ = try row.text(1) }),
        ("int as text or nil", { row in _ = try row.textOrNil(1) }),
        ("int as double", { row in _ = try row.double(1) }),
        ("int 5 as bool", { row in _ = try row.bool(1) }),
        ("double as int", { row in let _: Int64 = try row.int(2) }),
        ("blob as text", { row in _ = try row.text(3) }),
        ("null as text", { row in _ = try row.text(4) }),
        ("null as int", { row in let _: Int64 = try row.int(4) }),
        ("text that is not UTF-8", { row in _ = try row.text(5) }),
        ("a column past the end", { row in _ = try row.textOrNil(6) }),
        ("a column before the start", { row in let _: Int64? = try row.intOrNil(-1) }),
    ]

    @Test("A value of another type throws, names the column and the statement, and is never converted", arguments: 0..<15)
    func strictTypes(_ index: Int) throws {
        let (name, read) = Self.wrongReads[index]
        let db = try people()
        let error = databaseError {
            try db.forEach("SELECT '5', 5, 5.0, x'35', NULL, CAST(x'ff' AS TEXT) -- read") { row in
                try read(row)
                return true
            }
        }
        #expect(error?.message.contains("column") == true, "\(name)")
        #expect(error?.sql.hasSuffix("-- read") == true, "\(name)")
    }

    @Test("NUL inside text is refused, and nothing is written")
    func nul() throws {
        let db = try people()
        let error = databaseError { try db.execute("INSERT INTO people (name) VALUES (\("a\0b"))") }
        #expect(error?.isMismatch == true)
        #expect(try db.scalar("SELECT count(*) FROM people") == 3)
        #expect(databaseError { try db.executeScript("SELECT 1;\0 DROP TABLE people") } != nil)
    }

    @Test(
        "Text that is not one statement is refused",
        arguments: [
            "", "  ", "-- nothing", "SELECT 1; DELETE FROM people", "SELECT", "SELECT \"ada\"", "SELECT ?", "SELECT nothing",
            "DELETE FROM people;;DELETE FROM people",
        ] as [SQL])
    func malformed(_ sql: SQL) throws {
        let db = try people()
        let error = databaseError { try db.execute(sql) }
        #expect(error != nil)
        #expect(error?.sql == sql.text)
        #expect(try db.scalar("SELECT count(*) FROM people") == 3)
    }

    @Test("A comment or a semicolon may follow a statement")
    func trailing() throws {
        #expect(try people().scalar("SELECT 1; -- one\n ") == 1)
    }

    @Test("A script runs all of its statements, and an error names the one that failed")
    func script() throws {
        let db = try people()
        try db.executeScript("-- two\n INSERT INTO people (name) VALUES ('x;y'); ; SELECT 1;\n/* end */ ")
        try db.executeScript("")
        #expect(try db.scalar("SELECT count(*) FROM people WHERE name = 'x;y'") == 1)
        let running = databaseError { try db.executeScript("SELECT 1; DELETE FROM people WHERE id = abs(1); SELECT * FROM no") }
        #expect(running?.sql == " SELECT * FROM no")
        let failing = databaseError { try db.executeScript("INSERT INTO tasks (person_id) VALUES (99); SELECT 1") }
        #expect(failing?.constraint == .foreignKey && failing?.sql == "INSERT INTO tasks (person_id) VALUES (99);")
    }

    @Test("A query runs inside its own rows")
    func nested() throws {
        let db = try people()
        func names(_ least: Int) throws -> [String] {
            try db.rows("SELECT id, name FROM people WHERE id >= \(least) ORDER BY id") { row in
                let id: Int = try row.int(0)
                return try row.text(1) + (id < 3 ? "(" + names(id + 1).joined(separator: " ") + ")" : "")
            }
        }
        #expect(try names(1) == ["ada(bob(cleo) cleo)", "bob(cleo)", "cleo"])
        #expect(try names(3) == ["cleo"])
    }

    @Test("A closure that throws leaves the statement ready for the next use")
    func throwingClosure() throws {
        let db = try people()
        for _ in 0..<3 {
            #expect(throws: Stop()) { try db.rows("SELECT id FROM people") { _ in throw Stop() } }
        }
        #expect(try db.rows("SELECT id FROM people") { try $0.int(0) as Int }.count == 3)
        try db.executeScript("DROP TABLE tasks")
    }

    @Test("More statements than the cache holds all work, also while one of them is stepped")
    func cacheBound() throws {
        let db = try people()
        try db.forEach("SELECT id FROM people ORDER BY id") { _ throws in
            for count in 1...450 {
                let sql: SQL = "SELECT " + SQL.joined(Array(repeating: "1", count: count), separator: " + ")
                #expect(try db.scalar(sql) == Int64(count))
            }
            return true
        }
    }

    @Test("Texts that Swift calls equal and SQLite does not are two statements")
    func canonicalEquivalence() throws {
        let db = try people()
        let lengths = [
            try db.scalar("SELECT unicode('\u{2000}')"), try db.scalar("SELECT unicode('\u{2002}')"),
        ]
        #expect(lengths == [0x2000, 0x2002])
    }

    @Test("Stopping at the first row of RETURNING keeps the whole change")
    func returning() throws {
        let db = try people()
        let first: Int? = try db.first("UPDATE people SET age = 50 RETURNING id") { try $0.int(0) }
        #expect(first == 1)
        #expect(try db.scalar("SELECT count(*) FROM people WHERE age = 50") == 3)
    }

    @Test("Counters tell what changed")
    func counters() throws {
        let db = try people()
        let before = db.totalChanges
        try db.execute("UPDATE people SET age = 1 WHERE id > 1")
        #expect(db.changes == 2)
        #expect(db.totalChanges == before + 2)
        try db.execute("INSERT INTO people (id, name) VALUES (77, 'dora')")
        #expect(db.lastInsertRowID == 77)
    }

    @Test("Each rule of the schema has its name in the error, and the bound values are not in it")
    func constraints() throws {
        let db = try people()
        let cases: [(SQL, DatabaseError.Constraint)] = [
            ("INSERT INTO people (name) VALUES (\("ada"))", .unique),
            ("INSERT INTO people (id, name) VALUES (1, \("secret"))", .primaryKey),
            ("INSERT INTO people (name, age) VALUES (\("secret"), -1)", .check),
            ("INSERT INTO people (name) VALUES (\(nil as String?))", .notNull),
            ("INSERT INTO people (name, age) VALUES (\("x"), \("secret"))", .dataType),
            ("INSERT INTO tasks (person_id) VALUES (99)", .foreignKey),
            ("DELETE FROM people WHERE id = (SELECT 1)", .foreignKey),
        ]
        try db.execute("INSERT INTO tasks (person_id) VALUES (1)")
        for (sql, constraint) in cases {
            let error = databaseError { try db.execute(sql) }
            #expect(error?.isConstraint == true)
            #expect(error?.constraint == constraint, "\(sql.text)")
            #expect(error?.description.contains("secret") == false)
        }
    }

    @Test("A file is opened with the settings that keep it safe")
    func settings() throws {
        let folder = try Folder()
        let db = try Connection(path: folder.file(), mode: .readWriteCreate)
        #expect(try db.first("PRAGMA journal_mode") { try $0.text(0) } == "wal")
        #expect(try db.scalar("PRAGMA synchronous") == 2)
        #expect(try db.scalar("PRAGMA foreign_keys") == 1)
        #expect(try db.scalar("PRAGMA trusted_schema") == 0)
        // Defensive: the schema table cannot be written even when asked for.
        try db.executeScript("CREATE TABLE t (a); PRAGMA writable_schema = ON")
        #expect(databaseError { try db.execute("DELETE FROM sqlite_schema") } != nil)
        #expect(databaseError { try db.execute("CREATE INDEX i ON t (\"no such column\")") } != nil)
    }

    @Test("A closed connection throws, and may be closed again")
    func closed() throws {
        let db = try people()
        let interrupter = db.interrupter
        db.close()
        db.close()
        interrupter.interrupt()
        #expect(databaseError { try db.execute("SELECT 1") } != nil)
        #expect(databaseError { try db.executeScript("SELECT 1") } != nil)
        #expect(db.changes == 0 && !db.isInTransaction)
    }

    @Test("Closing inside of rows ends them with an error or quietly, never with a crash")
    func closedInside() throws {
        let db = try people()
        let error = databaseError {
            try db.forEach("SELECT id FROM people") { _ in
                db.close()
                try db.execute("SELECT 2")
                return true
            }
        }
        #expect(error != nil)
    }

    @Test("A database in memory is shared by its name")
    func sharedMemory() throws {
        let uri = "file:shared-memory-test?mode=memory&cache=shared"
        let first = try Connection(path: uri, mode: .readWriteCreate)
        let second = try Connection(path: uri, mode: .readWrite)
        try first.executeScript("CREATE TABLE t (a); INSERT INTO t VALUES (5)")
        #expect(try second.scalar("SELECT a FROM t") == 5)
    }

    @Test("The plan names the index")
    func explain() throws {
        let plan = try people().explain("SELECT id FROM people WHERE name = \("ada")")
        #expect(plan.count == 1)
        #expect(plan.first?.contains("USING COVERING INDEX sqlite_autoindex_people_1") == true)
    }

    @Test("Another thread ends a statement that would never end")
    func interrupt() async throws {
        let (interrupters, give) = AsyncStream.makeStream(of: Interrupter.self)
        let (finished, finish) = AsyncStream.makeStream(of: Bool.self)
        Thread.detachNewThread {
            let endless: SQL = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
            let error = databaseError {
                let db = try people()
                give.yield(db.interrupter)
                _ = try db.scalar(endless)
            }
            finish.yield(error?.isInterrupted == true)
            finish.finish()
        }
        let interrupter = try #require(await interrupters.first { _ in true })
        // An interrupt ends only what runs already, so it is given until the statement has heard it.
        let repeating = Task {
            while !Task.isCancelled {
                interrupter.interrupt()
                await Task.yield()
            }
        }
        #expect(await finished.first { _ in true } == true)
        repeating.cancel()
    }
}
