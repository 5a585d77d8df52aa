// Imports as a whole: nothing twice, nothing lost, one undo, and nothing left of one that did not come to its end.

import Foundation
import SQLite
import Synchronization
import Testing

@testable import Docket

struct ImporterTests {
    private func list(_ count: Int, _ place: ImportPlace) throws -> ByteFile {
        try place.file("todo.txt", (1...count).map { "task \($0)\n" }.joined().utf8)
    }

    private func repository(_ place: ImportPlace, _ user: String) throws -> TaskRepository {
        let id = try #require(try place.connection.scalar("SELECT id FROM users WHERE name = \(user)"))
        let owner = try #require(try AccountRepository(database: place.connection, now: Instant.now()).user(Int(id)))
        return TaskRepository(place.connection, owner: owner, now: Instant.now())
    }

    @Test("A second run of the same file adds nothing, and equal lines of one file are as many tasks")
    func secondRun() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file = try place.file(
            "todo.txt", "Water the plants\nBuy milk due:2026-12-24\nWater the plants\nWater the plants\n".utf8)
        #expect(try place.take(file, for: "ada").added == 4)
        let again = try place.take(file, for: "ada")
        #expect((again.added, again.present, again.change) == (0, 4, nil))
        #expect(try place.tasks(of: "ada").count == 4)
    }

    @Test("A line that was completed since is known again; the same line in done.txt is a task of its own")
    func archived() throws {
        let place = try ImportPlace()
        try place.person("ada")
        _ = try place.take(try place.file("todo.txt", "2026-01-01 Water the plants\n".utf8), for: "ada")
        #expect(
            try place.take(try place.file("todo.txt", "x 2026-01-02 2026-01-01 Water the plants\n".utf8), for: "ada").present == 1
        )
        #expect(
            try place.take(try place.file("done.txt", "x 2026-01-02 2026-01-01 Water the plants\n".utf8), for: "ada").added == 1)
    }

    @Test("A browser's second download of the same list has another name, and adds nothing")
    func otherName() throws {
        let place = try ImportPlace()
        try place.person("ada")
        #expect(try place.take(try place.file("todo.txt", "Water the plants\n".utf8), for: "ada").added == 1)
        #expect(try place.take(try place.file("todo (1).txt", "Water the plants\n".utf8), for: "ada").present == 1)
    }

    @Test("A dry run changes nothing and tells what would come")
    func dryRun() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file = try list(3, place)
        let report = try place.take(file, for: "ada", dry: true)
        #expect((report.added, report.preview.count) == (3, 3))
        #expect(try place.tasks(of: "ada").isEmpty)
        #expect(try place.connection.scalar("SELECT count(*) FROM changes") == 0)
    }

    @Test("Many batches are one change, and one undo")
    func oneUndo() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let report = try place.take(try list(1_234, place), for: "ada")
        #expect(report.added == 1_234)
        #expect(place.writer.count >= 3)
        #expect(
            try place.connection.rows("SELECT kind, way, task_count, finished FROM changes") { row in
                "\(try row.text(0)) \(try row.text(1)) \(try row.int(2)) \(try row.int(3))"
            } == ["import command 1234 1"])
        let undone = try place.connection.transaction { try repository(place, "ada").undo(try #require(report.change)) }
        #expect(undone.change.taskCount == 1_234)
        #expect(try place.tasks(of: "ada").isEmpty)
    }

    @Test("What was taken back comes in again with the same file, once; what its person has put into the trash does not")
    func takenBack() throws {
        for name in ["todo.txt", "todo.json"] {
            let place = try ImportPlace()
            try place.person("ada")
            let file = try place.file(
                name,
                (name == "todo.txt"
                    ? "Milk\nMilk\nPlants\n"
                    : "["
                        + (1...3).map {
                            "{\"id\":\"c0ffee00-0000-4000-8000-00000000000\($0)\",\"priority\":\"low\",\"title\":\"\($0 < 3 ? "Milk" : "Plants")\"}"
                        }
                        .joined(separator: ",") + "]").utf8)
            let first = try place.take(file, for: "ada")
            let ids = try place.tasks(of: "ada").map(\.id)
            func ada(_ body: (TaskRepository) throws -> Void) throws {
                try place.connection.transaction { try body(try repository(place, "ada")) }
            }
            try ada { _ = try $0.undo(try #require(first.change)) }
            let dry = try place.take(file, for: "ada", dry: true)
            #expect((dry.added, dry.present) == (3, 0), "\(name)")
            let second = try place.take(file, for: "ada")
            #expect((second.added, second.present) == (3, 0), "\(name)")
            #expect(try place.titles(of: "ada") == ["Milk", "Milk", "Plants"], "\(name)")
            if name == "todo.json" { #expect(try place.tasks(of: "ada").map(\.id) == ids) }
            let third = try place.take(file, for: "ada")
            #expect((third.added, third.present, third.presentInTrash) == (0, 3, 0), "\(name)")
            let plants = try #require(try place.tasks(of: "ada").last)
            try ada { _ = try $0.perform(.trash, on: .ids([plants.id])) }
            let fourth = try place.take(file, for: "ada")
            #expect((fourth.added, fourth.present, fourth.presentInTrash) == (0, 3, 1), "\(name)")
            // What is undone takes along what was trashed by hand before; that stays what its person wanted.
            try ada { _ = try $0.undo(try #require(second.change)) }
            let fifth = try place.take(file, for: "ada")
            #expect((fifth.added, fifth.present, fifth.presentInTrash) == (2, 1, 1), "\(name)")
            #expect(!(try DatabaseCheck(place.database).isWrong), "\(name)")
        }
    }

    @Test(
        "Wherever a file is being read, cancelling is heard: to recognise it, to survey it, for a dry run, for the import",
        arguments: [("a.csv", "title,due\n"), ("todo.txt", ""), ("a.json", "["), ("a.ics", "BEGIN:VCALENDAR\r\n")], [true, false])
    func cancelledReading(_ kind: (name: String, start: String), _ isDry: Bool) throws {
        let place = try ImportPlace()
        try place.person("ada")
        // One record without an end, so that nobody but who reads the file can notice.
        let text =
            kind.start + (kind.name == "a.json" ? "{\"title\":\"" : kind.name == "a.ics" ? "BEGIN:VTODO\r\nSUMMARY:" : "\"")
        let file = try place.file(kind.name, Array(text.utf8) + [UInt8](repeating: 0x61, count: 300_000))
        for limit in 0..<1_000 {
            let asked = Mutex(0)
            do {
                _ = try place.take(
                    file.watched {
                        asked.withLock {
                            $0 += 1
                            return $0 > limit
                        }
                    }, for: "ada", dry: isDry)
                return
            } catch is ImportCancelled {
                #expect(try place.connection.scalar("SELECT count(*) FROM tasks") == 0)
            } catch is ImportFailure {
                // It was read to its end, and is none.
                #expect(limit >= 8)
                return
            }
        }
        Issue.record("it was never read")
    }

    @Test("Whatever is imported, undone, undone again and imported: each row of a file is there once at most", arguments: 1...12)
    func everyOrder(seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        for name in ["todo.txt", "todo.json"] {
            let place = try ImportPlace()
            try place.person("ada")
            let rows = (1...3).map { number in
                name == "todo.txt"
                    ? "task \(number)" : "{\"id\":\"c0ffee00-0000-4000-8000-00000000000\(number)\",\"title\":\"task \(number)\"}"
            }
            let whole = try place.file(name, rows.joined(separator: "\n").utf8)
            let part = try place.file("part-" + name, rows.dropLast().joined(separator: "\n").utf8)
            var steps: [String] = []
            for _ in 1...25 {
                let undoable = try place.connection.rows("SELECT id FROM changes WHERE undone_by IS NULL ORDER BY id") {
                    try $0.int(0) as Int
                }
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1:
                    steps.append("import")
                    _ = try place.take(Bool.random(using: &random) ? whole : part, for: "ada")
                case 2:
                    steps.append("cancelled import")
                    var looks = 0
                    #expect(throws: ImportCancelled.self) {
                        _ = try place.take(whole, for: "ada") {
                            looks += 1
                            return looks > 0
                        }
                    }
                case 3:
                    guard let task = try place.tasks(of: "ada").randomElement(using: &random) else { continue }
                    steps.append("complete")
                    _ = try place.connection.transaction { try repository(place, "ada").perform(.complete, on: .ids([task.id])) }
                default:
                    guard let change = undoable.randomElement(using: &random) else { continue }
                    steps.append("undo \(change)")
                    // What has nothing to take back says so.
                    _ = try? place.connection.transaction { try repository(place, "ada").undo(change) }
                }
                let titles = try place.titles(of: "ada")
                #expect(Set(titles).count == titles.count, "\(name): \(steps)")
                #expect(try place.connection.scalar("SELECT count(*) FROM tasks") ?? 0 <= 3, "\(name): \(steps)")
            }
            let last = try place.take(whole, for: "ada")
            #expect(last.added + last.present == 3, "\(name): \(steps)")
            #expect(!(try DatabaseCheck(place.database).isWrong), "\(name): \(steps)")
        }
    }

    @Test("What was taken back comes in as the file is read now; where that import is cancelled it lies in the trash as it did")
    func cancelledAgain() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file = try place.file("tasks.csv", "Name;Where\nBuy milk;Shop\nCall Tom;Home\n".utf8)
        var options = ImportOptions()
        options.columns = ColumnMap("title=1")
        let first = try place.take(file, for: "ada", options: options)
        #expect(try place.titles(of: "ada") == ["Buy milk", "Call Tom"])
        _ = try place.connection.transaction { try repository(place, "ada").undo(try #require(first.change)) }
        func trash() throws -> [String] {
            try place.connection.rows("SELECT title, content, folded, version, trashed_at IS NOT NULL FROM tasks ORDER BY number")
            {
                "\(try $0.text(0))|\(try $0.text(1))|\(try $0.text(2))|\(try $0.int(3))|\(try $0.int(4))"
            }
        }
        let (before, history) = (try trash(), try place.connection.scalar("SELECT count(*) FROM task_changes"))
        options.columns = ColumnMap("title=2")
        // After all of its rows are in.
        let writer = FailingWriter(place.writer, failsAt: 2)
        #expect(throws: ImportCancelled.self) {
            var job = Import(user: "ada", way: "command")
            job.options = options
            _ = try job.run(file, into: place.database, reading: place.connection, writer: writer)
        }
        #expect(writer.seen > 0)
        #expect(try trash() == before)
        #expect(try place.connection.scalar("SELECT count(*) FROM task_changes") == history)
        let second = try place.take(file, for: "ada", options: options)
        #expect(second.added == 2)
        #expect(try place.titles(of: "ada") == ["Shop", "Home"])
        #expect(try place.connection.scalar("SELECT count(*) FROM tasks") == 2)
        let undone = try place.connection.transaction { try repository(place, "ada").undo(try #require(second.change)) }
        #expect(undone.change.taskCount == 2)
        _ = try place.connection.transaction { try repository(place, "ada").undo(undone.change.id) }
        #expect(try place.titles(of: "ada") == ["Shop", "Home"])
    }

    @Test("An import that is cancelled leaves nothing")
    func cancelled() throws {
        let place = try ImportPlace()
        try place.person("ada")
        var asked = 0
        #expect(throws: ImportCancelled.self) {
            try place.take(try list(3_000, place), for: "ada") {
                asked += 1
                return asked == 4
            }
        }
        #expect(asked == 4)
        #expect(try place.tasks(of: "ada").isEmpty)
        #expect(try place.connection.scalar("SELECT count(*) FROM changes") == 0)
        #expect(try place.connection.scalar("SELECT coalesce(sum(count), 0) FROM task_counts") == 0)
    }

    @Test("A transaction ends where someone waits for the next one, and where its texts are long, whatever the number of rows")
    func transactions() throws {
        let place = try ImportPlace()
        for name in ["ada", "bob", "cleo"] { try place.person(name) }
        func transactions(_ file: ByteFile, _ user: String, isAwaited: Bool = false) throws -> Int {
            let before = place.writer.count
            place.writer.isAwaited = isAwaited
            _ = try place.take(file, for: user)
            return place.writer.count - before
        }
        let short = try list(1_000, place)
        let inOne = try transactions(short, "ada")
        #expect(try transactions(short, "bob", isAwaited: true) == inOne + 3)
        let long = (0..<9).map { "\"\($0)\",\"\(String(repeating: "long ", count: 180_000))\"\n" }
        let file = try place.file("long.csv", ("title,content\n" + long.joined()).utf8)
        #expect(try transactions(file, "cleo") == inOne + 1)
        #expect(try place.titles(of: "cleo").count == 9)
    }

    @Test(
        "An import that was killed is taken away by the cleanup and by the person's next import, and nobody else's tasks with it")
    func killed() throws {
        let place = try ImportPlace()
        for name in ["ada", "bob"] { try place.person(name) }
        _ = try place.take(try list(10, place), for: "bob")
        for cleans in [true, false] {
            // What kill -9 leaves: rows of a change that is unfinished, and no lock.
            try place.connection.transaction {
                let repository = try repository(place, "ada")
                let change = try repository.begin("import", finished: false)
                let category = try #require(try Category.all(place.connection, userID: repository.owner.id).first)
                try repository.inserting(under: change) { rows in
                    for number in 0..<5 {
                        _ = try rows.create(
                            TaskDraft(
                                title: "half \(number)", content: "", priority: .low, status: .pending, category: category,
                                isPinned: false))
                    }
                }
            }
            if cleans {
                let count = try ImportCleanup.run(place.database, reading: place.connection, writer: place.writer)
                #expect(count == 5)
            } else {
                _ = try place.take(try place.file("one.txt", "whole".utf8), for: "ada")
                #expect(try place.titles(of: "ada") == ["whole"])
            }
        }
        #expect(try place.tasks(of: "bob").count == 10)
    }

    @Test("The cleanup leaves an import alone that still runs, and a second one of the same person is refused")
    func running() throws {
        let place = try ImportPlace()
        let ada = try place.person("ada")
        try place.connection.transaction { _ = try repository(place, "ada").begin("import", finished: false) }
        let lock = try #require(try ImportLock(place.database, userID: ada))
        #expect(try ImportCleanup.run(place.database, reading: place.connection, writer: place.writer) == 0)
        #expect(try place.connection.scalar("SELECT count(*) FROM changes") == 1)
        #expect(throws: ImportFailure.self) { try place.take(try list(1, place), for: "ada") }
        lock.release()
        #expect(try place.take(try list(1, place), for: "ada").added == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path()).filter { $0.contains("import") }.isEmpty)
    }

    @Test("The same file of two people gives each their own tasks")
    func twoPeople() throws {
        let place = try ImportPlace()
        for name in ["ada", "bob"] { try place.person(name) }
        let file = try place.phone(
            "todo.sqlite3",
            "INSERT INTO tasks (id, title, created_at, updated_at) VALUES ('C0FFEE00-0000-4000-8000-000000000001', 'Milk', 1.7e9, 1.7e9)"
        )
        for _ in 1...2 {
            for name in ["ada", "bob"] { _ = try place.take(file, for: name) }
        }
        let (adas, bobs) = (try place.tasks(of: "ada"), try place.tasks(of: "bob"))
        #expect((adas.count, bobs.count) == (1, 1))
        #expect(adas.first?.id == TaskID("c0ffee00-0000-4000-8000-000000000001"))
        #expect(adas.first?.id != bobs.first?.id)
    }

    @Test("A title over the limit goes on in the content, whole")
    func longTitle() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let title = String(repeating: "牛", count: 700)
        let report = try place.take(try place.file("todo.txt", title.utf8), for: "ada")
        let task = try #require(try place.tasks(of: "ada").first)
        #expect(task.title.count == 500)
        #expect(task.title + task.content == title)
        #expect(report.warningCount == 1)
    }

    @Test("Categories are found by key, own name and Chinese name; letters that our three priorities cannot hold stay readable")
    func mapping() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let text = "(A) a @Health\n(B) b +学习\n(D) d @somewhere\nplain\n"
        _ = try place.take(try place.file("todo.txt", text.utf8), for: "ada")
        let keys = Dictionary(uniqueKeysWithValues: try Category.all(place.connection, userID: 1).map { ($0.id, $0.key) })
        let seen = try place.tasks(of: "ada").map { "\($0.title)|\(keys[$0.categoryID] ?? "")|\($0.priority.word)|\($0.content)" }
        #expect(
            seen == ["a @Health|health|high|", "b +学习|study|medium|pri:B", "d @somewhere|work|low|pri:D", "plain|work|medium|"])
    }

    @Test(
        "A file that is not what it says changes nothing and says what it is",
        arguments: [
            ("a.txt", Array("BEGIN:VCALENDAR\r\n".utf8), "no tasks"), ("a.dat", Array("a,b\n".utf8), "format"),
            ("a.txt", Array("PK\u{3}\u{4}".utf8), "ZIP"), ("a.txt", Array("<!DOCTYPE html>".utf8), "web page"),
            ("a.txt", [], "empty"),
            ("a.txt", Array("{\"a\": 1}".utf8), "JSON"), ("a.txt", [0x61, 0, 0, 0x62, 0x63, 0x64, 0x65, 0x66], "NUL bytes"),
            ("a.sqlite3", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 5_000), "a.sqlite3"),
            ("a.data", Array("[description:\"x\" entry:\"1\"]".utf8), "Taskwarrior"),
        ] as [(String, [UInt8], String)])
    func wrongFile(_ name: String, _ bytes: [UInt8], _ word: String) throws {
        let place = try ImportPlace()
        try place.person("ada")
        let error = try #require(throws: ImportFailure.self) { try place.take(try place.file(name, bytes), for: "ada") }
        #expect(error.description.contains(word), "\(error)")
        #expect(try place.tasks(of: "ada").isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.folder.path()).filter { $0.contains("copy") }.isEmpty)
    }
}

/// The same numbers each time.
private struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}

/// A writer that is cut off at one of its changes. Right because one thread at a time uses it.
private final class FailingWriter: Writing, @unchecked Sendable {
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
