// Out and in again: a file of each of our formats, imported into a new account and exported again, is the same byte by byte.

import Foundation
import SQLite
import Testing

@testable import Docket

struct RoundTripTests {
    private static let hostile = [
        "=1+1", "'=1+1", "''", "'", "-5 degrees", "@home", "+1", "\"quoted\"", "a,b;c\\d|e", "\\n", "x (A) 2026-01-01 y", "(A) z",
        "牛奶 🥛 👨‍👩‍👧‍👦",
        "\u{202E}abc", "e\u{301}", "a\u{FEFF}b", "<script>alert(1)</script>", "50% %s %n", "NULL", "0", "true", "2026-12-24",
        "BEGIN:VTODO", "#", "//",
        "a\u{A0}b", "ａｂｃ", "(no title)", String(repeating: "长", count: 500),
    ]

    /// An account with a task for each hostile text as title and as content, and every kind of due date.
    private func account() throws -> ImportPlace {
        struct Row: Encodable {
            let id: String
            let title: String
            let content: String
            let priority: String
            let status: String
            let category: String
            let due: String?
            let pinned: Bool
            let version: Int
            let createdAt: String
            let updatedAt: String
            let completedAt: String?
        }
        let dues = [nil, "2026-12-24", "2026-12-24T00:00:00Z", "2026-12-24T17:30:00.250Z", "1900-01-01", "9999-12-31"]
        let rows = Self.hostile.enumerated().map { index, text in
            let isDone = index.isMultiple(of: 3)
            return Row(
                id: "0190f5fe-7c00-7a00-8000-0000000000" + String(format: "%02x", index), title: text,
                content: index.isMultiple(of: 2) ? "" : "\(text)\n\n- [ ] \(text)\n\ttab\n",
                priority: ["low", "medium", "high"][index % 3],
                status: isDone ? "completed" : "pending", category: ["work", "life", "garden"][index % 3],
                due: dues[index % dues.count],
                pinned: index % 4 == 1, version: index + 1,
                createdAt: "2026-01-02T03:04:05.\(String(format: "%03d", index % 7))Z",
                updatedAt: "2026-02-02T03:04:05.006Z", completedAt: isDone && index != 3 ? "2026-02-02T03:04:05.007Z" : nil)
        }
        let place = try ImportPlace()
        try place.person("ada", zone: "America/New_York")
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let categories =
            #"[{"key":"garden","name":"Garten, 花","icon":"leaf","color":3},{"key":"work"},{"key":"life","name":"Leben"}]"#
        let file =
            "{\"docket\":1,\"categories\":\(categories),\"tasks\":\(String(decoding: try encoder.encode(rows), as: UTF8.self))}"
        let report = try place.take(try place.file("seed.json", file.utf8), for: "ada")
        #expect(report.warnings.isEmpty, "\(report.warnings)")
        #expect(try place.tasks(of: "ada").map(\.title) == Self.hostile)
        #expect(try place.tasks(of: "ada").map(\.content) == rows.map(\.content))
        return place
    }

    private func export(_ place: ImportPlace, _ format: ExportFormat) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try Export(user: "ada", format: format, wanted: []).run(place.connection) { bytes += $0 }
        return bytes
    }

    private func again(_ bytes: [UInt8], _ format: ExportFormat) throws -> [UInt8] {
        let place = try ImportPlace()
        try place.person("ada", zone: "America/New_York")
        _ = try place.take(try place.file(format == .todotxt ? "todo.txt" : "export", bytes), for: "ada")
        return try export(place, format)
    }

    /// Compares line by line, so that a difference can be seen.
    private func same(_ one: [UInt8], _ other: [UInt8]) {
        let (left, right) = (String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self))
        for (one, other) in zip(left.split(separator: "\n"), right.split(separator: "\n"))
        where !one.utf8.elementsEqual(other.utf8) {
            Issue.record("\(one)\n\(other)")
        }
        #expect(one == other)
    }

    @Test(
        "Hostile texts, own categories, versions and every kind of date come back exactly",
        arguments: [ExportFormat.json, .csv, .spreadsheet])
    func exact(_ format: ExportFormat) throws {
        let account = try account()
        let first = try export(account, format)
        same(first, try again(first, format))
    }

    @Test("iCalendar brings back all that it can carry: everything but the milliseconds and the look of categories")
    func calendar() throws {
        let first = try export(try account(), .ics)
        let second = try again(first, .ics)
        same(first, second)
    }

    @Test("todo.txt brings back titles, days, letters, pins and categories; notes and times of day it can't carry")
    func todoTxt() throws {
        let place = try ImportPlace()
        try place.person("ada", zone: "America/New_York")
        let rows = """
            title,content,priority,status,category,due,pinned,created_at,completed_at
            plain,lost,high,pending,life,2026-12-24,true,2026-01-02T03:04:05Z,
            x (A) y,,low,completed,work,,false,2026-01-02T03:04:05Z,2026-02-02T03:04:05Z
            2026-01-01 z,,medium,pending,study,,false,2026-01-02T03:04:05Z,
            牛奶 @work +shop,,low,completed,work,,true,2026-01-02T03:04:05Z,
            """
        _ = try place.take(try place.file("a.csv", rows.utf8), for: "ada")
        let first = try export(place, .todotxt)
        same(first, try again(first, .todotxt))
    }

    @Test(
        "The sample comes back exactly", .enabled(if: RealFilesTests.data != nil, "there is no ../shared/data"),
        arguments: ExportFormat.allCases)
    func sample(_ format: ExportFormat) throws {
        let place = try ImportPlace()
        try place.person("ada", zone: "America/New_York")
        let path = try #require(RealFilesTests.data).appending(path: "sample/todo.sqlite3").path()
        _ = try place.take(try ByteFile(path), for: "ada")
        let first = try export(place, format)
        same(first, try again(first, format))
    }
}
