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
        let undone = try place.connection.transaction { try place.repository("ada").undo(try #require(report.change)) }
        #expect(undone.change.taskCount == 1_234)
        #expect(try place.tasks(of: "ada").isEmpty)
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
                _ = try place.take(file, for: "ada", dry: isDry) {
                    asked.withLock {
                        $0 += 1
                        return $0 > limit
                    }
                }
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

    @Test("An import that is cancelled leaves nothing, however far it is")
    func cancelled() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file = try list(3_000, place)
        for limit in 0..<1_000 {
            let asked = Mutex(0)
            do {
                _ = try place.take(file, for: "ada") {
                    asked.withLock {
                        $0 += 1
                        return $0 > limit
                    }
                }
                // Three batches, and what comes before and behind them.
                #expect(limit > 4)
                #expect(try place.tasks(of: "ada").count == 3_000)
                return
            } catch is ImportCancelled {
                #expect(try place.tasks(of: "ada").isEmpty)
                #expect(try place.connection.scalar("SELECT count(*) FROM changes") == 0)
                #expect(try place.connection.scalar("SELECT coalesce(sum(count), 0) FROM task_counts") == 0)
            }
        }
        Issue.record("it was always cancelled")
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
                let repository = try place.repository("ada")
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
        try place.connection.transaction { _ = try place.repository("ada").begin("import", finished: false) }
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
