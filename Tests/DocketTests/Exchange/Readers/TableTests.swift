// Tables of other programs and of spreadsheets: how they are written, what their columns mean, and what becomes of what they may not hold.

import Foundation
import SQLite
import Testing

@testable import Docket

struct TableTests {
    /// Reads bytes as records.
    static func records(_ text: String, _ delimiter: Delimiter = .comma) throws -> [[String]] {
        var reader = CSVReader(ByteReader(bytes: Array(text.utf8)), delimiter: delimiter)
        var record = CSVRecord()
        var result: [[String]] = []
        while try reader.next(&record) { result.append(record.problem.map { ["problem", $0.rawValue] } ?? record.cells) }
        return result
    }

    @Test(
        "Records are what RFC 4180 says and what programs write",
        arguments: [
            ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]), ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
            ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]),
            ("\"a,b\",\"c\"\"d\"\n", [["a,b", "c\"d"]]), ("\"a\nb\",\"c\r\nd\"\r\n", [["a\nb", "c\r\nd"]]),
            ("a,\n,b\n,\n", [["a", ""], ["", "b"], ["", ""]]), ("\n\n\na\n\n", [["a"]]), ("\"\"\n", [[""]]),
            ("a,\"\"", [["a", ""]]),
            ("a\"b,c", [["a\"b", "c"]]), ("\"a\"b,c", [["ab", "c"]]), ("", []), ("a", [["a"]]), ("\u{FEFF}a,b", [["a", "b"]]),
        ])
    func records(_ text: String, _ wanted: [[String]]) throws {
        #expect(try Self.records(text) == wanted)
    }

    @Test("A quotation mark that never closes is told with the line where it opened")
    func openQuote() throws {
        let error = try #require(throws: ImportFailure.self) { try Self.records("a,b\nc,\"d\ne,f\n") }
        #expect(error == ImportFailure(.openQuote, ["line": "2"]))
    }

    @Test("Too long a record and too many cells are told, and the records around them are there")
    func limits() throws {
        let long = String(repeating: "x", count: ImportedText.byteLimit + 1)
        let wide = String(repeating: ",", count: CSVReader.columnLimit)
        #expect(
            try Self.records("a,b\n\(long),c\n\(wide)\nd,e\n") == [
                ["a", "b"], ["problem", "too_long"], ["problem", "too_many_cells"], ["d", "e"],
            ])
    }

    struct Table: Sendable {
        let file: String
        let wanted: [String]
        var name = "tasks.csv"
        var warnings = 0
        var options: @Sendable (inout ImportOptions) -> Void = { _ in }
    }

    private static let today = "2026-12-24"

    @Test(
        "A table comes in whatever its delimiter, its language and its dates",
        arguments: [
            Table(file: "title,due\nMilk,2026-12-24\n", wanted: ["Milk|medium|pending|work|2026-12-24|"]),
            // A first line that can't be kept is told, and the header is the one behind it.
            Table(
                file: String(repeating: ",", count: CSVReader.columnLimit) + "\ntitle,due\nMilk,2026-12-24\n",
                wanted: ["Milk|medium|pending|work|2026-12-24|"], warnings: 1),
            Table(file: "Title;Description\nMilk;two litres\n", wanted: ["Milk|medium|pending|work||two litres"]),
            Table(file: "sep=;\r\nTitle;Priority\r\nMilk;High\r\n", wanted: ["Milk|high|pending|work||"]),
            Table(file: "Task\tDue Date\nMilk\t24.12.2026\n", wanted: ["Milk|medium|pending|work|2026-12-24|"], name: "a.tsv"),
            Table(file: "title|status\nMilk|done\n", wanted: ["Milk|medium|completed|work||"]),
            Table(
                file: "标题,内容,优先级,状态,分类,截止日期\n买牛奶,两升,高,已完成,健康,2026年12月24日\n读书,,低,未完成,学习,2026/3/1\n",
                wanted: ["买牛奶|high|completed|health|2026-12-24|两升", "读书|low|pending|study|2026-03-01|"]),
            Table(
                file: "Subject,Start Date,Due Date,Date Completed,% Complete,Categories,Notes,Priority,Status\n"
                    + "Call,,12/24/2026,,0,Work,about x,High,Not Started\nWrite,,1/2/2026,1/3/2026,100,,,Normal,Completed\n",
                wanted: [
                    "Call|high|pending|work|2026-12-24|about x⏎% Complete: 0",
                    "Write|medium|completed|work|2026-01-02|% Complete: 100",
                ]),
            // The whole column says which number is the month.
            Table(
                file: "title,due\na,03/04/2026\nb,25/12/2026\n",
                wanted: ["a|medium|pending|work|2026-04-03|", "b|medium|pending|work|2026-12-25|"]),
            Table(
                file: "title,due\na,03/04/2026\nb,12/25/2026\n",
                wanted: ["a|medium|pending|work|2026-03-04|", "b|medium|pending|work|2026-12-25|"]),
            Table(file: "title,due\na,03/04/2026\n", wanted: ["a|medium|pending|work|2026-04-03|"], warnings: 1),
            Table(file: "title,due\na,03/04/2026\n", wanted: ["a|medium|pending|work|2026-03-04|"]) { $0.dateOrder = .month },
            Table(file: "title,due\na,3/4/2026 6:30 PM\n", wanted: ["a|medium|pending|work|2026-03-04T18:30|"], warnings: 1),
            // No header: columns by what they hold.
            Table(
                file: "2026-12-24,Milk,two litres\n2026-12-25,Bread,\n",
                wanted: ["Milk|medium|pending|work|2026-12-24|two litres", "Bread|medium|pending|work|2026-12-25|"], warnings: 1),
            Table(file: "Milk\nBread\n", wanted: ["Milk|medium|pending|work||", "Bread|medium|pending|work||"], warnings: 1),
            // A header of another language.
            Table(
                file: "Nazwa,Termin\nMleko,2026-12-24\n", wanted: ["Mleko|medium|pending|work||Termin: 2026-12-24"], warnings: 1),
            Table(file: "Nazwa,Termin\nMleko,2026-12-24\n", wanted: ["Mleko|medium|pending|work|2026-12-24|"]) {
                $0.columns = ColumnMap("title=1,due=2")
            },
            // What is none of ours stays readable; unknown values are told.
            Table(
                file: "title,priority,place,labels\na,7,Oslo,\"x, work\"\n",
                wanted: ["a|medium|pending|work||priority: 7⏎place: Oslo⏎Tags: x"], warnings: 1),
            Table(file: "title,due\na,soon\n", wanted: ["a|medium|pending|work||due: soon"], warnings: 1),
            Table(file: "title,due\na,1850-01-01\n", wanted: ["a|medium|pending|work||due: 1850-01-01"], warnings: 1),
            Table(file: "title,project\na,Balcony\n", wanted: ["a|medium|pending|work||project: Balcony"]),
            Table(
                file: "title,due,content\na\nb,,c,d,e\n",
                wanted: ["a|medium|pending|work||", "b|medium|pending|work||c⏎Column 4: d⏎Column 5: e"], warnings: 2),
            Table(file: "title,title\na,b\n", wanted: ["a|medium|pending|work||title: b"]),
            Table(file: "title,content\n,only notes\n", wanted: ["(no title)|medium|pending|work||only notes"], warnings: 1),
            Table(
                file: "title,done\na,x\nb,\nc,2026-01-05\n",
                wanted: ["a|medium|completed|work||", "b|medium|pending|work||", "c|medium|completed|work||"]),
            Table(file: "title\n,,,,\n\n\n \na\n", wanted: ["a|medium|pending|work||"]),
            Table(file: "title,due,time\na,2026-12-24,18:30\n", wanted: ["a|medium|pending|work|2026-12-24T18:30|"]),
            Table(
                file: "type,content,priority,due_string\ntask,Test,1,wed\n",
                wanted: ["Test|medium|pending|work||type: task⏎due_string: wed"], warnings: 1),
        ])
    func tables(_ table: Table) throws {
        let place = try ImportPlace()
        try place.person("ada")
        var options = ImportOptions()
        table.options(&options)
        let report = try place.take(try place.file(table.name, table.file.utf8), for: "ada", options: options)
        #expect(try place.seen(of: "ada") == table.wanted)
        #expect(report.warningCount == table.warnings, "\(report.warnings)")
    }

    @Test(
        "The encoding of a table is found, and told where it is no UTF-8",
        arguments: [
            (TextEncoding.utf8, [0xEF, 0xBB, 0xBF] as [UInt8]), (.utf8, []), (.utf16LittleEndian, [0xFF, 0xFE]),
            (.utf16BigEndian, [0xFE, 0xFF]), (.gb18030, []),
        ])
    func encodings(_ encoding: TextEncoding, _ mark: [UInt8]) throws {
        let place = try ImportPlace()
        try place.person("ada")
        let text = "标题\t内容\n买牛奶\t工作学习\n"
        let bytes: [UInt8] =
            switch encoding {
            case .utf8, .windows1252: Array(text.utf8)
            case .utf16LittleEndian: text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
            case .utf16BigEndian: text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            case .gb18030:
                [0xB1, 0xEA, 0xCC, 0xE2, 9, 0xC4, 0xDA, 0xC8, 0xDD, 10, 0xC2, 0xF2, 0xC5, 0xA3, 0xC4, 0xCC, 9]
                    + [0xB9, 0xA4, 0xD7, 0xF7, 0xD1, 0xA7, 0xCF, 0xB0, 10]
            }
        let report = try place.take(try place.file("a.csv", mark + bytes), for: "ada")
        #expect(try place.seen(of: "ada") == ["买牛奶|medium|pending|work||工作学习"])
        #expect(report.findings?.encoding == encoding)
        #expect(report.warnings.map(\.reason.code) == (encoding == .utf8 ? [] : [.encoding]))
    }

    @Test("UTF-8 that is cut within a character stays UTF-8")
    func cutCharacter() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let report = try place.take(try place.file("a.csv", Array("title\n买牛奶\n面包".utf8).dropLast()), for: "ada")
        #expect(report.findings?.encoding == .utf8)
        #expect(try place.titles(of: "ada") == ["买牛奶", "面\u{FFFD}"])
        #expect(report.warnings.map(\.reason.code) == [.damaged])
    }

    @Test("A dry run tells delimiter, header, columns with examples and the order of dates; the same options say the same again")
    func findings() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file = try place.file("a.csv", "Name;Fällig;Ort\nMilk;24/12/2026;Oslo\nBread;;\n".utf8)
        let report = try place.take(file, for: "ada", dry: true)
        let findings = try #require(report.findings)
        #expect((findings.format, findings.delimiter, findings.hasHeader, findings.dateOrder) == (.csv, .semicolon, true, .day))
        #expect(findings.columns.map(\.name) == ["Name", "Fällig", "Ort"])
        #expect(findings.columns.map(\.field) == [.title, .due, .keep])
        #expect(findings.columns.map(\.examples) == [["Milk", "Bread"], ["24/12/2026", ""], ["Oslo", ""]])
        #expect(report.preview.count == 2 && report.added == 2)
        var options = ImportOptions()
        (options.format, options.delimiter, options.hasHeader) = (findings.format, findings.delimiter, findings.hasHeader)
        (options.encoding, options.dateOrder) = (findings.encoding, findings.dateOrder)
        options.columns = ColumnMap(ColumnMap(findings.columns.map(\.field)).description)
        #expect(try place.take(file, for: "ada", dry: true, options: options).preview == report.preview)
        options.columns = ColumnMap("title=3,content=1")
        #expect(try place.take(file, for: "ada", options: options).added == 2)
        #expect(
            try place.seen(of: "ada") == [
                "Oslo|medium|pending|work||Milk⏎Fällig: 24/12/2026", "(no title)|medium|pending|work||Bread",
            ])
    }

    @Test(
        "A map of columns is read and written; what is none is refused",
        arguments: ["title=1,due=4", "content=2,title=3,ignore=5"])
    func maps(_ text: String) throws {
        let map = try #require(ColumnMap(text))
        #expect(ColumnMap(map.description) == ColumnMap(map.description).flatMap { ColumnMap($0.description) })
        for wrong in ["", "title", "title=0", "title=1,title=2", "what=1", "title=+1", "title=1001", "title=1;due=2"] {
            #expect(ColumnMap(wrong) == nil, "\(wrong)")
        }
    }

    @Test("A map that the file can't have is refused, and so is one without a title", arguments: ["title=9", "due=1"])
    func wrongMap(_ text: String) throws {
        let place = try ImportPlace()
        try place.person("ada")
        var options = ImportOptions()
        options.columns = ColumnMap(text)
        #expect(throws: ImportFailure.self) {
            try place.take(try place.file("a.csv", "title,due\na,\n".utf8), for: "ada", options: options)
        }
        #expect(try place.tasks(of: "ada").isEmpty)
    }

    @Test("The same table again adds nothing, equal rows are as many tasks, and one that changed is a new one")
    func again() throws {
        let place = try ImportPlace()
        try place.person("ada")
        #expect(try place.take(try place.file("a.csv", "title,due\na,\na,\nb,\n".utf8), for: "ada").added == 3)
        let report = try place.take(try place.file("other.csv", "title,due\na,\na,\nb,\na,\nb,2026-01-01\n".utf8), for: "ada")
        #expect((report.added, report.present) == (2, 3))
    }

    @Test("Our own table gives back everything, and the spreadsheet's its formulas")
    func own() throws {
        let place = try ImportPlace()
        try place.person("ada", zone: "Asia/Shanghai")
        let header = "id,title,content,priority,status,category,due,pinned,version,created_at,updated_at,completed_at\r\n"
        let one = "0192f0c1-2b3c-7def-8123-456789abcdef"
        let file =
            "\u{FEFF}" + header
            + "\(one),'=1+1,\"'-a\nb\",high,completed,garden,2026-12-24,true,7,2026-01-01T00:00:00.001Z,2026-01-02T00:00:00.002Z,2026-01-03T00:00:00.003Z\r\n"
            + "0192f0c1-2b3c-7def-8123-456789abcde0,'''x,'y,low,pending,work,2026-12-24T00:00:00.000Z,false,1,2026-01-01T00:00:00.000Z,2026-01-01T00:00:00.000Z,\r\n"
        let report = try place.take(try place.file("a.csv", file.utf8), for: "ada")
        #expect(report.warnings.isEmpty, "\(report.warnings)")
        let tasks = try place.tasks(of: "ada")
        try #require(tasks.count == 2)
        let category = try #require(try Category.all(place.connection, userID: 1).first { $0.key == "garden" })
        #expect(tasks[0].id.description == one)
        #expect((tasks[0].title, tasks[0].content, tasks[0].priority, tasks[0].status) == ("=1+1", "-a\nb", .high, .completed))
        #expect(tasks[0].categoryID == category.id && tasks[0].isPinned && tasks[0].version == 7)
        #expect(tasks[0].due == Due.day(try #require(Day("2026-12-24"))))
        #expect(tasks[0].createdAt.iso8601WithMilliseconds == "2026-01-01T00:00:00.001Z")
        #expect(tasks[0].updatedAt.iso8601WithMilliseconds == "2026-01-02T00:00:00.002Z")
        #expect(tasks[0].completedAt?.iso8601WithMilliseconds == "2026-01-03T00:00:00.003Z")
        #expect((tasks[1].title, tasks[1].content) == ("''x", "'y"))
        #expect(tasks[1].due == .moment(try #require(Instant("2026-12-24T00:00:00Z"))))
        #expect(try place.take(try place.file("a.csv", file.utf8), for: "ada").present == 2)
        // Without the mark it is the exact form, in which an apostrophe is one.
        let bob = try ImportPlace()
        try bob.person("bob")
        _ = try bob.take(try bob.file("a.csv", file.utf8.dropFirst(3)), for: "bob")
        #expect(try bob.titles(of: "bob") == ["'=1+1", "'''x"])
    }

    @Test("Categories that an import made go again where it fails")
    func categoriesOfFailure() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let file =
            "id,title,content,priority,status,category,due,pinned,version,created_at,updated_at,completed_at\r\n,a,,low,pending,garden,,,,,,\r\n"
        #expect(throws: ImportCancelled.self) {
            try place.take(try place.file("a.csv", file.utf8), for: "ada") { true }
        }
        #expect(try Category.all(place.connection, userID: 1).map(\.key) == ["work", "life", "study", "health"])
        _ = try place.take(try place.file("a.csv", file.utf8), for: "ada", dry: true)
        #expect(try Category.all(place.connection, userID: 1).count == 4)
        _ = try place.take(try place.file("a.csv", file.utf8), for: "ada")
        #expect(try Category.all(place.connection, userID: 1).map(\.key) == ["work", "life", "study", "health", "garden"])
    }

    @Test("Cut at any byte, a table is refused with its place, or every whole row of it comes in")
    func cut() throws {
        let file = Array("title,content,due\nMilk,\"two\nlitres\",2026-12-24\n\"Bröt\",\"a \"\"b\"\"\",\n".utf8)
        for count in 1..<file.count {
            let place = try ImportPlace()
            try place.person("ada")
            do {
                let report = try place.take(try place.file("a.csv", file.prefix(count)), for: "ada")
                #expect(try place.tasks(of: "ada").count == report.added, "\(count)")
            } catch let error as ImportFailure {
                #expect([.openQuote, .noTasks].contains(error.reason.code), "\(count): \(error)")
                #expect(try place.tasks(of: "ada").isEmpty, "\(count)")
            }
        }
    }

    @Test(
        "Dates are read in every form, and what is none is none",
        arguments: [
            ("2026-12-24", "2026-12-24"), ("2026/12/24", "2026-12-24"), ("2026.1.2", "2026-01-02"), ("20261224", "2026-12-24"),
            ("24.12.2026", "2026-12-24"), ("24. 12. 2026", "2026-12-24"), ("1/2/26", "2026-02-01"), ("24-12-2026", "2026-12-24"),
            ("24 Dec 2026", "2026-12-24"), ("Dec 24, 2026", "2026-12-24"), ("December 24th, 2026", "2026-12-24"),
            ("Thu, 24-Dec-26", "2026-12-24"), ("2026年12月24日", "2026-12-24"), ("２０２６年１２月２４日", "2026-12-24"),
            ("2026-12-24T18:30", "2026-12-24T18:30"), ("2026-12-24 6:30 PM", "2026-12-24T18:30"),
            ("2026/12/24 下午6:30", "2026-12-24T18:30"),
            ("24.12.2026, 18:30:15", "2026-12-24T18:30:15"), ("2026-12-24T18:30:00Z", "2026-12-24T18:30"),
            ("2026-12-24T18:30:00+0200", "2026-12-24T16:30"), ("2026-12-24 00:00", "2026-12-24"),
            ("2026-12-24T23:59:59", "2026-12-24"),
            ("2026-02-30", nil), ("31.4.2026", nil), ("13/13/2026", nil), ("2026-12-24 25:00", nil), ("2026-12-24 x", nil),
            ("tomorrow", nil),
            ("1", nil), ("12/24", nil), ("+2026-12-24", nil), ("2026-12-241", nil), ("", nil), ("0000-01-01", nil),
            ("2026-1２-24", "2026-12-24"),
        ] as [(String, String?)])
    func dates(_ text: String, _ wanted: String?) {
        #expect(ForeignDate(text)?.due(.utc).formText(in: .utc) == wanted)
    }
}
