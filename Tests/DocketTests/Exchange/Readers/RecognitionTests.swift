// Which format a file has, and what is said of one that has none; what files do that were made to do harm.

import Foundation
import SQLite
import Testing

@testable import Docket

struct RecognitionTests {
    @Test(
        "A file that is no list of tasks is refused by the name of what it is, and changes nothing",
        arguments: [
            ("a.csv", Array("<!DOCTYPE html><title>Sign in</title>".utf8), .webPage),
            ("a.csv", Array("\u{FEFF}\n <HTML>".utf8), .webPage), ("a.csv", Array("<!-- x -->\n<html>,".utf8), .webPage),
            ("a.csv", Array("PK\u{3}\u{4}  xl/workbook.xml".utf8), .workbook),
            ("a.zip", Array("PK\u{3}\u{4}data.json VERSION".utf8), .zipVikunja),
            ("a.zip", Array("PK\u{3}\u{4}x".utf8), .zip), ("a.xls", [0xD0, 0xCF, 0x11, 0xE0, 1, 2], .workbook),
            ("a.csv", [0x89, 0x50, 0x4E, 0x47, 0x0D], .binary), ("a.json", Array("%PDF-1.7".utf8), .binary),
            ("a.csv", [0x61, 0, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67], .notText), ("a.vcf", Array("BEGIN:VCARD\n".utf8), .vcard),
            ("a.json", Array("<?xml version='1.0'?>".utf8), .xml),
            ("a.json", Array(#"{"cards":[],"lists":[]}"#.utf8), .otherProgram),
            ("a.json", Array(#"{"@odata.context":"x","value":[]}"#.utf8), .otherProgram),
            ("a.json", Array(#"{"timestamp":1,"lastUpdate":2,"data":{}}"#.utf8), .otherProgram),
            ("a.json", Array(#"{"a":1}"#.utf8), .unknownJSON),
            ("a.json", Array(#"{"a":1"#.utf8), .unknownJSON), ("a.json", Array("{".utf8), .cutJSON),
            ("a.json", Array("{a}".utf8), .brokenJSON),
            ("a.csv", Array(String(repeating: "title,", count: 10_000).utf8), .wideTable),
            ("a.dat", Array("hello\n".utf8), .unknownFormat), ("a.csv", Array("\n\n\n".utf8), .noTasks), ("a.csv", [], .empty),
            ("a.json", Array(String(repeating: "[", count: 5_000).utf8), .deepJSON),
            ("pending.data", Array("[description:\"x\" entry:\"1\"]\n".utf8), .taskwarriorData),
        ] as [(String, [UInt8], ImportReason.Code)])
    func refused(_ name: String, _ bytes: [UInt8], _ code: ImportReason.Code) throws {
        let place = try ImportPlace()
        try place.person("ada")
        let error = try #require(throws: ImportFailure.self) { try place.take(try place.file(name, bytes), for: "ada") }
        #expect(error.reason.code == code, "\(error)")
        #expect(try place.tasks(of: "ada").isEmpty)
        #expect(try place.connection.scalar("SELECT count(*) FROM changes") == 0)
    }

    @Test(
        "The content tells the format, whatever the name",
        arguments: [
            ("x.txt", "title,due\na,\n", .csv), ("x.txt", "buy milk, eggs\n", .todotxt), ("x", "Title;Notes\na;b\n", .csv),
            ("x.txt", "TYPE,CONTENT,PRIORITY\ntask,a,1\n", .todoist), ("x.txt", "  \nbegin:vcalendar\n", .icalendar),
            ("x.txt", "[ ] buy milk\n", .todotxt),
            ("x.csv", #"[{"uuid":"a","description":"b","status":"pending"}]"#, .taskwarrior),
        ] as [(String, String, ImportFormat)])
    func recognised(_ name: String, _ text: String, _ format: ImportFormat) throws {
        let place = try ImportPlace()
        #expect(try ImportFormat.recognise(try place.file(name, text.utf8)) == format)
    }

    @Test("A file that is forced to be another format is refused, not guessed", arguments: ImportFormat.allCases)
    func forced(_ format: ImportFormat) throws {
        let place = try ImportPlace()
        try place.person("ada")
        var options = ImportOptions()
        options.format = format
        // Each of these takes any lines of text.
        guard format != .csv, format != .todotxt else { return }
        #expect(throws: ImportFailure.self) {
            try place.take(try place.file("a", "hello\nworld\n".utf8), for: "ada", options: options)
        }
        #expect(try place.tasks(of: "ada").isEmpty)
    }

    @Test("A million empty lines, a cell of megabytes and ten thousand columns hold one task between them")
    func bombs() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file =
            "title,content\n" + String(repeating: "\n", count: 1_000_000) + "long,\(String(repeating: "x", count: 3_000_000))\n"
            + "wide\(String(repeating: ",", count: 10_000))\nplain,a\n"
        let report = try place.take(try place.file("a.csv", file.utf8), for: "ada")
        #expect(try place.titles(of: "ada") == ["plain"])
        #expect(
            report.warnings.filter(\.isSkipped).map(\.description) == [
                "line 1000002: not taken: longer than a million bytes", "line 1000003: not taken: more than 1000 cells",
            ])
    }

    /// Files that are small, but would be very much where each of their parts is taken at its word.
    private static let amplifiers: [(name: String, text: String, limit: Int)] = [
        // Attachments by the hundred thousand in one cell.
        ("a.csv", "TYPE,CONTENT\ntask,\"" + String(repeating: "[[file {}]]", count: 20_000) + "\"\n", 1 << 20),
        // Words of a category by the hundred thousand.
        ("b.csv", "title,category\nMilk,\"" + String(repeating: "a,", count: 100_000) + "\"\n", 1 << 20),
        // The name of a section, and of a column, a hundred thousand bytes long, above many tasks.
        (
            "c.csv",
            "TYPE,CONTENT\nsection," + String(repeating: "s", count: 100_000) + "\n"
                + String(repeating: "task,Milk\n", count: 500), 1 << 20
        ),
        (
            "d.csv",
            "title,due," + String(repeating: "n", count: 60_000) + "\n"
                + String(repeating: "Milk,2026-12-24,kept\n", count: 500),
            1 << 20
        ),
        (
            "e.json",
            #"{"kind":"tasks#taskLists","items":[{"title":""# + String(repeating: "s", count: 100_000) + #"","items":["#
                + String(repeating: #"{"title":"Milk"},"#, count: 500) + #"{"title":"Milk"}]}]}"#, 1 << 20
        ),
        // Notes by the hundred thousand.
        (
            "f.json",
            #"[{"uuid":"c0ffee00-0000-4000-8000-000000000001","description":"Milk","status":"pending","annotations":["#
                + String(repeating: #"{"description":""},"#, count: 5_000) + #"{}]}]"#, 1 << 20
        ),
        ("g.json", #"[{"title":"Milk","priority":"low""# + (0..<5_000).map { #","k\#($0)":0"# }.joined() + "}]", 1 << 20),
        (
            "h.ics",
            "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:Milk\r\n" + String(repeating: "X-A:b\r\n", count: 3_000)
                + "END:VTODO\r\nEND:VCALENDAR\r\n", 1 << 20
        ),
    ]

    @Test(
        "A small file never becomes a large database, and none keeps the machine busy", .timeLimit(.minutes(5)),
        arguments: amplifiers)
    func amplifies(_ file: (name: String, text: String, limit: Int)) throws {
        let place = try ImportPlace()
        try place.person("ada")
        let before = ContinuousClock.now
        let report = try place.take(try place.file(file.name, file.text.utf8), for: "ada")
        #expect(report.added >= 1 && report.skipped == 0, "\(report.warnings.prefix(3))")
        let size = try place.connection.scalar(
            "SELECT sum(length(CAST(title AS BLOB)) + length(CAST(content AS BLOB))) FROM tasks")
        #expect(size ?? 0 < file.limit)
        #expect(ContinuousClock.now - before < .seconds(120))
    }

    @Test("Every reason has its words in both languages, in English the same as the command's")
    func words() throws {
        for language in Language.allCases {
            let path = TestApp.repository + "Templates/strings/\(language.rawValue).json"
            let strings = try Strings(language: language, json: Array(try Data(contentsOf: URL(filePath: path))))
            for code in ImportReason.Code.allCases {
                let text = strings.texts["import.reason." + code.rawValue]
                if language == .english { #expect(text == code.english, "\(code)") } else { #expect(text != nil, "\(code)") }
            }
        }
        #expect(ImportReason(.fewCells, ["count": "1", "wanted": "2"]).description == "has 1 cells of 2: the others are empty")
    }

    @Test("Warnings never crowd out what was not taken")
    func limit() {
        var report = ImportReport()
        for place in 1...3_000 { report.warn(place, .untitled) }
        report.skip(3_001, .tooLong)
        #expect((report.warnings.count, report.warningCount, report.skipped) == (1_001, 3_001, 1))
        #expect(report.warnings.last?.isSkipped == true)
    }
}
