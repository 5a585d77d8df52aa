// What templates are compiled into: one flat array of instructions for the whole library, with the literal bytes, the names
// and the places beside it. Immutable once made, so that every thread renders from the same one.

/// A step of rendering. Bodies of sections follow their instruction, up to `end`.
enum Instruction {
    /// Appends bytes of the literals.
    case literal(start: Int32, count: Int32)
    /// Appends bytes of the literals, then a value, escaped: most of a page is such pairs.
    case escaped(Int32, start: Int32, count: Int32)
    /// Appends a value as it is.
    case unescaped(Int32)
    /// Renders its body for each element.
    case section(Int32, end: Int32)
    /// Renders its body if there is nothing.
    case inverted(Int32, end: Int32)
    /// Renders a program that can reach itself, adding bytes of the literals to each line.
    case call(Int32, start: Int32, count: Int32, keepsIndentation: Bool)
    /// Appends the indentation that the call came with.
    case indentation
}

/// A compiled name: which keys, in order. No keys and not scoped is the implicit iterator.
struct Path {
    var first: Int32
    var count: Int32
    var isScoped: Bool
}

/// The compiled library.
struct Code: Sendable {
    var templates: [String] = []
    var instructions: [Instruction] = []
    /// The place of each instruction.
    var positions: [Position] = []
    var literals: [UInt8] = []
    var paths: [Path] = []
    var names: [String] = []
    var keys: [Key] = []
    /// Where each program's instructions are.
    var programs: [Range<Int>] = []
    var isStrict = false

    func error(_ instruction: Int, _ message: String) -> TemplateError { error(positions[instruction], message) }

    func error(_ position: Position, _ message: String) -> TemplateError {
        TemplateError(
            template: templates[Int(position.template)], line: Int(position.line), column: Int(position.column),
            message: message)
    }
}
