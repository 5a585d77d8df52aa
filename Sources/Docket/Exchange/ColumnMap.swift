// Which column of a table becomes which field of a task: a value that a page shows, takes back from its form, and the command reads from
// `--columns title=1,due=4`.

/// What a column of a table can become.
public enum ColumnField: String, Sendable, CaseIterable {
    case title, content, priority, status, category, tags, due, id, pinned, version
    /// The time of day of a due date that stands in a column of its own.
    case dueTime = "due_time"
    case created = "created_at"
    case updated = "updated_at"
    case completed = "completed_at"
    /// Kept readable in the content, with the name of the column.
    case keep
    /// Left out, because the person wants it so.
    case ignore

    /// Several columns can be content, tags, kept or left out; of the others each has one.
    var isSingle: Bool { ![.content, .tags, .keep, .ignore].contains(self) }
}

/// The fields of a table's columns, in their order. A column beyond the last is kept in the content.
public struct ColumnMap: Sendable, Equatable {
    /// One for each column.
    public var fields: [ColumnField]

    /// Takes fields by column. Of two columns that want the same single field the first has it, the other is kept.
    public init(_ fields: [ColumnField]) {
        var seen: Set<ColumnField> = []
        self.fields = fields.map { $0.isSingle && !seen.insert($0).inserted ? .keep : $0 }
    }

    /// Reads `title=1,due=4,ignore=5`: columns counted from 1, what is not named is kept. Nil where it is not that.
    public init?(_ text: String) {
        var fields: [ColumnField] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2, let field = ColumnField(rawValue: String(pair[0])), let column = Int(digits: pair[1].utf8),
                1...CSVReader.columnLimit ~= column
            else { return nil }
            while fields.count < column { fields.append(.keep) }
            if field.isSingle, fields.contains(field) { return nil }
            fields[column - 1] = field
        }
        self.fields = fields
    }

    /// `title=1,due=4`: what the command and a form field take.
    public var description: String {
        fields.enumerated().filter { $0.element != .keep }.map { "\($0.element.rawValue)=\($0.offset + 1)" }.joined(
            separator: ",")
    }

    /// The column of a field, counted from 0.
    func column(_ field: ColumnField) -> Int? { fields.firstIndex(of: field) }
}
