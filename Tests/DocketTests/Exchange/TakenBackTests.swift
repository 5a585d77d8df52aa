// What is undone of an import and imported again: each row of a file is one task, whatever was done in between.

import SQLite
import Testing

@testable import Docket

struct TakenBackTests {
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
                try place.connection.transaction { try body(try place.repository("ada")) }
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

    @Test("Whatever is imported, undone, undone again and imported: each row of a file is there once at most", arguments: 1...12)
    func everyOrder(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
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
                    #expect(throws: ImportCancelled.self) { try place.take(whole, for: "ada") { true } }
                case 3:
                    guard let task = try place.tasks(of: "ada").randomElement(using: &random) else { continue }
                    steps.append("complete")
                    _ = try place.connection.transaction { try place.repository("ada").perform(.complete, on: .ids([task.id])) }
                default:
                    guard let change = undoable.randomElement(using: &random) else { continue }
                    steps.append("undo \(change)")
                    // What has nothing to take back says so.
                    _ = try? place.connection.transaction { try place.repository("ada").undo(change) }
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
        _ = try place.connection.transaction { try place.repository("ada").undo(try #require(first.change)) }
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
        let undone = try place.connection.transaction { try place.repository("ada").undo(try #require(second.change)) }
        #expect(undone.change.taskCount == 2)
        _ = try place.connection.transaction { try place.repository("ada").undo(undone.change.id) }
        #expect(try place.titles(of: "ada") == ["Shop", "Home"])
    }
}
