// A parsed template, before partials and parents are resolved. Line structure is kept, since the specification's rules on
// indentation speak of lines: a text either starts a line of the source or goes on with one.

/// A place in a source.
struct Position: Hashable, Sendable {
    var template: Int32
    var line: Int32
    var column: Int32
}

/// A tag's name, split at its full stops. No part and not scoped is the implicit iterator.
struct Name: Sendable {
    var text: String
    var parts: [Key]
    /// Written with a full stop in front: only the innermost context is asked.
    var isScoped: Bool
}

/// A block: a place that can be overridden, or what overrides it.
///
/// A class for its identity: an override is told from another by where it was written.
final class Block: Sendable {
    let name: String
    let children: [Node]
    /// The white space that its lines begin with: taken off where it overrides, put in front where it is overridden.
    let indentation: [UInt8]
    /// Whether nothing but white space is in front of the opening tag, which then is part of `indentation`.
    let leads: Bool
    /// Whether the opening tag has its line to itself, so that the content starts on the next.
    let isStandalone: Bool
    let position: Position

    init(
        name: String, children: [Node], indentation: [UInt8], leads: Bool, isStandalone: Bool, position: Position
    ) {
        self.name = name
        self.children = children
        self.indentation = indentation
        self.leads = leads
        self.isStandalone = isStandalone
        self.position = position
    }
}

/// A part of a parsed template.
indirect enum Node: Sendable {
    case text([UInt8], startsLine: Bool)
    case variable(Name, isEscaped: Bool, Position)
    case section(Name, isInverted: Bool, isStandalone: Bool, [Node], Position)
    /// The indentation is nil where the tag is not standalone.
    case partial(String, indentation: [UInt8]?, Position)
    case parent(String, indentation: [UInt8]?, arguments: [Block], Position)
    case block(Block)

    /// Whether it begins a line of its source, and so brings the indentation of that line itself.
    var startsLine: Bool {
        switch self {
        case .text(_, let startsLine): startsLine
        case .variable: false
        case .section(_, _, let isStandalone, _, _): isStandalone
        case .partial(_, let indentation, _): indentation != nil
        case .parent(_, let indentation, _, _): indentation != nil
        case .block(let block): block.leads
        }
    }
}
