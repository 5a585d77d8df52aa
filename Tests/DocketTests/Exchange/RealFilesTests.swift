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
        let place = try ImportPlace()
        try place.person("ada")
        let folder = try #require(Self.data).appending(path: "real/todotxt")
        var total = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted() {
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
            total += lines.count
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
        #expect(try place.tasks(of: "ada").count == total)
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
