// How a file is to be read: what the person chose instead of what was recognised. A page sends it back as form fields, the command has
// an option for each.

/// What was chosen for an import; what is nil is recognised.
public struct ImportOptions: Sendable, Equatable {
    /// The format.
    public var format: ImportFormat?
    /// How a text is read.
    public var encoding: TextEncoding?
    /// The key of the category for tasks without one; nil: the person's own default.
    public var category: String?
    /// A todo.txt whose lines are all completed though they do not say so.
    public var isAllCompleted = false
    /// What parts the cells of a table.
    public var delimiter: Delimiter?
    /// Whether the first line of a table names its columns.
    public var hasHeader: Bool?
    /// What the columns of a table are.
    public var columns: ColumnMap?
    /// How a table's dates of three numbers are read where the year does not come first.
    public var dateOrder: DateOrder?

    /// Everything is recognised.
    public init() {}
}

/// What parts the cells of a table.
public enum Delimiter: String, Sendable, CaseIterable {
    case comma, semicolon, tab, pipe

    var byte: UInt8 {
        switch self {
        case .comma: 0x2C
        case .semicolon: 0x3B
        case .tab: 0x09
        case .pipe: 0x7C
        }
    }

    /// From its name or the sign itself, as a person types it.
    public init?(typed text: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue == text || [$0.byte].elementsEqual(text.utf8) }) else {
            return nil
        }
        self = found
    }
}

/// Which comes first in 03/04/2026.
public enum DateOrder: String, Sendable, CaseIterable {
    case day, month
}
