// What a file of tasks holds, byte by byte, and that hostile texts come back out of it as they went in.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct ExportFilesTests {
    /// Ada with two tasks that use every field, one of them twice as hard to write.
    static func ada() throws -> (TestApp, Visitor) {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post(
            "/tasks",
            [
                ("title", "Milk, \"whole\"; 牛奶\\n"), ("content", "one\ntwo;\n"), ("priority", "high"), ("category", "life"),
                ("due", "2026-12-24"), ("pinned", "1"),
            ])
        test.now = test.now.adding(milliseconds: 1_250)
        try ada.post("/tasks", [("title", "=1+1"), ("due", "2026-12-24T18:30"), ("priority", "low"), ("status", "completed")])
        // Identifiers are random, and here they are not.
        for number in 1...2 {
            let id = try #require(TaskID("0190f5fe-7c00-7a00-8000-01234567890\(number)"))
            try test.database.execute("UPDATE tasks SET id = \(id.bytes) WHERE number = \(number)")
        }
        return (test, ada)
    }

    static let files: [(ExportFormat, String)] = [
        (
            .csv,
            """
            id,title,content,priority,status,category,due,pinned,version,created_at,updated_at,completed_at\r
            0190f5fe-7c00-7a00-8000-012345678901,"Milk, ""whole""; 牛奶\\n","one\ntwo;",high,pending,life,2026-12-24,true,1,\
            2026-11-30T09:00:00Z,2026-11-30T09:00:00Z,\r
            0190f5fe-7c00-7a00-8000-012345678902,=1+1,,low,completed,work,2026-12-24T17:30:00Z,false,1,\
            2026-11-30T09:00:01.250Z,2026-11-30T09:00:01.250Z,2026-11-30T09:00:01.250Z\r

            """
        ),
        (
            .spreadsheet,
            """
            \u{FEFF}id,title,content,priority,status,category,due,pinned,version,created_at,updated_at,completed_at\r
            0190f5fe-7c00-7a00-8000-012345678901,"Milk, ""whole""; 牛奶\\n","one\ntwo;",high,pending,life,2026-12-24,true,1,\
            2026-11-30T09:00:00Z,2026-11-30T09:00:00Z,\r
            0190f5fe-7c00-7a00-8000-012345678902,'=1+1,,low,completed,work,2026-12-24T17:30:00Z,false,1,\
            2026-11-30T09:00:01.250Z,2026-11-30T09:00:01.250Z,2026-11-30T09:00:01.250Z\r

            """
        ),
        (
            .json,
            """
            {"docket":1,"categories":[
            {"key":"work","name":null,"icon":"briefcase","color":9,"position":1},
            {"key":"life","name":null,"icon":"home","color":5,"position":2},
            {"key":"study","name":null,"icon":"book","color":3,"position":3},
            {"key":"health","name":null,"icon":"heart","color":12,"position":4}
            ],"tasks":[
            {"id":"0190f5fe-7c00-7a00-8000-012345678901","title":"Milk, \\"whole\\"; 牛奶\\\\n","content":"one\\ntwo;","priority":"high",\
            "status":"pending","category":"life","due":"2026-12-24","pinned":true,"version":1,"created_at":"2026-11-30T09:00:00Z",\
            "updated_at":"2026-11-30T09:00:00Z","completed_at":null},
            {"id":"0190f5fe-7c00-7a00-8000-012345678902","title":"=1+1","content":"","priority":"low","status":"completed",\
            "category":"work","due":"2026-12-24T17:30:00Z","pinned":false,"version":1,"created_at":"2026-11-30T09:00:01.250Z",\
            "updated_at":"2026-11-30T09:00:01.250Z","completed_at":"2026-11-30T09:00:01.250Z"}
            ]}

            """
        ),
        (
            .ics,
            """
            BEGIN:VCALENDAR\r
            VERSION:2.0\r
            PRODID:-//Docket//Docket//EN\r
            CALSCALE:GREGORIAN\r
            BEGIN:VTODO\r
            UID:0190f5fe-7c00-7a00-8000-012345678901\r
            DTSTAMP:20261130T090000Z\r
            CREATED:20261130T090000Z\r
            LAST-MODIFIED:20261130T090000Z\r
            SEQUENCE:1\r
            PRIORITY:1\r
            CATEGORIES:Life\r
            DESCRIPTION:one\\ntwo\\;\r
            SUMMARY:Milk\\, "whole"\\; 牛奶\\\\n\r
            DUE;VALUE=DATE:20261224\r
            STATUS:NEEDS-ACTION\r
            X-DOCKET-PINNED:TRUE\r
            END:VTODO\r
            BEGIN:VTODO\r
            UID:0190f5fe-7c00-7a00-8000-012345678902\r
            DTSTAMP:20261130T090001Z\r
            CREATED:20261130T090001Z\r
            LAST-MODIFIED:20261130T090001Z\r
            SEQUENCE:1\r
            PRIORITY:9\r
            CATEGORIES:Work\r
            SUMMARY:=1+1\r
            DUE:20261224T173000Z\r
            STATUS:COMPLETED\r
            PERCENT-COMPLETE:100\r
            COMPLETED:20261130T090001Z\r
            END:VTODO\r
            END:VCALENDAR\r

            """
        ),
        (
            .todotxt,
            """
            (A) 2026-11-30 Milk, "whole"; 牛奶\\n @life due:2026-12-24 pin:1
            x 2026-11-30 2026-11-30 =1+1 @work due:2026-12-24 pri:C

            """
        ),
    ]

    @Test("A file holds exactly this", arguments: files)
    func file(format: ExportFormat, text: String) throws {
        let (_, ada) = try Self.ada()
        let page = try ada.get("/export?format=\(format.rawValue)")
        #expect(page.status == 200 && page.text.utf8.elementsEqual(text.utf8), "\(page.text)")
        #expect(page.response.fields[.contentType] == format.contentType)
        let name = format.fileName(try #require(Day("2026-11-30")))
        #expect(page.response.fields[.contentDisposition] == "attachment; filename=\"\(name)\"")
        #expect(page.response.fields[.cacheControl] == "no-store")
    }

    @Test("A file without a task is whole", arguments: ExportFormat.allCases)
    func empty(format: ExportFormat) throws {
        let test = try TestApp()
        let text = try test.person("ada").get("/export?format=\(format.rawValue)").text
        switch format {
        case .csv: #expect(text.hasPrefix("id,title") && text.hasSuffix("completed_at\r\n"))
        case .spreadsheet: #expect(text.hasPrefix("\u{FEFF}id,title"))
        case .json:
            let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
            #expect((json["tasks"] as? [Any])?.isEmpty == true && (json["categories"] as? [Any])?.count == 4)
        case .ics: #expect(text.hasPrefix("BEGIN:VCALENDAR\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
        case .todotxt: #expect(text.isEmpty)
        }
    }

    // MARK: Hostile texts

    /// Texts that a task may hold, besides those that break pages: what each of the formats means something by.
    static let texts: [String] =
        HostileTextTests.texts.map(Characters.trim) + [
            "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "＝1+1", "－1", "'＠a", "'=1", "''", "'", "'+'", "' =1", "\"", "\"\"", ",",
            ";", "\\", "\\n",
            "\\,",
            "a,b;c\\d \"e\"", "BEGIN:VTODO", "END:VCALENDAR", "x 2026-01-01 y", "(A) z", "due:2026-01-01", "pri:B", "@life",
            "+work",
            "50% done %s %n", "a\u{2028}b".replacing("\u{2028}", with: " "), String(repeating: "牛", count: 80),
            String(repeating: "é", count: 200), String(repeating: "a", count: 67) + "牛奶", String(repeating: ",", count: 200),
            String(repeating: "\\", count: 100), String(repeating: "🏴‍☠️", count: 40),
        ]

    private static func full() throws -> (TestApp, Visitor) {
        let test = try TestApp()
        let ada = try test.person("ada")
        for text in texts { try ada.post("/tasks", [("title", text), ("content", "\t" + text + "\n\n=\(text)\r\n'x")]) }
        return (test, ada)
    }

    /// Titles and contents as they are kept, in the order of exports.
    private static func kept(_ test: TestApp) throws -> [[String]] {
        try test.database.rows("SELECT title, content FROM tasks ORDER BY created_at, number") {
            [try $0.text(0), try $0.text(1)]
        }
    }

    private static func same(_ one: [[String]], _ other: [[String]]) -> Bool {
        one.count == other.count
            && zip(one, other).allSatisfy { $0.count == $1.count && zip($0, $1).allSatisfy { $0.utf8.elementsEqual($1.utf8) } }
    }

    @Test("CSV gives back every text, and a spreadsheet runs none", arguments: [false, true])
    func csv(isForSpreadsheets: Bool) throws {
        let (test, ada) = try Self.full()
        let text = try ada.get("/export?format=\(isForSpreadsheets ? "spreadsheet" : "csv")").text
        var records = CSVText.records(text)
        records.removeFirst()
        #expect(records.allSatisfy { $0.count == 12 })
        var texts = records.map { Array($0[1...2]) }
        if isForSpreadsheets {
            let signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r"]
            #expect(records.joined().allSatisfy { cell in !signs.contains { cell.hasPrefix($0) } })
            texts = texts.map { $0.map(CSVText.undone) }
        }
        #expect(Self.same(texts, try Self.kept(test)))
    }

    @Test func `JSON gives back every text, a task a line`() throws {
        let (test, ada) = try Self.full()
        let text = try ada.get("/export?format=json").text
        let json = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let tasks = try #require(json["tasks"] as? [[String: Any]])
        let texts = tasks.map { [$0["title"] as? String ?? "", $0["content"] as? String ?? ""] }
        #expect(Self.same(texts, try Self.kept(test)))
        #expect(text.utf8.split(separator: UInt8(ascii: "\n")).count { $0.starts(with: "{\"id\":".utf8) } == tasks.count)
    }

    @Test("iCalendar gives back every text, in lines of at most 75 bytes that are whole characters", arguments: [false, true])
    func calendar(isForEvents: Bool) throws {
        let (test, ada) = try Self.full()
        try test.database.execute("UPDATE tasks SET due_at = 0, due_key = 0")
        try ada.post("/filters", [("name", "All"), ("status", "all"), ("sort", "created_asc")])
        try ada.get("/filters/1/edit").submit("/filters/1/feed", [("action", "renew")])
        let address = try #require(try test.database.first("SELECT secret FROM feeds") { try $0.text(0) })
        let text = try test.stranger().get("/feeds/\(address).ics" + (isForEvents ? "?events=1" : "")).text
        let lines = Array(text.utf8).split(separator: 0x0A)
        #expect(text.hasSuffix("END:VCALENDAR\r\n"))
        for line in lines {
            #expect(line.last == 0x0D && line.count <= 76, "\(String(decoding: line, as: UTF8.self))")
            #expect(String(validating: line, as: UTF8.self) != nil)
            #expect(!line.dropLast().contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
        }
        let values = CalendarText.values(text, ["SUMMARY", "DESCRIPTION"])
        // The description stands first.
        let pairs = stride(from: 0, to: values.count, by: 2).map { [values[$0 + 1], values[$0]] }
        #expect(Self.same(pairs, try Self.kept(test)))
    }

    @Test func `A line of todo.txt is one task, whatever its title is, and its title what it was`() throws {
        let (test, ada) = try Self.full()
        try test.database.execute("UPDATE tasks SET status = number % 2, priority = number % 3")
        let lines = try ada.get("/export?format=todotxt").text.utf8.split(separator: UInt8(ascii: "\n"))
            .map { TodoTxtLine(String(decoding: $0, as: UTF8.self)) }
        let kept = try Self.kept(test).map { $0[0] }
        #expect(lines.count == kept.count)
        var lost: [String] = []
        for (line, title) in zip(lines, kept) {
            // The mark of the category is at the end, unless the title has it already.
            let wanted = [title, title + " @work", title + " @work pin:1"]
            if !wanted.contains(where: { $0.utf8.elementsEqual(line.text.utf8) }) { lost.append(title) }
        }
        // What looks like one of the format's own words is taken for it, and an invisible mark in mid-text is no text to the reader.
        #expect(
            lost.allSatisfy { $0.hasPrefix("due:") || $0.hasPrefix("pri:") || $0.unicodeScalars.contains("\u{FEFF}") }, "\(lost)")
    }

    @Test("The names of the first categories are those of the pages", arguments: Language.allCases)
    func names(language: Language) throws {
        let strings = try TestApp().app.strings(language)
        #expect(CategoryTexts.standardNames(language) == Docket.Category.first.map { strings["category.default." + $0.key] })
    }
}

