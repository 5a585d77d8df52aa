// An import as a command or a page asks for it: recognises the format, opens the file as a source, and runs the importer for one person.

public import SQLite

/// The formats that can be imported.
public enum ImportFormat: String, Sendable, CaseIterable {
    /// The database of the iOS app.
    case ios
    /// A todo.txt or done.txt.
    case todotxt

    /// What its first bytes and its name say.
    ///
    /// - Throws: `CommandFailure` that calls the format by name, where it is one that cannot be taken.
    static func recognise(_ file: ByteFile) throws -> ImportFormat {
        let start = try file.start(4_096)
        func begins(_ text: String) -> Bool { start.starts(with: text.utf8) }
        if begins("SQLite format 3\0") { return .ios }
        if file.byteCount == 0 { throw CommandFailure("\(file.name) is empty") }
        if begins("PK") { throw CommandFailure("\(file.name) is a ZIP archive: unpack it, and import what is inside") }
        if begins("[description:\"") { throw CommandFailure("\(file.name) is a working file of Taskwarrior, not its export") }
        let head = start.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        func holds(_ text: String) -> Bool {
            head.prefix(text.utf8.count).map { $0 | 0x20 }.starts(with: text.utf8.map { $0 | 0x20 })
        }
        if holds("BEGIN:V") { throw CommandFailure("\(file.name) is a calendar (iCalendar): not among the formats: \(names)") }
        if holds("<!doctype") || holds("<html") { throw CommandFailure("\(file.name) is a web page, not a list of tasks") }
        if head.first == UInt8(ascii: "{") || head.starts(with: "[{".utf8) || head.starts(with: "[\n".utf8) {
            throw CommandFailure("\(file.name) is JSON: not among the formats: \(names)")
        }
        let lower = file.name.lowercased()
        guard lower.hasSuffix(".txt") || lower.hasSuffix(".todotxt") else {
            throw CommandFailure("can't tell the format of \(file.name): say --format todotxt if each line is a task")
        }
        return .todotxt
    }

    /// All names, for messages.
    public static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

/// What to import, for whom and how.
public struct Import {
    /// The account's name.
    public var user: String
    /// nil: recognised.
    public var format: ImportFormat?
    /// The key of the category for tasks without one; nil: the person's own default.
    public var category: String?
    /// A todo.txt whose lines are all completed though they do not say so.
    public var isAllCompleted = false
    /// By which way it comes, for the history: `import` (a page) or `command`.
    public var way: String
    /// How a text is read; nil: recognised.
    public var encoding: TextEncoding?

    /// - Parameters:
    ///   - user: the account's name.
    ///   - way: `import` or `command`.
    public init(user: String, way: String) {
        self.user = user
        self.way = way
    }

    /// Runs it.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - database: where the tasks go, for the lock and for a place for copies.
    ///   - reading: reads what is there.
    ///   - writer: takes the batches; nil for a dry run, which writes nothing.
    ///   - isCancelled: asked between batches.
    ///   - progress: told how many records are done, and of how many.
    public func run(
        _ file: ByteFile, into database: DatabaseFile, reading connection: Connection, writer: (any Writing)?,
        isCancelled: @escaping () -> Bool = { false }, progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws -> ImportReport {
        let context = try context(connection)
        guard let writer else {
            return try open(file, database) {
                try Importer(context: context, writer: Nobody(), way: way).rehearse($0, on: connection)
            }
        }
        guard let lock = try ImportLock(database, userID: context.owner.id) else {
            throw CommandFailure("another import of \(context.owner.name) is running: wait until it ends")
        }
        defer { lock.release() }
        // Ours is the lock, so what is unfinished is nobody's any more.
        for change in try connection.rows(
            "SELECT id FROM changes WHERE finished = 0 AND user_id = \(context.owner.id)", { try $0.int(0) as Int })
        {
            try ImportCleanup.remove(change, of: context.owner.id, through: writer)
        }
        return try open(file, database) { source in
            let total = source.recordCount
            return try Importer(context: context, writer: writer, way: way).run(source, isCancelled: isCancelled) {
                progress($0, total)
            }
        }
    }

    private func context(_ connection: Connection) throws -> ImportContext {
        let key = UserName.key(of: user)
        guard let id = try connection.scalar("SELECT id FROM users WHERE name_key = \(key)"),
            let owner = try AccountRepository(database: connection, now: Instant.now()).user(Int(id))
        else { throw CommandFailure("there is no account called \(user)") }
        let categories = try Category.all(connection, userID: owner.id)
        var standard = categories.first { $0.key == owner.defaultCategory } ?? categories.first
        if let category {
            standard = categories.first { $0.key == category }
            guard standard != nil else {
                throw CommandFailure(
                    "\(owner.name) has no category \(category); there are \(categories.map(\.key).joined(separator: ", "))")
            }
        }
        guard let standard else { throw CommandFailure("\(owner.name) has no category: make one first") }
        return ImportContext(owner: owner, now: Instant.now(), categories: categories, standard: standard)
    }

    /// Opens the source for a body; the private copy of a database goes when the body ends.
    private func open(_ file: ByteFile, _ database: DatabaseFile, _ body: (any ImportSource) throws -> ImportReport) throws
        -> ImportReport
    {
        switch try format ?? ImportFormat.recognise(file) {
        case .todotxt:
            return try body(try TodoTxtFile(file, encoding: encoding, isAllCompleted: isAllCompleted))
        case .ios:
            guard try file.start(16).starts(with: "SQLite format 3\0".utf8) else {
                throw CommandFailure("\(file.name) is not an SQLite database")
            }
            let copy = try PrivateCopy(of: file, beside: database)
            defer { copy.remove() }
            return try body(try PhoneDatabase(copy, name: file.name))
        }
    }
}

/// The writer of a dry run.
private struct Nobody: Writing {
    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws { throw Refusal.busy }
}
