// Tasks of calendars: lines, escapes and folds as RFC 5545 has them and as programs write them, times in every kind of zone, and states.

import Foundation
import SQLite
import Testing

@testable import Docket

struct CalendarImportTests {
    struct File: Sendable {
        let lines: String
        let wanted: [String]
        var warnings: [ImportReason.Code] = []
        var zone = "Europe/Berlin"
        /// False where it is wrapped into a calendar.
        var isWhole = false
    }

    @Test(
        "What a VTODO says is what the task is",
        arguments: [
            File(
                lines: "SUMMARY:Milk\nDUE;VALUE=DATE:20261224", wanted: ["Milk|medium|pending|work|2026-12-24|"],
                zone: "America/Chicago"),
            File(
                lines: "SUMMARY:a\\, b\\; c\\\\d\\ne\nDESCRIPTION:x\\ny\\Nz", wanted: ["a, b; c\\d e|medium|pending|work||x⏎y⏎z"]),
            File(lines: "SUMMARY\n :neon KB\nDESCRIPTION:lo\n ng\n\t er", wanted: ["neon KB|medium|pending|work||long er"]),
            File(lines: "summary;LANGUAGE=\"de;x:y\":a:b", wanted: ["a:b|medium|pending|work||"]),
            File(lines: "SUMMARY:a\nDUE:20260701T163000Z", wanted: ["a|medium|pending|work|2026-07-01T18:30|"]),
            File(lines: "SUMMARY:a\nDUE:20260701T183000", wanted: ["a|medium|pending|work|2026-07-01T18:30|"]),
            File(
                lines: "SUMMARY:a\nDUE;TZID=America/New_York:20260701T123000", wanted: ["a|medium|pending|work|2026-07-01T18:30|"]
            ),
            File(
                lines: "SUMMARY:a\nDUE;TZID=/freeassociation.sourceforge.net/Tzfile/America/New_York:20260701T123000",
                wanted: ["a|medium|pending|work|2026-07-01T18:30|"]),
            File(
                lines: "SUMMARY:a\nDUE;TZID=Eastern Standard Time:20260701T123000",
                wanted: ["a|medium|pending|work|2026-07-01T18:30|"]),
            File(
                lines: "SUMMARY:a\nDUE;TZID=Mars/Base:20260701T183000", wanted: ["a|medium|pending|work|2026-07-01T18:30|"],
                warnings: [.zone]),
            File(
                lines: "SUMMARY:a\nDUE;TZID=America/New_York:20260701T163000Z",
                wanted: ["a|medium|pending|work|2026-07-01T18:30|"]),
            File(lines: "SUMMARY:a\nDUE:20260701T000000", wanted: ["a|medium|pending|work|2026-07-01|"]),
            File(
                lines: "SUMMARY:a\nDUE:-0011130T160000", wanted: ["a|medium|pending|work||DUE: -0011130T160000"],
                warnings: [.noDate]),
            File(
                lines: "SUMMARY:a\nDUE:20131009T170000T\nDTSTART:20131008",
                wanted: ["a|medium|pending|work||DUE: 20131009T170000T⏎Start: 20131008"],
                warnings: [.noDate]),
            File(lines: "SUMMARY:a\nDTSTART:20260328T100000\nDURATION:P1D", wanted: ["a|medium|pending|work|2026-03-29T10:00|"]),
            File(
                lines: "SUMMARY:a\nDTSTART:20260328T100000\nDURATION:PT24H", wanted: ["a|medium|pending|work|2026-03-29T11:00|"]),
            File(lines: "SUMMARY:a\nDTSTART;VALUE=DATE:20260328", wanted: ["a|medium|pending|work||Start: 20260328"]),
            File(
                lines: "SUMMARY:a\nPRIORITY:1\nSTATUS:IN-PROCESS\nPERCENT-COMPLETE:30",
                wanted: ["a|high|pending|work||Done: 30 %"]),
            File(lines: "SUMMARY:a\nPRIORITY:9\nPERCENT-COMPLETE:100", wanted: ["a|low|completed|work||"]),
            File(lines: "SUMMARY:a\nPRIORITY:\nCOMPLETED:20260101T000000Z", wanted: ["a|medium|completed|work||"]),
            File(
                lines: "SUMMARY:a\nPRIORITY:5\nSTATUS:NEEDS-ACTION\nCOMPLETED:20260101T000000Z",
                wanted: ["a|medium|pending|work||"],
                warnings: [.openWithTime]),
            File(lines: "SUMMARY:a\nSTATUS:COMPLETED\nPERCENT-COMPLETE:0", wanted: ["a|medium|completed|work||"]),
            File(lines: "SUMMARY:a\nSTATUS:CANCELLED", wanted: ["a|medium|completed|work||Status: CANCELLED"]),
            File(
                lines: "SUMMARY:a\nSTATUS:FAILED\nPRIORITY:x", wanted: ["a|medium|pending|work||PRIORITY: x⏎STATUS: FAILED"],
                warnings: [.unknownValue, .unknownValue]),
            File(lines: "SUMMARY:a\nCATEGORIES:x\\,y,Health\nCATEGORIES:z", wanted: ["a|medium|pending|health||Tags: x,y, z"]),
            File(
                lines:
                    "SUMMARY:a\nDESCRIPTION:d\nLOCATION:Oslo\nRRULE:FREQ=DAILY\nX-MINE:1\nX-APPLE-SORT-ORDER:7\nCLASS:PRIVATE\nORGANIZER:mailto:x@example.org",
                wanted: ["a|medium|pending|work||d⏎Location: Oslo⏎Repeats: FREQ=DAILY⏎X-MINE: 1"], warnings: [.recurrence]),
            File(
                lines: "SUMMARY:a\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT15M\nDESCRIPTION:no\nEND:VALARM",
                wanted: ["a|medium|pending|work||Alarm: -PT15M"]),
            File(lines: "UID:only", wanted: ["(no title)|medium|pending|work||"], warnings: [.untitled]),
            File(
                lines:
                    "UID:p\nSUMMARY:Parent\nEND:VTODO\nBEGIN:VTODO\nSUMMARY:Child\nRELATED-TO:p\nEND:VTODO\nBEGIN:VTODO\nSUMMARY:Other\nRELATED-TO;RELTYPE=SIBLING:q",
                wanted: [
                    "Parent|medium|pending|work||", "Child|medium|pending|work||Part of: Parent",
                    "Other|medium|pending|work||Related to (SIBLING): q",
                ]),
            File(
                lines:
                    "BEGIN:VTODO\nSUMMARY:bare\nEND:VTODO\nBEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:no\nEND:VEVENT\nEND:VCALENDAR\n",
                wanted: ["bare|medium|pending|work||"], warnings: [.others], isWhole: true),
            File(
                lines:
                    "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VTODO\nSUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:B=C3=B6=\nse=3B x\nSTATUS:NEEDS ACTION\nEND:VTODO\nEND:VCALENDAR\n",
                wanted: ["Böse; x|medium|pending|work||"], isWhole: true),
            File(
                lines:
                    "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:0192f0c1-2b3c-7def-8123-456789abcdef\nSUMMARY:a\nEND:VTODO\nBEGIN:VTODO\nUID:0192f0c1-2b3c-7def-8123-456789abcdef\nRECURRENCE-ID:20260101T000000Z\nSUMMARY:a\nSTATUS:COMPLETED\nEND:VTODO\n",
                wanted: ["a|medium|pending|work||", "a|medium|completed|work||Instance of: 20260101T000000Z"],
                warnings: [.cutCalendar], isWhole: true),
        ])
    func tasks(_ file: File) throws {
        let text =
            file.isWhole ? file.lines : "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VTODO\n\(file.lines)\nEND:VTODO\nEND:VCALENDAR\n"
        for ending in ["\n", "\r\n", "\r"] {
            let place = try ImportPlace()
            try place.person("ada", zone: file.zone)
            let bytes = text.replacing("\n", with: ending).utf8
            let report = try place.take(try place.file("a.ics", bytes), for: "ada")
            #expect(try place.seen(of: "ada") == file.wanted)
            #expect(report.warnings.map(\.reason.code) == file.warnings, "\(report.warnings)")
            #expect(try place.take(try place.file("b.ics", bytes), for: "ada").present == file.wanted.count)
        }
    }

