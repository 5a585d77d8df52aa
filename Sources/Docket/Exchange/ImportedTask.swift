// What a reader of a foreign file gives to the importer: tasks that fit our columns already, and what could not be taken as it was.

/// One task out of a file.
struct ImportedTask: Sendable {
    /// The line or record that it came from, counted from 1.
    var place: Int
    var title: String
    var content = ""
    var priority = Priority.medium
    var status = TaskStatus.pending
    var category: Category
    var due: Due?
    var isPinned = false
    /// The time of the import where the file tells none.
    var createdAt: Instant?
    var updatedAt: Instant?
    /// Stays empty where the file tells none: nothing is invented.
    var completedAt: Instant?
    /// Its identifier in the file, kept as ours where it is free.
    var id: TaskID?
    /// Its identity in the file, by which a second import knows it again: `ios:…`, `todotxt:…`.
    var source: String
}

/// Something that was not taken as it stood.
public struct ImportWarning: Sendable, Equatable, CustomStringConvertible {
    /// The line or record, counted from 1; 0 for the file as a whole.
    public let place: Int
    /// What is wrong and what was done.
    public let reason: String

    /// One line.
    public var description: String { place == 0 ? reason : "line \(place): \(reason)" }
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
    /// The first warnings.
    public private(set) var warnings: [ImportWarning] = []
    /// All of them.
    public private(set) var warningCount = 0
    /// The change that undoes it all; nil where nothing was added.
    public internal(set) var change: Int?
    /// The first tasks as they will look, for a dry run.
    public internal(set) var preview: [String] = []

    static let warningLimit = 1_000

    /// A file with a million mistakes must not fill the memory with them.
    mutating func warn(_ place: Int, _ reason: String) {
        warningCount += 1
        if warnings.count < Self.warningLimit { warnings.append(ImportWarning(place: place, reason: reason)) }
    }
}

/// For whom a file is read, and when.
struct ImportContext: Sendable {
    let owner: User
    let now: Instant
    let categories: [Category]
    /// For tasks whose own category is none of the person's.
    let standard: Category

    /// The category that a word of a file names: by key, by the name that its owner gave it, or by ours in either language.
    func category(named word: String) -> Category? {
        let folded = Folding.caseFold(word)
        func same(_ text: String) -> Bool { Folding.caseFold(text).utf8.elementsEqual(folded.utf8) }
        if let found = categories.first(where: { same($0.key) || $0.ownName.map(same) ?? false }) { return found }
        guard let key = Self.chinese.first(where: { same($0.name) })?.key else { return nil }
        return categories.first { $0.key == key }
    }

    private static let chinese = [("工作", "work"), ("生活", "life"), ("学习", "study"), ("健康", "health")].map {
        (name: $0.0, key: $0.1)
    }
}

/// A file of some format.
protocol ImportSource {
    /// Reads it from the beginning, task by task, never all at once.
    ///
    /// - Parameters:
    ///   - report: takes warnings and what is skipped.
    ///   - body: takes a task; what it throws ends the reading.
    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws

    /// About how many records there are, for the progress.
    var recordCount: Int { get }
}
