// A case of rendering, and what all suites share.

import Mustache
import Testing

/// What a template, given beside its partials, should render to.
struct Case: Sendable, CustomTestStringConvertible {
    var clause: String
    var template: String
    var context: Value
    var partials: [String: String]
    var expected: String

    init(_ clause: String, _ template: String, _ context: Value = [:], _ partials: [String: String] = [:], is expected: String) {
        self.clause = clause
        self.template = template
        self.context = context
        self.partials = partials
        self.expected = expected
    }

    var testDescription: String { clause }

    func check() throws {
        #expect(try render(template, context, partials) == expected, "\(clause)")
    }
}

/// Renders a template named `page`.
func render(
    _ template: String, _ context: Value = [:], _ partials: [String: String] = [:], constants: [String: String] = [:],
    constantPrefixes: [String] = [], strict: Bool = false
) throws -> String {
    let sources = [("page", Array(template.utf8))] + partials.sorted { $0.key < $1.key }.map { ($0.key, Array($0.value.utf8)) }
    let library = try Library(sources, constants: constants, constantPrefixes: constantPrefixes, strict: strict)
    var output: [UInt8] = []
    try library.render("page", context, into: &output)
    return try #require(String(validating: output, as: UTF8.self))
}