    @Test("A fold may cut a character in two")
    func foldedCharacter() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let title = Array("买牛奶".utf8)
        let bytes =
            Array("BEGIN:VTODO\r\nSUMMARY:".utf8) + title.prefix(4) + Array("\r\n ".utf8) + title.dropFirst(4)
            + Array("\r\nEND:VTODO\r\n".utf8)
        let report = try place.take(try place.file("a.ics", bytes), for: "ada")
        #expect(try place.titles(of: "ada") == ["买牛奶"])
        #expect(report.warnings.isEmpty)
    }

    @Test("A line that is no UTF-8 is read as Latin-1, and told once")
    func latin1() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let bytes =
            Array("BEGIN:VTODO\nSUMMARY:K".utf8) + [0xE4] + Array("se\nDESCRIPTION:".utf8) + [0xFC] + Array("\nEND:VTODO\n".utf8)
        let report = try place.take(try place.file("a.ics", bytes), for: "ada")
        #expect(try place.seen(of: "ada") == ["Käse|medium|pending|work||ü"])
        #expect(report.warnings.map(\.reason.code) == [.encoding])
    }

    @Test(
        "A file that ends within a task is refused with the line where the task begins; wherever it is cut, nothing is half there"
    )
    func cut() throws {
        let text = Array(
            "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:a\nSUMMARY:one\nEND:VTODO\nBEGIN:VTODO\nSUMMARY:two\nDESCRIPTION:x\nEND:VTODO\nEND:VCALENDAR\n"
                .utf8)
        let place = try ImportPlace()
        try place.person("ada")
        for count in 15..<text.count {
            do {
                let report = try place.take(try place.file("a.ics", text.prefix(count)), for: "ada", dry: true)
                #expect(report.added >= 1, "\(count)")
            } catch let error as ImportFailure {
                #expect([.cutTask, .noTasks, .notFormat].contains(error.reason.code), "\(count): \(error)")
            }
        }
        let error = try #require(throws: ImportFailure.self) {
            try place.take(try place.file("a.ics", text.dropLast(30)), for: "ada")
        }
        #expect(error == ImportFailure(.cutTask, ["line": "6"]))
        #expect(try place.tasks(of: "ada").isEmpty)
    }

    @Test("A property of more than a million bytes is told, and the task is there without it")
    func longLine() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let text =
            "BEGIN:VTODO\nSUMMARY:a\nATTACH;VALUE=BINARY:\(String(repeating: "A", count: ImportedText.byteLimit))\nEND:VTODO\n"
        let report = try place.take(try place.file("a.ics", text.utf8), for: "ada")
        #expect(report.warnings.map(\.reason.code) == [.longField])
        #expect(try place.seen(of: "ada") == ["a|medium|pending|work||"])
    }
}
