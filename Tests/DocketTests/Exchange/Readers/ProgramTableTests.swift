// CSV of Todoist and TickTick: their columns by name, and the oddities of their real exports.

import Foundation
import SQLite
import Testing

@testable import Docket

struct ProgramTableTests {
    struct File: Sendable {
        let text: String
        let wanted: [String]
        var warnings: [ImportReason.Code] = []
        var zone = "UTC"
    }

    private static let todoistHeader = "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE\r\n"

    @Test(
        "Todoist: sections, notes, steps, labels, priorities the other way round, dates in words",
        arguments: [
            File(
                text: todoistHeader
                    + "task,Milk @shop @health,fresh,1,1,Ada (1),,2026-12-24,en,Europe/Berlin\r\nnote,\"one\r\ntwo\",,,,Ada (1),,,,\r\n,,,,,,,,,\r\n"
                    + "section,Errands,,,,,,,,\r\ntask,Post,,4,1,,,2026-12-24 18:30,en,America/New_York\r\ntask,Stamps,,4,2,,,4 Jan,en,\r\n"
                    + "task,Glue,sticky,4,3,,,,en,\r\n",
                wanted: [
                    "Milk|high|pending|health|2026-12-24|fresh⏎⏎one⏎two⏎Tags: @shop",
                    "Post|low|pending|work|2026-12-25T00:30|- [ ] Stamps⏎  Due: 4 Jan⏎  - [ ] Glue⏎    sticky⏎Section: Errands",
                ], zone: "Europe/Berlin"),
            File(
                text: todoistHeader
                    + "task,* Fixed,,,1,,,every Monday,en,\r\ntask,Rent,,3,,,,2017-09-21 Monthly,en,\r\ntask,Odd,,9,1,,,nächste Woche,de,\r\n",
                wanted: [
                    "Fixed|medium|pending|work||Repeats: every Monday", "Rent|medium|pending|work|2017-09-21|Repeats: Monthly",
                    "Odd|medium|pending|work||PRIORITY: 9⏎Due: nächste Woche",
                ], warnings: [.noCheckbox, .unknownValue, .noDate, .recurrence]),
            File(
                text: todoistHeader
                    + "task,Alone,,4,3,,,,,\r\nnote,x,,,,,,,,,y\r\nproject,P,,,,,,,,\r\nmeta,view_style=list,,,,,,,,\r\n",
                wanted: ["Alone|low|pending|work||Column 11: y⏎⏎x"], warnings: [.noParent, .manyCells, .noTask]),
            File(
                text: todoistHeader
                    + "note,first,,,,,,,,\r\ntask,File,,4,1,,,,,\r\nnote,\"see [[file {\"\"file_name\"\":\"\"a.png\"\",\"\"image\"\":\"\"https:\\/\\/example.org\\/a\"\"}]]\",,,,,,,,\r\n",
                wanted: ["File|low|pending|work||see File: a.png https://example.org/a"], warnings: [.noTask]),
        ])
    func todoist(_ file: File) throws { try check(file, .todoist) }

    private static let ticktickHeader =
        "\u{FEFF}\"Date: 2026-03-10+0000\"\n\"Version: 7.1\"\n\"Status: \n0 Normal\n1 Completed\n2 Archived\"\n"
        + "\"Folder Name\",\"List Name\",\"Title\",\"Kind\",\"Tags\",\"Content\",\"Is Check list\",\"Start Date\",\"Due Date\",\"Repeat\",\"Priority\",\"Status\",\"Created Time\",\"Completed Time\",\"Timezone\",\"Is All Day\",\"Is Floating\",\"taskId\",\"parentId\"\n"

    @Test(
        "TickTick: the preamble's states, days in the zone of the file, checklists, parents",
        arguments: [
            File(
                text: ticktickHeader
                    + "\"\",\"Work\",\"Review\",\"TEXT\",\"a, b\",\"\",\"N\",\"\",\"2026-03-09T23:00:00+0000\",\"\",\"5\",\"2\",\"2026-03-01T00:00:00+0000\",\"2026-03-10T11:22:03+0000\",\"Europe/Copenhagen\",\"true\",\"false\",\"1\",\"\"\n"
                    + "\"F\",\"L\",\"Part\",\"CHECKLIST\",\"\",\"▫open\n▪done\nrest\",\"Y\",\"\",\"2026-03-09T22:00:00+0000\",\"RRULE:FREQ=DAILY\",\"p1\",\"0\",\"2026-03-01T00:00:00+0000\",\"\",\"Europe/Copenhagen\",\"false\",\"false\",\"2\",\"1\"\n"
                    + "\"\",\"\",\"Float\",\"NOTE\",\"\",\"\",\"N\",\"\",\"2026-03-09T08:00:00+0000\",\"\",\"7\",\"0\",\"2026-02-27 14:59:52\",\"\",\"Europe/Copenhagen\",\"false\",\"true\",\"3\",\"9\"\n",
                wanted: [
                    "Review|high|completed|work|2026-03-10|Tags: a, b",
                    "Part|low|pending|work|2026-03-09T18:00|- [ ] open⏎- [x] done⏎rest⏎Repeats: RRULE:FREQ=DAILY⏎Part of: Review⏎Folder: F⏎List: L",
                    "Float|medium|pending|work|2026-03-09T09:00|Priority: 7⏎Part of: 9⏎Tags: note",
                ], warnings: [.unknownValue, .recurrence], zone: "America/New_York"),
            File(
                text: ticktickHeader.replacing("1 Completed\n2 Archived", with: "-1 Abandoned\n2 Completed")
                    + "\"\",\"\",\"Left\",\"TEXT\",\"\",\"\",\"N\",\"\",\"\",\"\",\"0\",\"-1\",\"\",\"\",\"\",\"\",\"\",\"1\",\"\"\n",
                wanted: ["Left|medium|completed|work||Status: Abandoned"]),
        ])
    func ticktick(_ file: File) throws { try check(file, .ticktick) }

    private func check(_ file: File, _ format: ImportFormat) throws {
        let place = try ImportPlace()
        try place.person("ada", zone: file.zone)
        let report = try place.take(try place.file("export", file.text.utf8), for: "ada")
        #expect(report.findings?.format == format)
        #expect(try place.seen(of: "ada") == file.wanted)
        #expect(report.warnings.map(\.reason.code) == file.warnings, "\(report.warnings)")
        #expect(try place.take(try place.file("again.csv", file.text.utf8), for: "ada").present == file.wanted.count)
    }
}
