// What breaks from outside, in process: a migration that is cut off, a clock that goes back, a second server, a file that is moved away,
// what is kept twice and changed by hand. The same with the real program and real signals: Tests/Faults.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket
@testable import SQLite

@Suite struct FaultTests {
    /// What kill -9 would leave of a database: its file and its log.
    private struct Remains: Hashable {
        let file: Data
        let log: Data?

        init(_ path: String) {
            file = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
            log = try? Data(contentsOf: URL(filePath: path + "-wal"))
        }
    }

    @Test func `A migration that is killed at whatever step leaves the file before it or behind it`() throws {
        let place = try ImportPlace()
        func path(_ name: String) -> String { place.folder.appending(path: name).path() }
        let old = try Connection(path: path("old"), mode: .readWriteCreate)
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "schema-1.sql")
        try old.executeScript(try String(contentsOf: script, encoding: .utf8))
        let rows: SQL = "SELECT title || content || status FROM tasks ORDER BY number"
        let before = try old.rows(rows) { try $0.text(0) }
        var all: [Remains] = []
        func note() -> Bool {
            let remains = Remains(path("old"))
            if all.last != remains { all.append(remains) }
            return true
        }
        // A pinch of the machine's steps, of which each statement has some.
        try old.watched(every: 5, goesOn: note) { try Schema.migrator.migrate(old) }
        #expect(note() && all.count >= 2)
        var versions: Set<Int> = []
        for (number, remains) in all.enumerated() {
            let copy = path("copy-\(number)")
            try remains.file.write(to: URL(filePath: copy))
            try remains.log?.write(to: URL(filePath: copy + "-wal"))
            let found = try Connection(path: copy, mode: .readWrite)
            versions.insert(try found.userVersion)
            #expect(try found.rows(rows) { try $0.text(0) } == before)
            found.close()
            let mended = try DatabaseFile(copy).openMigrated()
            #expect(try mended.userVersion == Schema.migrations.count && mended.integrityCheck() == [])
            #expect(try mended.rows(rows) { try $0.text(0) } == before)
            mended.close()
        }
        #expect(versions.count >= 2 && versions == Set(versions.sorted()[0]...Schema.migrations.count))
    }

    @Test func `The copy from before an upgrade stays what it is where the upgrade was cut off and begins again`() throws {
        let place = try ImportPlace()
        let path = place.folder.appending(path: "old").path()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "schema-1.sql")
        let old = try Connection(path: path, mode: .readWriteCreate)
        try old.executeScript(try String(contentsOf: script, encoding: .utf8))
        let copy = "\(path).before-version-\(Schema.migrations.count)"
        try old.backup(to: copy)
        try Migrator(Array(Schema.migrations.prefix(5))).migrate(old)
        old.close()
        try DatabaseFile(path).openMigrated().close()
        #expect(try Connection(path: copy, mode: .readOnly).userVersion == 3)
    }

    @Test func `A name that SQLite would take for a URI is a name`() throws {
        let place = try ImportPlace()
        let file = DatabaseFile("file:\(place.folder.path())x?mode=memory")
        #expect(file.path == "./file:\(place.folder.path())x?mode=memory" && !file.isInMemory)
    }

    @Test func `A clock that is set back by a day shuts nobody out and loses nothing`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Buy milk"), ("form_id", "one")])
        let id = try #require(try test.database.first("SELECT id FROM tasks") { try $0.bytes(0) }.flatMap { TaskID(bytes: $0) })
        try ada.post("/tasks/\(id)/completion", [("completed", "1")])
        _ = try test.stranger().post("/sign-in", [("username", "nobody"), ("password", "wrong wrong wrong")])
        test.now = test.now.adding(days: -1)
        #expect(try ada.get("/tasks?status=all").contains("Buy milk"))
        // Sent again, a form still is the one that came first.
        try ada.post("/tasks", [("title", "Buy milk"), ("form_id", "one")])
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 1)
        try ada.post("/tasks/\(id)/completion", [("completed", "0")])
        try ada.post("/tasks", [("title", "Water the plants")])
        #expect(try ada.get("/tasks").contains("Water the plants"))
        #expect(try ada.get("/tasks/\(id)/history").status == 200)
        try ada.post("/tasks/\(id)/trash")
        let change = try #require(try test.database.scalar("SELECT max(id) FROM changes"))
        #expect(try ada.post("/undo/\(change)").contains("Buy milk"))
        #expect(try test.stranger().post("/sign-in", [("username", "nobody"), ("password", "wrong wrong wrong")]).status == 401)
        while try Housekeeping(Config()).step(test.database, now: test.now) {}
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 2)
        #expect(try test.database.integrityCheck() == [])
    }

    @Test func `A second server is told who serves the file, and has it when that one is gone`() throws {
        let place = try ImportPlace()
        let first = try #require(try ServerLock.take(place.database, seconds: 0) { Issue.record("\($0)") })
        var told = ""
        let failure = #expect(throws: StartFailure.self) { _ = try ServerLock.take(place.database, seconds: 0) { told = $0 } }
        #expect(told.contains("process \(getpid()) on") && failure?.description.contains("process \(getpid()) on") == true)
        first.release()
        let second = try #require(try ServerLock.take(place.database, seconds: 0) { Issue.record("\($0)") })
        second.release()
        #expect(try ServerLock.take(DatabaseFile(":memory:"), seconds: 0) { _ in } == nil)
    }

    @Test func `A second server is told so, too, where it knows the file by another name`() throws {
        let place = try ImportPlace()
        let other = place.folder.appending(path: "other.sqlite3").path()
        #expect(link(place.database.path, other) == 0)
        let first = try #require(try ServerLock.take(place.database, seconds: 0) { Issue.record("\($0)") })
        var told = ""
        let failure = #expect(throws: StartFailure.self) {
            _ = try ServerLock.take(DatabaseFile(other), seconds: 0) { told = $0 }
        }
        #expect(told.contains("a hard link") && failure?.description.contains("a hard link") == true)
        // Commands beside it go by the server's own name, too.
        try ServerLock.checkName(place.database)
        #expect(throws: StartFailure.self) { try ServerLock.checkName(DatabaseFile(other)) }
        first.release()
        try ServerLock.checkName(DatabaseFile(other))
        // It has left nothing behind that keeps the next one out.
        for path in [other, place.database.path] {
            try #require(try ServerLock.take(DatabaseFile(path), seconds: 0) { Issue.record("\($0)") }).release()
        }
    }

    @Test func `A file that is moved away or replaced is not what was opened`() throws {
        let place = try ImportPlace()
        let identity = try #require(FileIdentity(place.database))
        try identity.check()
        let away = place.folder.appending(path: "away").path()
        try FileManager.default.moveItem(atPath: place.database.path, toPath: away)
        #expect(throws: DatabaseError.self) { try identity.check() }
        try Data().write(to: URL(filePath: place.database.path))
        #expect(throws: DatabaseError.self) { try identity.check() }
        try FileManager.default.removeItem(atPath: place.database.path)
        try FileManager.default.moveItem(atPath: away, toPath: place.database.path)
        try identity.check()
    }

    @Test func `What is kept twice and was changed by hand is told, and made anew`() throws {
        let place = try ImportPlace()
        try place.person("ada", zone: "Asia/Tokyo")
        _ = try place.take(try place.file("todo.txt", "buy milk\nb due:2026-12-24\nc\n".utf8), for: "ada")
        try place.connection.transaction { while try SearchIndex(place.connection).step(slack: 1, size: 2) {} }
        #expect(try DatabaseCheck(place.database).mends == [])
        try place.connection.executeScript(
            """
            UPDATE task_counts SET count = 7; UPDATE tasks SET due_key = 5 WHERE due_on IS NOT NULL;
            INSERT INTO search_terms (search_terms) VALUES ('delete-all');
            """)
        let check = try DatabaseCheck(place.database)
        #expect(check.mends == [.counters, .dueDates, .search])
        #expect(check.findings.filter { $0.isWrong && $0.text.contains("docket check --mend") }.count == 3)
        try DatabaseMend.run(place.database, check.mends)
        #expect(try DatabaseCheck(place.database).mends == [])
        #expect(try place.connection.scalar("SELECT sum(count) FROM task_counts") == 3)
        #expect(try SearchIndex(place.connection).through() == 0)
        #expect(try place.connection.scalar("SELECT revision FROM users") ?? 0 > 1)
    }

    @Test func `Old changes are forgotten in slices, a large one too, and cannot be undone by halves`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks/lines", [("lines", (0..<3_000).map { "Task \($0)" }.joined(separator: "\n"))])
        let user = try test.user("ada")
        let categories = try Category.all(test.database, userID: user.id)
        try test.database.execute(
            """
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
            INSERT INTO tasks (id, user_id, category_id, priority, status, pinned, created_at, updated_at, title, folded)
            SELECT randomblob(16), \(user.id), \(categories[0].id), 1, 0, 0, i, i, 't', 't' FROM n
            """)
        try DatabaseMend.counters.mend(test.database)
        let repository = TaskRepository(test.database, owner: user, now: test.now)
        let change = try #require(try repository.perform(.pin, on: .filter(TaskFilter())).change)
        let later = test.now.adding(days: 400)
        var steps = 0
        var left = try test.database.scalar("SELECT count(*) FROM task_changes") ?? 0
        while try Housekeeping(Config()).step(test.database, now: later) {
            let now = try test.database.scalar("SELECT count(*) FROM task_changes") ?? 0
            #expect(left - now <= 2_000 + 500 * 100)
            if now > 0, try test.database.scalar("SELECT 1 FROM changes WHERE id = \(change.id)") != nil, now < 5_000 {
                #expect(throws: Refusal.self) { try repository.undo(change.id) }
            }
            (left, steps) = (now, steps + 1)
        }
        #expect(steps >= 3)
        #expect(try test.database.scalar("SELECT count(*) FROM changes") == 0)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") ?? 0 >= 5_000)
    }
}
