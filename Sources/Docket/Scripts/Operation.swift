// What an address takes and answers, said once: JSON content is checked by it, and /openapi.json is made of it.

import HTTP

/// A parameter of an address or a field of a form.
struct Parameter: Sendable {
    /// What its value can be.
    enum Kind: Sendable {
        /// Any text; the format names a rule of ours that no schema can say.
        case text(format: String?, ClosedRange<Int>?)
        case word([String])
        case number(ClosedRange<Int>)
        /// True or false in JSON, `1` or `0` in a form.
        case flag
        /// A part of a multipart form; JSON has none.
        case file
    }

    let name: String
    let kind: Kind
    let help: String
    var isRequired = false
    /// A list in JSON, the same name several times in a form.
    var isRepeated = false
    /// Null in JSON, empty in a form.
    var isNullable = false
    /// Never empty where it is there; of other fields an empty one counts as if it were not there.
    var isFilled = false
    /// A field of pages that scripts may send, too, though they have a better one.
    var isOfPages = false

    init(_ name: String, _ kind: Kind, _ help: String) { (self.name, self.kind, self.help) = (name, kind, help) }

    static func text(_ name: String, _ help: String, format: String? = nil, _ length: ClosedRange<Int>? = nil) -> Parameter {
        Parameter(name, .text(format: format, length), help)
    }

    static func word(_ name: String, _ words: [String], _ help: String) -> Parameter { Parameter(name, .word(words), help) }
    static func flag(_ name: String, _ help: String) -> Parameter { Parameter(name, .flag, help) }

    static func number(_ name: String, _ range: ClosedRange<Int>, _ help: String) -> Parameter {
        Parameter(name, .number(range), help)
    }

    var required: Parameter { with { $0.isRequired = true } }
    var repeated: Parameter { with { $0.isRepeated = true } }
    var nullable: Parameter { with { $0.isNullable = true } }

    var filled: Parameter { with { $0.isFilled = true } }
    var ofPages: Parameter { with { $0.isOfPages = true } }

    private func with(_ change: (inout Parameter) -> Void) -> Parameter {
        var copy = self
        change(&copy)
        return copy
    }

    /// The end of the key of the message for a value of another kind.
    var wanted: String {
        if isRepeated { return "list" }
        return switch kind {
        case .text, .word, .file: "text"
        case .number: "number"
        case .flag: "flag"
        }
    }
}

/// One line of the script interface.
struct Operation: Sendable {
    let method: HTTP.Method
    let pattern: String
    /// Its name for programs that make clients of the document.
    let name: String
    let summary: String
    var query: [Parameter] = []
    var form: [Parameter] = []
    /// What a script gets: the status, and the schema of its JSON; nil where there is none.
    var answers: [(status: Int, schema: String?)]
    /// Further refusals than those that its kind of address always has.
    var errors: [Int] = []

    static func get(
        _ pattern: String, _ name: String, _ summary: String, query: [Parameter] = [], _ answers: (Int, String?)...
    ) -> Operation {
        Operation(method: .get, pattern: pattern, name: name, summary: summary, query: query, answers: answers)
    }

    static func post(
        _ pattern: String, _ name: String, _ summary: String, query: [Parameter] = [], form: [Parameter] = [],
        errors: [Int] = [], _ answers: (Int, String?)...
    ) -> Operation {
        Operation(
            method: .post, pattern: pattern, name: name, summary: summary, query: query, form: form, answers: answers,
            errors: errors)
    }

    /// Refuses fields that the address does not take.
    func check(_ form: FormFields) throws(FormErrors) {
        guard method != .get, !form.isEmpty else { return }
        let names = Set(self.form.map(\.name)).union(Self.pageFields)
        var errors = FormErrors()
        for field in form where !names.contains(field.name) {
            errors.add(unknown: field.name)
        }
        try errors.check()
    }

    /// What may stand in a form several times; every other field has one value.
    static let repeatedFields = Set(all.flatMap(\.form).filter(\.isRepeated).map(\.name))

    /// What the forms of pages carry besides: where to go on.
    private static let pageFields: Set = ["next"]

    /// The line of a route; nil where the table lacks it, which a test excludes.
    static func of(_ route: Route) -> Operation? { byRoute[key(route.method, route.pattern)] }

    private static let byRoute = Dictionary(
        all.map { (key($0.method, $0.pattern), $0) }, uniquingKeysWith: { first, _ in first })

    private static func key(_ method: HTTP.Method, _ pattern: String) -> String { method.name + " " + pattern }
}
