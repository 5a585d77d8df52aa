// JSON of other programs and of Docket's own: broken, cut, deep and large files, and what each format's names become.

import Foundation
import SQLite
import Testing

@testable import Docket

struct JSONTests {
    @Test(
        "Values are read as RFC 8259 says",
        arguments: [
            ("null", "null"), ("true", "true"), ("-1.5e+3", "-1.5e+3"),
            (#""a\"\\\/\b\f\n\r\t\u00e9""#, "a\"\\/\u{8}\u{C}\n\r\t\u{E9}"),
            (#""\ud83d\ude00""#, "😀"), (#""\ud83d""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"), (#""\ud83d\n""#, "\u{FFFD}\n"),
            (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ude00""#, "\u{FFFD}"), ("[1, [2, \"3\"], null]", "1, 2, 3"), (" [ ] ", ""),
            (#"{"a": 1, "b": {"c": "d"}}"#, "a 1, b c d"), (#"{}"#, ""),
        ])
    func values(_ text: String, _ wanted: String) throws {
        let value = try #require(JSONReader.small(Array(text.utf8)))
        #expect((value.isNull ? "null" : value.readable) == wanted)
    }

    @Test(
        "What is no JSON is refused with its line and byte",
        arguments: [
            ("[1,]", "line 1, byte 4: ]"), ("{\"a\" 1}", "line 1, byte 6: 1"), ("[\n  nul]", "line 2, byte 6: ]"),
            ("[1\n2]", "line 2, byte 1: 2"), (#"["\x"]"#, "line 1, byte 4: x"), ("[+1]", "line 1, byte 2: +"),
            ("{1:2}", "line 1, byte 2: 1"),
            ("[\"\\u12g4\"]", "line 1, byte 7: g"), ("[1] x", "line 1, byte 5: x"),
        ])
    func broken(_ text: String, _ place: String) throws {
        let error = try #require(throws: ImportFailure.self) { try Self.read(text) }
        #expect(error.description.contains(place), "\(error)")
    }

    private static func read(_ text: String) throws {
        var reader = JSONReader(ByteReader(bytes: Array(text.utf8)), name: "a.json")
        _ = try reader.value()
        try reader.end()
    }

    @Test("Cut at any byte it is told to be cut")
    func cut() throws {
        let text = Array(#"{"a": ["b\u00e9", {"c": true}], "d": null}"#.utf8)
        for count in 0..<text.count {
            let error = try #require(throws: ImportFailure.self) {
                try Self.read(String(decoding: text.prefix(count), as: UTF8.self))
            }
            #expect(error.reason.code == .cutJSON, "\(count): \(error)")
        }
    }

    @Test("Nesting has an end", arguments: ["[", "{\"a\":"])
    func deep(_ opening: String) throws {
        let error = try #require(throws: ImportFailure.self) { try Self.read(String(repeating: opening, count: 100_000)) }
        #expect(error.reason.code == .deepJSON)
    }

    @Test("A value beyond its limit is read and not kept")
    func large() throws {
        let text = "[\"\(String(repeating: "x", count: 5_000))\", 1]"
        var reader = JSONReader(ByteReader(bytes: Array(text.utf8)), name: "")
        #expect(try reader.value(limit: 4_000) == nil)
        #expect(try reader.peek() == nil)
    }

    // MARK: Formats

    struct File: Sendable {
        let text: String
        let wanted: [String]
        var warnings: [ImportReason.Code] = []
        var zone = "UTC"
    }

    @Test(
        "Taskwarrior: lists, lines, the last state of each task, and nothing lost",
        arguments: [
            File(
                text: """
                    [
                    {"id":1,"description":"Milk","entry":"20260101T080000Z","status":"pending","uuid":"0192f0c1-2b3c-7def-8123-456789abcdef","priority":"H","project":"home.shop","tags":["a","health"],"annotations":[{"entry":"20260102T080000Z","description":"two\\/three"}],"urgency":5.1},
                    {"description":"Done","status":"completed","entry":"20260101T080000Z","end":"20260103T080000Z","uuid":"0192f0c1-2b3c-7def-8123-456789abcde0","priority":"L"}
                    ]
                    """,
                wanted: [
                    "Milk|high|pending|health||2026-01-02: two/three⏎Project: home.shop⏎Tags: a", "Done|low|completed|work||",
                ]),
            File(
                text: """
                    {"description":"old","status":"pending","uuid":"0192f0c1-2b3c-7def-8123-456789abcdef"}
                    {"description":"new","status":"waiting","uuid":"0192f0c1-2b3c-7def-8123-456789abcdef","due":"20190428T160000Z"}
                    fa3f9c2b-19f0-4a29-bbbc-519375dcac53
                    {"description":"gone","status":"deleted","uuid":"0192f0c1-2b3c-7def-8123-456789abcde0"}
                    """,
                wanted: ["new|medium|pending|work|2019-04-29|Status: waiting"], warnings: [.noTask, .deleted, .superseded],
                zone: "Asia/Shanghai"),
            File(
                text: """
                    {"description":"series","status":"recurring","recur":"weekly","uuid":"0192f0c1-2b3c-7def-8123-456789abcdef"},
                    {"description":"one","status":"pending","parent":"0192f0c1-2b3c-7def-8123-456789abcdef","recur":"weekly","imask":1,"uuid":"0192f0c1-2b3c-7def-8123-456789abcde0"},
                    {"description":"alone","status":"recurring","recur":"P1M","uuid":"0192f0c1-2b3c-7def-8123-456789abcde1"}
                    """,
                wanted: [
                    "one|medium|pending|work||parent: 0192f0c1-2b3c-7def-8123-456789abcdef⏎Repeats: weekly",
                    "alone|medium|pending|work||Repeats: P1M",
                ], warnings: [.template, .recurrence]),
            File(
                text:
                    #"[{"description":"x","status":"odd","uuid":"0192f0c1-2b3c-7def-8123-456789abcdef","priority":"3","estimate":2,"depends":["a","b"],"due":"soon"}]"#,
                wanted: ["x|medium|pending|work||status: odd⏎priority: 3⏎estimate: 2⏎depends: a, b⏎due: soon"],
                warnings: [.unknownValue, .unknownValue, .noDate]),
        ])
    func taskwarrior(_ file: File) throws { try check(file, .taskwarrior) }

    @Test(
        "Google Tasks: lists, pages and days that stay days",
        arguments: [
            File(
                text: """
                    {"kind":"tasks#taskLists","items":[{"kind":"tasks#tasks","title":"Shop","items":[
                    {"kind":"tasks#task","id":"a","title":"Milk","notes":"two","status":"needsAction","due":"2026-10-10T00:00:00.000Z","completed":"2026-01-01T00:00:00Z"},
                    {"kind":"tasks#task","id":"b","title":"Skimmed","parent":"a","status":"completed","completed":"2026-01-02T03:04:05.000Z","links":[{"description":"d","link":"https://example.org"}]},
                    {"kind":"tasks#task","id":"c","title":"Gone","deleted":true}]},
                    {"kind":"tasks#tasks","title":"Work","items":[{"id":"a","title":"Report"}]},{"kind":"tasks#tasks","title":"None","items":[]}]}
                    """,
                wanted: [
                    "Milk|medium|pending|work|2026-10-10|two⏎List: Shop",
                    "Skimmed|medium|completed|work||Part of: Milk⏎Link: d https://example.org⏎List: Shop",
                    "Report|medium|pending|work||",
                ], warnings: [.openWithTime, .deleted], zone: "America/Chicago"),
            File(
                text: #"{"kind":"tasks#task","id":"x","title":"One","status":"strange","due":"whenever"}"#,
                wanted: ["One|medium|pending|work||status: strange⏎due: whenever"], warnings: [.unknownValue, .noDate]),
        ])
    func google(_ file: File) throws { try check(file, .google) }

    @Test(
        "Vikunja: projects within projects, HTML as text, dates that are none",
        arguments: [
            File(
                text: """
                    [{"id":1,"title":"Home","child_projects":[{"id":2,"title":"Garden","tasks":[
                    {"id":1,"title":"Dig","description":"<p>a &amp; b</p><ul><li data-checked=\\"true\\">c</li></ul>","done":true,"done_at":"2026-01-02T00:00:00Z","due_date":"0001-01-01T00:00:00Z","priority":4,"is_favorite":true,"labels":[{"title":"health"},{"title":"wet"}],"repeat_after":1209600,"comments":[{"comment":"deep"}],"created":"2026-01-01T00:00:00Z"}
                    ]}],"tasks":null,"identifier":""},{"title":"Work","tasks":[{"id":2,"title":"Write","due_date":"2026-12-24T18:30:00Z","percent_done":0.5}]}]
                    """,
                wanted: [
                    "Dig|high|completed|health||a & b⏎- [x] c⏎deep⏎Repeats: every 2 weeks⏎Project: Garden⏎Project: Home⏎Tags: wet|*",
                    "Write|medium|pending|work|2026-12-24T18:30|percent_done: 0.5",
                ], warnings: [.recurrence])
        ])
    func vikunja(_ file: File) throws { try check(file, .vikunja) }

    @Test(
        "Our own JSON in each of its forms",
        arguments: [
            File(
                text: """
                    {"docket":1,"categories":[{"key":"garden","name":"Garten","icon":"leaf","color":3,"position":1}],"tasks":[
                    {"id":"0192f0c1-2b3c-7def-8123-456789abcdef","title":"=a","content":"b\\nc","priority":"low","status":"pending","category":"garden","due":"2026-12-24","pinned":true,"version":3,"created_at":"2026-01-01T00:00:00.001Z","updated_at":"2026-01-01T00:00:00.001Z","completed_at":null}
                    ]}
                    """,
                wanted: ["=a|low|pending|garden|2026-12-24|b⏎c|*"]),
            File(
                text:
                    #"[{"title": "a", "content": null, "priority": "high", "due_date": "2026-12-24T00:00:00.000Z", "is_pinned": false, "created_at": "2026-01-01T00:00:00Z"}]"#,
                wanted: ["a|high|pending|work|2026-12-24T00:00|"]),
            File(
                text:
                    "{\"title\":\"a\",\"priority\":2}\n{\"title\":\"b\",\"created_at\":\"2026-01-01T00:00:00Z\",\"mood\":\"good\"}\n",
                wanted: ["a|high|pending|work||", "b|medium|pending|work||mood: good"]),
            File(
                text: #"{"docket":1,"tasks":[{"title":"a","title":"b","priority":"x","category":"nowhere"},7,{"content":"c"}]}"#,
                wanted: ["b|medium|pending|work||priority: x⏎category: nowhere", "(no title)|medium|pending|work||c"],
                warnings: [.doubledKey, .unknownValue, .noTask, .untitled]),
        ])
    func own(_ file: File) throws { try check(file, .json) }

    @Test("A new account gets the categories of the file as they stand; one that was used keeps its own and gets what it lacks")
    func categories() throws {
        let file = """
            {"docket":1,"categories":[{"key":"garden","name":"Garten","icon":"leaf","color":3,"position":1},
            {"key":"work","name":"Büro","icon":"code","color":1,"position":2}],"tasks":[{"title":"a","category":"garden"}]}
            """
        func all(_ place: ImportPlace) throws -> [String] {
            try Category.all(place.connection, userID: 1).map { "\($0.key) \($0.ownName ?? "-") \($0.icon) \($0.color)" }
        }
        let (new, used) = (try ImportPlace(), try ImportPlace())
        for place in [new, used] { try place.person("ada") }
        let untouched = try all(new)
        // One that fails leaves everything as it was.
        #expect(throws: ImportCancelled.self) { try new.take(try new.file("a.json", file.utf8), for: "ada") { true } }
        #expect(try all(new) == untouched)
        _ = try new.take(try new.file("a.json", file.utf8), for: "ada")
        #expect(try all(new) == ["garden Garten leaf 3", "work Büro code 1"])
        _ = try used.take(try used.file("todo.txt", "b\n".utf8), for: "ada")
        _ = try used.take(try used.file("a.json", file.utf8), for: "ada")
        #expect(try all(used) == untouched + ["garden Garten leaf 3"])
        #expect(try used.seen(of: "ada") == ["b|medium|pending|work||", "a|medium|pending|garden||"])
    }

    private func check(_ file: File, _ format: ImportFormat) throws {
        let place = try ImportPlace()
        try place.person("ada", zone: file.zone)
        let report = try place.take(try place.file("a.json", file.text.utf8), for: "ada")
        #expect(report.findings?.format == format)
        #expect(try place.seen(of: "ada") == file.wanted)
        #expect(report.warnings.map(\.reason.code) == file.warnings, "\(report.warnings)")
        let again = try place.take(try place.file("b.json", file.text.utf8), for: "ada")
        #expect((again.added, again.present) == (0, file.wanted.count))
        // Cut anywhere it is refused, or what comes in is whole.
        for count in stride(from: 1, to: file.text.utf8.count, by: 7) {
            let report: ImportReport
            do {
                report = try place.take(try place.file("c.json", file.text.utf8.prefix(count)), for: "ada", dry: true)
            } catch is ImportFailure {
                continue
            }
            #expect(report.added + report.present + report.skipped <= file.text.utf8.count { $0 == 0x7B }, "\(count)")
        }
    }
}
