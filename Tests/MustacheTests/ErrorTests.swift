import Mustache
import Testing

/// A fault and where it is reported.
struct Fault: Sendable, CustomTestStringConvertible {
    var template: String
    var place: String
    var context: Value
    var partials: [String: String]

    init(_ template: String, _ place: String, _ context: Value = [:], _ partials: [String: String] = [:]) {
        self.template = template
        self.place = place
        self.context = context
        self.partials = partials
    }

    var testDescription: String { template.debugDescription }

    func check(strict: Bool) {
        let error = #expect(throws: TemplateError.self) {
            try render(template, context, partials, constants: ["t.a": "A"], constantPrefixes: ["t."], strict: strict)
        }
        #expect(error.map(\.description) == place)
    }
}

@Suite("Faults have a place")
struct ErrorTests {
    @Test(
        "Faults of a template, whether strict or not",
        arguments: [
            Fault("a\n  {{x", "page:2:3: the tag is never closed: }} is missing"),
            Fault("{{{x}}", "page:1:1: the tag is never closed: }}} is missing"),
            Fault("{{! x", "page:1:1: the tag is never closed: }} is missing"),
            Fault("{{=| |}}", "page:1:1: the tag is never closed: =}} is missing"),
            Fault("{{=<% %>=}}\n<%x}}", "page:2:1: the tag is never closed: %> is missing"),
            Fault("ab{{#x}}\n{{y}}", "page:1:3: x is never closed"),
            Fault("{{^x}}", "page:1:1: x is never closed"),
            Fault("{{<x}}", "page:1:1: x is never closed"),
            Fault("{{$x}}", "page:1:1: x is never closed"),
            Fault("é{{/x}}", "page:1:2: x is closed but not open"),
            Fault("{{#x}}\n{{/y}}", "page:2:1: y is closed while x is open"),
            Fault("{{#x}}{{#y}}{{/x}}{{/y}}", "page:1:13: x is closed while y is open"),
            Fault("{{#\u{e9}}}{{/e\u{301}}}", "page:1:7: e\u{301} is closed while \u{e9} is open"),
            Fault("{{}}", "page:1:1: the tag has no name"),
            Fault("{{#  }}{{/}}", "page:1:1: the tag has no name"),
            Fault("{{a b}}", "page:1:1: a name cannot contain white space"),
            Fault("{{a..b}}", "page:1:1: a..b has an empty part"),
            Fault("{{a.}}", "page:1:1: a. has an empty part"),
            Fault("{{=|=}}", "page:1:1: delimiters are two words without an equals sign"),
            Fault("{{=a b c=}}", "page:1:1: delimiters are two words without an equals sign"),
            Fault("{{= a= b =}}", "page:1:1: delimiters are two words without an equals sign"),
            Fault("{{==}}", "page:1:1: delimiters are two words without an equals sign"),
            Fault("{{>p}}", "p:1:2: the tag has no name", [:], ["p": " {{}}"]),
            Fault("\n{{t.b}}", "page:2:1: there is no constant t.b"),
            Fault("{{>p}}", "p:2:1: there is no constant t.c", [:], ["p": "\n{{{t.c}}}"]),
            Fault("{{#t.a}}{{/t.a}}", "page:1:1: a constant cannot be a section"),
        ])
    func always(_ fault: Fault) {
        fault.check(strict: true)
        fault.check(strict: false)
    }

    @Test(
        "Faults when strict",
        arguments: [
            Fault("\n {{>none}}", "page:2:2: there is no template none"),
            Fault("{{<none}}{{/none}}", "page:1:1: there is no template none"),
            Fault("{{<p}}{{$b}}{{/b}}{{/p}}", "page:1:7: no block b is there to be overridden", [:], ["p": "{{$a}}{{/a}}"]),
            Fault("a\n{{x}}", "page:2:1: x is not in the context", ["y": 1]),
            Fault("{{{x}}}", "page:1:1: x is not in the context"),
            Fault("{{#x}}{{/x}}", "page:1:1: x is not in the context"),
            Fault("{{^x}}{{/x}}", "page:1:1: x is not in the context"),
            Fault("{{#a}}{{x}}{{/a}}", "page:1:7: x is not in the context", ["a": ["b": 1]]),
            Fault("{{a.b.c}}", "page:1:1: b is not in a", ["a": ["c": 1]]),
            Fault("{{#a}}{{.x}}{{/a}}", "page:1:7: .x is not in the context", ["a": ["b": 1], "x": 2]),
            Fault("{{a}}", "page:1:1: a list or an object cannot be written", ["a": []]),
            Fault("{{{a}}}", "page:1:1: a list or an object cannot be written", ["a": [:]]),
            Fault("{{>p}}", "p:2:3: x is not in the context", [:], ["p": "\n  {{x}}"]),
            Fault("{{<p}}{{$a}}\n  {{x}}\n{{/a}}{{/p}}", "page:2:3: x is not in the context", [:], ["p": "{{$a}}{{/a}}"]),
        ])
    func strict(_ fault: Fault) throws {
        fault.check(strict: true)
        _ = try render(fault.template, fault.context, fault.partials)
    }

