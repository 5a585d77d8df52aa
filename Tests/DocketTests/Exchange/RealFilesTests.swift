// Real files of other programs' users, where they lie beside the project (`../shared/data`): every line of them becomes a task.

import Foundation
import SQLite
import Testing

@testable import Docket

struct RealFilesTests {
    /// `shared/data`, looked for upwards from this file.
    static let data: URL? = {
        var folder = URL(filePath: #filePath)
        while folder.path() != "/" {
            folder.deleteLastPathComponent()
            let found = folder.appending(path: "shared/data")
            if FileManager.default.fileExists(atPath: found.appending(path: "real").path()) { return found }
        }
        return ProcessInfo.processInfo.environment["DOCKET_TEST_DATA"].map { URL(filePath: $0) }
    }()

    @Test(
        "Every line of every real todo.txt is a task, and a second run adds none",
        .enabled(if: data != nil, "there is no ../shared/data"))
    func todoTxt() throws {
        let folder = try #require(Self.data).appending(path: "real/todotxt")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
            let place = try ImportPlace()
            try place.person("ada")
            let path = folder.appending(path: name).path()
            // Counted without our own reader: bytes between line ends that are more than blanks and a mark.
            let bytes = try Data(contentsOf: URL(filePath: path))
            let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.filter { line in
                !String(decoding: line, as: UTF8.self).unicodeScalars.allSatisfy {
                    $0.properties.isWhitespace || $0.value == 0xFEFF
                }
            }
            let report = try place.take(try ByteFile(path), for: "ada")
            #expect(report.added == lines.count && report.skipped == 0, "\(name)")
            #expect(try place.take(try ByteFile(path), for: "ada").added == 0, "\(name)")
            // No word is lost either, but what became a date, a state or a letter.
            let texts = try place.tasks(of: "ada").suffix(lines.count).map { $0.title + " " + $0.content }.joined(separator: " ")
            for word in lines.flatMap({ $0.split(separator: 0x20) }) {
                let word = String(decoding: word, as: UTF8.self).replacing("\u{FEFF}", with: "").trimmingCharacters(
                    in: .whitespaces)
                let isMarkup =
                    word.isEmpty || word == "x" || Day(word) != nil || word.hasPrefix("due:")
                    || word.wholeMatch(of: /\([A-Z]\)|pri:[A-Z]/) != nil
                if !isMarkup { #expect(texts.contains(word), "\(name): \(word)") }
            }
        }
    }

    /// A real file: how many tasks are in it by our own count, and how many of them are not taken (deleted ones, patterns of series).
    struct RealFile: Sendable, CustomStringConvertible {
        let path: String
        let count: Int
        var skipped = 0
        var format: ImportFormat
        var description: String { path }
    }

    private static let files: [RealFile] = [
        RealFile(path: "todoist-csv/bboc-full-todoist-project.csv", count: 8, format: .todoist),
        RealFile(path: "todoist-csv/bboc-basic-test.csv", count: 3, format: .todoist),
        RealFile(path: "todoist-csv/bboc-unicode-and-quotes.csv", count: 3, format: .todoist),
        RealFile(path: "todoist-csv/maxxkrakoa-todoist-sample.csv", count: 4, format: .todoist),
        RealFile(path: "todoist-csv/spldev42-todoist_import.csv", count: 71, format: .todoist),
        RealFile(path: "todoist-csv/andrewdang-exampleTemplate.csv", count: 4, format: .todoist),
        RealFile(path: "todoist-csv/jamesbrond-test.csv", count: 5, format: .csv),
        RealFile(path: "ticktick-csv/vikunja-ticktick_export.csv", count: 11, format: .ticktick),
        RealFile(path: "ticktick-csv/vikunja-ticktick_multiline.csv", count: 2, format: .ticktick),
        RealFile(path: "ticktick-csv/vikunja-ticktick_space_dates.csv", count: 2, format: .ticktick),
        RealFile(path: "ticktick-csv/martinca-sample.csv", count: 30, format: .ticktick),
        RealFile(path: "taskwarrior/goldenraven-backlog.jsonl", count: 61, skipped: 1, format: .taskwarrior),
        RealFile(path: "taskwarrior/deepblue0755-backlog.jsonl", count: 34, skipped: 5, format: .taskwarrior),
        RealFile(path: "taskwarrior/nurtal-backlog.jsonl", count: 77, skipped: 4, format: .taskwarrior),
        RealFile(path: "taskwarrior/zetatez-backlog.jsonl", count: 50, skipped: 47, format: .taskwarrior),
        RealFile(path: "taskwarrior/syncall-backlog.jsonl", count: 7, skipped: 1, format: .taskwarrior),
        RealFile(path: "taskwarrior/nerab-party.json", count: 6, format: .taskwarrior),
        RealFile(path: "taskwarrior/nerab-party2.json", count: 6, format: .taskwarrior),
        RealFile(path: "taskwarrior/nerab-no_deps.json", count: 6, format: .taskwarrior),
        RealFile(path: "google-tasks/lukaszlapaj-Tasks.json", count: 6, format: .google),
        RealFile(path: "google-tasks/earlofego-taskTaskList_valid.json", count: 1, skipped: 1, format: .google),
        RealFile(path: "google-tasks/earlofego-taskTaskItem_valid.json", count: 1, skipped: 1, format: .google),
        RealFile(path: "vikunja/vikunja-export-data.json", count: 2, format: .vikunja),
    ]

    @Test(
        "Every task of every real export comes in, a second run adds none, and the file cut anywhere does no harm",
        .enabled(if: data != nil, "there is no ../shared/data"), arguments: files)
    func exports(_ real: RealFile) throws {
        let place = try ImportPlace()
        try place.person("ada", zone: "Europe/Berlin")
        let path = try #require(Self.data).appending(path: "real/" + real.path)
        let file = try ByteFile(path.path())
        let report = try place.take(file, for: "ada")
        #expect(report.findings?.format == real.format)
        let lines = try place.tasks(of: "ada").flatMap { $0.content.split(separator: "\n") }
        let steps = lines.count { $0.drop { $0 == " " }.hasPrefix("- [ ] ") }
        // Subtasks of Todoist stand in the content of the task above.
        #expect(
            (report.added + (real.format == .todoist ? steps : 0), report.skipped) == (real.count - real.skipped, real.skipped),
            "\(report.warnings)")
        let again = try place.take(file, for: "ada")
        #expect((again.added, again.present) == (0, report.added))
        let bytes = try Data(contentsOf: path)
        for _ in 0..<20 {
            do {
                let cut = try place.file(
                    "cut-\(real.path.split(separator: "/")[1])", bytes.prefix(Int.random(in: 0..<bytes.count)))
                #expect(try place.take(cut, for: "ada", dry: true).added <= max(real.count, 12), "\(cut.byteCount)")
            } catch is ImportFailure {}
        }
        #expect(try place.tasks(of: "ada").count == report.added)
    }

