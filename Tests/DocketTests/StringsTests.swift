// The strings files against each other and against the program.

import Foundation
import HTTP
import Testing

@testable import Docket

@Suite struct StringsTests {
    private static let english = Result { try read(.english) }
    private static let chinese = Result { try read(.chinese) }

    private static func read(_ language: Language) throws -> [String: String] {
        let file = TestApp.repository + "Templates/strings/\(language.rawValue).json"
        return try Strings(language: language, json: Array(Data(contentsOf: URL(filePath: file)))).texts
    }

    /// All text of files with an ending below a folder.
    private static func text(_ folder: String, _ ending: String) throws -> String {
        let root = TestApp.repository + folder
        return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(ending) }.sorted()
            .map { try String(contentsOf: URL(filePath: root + "/" + $0), encoding: .utf8) }.joined(separator: "\n")
    }

    @Test func `Both languages have the same keys with the same placeholders, and no empty text`() throws {
        let (english, chinese) = (try Self.english.get(), try Self.chinese.get())
        #expect(Set(english.keys).symmetricDifference(chinese.keys) == [])
        func places(_ text: String) -> [String] { text.matches(of: /\{[a-z_]+\}/).map { String($0.output) }.sorted() }
        for (key, text) in english {
            #expect(places(text) == places(chinese[key] ?? ""), "\(key)")
            #expect(!text.trimmingCharacters(in: .whitespaces).isEmpty || key.hasSuffix("separator"), "\(key)")
        }
    }

    @Test func `Every key that a template names exists`() throws {
        let english = try Self.english.get()
        let templates = try Self.text("Templates", ".mustache")
        for match in templates.matches(of: /\{\{t\.([a-z_.0-9]+)\}\}/) {
            #expect(english[String(match.output.1)] != nil, "\(match.output.1)")
        }
    }

    @Test func `Every key that the program names exists`() throws {
        let english = try Self.english.get()
        let sources = try Self.text("Sources/Docket", ".swift")
        let areas = Set(english.keys.map { String($0.prefix { $0 != "." }) }).union(["problem", "notice", "error"])
        for match in sources.matches(of: /"([a-z_]+(?:\.[a-z_0-9-]+)+)(\.?)"/) {
            let key = String(match.output.1)
            guard areas.contains(String(key.prefix { $0 != "." })), match.output.2.isEmpty else { continue }
            if ["json", "swift", "css", "js", "ics", "csv", "sqlite3"].contains(String(key.split(separator: ".").last ?? "")) {
                continue
            }
            let exists = english[key] != nil || english[key + ".one"] != nil || english[key + ".title"] != nil
            #expect(exists, "\(key)")
        }
    }

    @Test func `Every key is used`() throws {
        let english = try Self.english.get()
        let used = try Self.text("Sources/Docket", ".swift") + Self.text("Templates", ".mustache")
        let named = Set(used.matches(of: /(?:t\.)?([a-z_]+(?:\.[a-z_0-9-]+)+)/).map { String($0.output.1) })
        // Keys that end in a value of the program's: "sort." + order, and the same as an interpolation.
        let built = Set(used.matches(of: /"([a-z_]+(?:\.[a-z_]+)*\.)(?:"|\\\()/).map { String($0.output.1) })
        for key in english.keys where !built.contains(where: key.hasPrefix) {
            let base = key.replacing(/\.(one|other|zero|title|text)$/, with: "")
            #expect(named.contains(key) || named.contains(base), "\(key)")
        }
    }

    @Test func `Texts that count have a form for one and one for others`() throws {
        let english = try Self.english.get()
        let sources = try Self.text("Sources/Docket", ".swift")
        for match in sources.matches(of: /\.count\("([a-z_.]+)",/) {
            for form in [".one", ".other"] { #expect(english[match.output.1 + form] != nil, "\(match.output.1)\(form)") }
        }
    }

    @Test func `Every key that is built from a value exists`() throws {
        let english = try Self.english.get()
        var keys: [String] = []
        keys += DueError.allCases.map { "problem.due." + $0.rawValue }
        keys +=
            Priority.allCases.flatMap { ["priority." + $0.word, "conditions.priority." + $0.word] } + [
                "priority.row.low", "priority.row.high",
            ]
        keys += StatusCondition.allCases.flatMap { ["status." + $0.rawValue, "list.heading." + $0.rawValue] }
        keys += ["completed", "all"].map { "conditions.status." + $0 }
        keys += TaskOrder.allCases.map { "sort." + $0.rawValue }
        keys += ["overdue", "today", "week", "none", "any"].map { "conditions.due." + $0 }
        keys += Category.first.map { "category.default." + $0.key }
        keys += ["page", "token", "import", "command"].map { "history.way." + $0 }
        keys += ["q", "status", "category", "priority", "pinned", "due", "sort", "page", "per_page", "completed", "version"].map {
            "problem." + $0
        }
        keys += ["title", "content", "due", "category", "priority", "pinned", "status"].map { "field." + $0 }
        keys += (1...12).map { "month.short.\($0)" } + (1...7).map { "weekday.short.\($0)" }
        for code in ErrorCode.allCases { keys += [code.key + ".title", code.key + ".text"] }
        keys += ["unknown", "text", "number", "flag", "list", "kind"].map { "problem.json." + $0 }
        for key in keys { #expect(english[key] != nil, "\(key)") }
    }
}