    @Test(
        "What is there is no fault when strict",
        arguments: [
            Case("null", "[{{a}}{{#a}}x{{/a}}{{^a}}y{{/a}}]", ["a": nil], is: "[y]"),
            Case("a name in null", "[{{a.b.c}}{{#a.b}}x{{/a.b}}{{^a.b}}y{{/a.b}}]", ["a": nil], is: "[y]"),
            Case("names in a section that does not show", "{{#a}}{{x}}{{>p}}{{/a}}", ["a": false], ["p": "{{y}}"], is: ""),
            Case("an empty list", "{{#a}}{{x}}{{/a}}", ["a": []], is: ""),
            Case("outer names", "{{#a}}{{x}}{{/a}}", ["a": true, "x": 1], is: "1"),
            Case(
                "an override that is overridden", "{{<b}}{{$x}}page{{/x}}{{/b}}", [:],
                ["b": "{{<c}}{{$x}}b{{/x}}{{/c}}", "c": "{{$x}}{{/x}}"], is: "page"),
        ])
    func strictButThere(_ example: Case) throws {
        #expect(try render(example.template, example.context, example.partials, strict: true) == example.expected)
    }

    @Test("Two templates of one name stop the boot")
    func twice() {
        #expect(throws: TemplateError(template: "a", line: 0, column: 0, message: "there are two templates of this name")) {
            try Library([("a", []), ("a", [])])
        }
    }

    @Test("A template that is not there cannot be rendered")
    func unknown() throws {
        let library = try Library([("a", [])])
        #expect(library.template("b")?.name == nil)
        #expect(library.names == ["a"])
        var output: [UInt8] = []
        #expect(throws: TemplateError(template: "b", line: 0, column: 0, message: "there is no such template")) {
            try library.render("b", [:], into: &output)
        }
    }

    @Test("A fault leaves the output as it was")
    func untouched() throws {
        let library = try Library([("a", Array("text {{x}}".utf8))], strict: true)
        var output: [UInt8] = [1, 2]
        #expect(throws: TemplateError.self) { try library.render("a", [:], into: &output) }
        #expect(output == [1, 2])
        try library.render("a", ["x": 3], into: &output)
        #expect(output == [1, 2] + Array("text 3".utf8))
    }
}

@Suite("Nothing is without end")
struct LimitTests {
    @Test("A partial that always includes itself is an error")
    func endless() {
        let error = #expect(throws: TemplateError.self) { try render("{{>p}}", [:], ["p": "a\n {{>p}}\n"]) }
        #expect(error?.description == "p:2:2: the recursion is too deep")
    }

    @Test("Parents that always include each other are an error")
    func endlessParents() {
        #expect(throws: TemplateError.self) {
            try render(
                "{{<p}}{{$a}}{{>page}}{{/a}}{{/p}}", [:],
                ["p": "{{$a}}{{/a}}{{<q}}{{$b}}{{$a}}x{{/a}}{{/b}}{{/q}}", "q": "{{$b}}{{>p}}{{/b}}"])
        }
    }

    @Test("Data nests up to the limit, and no further")
    func deepData() throws {
        func nested(_ depth: Int) -> Value {
            (0..<depth).reduce([:]) { inner, _ in ["x": inner] }
        }
        let node = ["node": "({{#x}}{{>node}}{{/x}})"]
        // Each level is a section and a call.
        #expect(try render("{{>node}}", ["x": nil], node) == "()")
        let source = "({{#.x}}{{>node}}{{/.x}})"
        #expect(try render("{{>node}}", nested(100), ["node": source]).utf8.count == 202)
        #expect(throws: TemplateError.self) { try render("{{>node}}", nested(200), ["node": source]) }
        #expect(throws: TemplateError.self) { try render("{{>node}}", ["x": true], node) }
    }

    @Test("Sections nest up to a limit in a source")
    func deepSource() throws {
        func source(_ depth: Int) -> String {
            String(repeating: "{{#x}}", count: depth) + "." + String(repeating: "{{/x}}", count: depth)
        }
        #expect(try render(source(100), ["x": true]) == ".")
        let error = #expect(throws: TemplateError.self) { try render(source(101), ["x": true]) }
        #expect(error?.description == "page:1:601: nested too deep")
    }

    @Test(
        "Templates that double at each level stop at the boot", arguments: ["", "{{x}}", String(repeating: "x", count: 10_000)])
    func doubling(_ innermost: String) {
        var partials = ["p0": innermost]
        for level in 1...30 { partials["p\(level)"] = "{{>p\(level - 1)}}{{>p\(level - 1)}}" }
        let error = #expect(throws: TemplateError.self) { try render("{{>p30}}", [:], partials) }
        #expect(error?.message == "the templates are too large once put together")
    }

    @Test("A long list renders whole")
    func longList() throws {
        let rows = (0..<20_000).map { Value.object(["n": .int($0), "text": .text("row <\($0)>")]) }
        let output = try render("{{#rows}}\n<li>{{n}} {{text}}\n{{/rows}}\n", ["rows": .list(rows)])
        #expect(output == (0..<20_000).map { "<li>\($0) row &lt;\($0)&gt;\n" }.joined())
    }
}
