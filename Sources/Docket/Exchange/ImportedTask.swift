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
    /// Its version where the file is ours: a second export shall be the same.
    var version = 1
}

/// For whom a file is read, and when.
struct ImportContext: Sendable {
    let owner: User
    let now: Instant
    let categories: [Category]
    /// For tasks whose own category is none of the person's.
    let standard: Category

    /// What a task is called that has no title.
    var untitled: String {
        switch owner.language {
        case .english: "(no title)"
        case .chinese: "（无标题）"
        }
    }

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

    /// How the file was understood.
    var findings: ImportFindings { get }

    /// What the places of warnings count.
    var placeKind: ImportPlaceKind { get }

    /// Categories that its tasks need and the person may lack, in the file's order.
    var categories: [ImportedCategory] { get }

    /// True where these are all that its writer had, and not only those of its tasks.
    var hasAllCategories: Bool { get }
}

extension ImportSource {
    var placeKind: ImportPlaceKind { .line }
    var categories: [ImportedCategory] { [] }
    var hasAllCategories: Bool { false }
}

/// A category that one of our own files brings along.
struct ImportedCategory: Equatable, Sendable {
    let key: String
    var name: String?
    var icon = "star"
    /// Nil: the first that is free.
    var color: Int?
    /// True where its tasks name it by its name: then any category of that name will do.
    var isByName = false
}
