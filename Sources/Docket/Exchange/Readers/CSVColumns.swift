// Which column of a table is which field: by what the person chose, by the names in the header, or, without a header, by what its cells
// look like. A column that is none of ours is kept in the content.

struct CSVColumns {
    let map: ColumnMap
    let hasHeader: Bool
    /// The names in the header; `Column 3` where there is none.
    let names: [String]
    /// The column that is taken for the title though its name does not say so.
    let titleGuess: String?
    /// How many cells a record should have.
    let count: Int

    init(_ shape: CSVShape, _ options: ImportOptions) throws {
        let (sample, first) = (shape.sample, shape.sample.first ?? [])
        let known = first.map(CSVWords.field)
        hasHeader = options.hasHeader ?? (shape.isOwn || Self.isHeader(first, known, sample))
        count = hasHeader ? first.count : sample.map(\.count).max() ?? 0
        let labels = first
        let hasNames = hasHeader
        names = (0..<count).map { column in
            let name = hasNames && column < labels.count ? ImportedText.label(Characters.trim(labels[column])) : ""
            return name.isEmpty ? "Column \(column + 1)" : name
        }
        if let chosen = options.columns {
            guard chosen.fields.count <= count else {
                throw ImportFailure(.noSuchColumn, ["column": String(chosen.fields.count), "count": String(count)])
            }
            guard chosen.column(.title) != nil else { throw ImportFailure(.noTitle) }
            map = ColumnMap(chosen.fields + Array(repeating: .keep, count: count - chosen.fields.count))
            titleGuess = nil
            return
        }
        let rows = Array(hasHeader ? sample.dropFirst() : sample[...])
        var fields = hasHeader ? known.map { $0 ?? .keep } : Self.guess(rows, count)
        // Of several that tell the state, the one in words says more than a percentage.
        if fields.count(where: { $0 == .status }) > 1 {
            for column in fields.indices where fields[column] == .status && names[column].contains("%") { fields[column] = .keep }
        }
        if !fields.contains(.title) {
            // What some call content is the title where there is none; else the first with words in it.
            let free = fields.indices.filter { fields[$0] == .keep || fields[$0] == .content }
            let content = fields.firstIndex(of: .content)
            guard let column = content ?? free.first(where: { Self.isText($0, rows) }) ?? free.first else {
                throw ImportFailure(.noTitle)
            }
            fields[column] = .title
            titleGuess = hasHeader ? names[column] : nil
        } else {
            titleGuess = nil
        }
        map = ColumnMap(fields)
    }

    /// What a page shows of them.
    func described(_ sample: [[String]]) -> [ImportColumn] {
        let rows = hasHeader ? sample.dropFirst() : sample[...]
        return (0..<count).map { column in
            ImportColumn(
                name: hasHeader && column < sample[0].count ? ImportReason.excerpt(sample[0][column]) : "",
                examples: rows.prefix(3).map { column < $0.count ? ImportReason.excerpt($0[column]) : "" },
                field: map.fields[column])
        }
    }

    private static func isHeader(_ first: [String], _ known: [ColumnField?], _ sample: [[String]]) -> Bool {
        if first.contains(where: { isDate($0) || TaskID($0) != nil }) { return false }
        let count = known.count { $0 != nil }
        if known.contains(.title) || count >= 2 { return true }
        // Names in another language: short, different, none empty, and below them a column that is no longer words.
        let isNamed = first.count > 1 && Set(first).count == first.count && first.allSatisfy { 1...60 ~= $0.utf8.count }
        return isNamed
            && first.indices.contains { column in
                Int(first[column]) == nil && sample.dropFirst().contains { $0.count > column && isDate($0[column]) }
            }
    }

    private static func isDate(_ text: String) -> Bool {
        (6...40).contains(text.utf8.count) && (ForeignDate(text) != nil || ForeignDate(text, order: .month) != nil)
    }

    private static func isText(_ column: Int, _ rows: [[String]]) -> Bool {
        rows.contains { row in row.count > column && !row[column].isEmpty && !isDate(row[column]) && Double(row[column]) == nil }
    }

    /// By the cells, where no names are there.
    private static func guess(_ rows: [[String]], _ count: Int) -> [ColumnField] {
        var fields: [ColumnField] = []
        for column in 0..<count {
            let cells = rows.compactMap { $0.count > column && !$0[column].isEmpty ? $0[column] : nil }
            let field: ColumnField
            if cells.isEmpty {
                field = .keep
            } else if cells.allSatisfy({ TaskID($0) != nil }) {
                field = .id
            } else if cells.allSatisfy(isDate) {
                field = fields.contains(.due) ? .keep : .due
            } else if cells.allSatisfy({ CSVWords.priority($0, digitsAreOurs: false) != nil }) {
                field = .priority
            } else if cells.allSatisfy({ Double($0) == nil && CSVWords.status($0) != nil }) {
                field = .status
            } else if cells.contains(where: { Double($0) == nil }) {
                field = fields.contains(.title) ? (fields.contains(.content) ? .keep : .content) : .title
            } else {
                field = .keep
            }
            fields.append(field)
        }
        return fields
    }
}