    @Test("Every VTODO of every real calendar is a task", .enabled(if: data != nil, "there is no ../shared/data"))
    func calendars() throws {
        let folder = try #require(Self.data).appending(path: "real/ics")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
            let path = folder.appending(path: name).path()
            let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
            let place = try ImportPlace()
            try place.person("ada", zone: "America/Chicago")
            let report = try place.take(try ByteFile(path), for: "ada")
            #expect(
                (report.added, report.skipped) == (
                    text.split(whereSeparator: \.isNewline).count { $0.hasPrefix("BEGIN:VTODO") }, 0
                ), "\(name): \(report.warnings)")
            #expect(try place.take(try ByteFile(path), for: "ada").added == 0, "\(name)")
        }
    }

    @Test(
        "The sample comes out of each table as out of the database", .enabled(if: data != nil, "there is no ../shared/data"),
        arguments: [
            "sample.csv", "sample.json", "sample-excel-gbk.csv", "sample-excel-utf16le-tab.csv",
            "sample-excel-utf8bom-semicolon.csv",
        ])
    func samples(_ name: String) throws {
        let (phone, table) = (try ImportPlace(), try ImportPlace())
        // The spreadsheets were saved in Shanghai: what they hold are its clock times.
        for place in [phone, table] { try place.person("ada", zone: "Asia/Shanghai") }
        let folder = try #require(Self.data).appending(path: "sample")
        _ = try phone.take(try ByteFile(folder.appending(path: "todo.sqlite3").path()), for: "ada")
        let report = try table.take(try ByteFile(folder.appending(path: name).path()), for: "ada")
        let (wanted, got) = (try phone.tasks(of: "ada"), try table.tasks(of: "ada"))
        #expect((report.added, report.skipped) == (name.contains("excel") ? 50 : 500, 0), "\(report.warnings.prefix(5))")
        let all = Dictionary(uniqueKeysWithValues: wanted.map { ($0.id, $0) })
        // A spreadsheet leaves out seconds, its code page what it can't write.
        for other in got {
            let one = try #require(all[other.id])
            if name != "sample-excel-gbk.csv" { #expect(one.title == other.title) }
            #expect((one.priority, one.status, one.isPinned) == (other.priority, other.status, other.isPinned))
            #expect(abs(one.createdAt.milliseconds - other.createdAt.milliseconds) < (name.contains("excel") ? 60_000 : 1))
        }
    }

    @Test(
        "Exports of programs that are not read are refused by name", .enabled(if: data != nil, "there is no ../shared/data"),
        arguments: ["microsoft-todo", "super-productivity"])
    func others(_ name: String) throws {
        let folder = try #require(Self.data).appending(path: "real/" + name)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()) {
            let place = try ImportPlace()
            try place.person("ada")
            let error = #expect(throws: ImportFailure.self, "\(name)") {
                try place.take(try ByteFile(folder.appending(path: name).path()), for: "ada")
            }
            #expect([.otherProgram, .unknownJSON].contains(error?.reason.code), "\(name)")
        }
        let place = try ImportPlace()
        try place.person("ada")
        let working = try #require(Self.data).appending(path: "real/taskwarrior/goldenraven-pending.data").path()
        #expect(throws: ImportFailure(.taskwarriorData, ["file": working])) { try place.take(try ByteFile(working), for: "ada") }
    }

    @Test("The phone's sample database comes in exactly", .enabled(if: data != nil, "there is no ../shared/data"))
    func phone() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let path = try #require(Self.data).appending(path: "sample/todo.sqlite3").path()
        let report = try place.take(try ByteFile(path), for: "ada")
        #expect((report.added, report.warningCount) == (500, 0))
        #expect(try place.take(try ByteFile(path), for: "ada").present == 500)
        let copy = place.folder.appending(path: "sample.sqlite3").path()
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        let sample = try Connection(path: copy, mode: .readOnly)
        let wanted = try sample.rows(
            """
            SELECT lower(id), title, coalesce(content, ''), priority, status, is_pinned, CAST(round(created_at * 1000) AS INTEGER),
            CAST(round(updated_at * 1000) AS INTEGER), coalesce(CAST(round(completed_at * 1000) AS INTEGER), -1),
            coalesce(CAST(round(due_date * 1000) AS INTEGER), -1) FROM tasks
            """
        ) { row in
            try (0..<10).map { column in
                row.storageClass(column) == .text ? try row.text(column) : String(try row.int(column) as Int64)
            }
        }
        let got = try place.tasks(of: "ada").map { task in
            var due: Int64 = -1
            switch task.due {
            case .moment(let instant): due = instant.milliseconds
            case .day(let day): due = Zone.utc.startOfDay(day).milliseconds
            case nil: break
            }
            let numbers = [
                Int64(task.priority.rawValue), Int64(task.status.rawValue), task.isPinned ? 1 : 0, task.createdAt.milliseconds,
                task.updatedAt.milliseconds, task.completedAt?.milliseconds ?? -1, due,
            ]
            return [task.id.description, task.title, task.content] + numbers.map { String($0) }
        }
        #expect(got == wanted)
    }
}
