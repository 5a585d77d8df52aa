// An import as a command or a page asks for it: recognises the format, opens the file as a source, and runs the importer for one person.

public import SQLite

/// What to import, for whom and how.
public struct Import: Sendable {
    /// The account's name.
    public var user: String
    /// How the file is to be read.
    public var options = ImportOptions()
    /// By which way it comes, for the history: `import` (a page) or `command`.
    public var way: String
    /// Rows of one transaction at most.
    var batchSize: Int
    /// Who is told of in the audit log; nil: the operator's command.
    var audit: Audit?
    /// Its number in the table `imports`; nil: the operator's command.
    var row: Int?

    /// - Parameters:
    ///   - user: the account's name.
    ///   - way: `import` or `command`.
    public init(user: String, way: String) {
        self.user = user
        self.way = way
        // The more rows a change has, the more of them share the pages that it touches. A command stops early when someone waits; in the server
        // they are few enough that whoever else changes something waits for some milliseconds only.
        batchSize = way == "command" ? 10_000 : 200
    }

    /// Runs it.
    ///
    /// - Parameters:
    ///   - file: the file.
    ///   - database: where the tasks go, for the lock and for a place for copies.
    ///   - reading: reads what is there.
    ///   - writer: takes the batches; nil for a dry run, which writes nothing.
    ///   - isCancelled: asked before each piece of the file and each batch.
    ///   - progress: told how many records are done, and of how many.
    public func run(
        _ file: ByteFile, into database: DatabaseFile, reading connection: Connection, writer: (any Writing)?,
        isCancelled: @escaping @Sendable () -> Bool = { false },
        progress: @escaping (Int, Int) -> Void = { _, _ in }
    ) throws -> ImportReport {
        let context = try context(connection)
        let file = file.watched(isCancelled)
        guard let writer else {
            return try open(file, database) { source in
                let context = try NewCategories(source, context, way: way, writer: Nobody()).foreseen(connection)
                return try Importer(context: context, writer: Nobody(), way: way, batchSize: batchSize).rehearse(
                    source, on: connection, isCancelled: isCancelled)
            }
        }
        guard let lock = try ImportLock(database, userID: context.owner.id) else {
            throw ImportFailure(.running, ["user": context.owner.name])
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
            let categories = NewCategories(source, context, way: way, writer: writer)
            let context = try categories.make()
            do {
                let importer = Importer(
                    context: context, writer: writer, way: way, batchSize: batchSize, audit: audit,
                    row: row)
                return try importer.run(source, isCancelled: isCancelled) { progress($0, total) }
            } catch {
                try? categories.remove()
                throw error
            }
        }
    }

    private func context(_ connection: Connection) throws -> ImportContext {
        let owner = try AccountRepository(database: connection, now: Instant.now()).named(user)
        let categories = try Category.all(connection, userID: owner.id)
        var standard = categories.first { $0.key == owner.defaultCategory } ?? categories.first
        if let category = options.category {
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
    private func open(
        _ file: ByteFile, _ database: DatabaseFile, _ body: (any ImportSource) throws -> ImportReport
    ) throws -> ImportReport {
        guard file.byteCount > 0 else { throw ImportFailure(.empty, ["file": file.name]) }
        let format = try options.format ?? ImportFormat.recognise(file)
        guard format == .ios else { return try body(try TextSource.open(file, as: format, options)) }
        guard try file.start(16).starts(with: "SQLite format 3\0".utf8) else {
            throw ImportFailure(.notDatabase, ["file": file.name])
        }
        let copy = try PrivateCopy(of: file, beside: database)
        defer { copy.remove() }
        return try body(try PhoneDatabase(copy, name: file.name))
    }
}

/// The writer of a dry run.
private struct Nobody: Writing {
    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws { throw Refusal.busy }
}