/// As much of RFC 4180 as is needed to read what was written.
enum CSVText {
    static func records(_ text: String) -> [[String]] {
        var (records, record, cell): ([[String]], [String], [UInt8]) = ([], [], [])
        var isQuoted = false
        let bytes = Array(text.utf8)
        var index = 0
        func take() -> String { String(decoding: cell, as: UTF8.self) }
        while index < bytes.count {
            let byte = bytes[index]
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            index += 1
            if isQuoted {
                guard byte == UInt8(ascii: "\"") else {
                    cell.append(byte)
                    continue
                }
                if next == byte {
                    cell.append(byte)
                    index += 1
                } else {
                    isQuoted = false
                }
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = true
            } else if byte == UInt8(ascii: ",") || byte == 0x0D && next == 0x0A {
                record.append(take())
                cell = []
                if byte == 0x0D {
                    records.append(record)
                    record = []
                    index += 1
                }
            } else {
                cell.append(byte)
            }
        }
        return records
    }

    /// The rule by which an import gives back what was made harmless.
    static func undone(_ cell: String) -> String {
        let rest = Array(cell.utf8.dropFirst())
        let signs = ["=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "'"]
        guard cell.utf8.first == UInt8(ascii: "'"), signs.contains(where: { rest.starts(with: $0.utf8) }) else { return cell }
        return String(decoding: rest, as: UTF8.self)
    }
}

/// As much of RFC 5545 as is needed to read what was written.
enum CalendarText {
    /// The values of these properties, in order.
    static func values(_ text: String, _ names: [String]) -> [String] {
        var unfolded: [UInt8] = []
        let bytes = Array(text.utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: "\r\n ".utf8) {
                index += 3
            } else {
                unfolded.append(bytes[index])
                index += 1
            }
        }
        return unfolded.split(separator: 0x0A).compactMap { line -> String? in
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                names.contains(String(decoding: line[..<colon], as: UTF8.self))
            else { return nil }
            var value: [UInt8] = []
            var isEscaped = false
            for byte in line[(colon + 1)...].dropLast() {
                if !isEscaped, byte == UInt8(ascii: "\\") {
                    isEscaped = true
                    continue
                }
                value.append(isEscaped && byte == UInt8(ascii: "n") ? 0x0A : byte)
                isEscaped = false
            }
            return String(decoding: value, as: UTF8.self)
        }
    }
}
