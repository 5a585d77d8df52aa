import Mustache
import Testing

@Suite("Keys, values and objects")
struct ContextTests {
    static let names = [
        "", "a", "ab", "abc", "abcd", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno", "abcdefghijklmnop",
        "abcdefghijklmnopqrstuvwxyz", "é", "名前",
    ]

    @Test("A key is equal to one of the same bytes only")
    func equality() {
        for left in Self.names {
            for right in Self.names {
                #expect((Key(left) == Key(right)) == (left == right))
            }
            #expect(Key(left).description == left)
        }
        #expect(Key("a\u{0}") != Key("a"))
        #expect(Key("\u{e9}") != Key("e\u{301}"))
        #expect(Key("canonical-equivalent-\u{e9}") != Key("canonical-equivalent-e\u{301}"))
        #expect(Key("abcdefghijklmnop") != Key("abcdefghijklmnoq"))
    }

    @Test("A literal key is one made from text")
    func literals() {
        let literals: [Key] = [
            "", "a", "ab", "abc", "abcd", "abcdefg", "abcdefgh", "abcdefghi", "abcdefghijklmno", "abcdefghijklmnop",
            "abcdefghijklmnopqrstuvwxyz", "é", "名前",
        ]
        #expect(literals == Self.names.map { Key($0) })
        #expect(literals.map(\.description) == Self.names)
        #expect(Set(literals).count == Self.names.count)
    }

    @Test("Names of every length are found")
    func lookup() throws {
        for name in Self.names where !name.isEmpty {
            let context = Object(Self.names.map { (Key($0), .text($0.uppercased())) })
            #expect(try render("{{\(name)}}", .object(context), strict: true) == name.uppercased())
        }
    }

    @Test("An object keeps its order, and its first value of a name")
    func order() throws {
        let object: Object = ["b": 1, "a": 2, "b": 3]
        #expect(object.keys == ["b", "a", "b"])
        #expect(try render("{{b}}", .object(object)) == "1")
    }

    @Test("An object can be changed")
    func change() throws {
        var object: Object = ["a": 1, "b": 2]
        object["a"] = 3
        object["c"] = "x"
        object["b"] = nil
        object["none"] = nil
        #expect(object.keys == ["a", "c"])
        #expect(object.count == 2)
        #expect(object["b"].map { _ in true } == nil)
        #expect(try render("{{a}}{{c}}", .object(object)) == "3x")
    }

    @Test("Rows that are not alike find their names")
    func unlikeRows() throws {
        let rows: Value = [["a": 1, "b": 2], ["b": 3, "a": 4], ["a": 5], ["x": 0, "y": 0, "b": 6], 7]
        #expect(try render("{{#rows}}{{a}}{{b}},{{/rows}}", ["rows": rows, "a": "A", "b": "B"]) == "12,43,5B,A6,AB,")
    }

    @Test("A value can be text of any length", arguments: [0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 5000])
    func lengths(_ length: Int) throws {
        let text = String((0..<length).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
        #expect(try render("<{{x}}|{{{x}}}>", ["x": .text(text)]) == "<\(text)|\(text)>")
    }
}

@Suite("Constants")
struct ConstantTests {
    private let texts = ["t.add": "Add a <task>", "t.empty": "", "asset.css": "/app.css?a&b", "plain": "P"]

    private func rendered(_ template: String, _ context: Value = [:], _ partials: [String: String] = [:]) throws -> String {
        try render(template, context, partials, constants: texts, constantPrefixes: ["t.", "asset."], strict: true)
    }

    @Test("A constant's tag is its text, escaped unless told")
    func text() throws {
        #expect(
            try rendered("[{{t.add}}|{{ asset.css }}|{{{t.add}}}|{{&t.add}}|{{t.empty}}|{{plain}}]")
                == "[Add a &lt;task&gt;|/app.css?a&amp;b|Add a <task>|Add a <task>||P]")
    }

    @Test("A constant goes before the context")
    func precedence() throws {
        #expect(try rendered("{{plain}}{{t.add}}", ["plain": 1, "t": ["add": 2]]) == "PAdd a &lt;task&gt;")
    }

    @Test("Constants are seen in sections, partials, parents and blocks")
    func everywhere() throws {
        #expect(
            try rendered(
                "{{#x}}{{plain}}{{>p}}{{/x}}{{<q}}{{$b}}{{plain}}{{/b}}{{/q}}", ["x": [1, 2]],
                ["p": "({{plain}})", "q": "<{{plain}}{{$b}}{{/b}}>"])
                == "P(P)P(P)<PP>")
    }

    @Test("Other names that only begin alike are looked up")
    func others() throws {
        #expect(try rendered("{{t}}{{tx}}{{plain.x}}", ["t": 1, "tx": 2, "plain": ["x": 3]]) == "123")
    }
}
