// What is wrong with a template, and where. Parsing and compiling report it at boot; rendering only what depends on the
// context: a name that is nowhere, a value that cannot be written, a recursion without end.

/// A fault in a template or in what it was rendered with.
public struct TemplateError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The template's name.
    public var template: String
    /// The line, from 1; 0 where the fault has no place.
    public var line: Int
    /// The column in Unicode scalars, from 1; 0 where the fault has no place.
    public var column: Int
    /// What is wrong.
    public var message: String

    /// A fault at a place.
    public init(template: String, line: Int, column: Int, message: String) {
        self.template = template
        self.line = line
        self.column = column
        self.message = message
    }

    /// `template:line:column: message`.
    public var description: String { "\(template):\(line):\(column): \(message)" }
}
