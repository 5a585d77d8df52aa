// A task as another program has it, while its reader collects the parts: what has a field of ours, and what stays readable in the content,
// one `Label: value` a line behind the text, in the file's own words. Nothing is dropped here.

/// Collects the parts of one task.
struct ForeignTask {
    let place: Int
    var title = ""
    var content = ""
    var priority = Priority.medium
    var status = TaskStatus.pending
    var due: Due?
    var isPinned = false
    var createdAt: Instant?
    var updatedAt: Instant?
    var completedAt: Instant?
    var id: TaskID?
    /// True where the file is ours: texts that could have been typed here come back byte by byte.
    var isExact = false
    /// Words that may name a category: lists, projects, folders, each with what it is called there.
    private var lists: [(label: String, name: String)] = []
    private var tags: [String] = []
    private var notes: [String] = []
    /// Of a hundred thousand words in one cell not each is looked for among the categories.
    static let looked = 100

    init(place: Int) { self.place = place }

    /// Keeps what has no field of ours; blank values say nothing.
    mutating func keep(_ label: String, _ value: String) {
        let value = Characters.trim(value)
        if !value.isEmpty { notes.append("\(label): \(value)") }
    }

    /// Keeps a line as it is: `- [ ] a step`.
    mutating func keep(line: String) { notes.append(line) }

    mutating func add(list: String, as label: String) {
        let name = Characters.trim(list)
        if !name.isEmpty { lists.append((label, ImportedText.label(name))) }
    }

    mutating func add(tag: String) {
        let tag = Characters.trim(tag)
        if !tag.isEmpty { tags.append(tag) }
    }

    /// Takes a due date; what can't be read as one stays in the content, with a warning.
    mutating func takeDue(_ label: String, _ text: String, _ date: ForeignDate?, _ zone: Zone, _ report: inout ImportReport) {
        guard !Characters.trim(text).isEmpty else { return }
        guard let date else {
            report.warn(place, .noDate, ["field": label, "value": ImportReason.excerpt(text)])
            return keep(label, text)
        }
        let due = date.due(zone)
        guard Due.years.contains(due.day(in: zone).year) else {
            report.warn(place, .farDate, ["field": label, "value": ImportReason.excerpt(text)])
            return keep(label, text)
        }
        self.due = due
    }

    /// Gives a time of the past; what can't be read as one stays in the content, with a warning.
    mutating func time(_ label: String, _ text: String, _ date: ForeignDate?, _ zone: Zone, _ report: inout ImportReport)
        -> Instant?
    {
        guard !Characters.trim(text).isEmpty else { return nil }
        guard let instant = date?.instant(zone), instant.isWithinRange else {
            report.warn(place, .noDate, ["field": label, "value": ImportReason.excerpt(text)])
            keep(label, text)
            return nil
        }
        return instant
    }

    /// A value that has no match among ours: the default instead, with a warning, and the value in the content.
    mutating func refuse(_ label: String, _ value: String, instead: String, _ report: inout ImportReport) {
        report.warn(place, .unknownValue, ["field": label, "value": ImportReason.excerpt(value), "instead": instead])
        keep(label, value)
    }

    /// The task as the importer takes it.
    func task(_ context: ImportContext, source: String, _ report: inout ImportReport) -> ImportedTask {
        var category: Category?
        var lines = notes
        for (index, list) in lists.enumerated() {
            let exact = isExact ? context.categories.first { $0.key == list.name } : nil
            if category == nil, index < Self.looked, let found = exact ?? context.category(named: list.name) {
                category = found
            } else {
                lines.append("\(list.label): \(list.name)")
            }
        }
        var others: [String] = []
        for (index, tag) in tags.enumerated() {
            // `#work` and `@work` mean it too.
            let word = tag.hasPrefix("@") || tag.hasPrefix("#") || tag.hasPrefix("+") ? String(tag.dropFirst()) : tag
            if category == nil, index < Self.looked, let found = context.category(named: word) {
                category = found
            } else {
                others.append(tag)
            }
        }
        if !others.isEmpty { lines.append("Tags: " + others.joined(separator: ", ")) }
        var text = content
        for line in lines { ImportedText.append(line, to: &text) }
        let (title, content) =
            isExact && ImportedText.isOurs(title: title, content: text)
            ? (title, text) : ImportedText.split(title: title, content: text, place: place, context, &report)
        var task = ImportedTask(
            place: place, title: title, content: content, priority: priority, status: status,
            category: category ?? context.standard, due: due, isPinned: isPinned, createdAt: createdAt, updatedAt: updatedAt,
            id: id, source: source)
        if status == .completed {
            task.completedAt = completedAt
        } else if completedAt != nil {
            report.warn(place, .openWithTime)
        }
        return task
    }
}
