// One line of todo.txt: what is markup, what only looks so, and that no word of it is lost.

import Testing

@testable import Docket

struct TodoTxtLineTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let line: String
        var text: String
        var isCompleted = false
        var letter: Character?
        var completed: String?
        var created: String?
        var due: String?
        var oddities = 0
        var testDescription: String { line }
    }

    static let cases: [Case] = [
        Case(line: "Buy milk", text: "Buy milk"),
        Case(line: "(A) Buy milk", text: "Buy milk", letter: "A"),
        Case(line: "(A) 2012-01-30 Call Mom @Call +Family", text: "Call Mom @Call +Family", letter: "A", created: "2012-01-30"),
        Case(line: "2013-02-22 Pick up milk", text: "Pick up milk", created: "2013-02-22"),
        Case(
            line: "x 2014-01-03 2014-01-01 Create", text: "Create", isCompleted: true, completed: "2014-01-03",
            created: "2014-01-01"),
        Case(line: "x 2014-01-03 Create", text: "Create", isCompleted: true, completed: "2014-01-03"),
        Case(line: "x Download app", text: "Download app", isCompleted: true),
        Case(
            line: "x 2014-01-02 (B) 2013-12-30 Create", text: "Create", isCompleted: true, letter: "B", completed: "2014-01-02",
            created: "2013-12-30"),
        Case(line: "x (C) 2014-01-01 Create", text: "Create", isCompleted: true, letter: "C", completed: "2014-01-01"),
        Case(line: "x 2014-06-17 \u{FEFF}(A) Set up", text: "Set up", isCompleted: true, letter: "A", completed: "2014-06-17"),
        Case(line: "\u{FEFF}x Done", text: "Done", isCompleted: true),
        Case(line: "x Done pri:D", text: "Done", isCompleted: true, letter: "D"),
        Case(line: "Open pri:D", text: "Open pri:D"),
        Case(line: "X 2012-01-01 Make resolutions", text: "X 2012-01-01 Make resolutions"),
        Case(line: "xylophone lesson", text: "xylophone lesson"),
        Case(line: "x", text: "x"),
        Case(line: "(A) x Buy", text: "x Buy", letter: "A"),
        Case(line: "(b) Get back", text: "(b) Get back"),
        Case(line: "(B)->Submit", text: "(B)->Submit"),
        Case(line: "Really (A) Call", text: "Really (A) Call"),
        Case(line: "B) Outline", text: "B) Outline"),
        Case(line: "x 2014-25-04 2014-01-01 Create", text: "2014-25-04 2014-01-01 Create", isCompleted: true, oddities: 1),
        Case(line: "(B) 2013-13-01 Outline", text: "2013-13-01 Outline", letter: "B", oddities: 1),
        Case(line: "Pay due:2026-03-01", text: "Pay", due: "2026-03-01"),
        Case(line: "Pay due:2026-03-01 the rent", text: "Pay the rent", due: "2026-03-01"),
        Case(line: "due:2026-03-01 Pay", text: "Pay", due: "2026-03-01"),
        Case(line: "Pay due:tonight", text: "Pay due:tonight", oddities: 1),
        Case(line: "Pay due:2014.03.21", text: "Pay due:2014.03.21", oddities: 1),
        Case(line: "Pay due:2014-02-32", text: "Pay due:2014-02-32", oddities: 1),
        Case(line: "Pay due:2014-02-17x", text: "Pay due:2014-02-17x", oddities: 1),
        Case(line: "a due:2026-03-01 due:2026-03-02", text: "a due:2026-03-02", due: "2026-03-01", oddities: 1),
        Case(line: "two  blanks   inside  ", text: "two  blanks   inside"),
        Case(
            line: "at 10:30 see http://a.b/c?due:1 t:2026-01-01 rec:+1w",
            text: "at 10:30 see http://a.b/c?due:1 t:2026-01-01 rec:+1w"),
        Case(line: "x 2015-07-05  ", text: "", isCompleted: true, completed: "2015-07-05"),
        Case(line: "{2018.11.21} 牛奶", text: "{2018.11.21} 牛奶"),
    ]

    @Test("A line is read as the format says, and what is no markup stays text", arguments: cases)
    func reads(_ one: Case) {
        let line = TodoTxtLine(one.line)
        #expect(line.text == one.text)
        #expect(line.isCompleted == one.isCompleted)
        #expect(line.letter.map { Character(Unicode.Scalar($0)) } == one.letter)
        #expect(line.completedOn?.description == one.completed)
        #expect(line.createdOn?.description == one.created)
        #expect(line.due?.description == one.due)
        #expect(line.oddities.count == one.oddities)
    }

    @Test(
        "Projects and contexts begin a word and go on",
        arguments: [
            ("Call @Tom about +house", ["Tom", "house"]), ("a@b.c 2+2 Not@Context @ home + x", []),
            ("@home +work", ["home", "work"]),
        ])
    func tags(_ line: String, _ tags: [String]) {
        #expect(TodoTxtLine(line).tags == tags)
    }
}
