// What came of an import, or would: counts, what was recognised, the first tasks, and each thing that was not taken as it stood.

/// What a place of a report counts.
public enum ImportPlaceKind: String, Sendable, Codable {
    /// Lines of a text.
    case line
    /// Records, where lines say nothing.
    case record
}

/// Something that was not taken as it stood.
public struct ImportWarning: Sendable, Equatable, Codable, CustomStringConvertible {
    /// The line or record, counted from 1; 0 for the file as a whole.
    public let place: Int
    /// What `place` counts.
    public let kind: ImportPlaceKind
    /// What is wrong and what was done.
    public let reason: ImportReason
    /// True where the whole record was left out.
    public let isSkipped: Bool

    /// One line, in English.
    public var description: String { place == 0 ? reason.description : "\(kind.rawValue) \(place): \(reason)" }
}

/// A column of a table as it was understood.
public struct ImportColumn: Sendable, Equatable {
    /// Its name in the header; empty where there is none.
    public let name: String
    /// Its cells in the first rows.
    public let examples: [String]
    /// What it becomes.
    public let field: ColumnField
}

/// How a file was understood: what the person can choose otherwise.
public struct ImportFindings: Sendable, Equatable {
    /// The format.
    public var format: ImportFormat
    /// How its text was read; nil for what is no text.
    public var encoding: TextEncoding?
    /// Tables only: what parts the cells.
    public var delimiter: Delimiter?
    /// Tables only: whether the first line names the columns.
    public var hasHeader: Bool?
    /// Tables only: the columns. Empty where they can't be chosen, because the format has its own.
    public var columns: [ImportColumn] = []
    /// Tables only: how dates such as 03/04/2026 were read; nil where there are none.
    public var dateOrder: DateOrder?

    init(format: ImportFormat, encoding: TextEncoding? = nil) {
        self.format = format
        self.encoding = encoding
    }
}

/// What came of an import.
public struct ImportReport: Sendable {
    /// Tasks that were added, or would be.
    public internal(set) var added = 0
    /// Tasks that an earlier import has added already.
    public internal(set) var present = 0
    /// Of those, how many lie in the trash.
    public internal(set) var presentInTrash = 0
    /// Records that could not be taken at all; each has its warning.
    public internal(set) var skipped = 0
    /// The first warnings, and the first records that were not taken, in the order of the file.
    public private(set) var warnings: [ImportWarning] = []
    /// All of them.
    public private(set) var warningCount = 0
    /// The change that undoes it all; nil where nothing was added.
    public internal(set) var change: Int?
    /// The first tasks as they will look, for a dry run, a line each.
    public internal(set) var preview: [String] = []
    /// The same for a page.
    var drafts: [TaskDraft] = []
    /// How the file was understood.
    public internal(set) var findings: ImportFindings?
    /// What places count.
    var placeKind = ImportPlaceKind.line
    private var skipsKept = 0

    static let warningLimit = 1_000

    /// A file with a million mistakes must not fill the memory with them.
    mutating func warn(_ place: Int, _ code: ImportReason.Code, _ values: [String: String] = [:]) {
        warningCount += 1
        guard warnings.count - skipsKept < Self.warningLimit else { return }
        warnings.append(ImportWarning(place: place, kind: placeKind, reason: ImportReason(code, values), isSkipped: false))
    }

    /// A record that is not taken at all. These have a list's room of their own: mere warnings never crowd them out.
    mutating func skip(_ place: Int, _ code: ImportReason.Code, _ values: [String: String] = [:]) {
        warningCount += 1
        skipped += 1
        guard skipsKept < Self.warningLimit else { return }
        skipsKept += 1
        warnings.append(ImportWarning(place: place, kind: placeKind, reason: ImportReason(code, values), isSkipped: true))
    }
}
