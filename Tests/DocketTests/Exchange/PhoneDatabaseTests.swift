// The database of the iOS app: what a sound one keeps, what an odd one tells, and what a hostile one cannot do.

import Foundation
import SQLite
import Testing

@testable import Docket

struct PhoneDatabaseTests {
    /// A row of which only what matters is named.
    private func row(_ columns: String, _ values: String) -> String {
        let id = columns.hasPrefix("id,") ? ("", "") : ("id, ", "upper(hex(randomblob(16))), ")
        return "INSERT INTO tasks (\(columns), \(id.0)created_at, updated_at) VALUES (\(values), \(id.1)1.7e9, 1.7e9);"
    }

    @Test("Instants to the millisecond, pins, completion and identifiers are kept")
    func kept() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file = try place.phone(
            "todo.sqlite3",
            """
            INSERT INTO tasks VALUES ('78AFE7C4-73C9-4BC5-ACF1-5CE3D4305A9E', '确认牙医', 'line 1' || char(10) || 'line 2', 2, 1, 'health',
                1763371800.25, 1762441710.94, 1762441711.123, 1762500000.5, 1);
            """)
        let report = try place.take(file, for: "ada")
        #expect(report.warnings.isEmpty)
        let task = try #require(try place.tasks(of: "ada").first)
        #expect(task.id.description == "78afe7c4-73c9-4bc5-acf1-5ce3d4305a9e")
        #expect((task.title, task.content) == ("确认牙医", "line 1\nline 2"))
        #expect((task.priority, task.status, task.isPinned) == (.high, .completed, true))
        #expect(task.due == .moment(Instant(milliseconds: 1_763_371_800_250)))
        #expect(task.createdAt.milliseconds == 1_762_441_710_940)
        #expect(task.updatedAt.milliseconds == 1_762_441_711_123)
        #expect(task.completedAt?.milliseconds == 1_762_500_000_500)
    }

    @Test(
        "Midnight and the last second of a day, on the person's clock, are the day",
        arguments: [
            ("UTC", 1_767_225_600.0, "2026-01-01"), ("Asia/Shanghai", 1_767_196_800.0, "2026-01-01"),
            ("Asia/Shanghai", 1_767_225_600.0, nil), ("America/New_York", 1_767_329_999.0, "2026-01-01"),
            ("UTC", 1_767_225_600.5, nil),
        ] as [(String, Double, String?)])
    func midnight(_ zone: String, _ seconds: Double, _ day: String?) throws {
        let place = try ImportPlace()
        try place.person("ada", zone: zone)
        _ = try place.take(try place.phone("todo.sqlite3", row("title, due_date", "'a', \(seconds)")), for: "ada")
        let due = try #require(try place.tasks(of: "ada").first?.due)
        if let day {
            #expect(due == .day(try #require(Day(day))))
        } else {
            #expect(due == .moment(Instant(milliseconds: Int64(seconds * 1_000))))
        }
    }

    struct Odd: CustomTestStringConvertible, Sendable {
        let columns: String
        let values: String
        let wanted: String
        var warnings = 1
        var testDescription: String { values }
    }

    static let odd: [Odd] = [
        Odd(columns: "title", values: "''", wanted: "(no title)|medium|pending|work|none|"),
        Odd(columns: "title, priority", values: "'a', 7", wanted: "a|medium|pending|work|none|"),
        Odd(columns: "title, priority", values: "'a', 'high'", wanted: "a|medium|pending|work|none|"),
        Odd(columns: "title, status", values: "'a', 2", wanted: "a|medium|pending|work|none|"),
        Odd(columns: "title, category", values: "'a', 'finance'", wanted: "a|medium|pending|work|none|@finance"),
        Odd(columns: "title, category", values: "'a', 'HEALTH'", wanted: "a|medium|pending|health|none|", warnings: 0),
        Odd(columns: "title, completed_at", values: "'a', 1.7e9", wanted: "a|medium|pending|work|none|"),
        Odd(columns: "title, due_date", values: "'a', 1.7e12", wanted: "a|medium|pending|work|none|due_date: 1700000000000.0"),
        Odd(
            columns: "title, due_date", values: "'a', '2026-03-01'", wanted: "a|medium|pending|work|none|due_date: \"2026-03-01\""
        ),
        Odd(columns: "title, due_date", values: "'a', 9e999", wanted: "a|medium|pending|work|none|due_date: inf"),
        Odd(
            columns: "title", values: "'a' || char(10) || 'b' || char(9) || 'c'", wanted: "a b c|medium|pending|work|none|",
            warnings: 0),
        Odd(columns: "title", values: "'a' || char(7) || 'b'", wanted: "ab|medium|pending|work|none|"),
        Odd(columns: "title", values: "'a' || char(0) || 'b'", wanted: "ab|medium|pending|work|none|"),
        Odd(
            columns: "id, title", values: "x'00ff', 'a'", wanted: "a|medium|pending|work|none|", warnings: 1),
        Odd(
            columns: "title, category, due_date", values: "'a', 'b' || char(0) || 'c', 'd' || char(0)",
            wanted: "a|medium|pending|work|none|@bc⏎due_date: \"d \"", warnings: 3),
        Odd(columns: "title", values: "CAST(x'61ff62' AS TEXT)", wanted: "a\u{FFFD}b|medium|pending|work|none|"),
        Odd(columns: "title", values: "x'6162'", wanted: "ab|medium|pending|work|none|"),
        Odd(columns: "title, content", values: "'a', 42", wanted: "a|medium|pending|work|none|42", warnings: 0),
    ]

    @Test("An odd value is told, never guessed, and stays readable", arguments: odd)
    func oddValues(_ one: Odd) throws {
        let place = try ImportPlace()
        try place.person("ada")
        let report = try place.take(try place.phone("todo.sqlite3", row(one.columns, one.values)), for: "ada")
        let task = try #require(try place.tasks(of: "ada").first)
        let keys = Dictionary(uniqueKeysWithValues: try Category.all(place.connection, userID: 1).map { ($0.id, $0.key) })
        #expect(
            "\(task.title)|\(task.priority.word)|\(task.status.word)|\(keys[task.categoryID] ?? "")|\(task.due == nil ? "none" : "due")|\(task.content.replacing("\n", with: "⏎"))"
                == one.wanted)
        #expect(report.warningCount == one.warnings, "\(report.warnings)")
    }

    @Test(
        "A row with a value of more than a million bytes is told and not kept, whatever its kind",
        arguments: ["zeroblob(2000000)", "'x' || hex(zeroblob(700000))"])
    func huge(_ value: String) throws {
        let place = try ImportPlace()
        try place.person("ada")
        for column in ["id", "title", "content", "category", "due_date", "is_pinned"] {
            let (columns, values) = column == "title" ? ("title", value) : ("\(column), title", "\(value), 'a'")
            let report = try place.take(try place.phone("\(column).sqlite3", row(columns, values)), for: "ada")
            #expect((report.added, report.skipped) == (0, 1), "\(column)")
            #expect(report.warnings.map(\.description) == ["record 1: not taken: longer than a million bytes"], "\(column)")
        }
    }

    @Test("A database from before the app's first migration lacks two columns and comes in")
    func legacy() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let table = ImportPlace.table.replacing(", \"completed_at\" REAL, \"is_pinned\" INTEGER NOT NULL DEFAULT (0)", with: "")
        let file = try place.phone("todo.sqlite3", row("title, status", "'old', 1"), table: table)
        #expect(try place.take(file, for: "ada").warnings.isEmpty)
        let task = try #require(try place.tasks(of: "ada").first)
        #expect((task.status, task.completedAt, task.isPinned) == (.completed, nil, false))
    }

    @Test("An identifier that is no UUID, or is missing, still is known again")
    func identifiers() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let table = "CREATE TABLE tasks (id, title TEXT, created_at REAL)"
        let file = try place.phone(
            "todo.sqlite3",
            "INSERT INTO tasks VALUES ('not-a-uuid', 'a', 1.7e9), (NULL, 'b', 1.7e9), (NULL, 'b', 1.7e9), (5, 'c', 1.7e9)",
            table: table)
        #expect(try place.take(file, for: "ada").added == 4)
        #expect(try place.take(file, for: "ada").present == 4)
    }

    @Test(
        "A database of another program is refused by name, and a view or trigger in it runs nothing",
        arguments: [
            ("CREATE TABLE other (a)", false), ("CREATE TABLE x (title); CREATE VIEW tasks AS SELECT * FROM x", false),
            ("CREATE TABLE tasks (a)", false), ("CREATE VIRTUAL TABLE tasks USING fts5(id, title)", false),
            (
                "CREATE TABLE tasks (title TEXT, created_at REAL); CREATE TRIGGER t AFTER INSERT ON tasks BEGIN DELETE FROM tasks; END",
                true
            ),
        ])
    func stranger(_ table: String, _ isTaken: Bool) throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file = try place.phone("todo.sqlite3", "", table: table)
        if isTaken {
            #expect(try place.take(file, for: "ada").added == 0)
        } else {
            let error = try #require(throws: ImportFailure.self) { try place.take(file, for: "ada") }
            #expect(error.description.contains("todo.sqlite3 is an SQLite database, but not of the app"), "\(error)")
        }
    }

    @Test("A small file whose columns would be computed to be huge is refused")
    func computed() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file = try place.phone(
            "todo.sqlite3", "INSERT INTO tasks (title) VALUES ('a')",
            table: "CREATE TABLE tasks (title TEXT NOT NULL, content TEXT GENERATED ALWAYS AS (hex(zeroblob(99000000))))")
        let error = try #require(throws: ImportFailure.self) { try place.take(file, for: "ada") }
        #expect(error.description.contains("too big"), "\(error)")
    }

    @Test("A copy that was made while the app ran, with its log beside it, is read whole, and stays as it is")
    func withLog() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let path = place.folder.appending(path: "live.sqlite3").path()
        let live = try Connection(path: path, mode: .readWriteCreate)
        try live.executeScript(ImportPlace.table)
        try live.executeScript(row("title", "'in the log'"))
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(try place.take(try ByteFile(path), for: "ada").added == 1)
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
        live.close()
    }
}
