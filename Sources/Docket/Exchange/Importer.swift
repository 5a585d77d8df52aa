// Brings the tasks of a file into the database: in batches, each a short transaction, so that other writers get their turn in between;
// all of them under one change, so that the whole import is one undo. Until its last batch the change is unfinished: an import that
// is cancelled, fails or crashes is taken away whole (ImportCleanup).

import SQLite

/// Why an import ended before its time.
struct ImportCancelled: Error, CustomStringConvertible {
    var description: String { "cancelled: nothing was imported" }
}

/// One import of one person.
struct Importer {
    let context: ImportContext
    let writer: any Writing
    /// By which way it comes, for the history: `import` or `command`.
    let way: String
    /// Rows of one transaction: small enough that nobody waits long, large enough that a sync to disk is shared by many.
    var batchSize = 1_000
    /// Who is told of in the audit log; nil: the operator's command.
    var audit: Audit?
    /// A batch ends with fewer rows where they are large.
    private static let batchBytes = 2 << 20

    /// Runs it.
    ///
    /// - Parameters:
    ///   - isCancelled: asked between batches.
    ///   - progress: told how many records have been read.
    func run(_ source: some ImportSource, isCancelled: () -> Bool = { false }, progress: (Int) -> Void = { _ in }) throws
        -> ImportReport
    {
        var report = Self.report(source)
        var batch: [PreparedTask] = []
        batch.reserveCapacity(batchSize)
        var (read, bytes, change): (Int, Int, Int?) = (0, 0, nil)
        var told = Telling()
        do {
            try source.read(context, &report) { task, report in
                let prepared = PreparedTask(task, context)
                batch.append(prepared)
                (read, bytes) = (read + 1, bytes + prepared.byteCount)
                if batch.count == batchSize || bytes > Self.batchBytes {
                    if isCancelled() { throw ImportCancelled() }
                    try write(batch, &change, &report, tells: told.isDue())
                    batch.removeAll(keepingCapacity: true)
                    bytes = 0
                    progress(read)
                }
            }
            if isCancelled() { throw ImportCancelled() }
            try write(batch, &change, &report, tells: false)
            report.change = try finish(change, count: report.added)
            progress(read)
            return report
        } catch {
            guard let change else { throw error }
            do {
                try ImportCleanup.remove(change, of: context.owner.id, through: writer)
            } catch {
                // There is no room even for that. The change stays unfinished, and the next start or import takes it away.
                throw CommandFailure(
                    "the import failed and so did taking back what it had added (no room left?): make room, and the next start of "
                        + "serve or the next import does it")
            }
            throw error
        }
    }

    /// Reads everything and tells what would come of it; writes nothing.
    func rehearse(_ source: some ImportSource, on database: Connection, isCancelled: () -> Bool = { false }) throws
        -> ImportReport
    {
        var report = Self.report(source)
        var read = 0
        try source.read(context, &report) { task, report in
            read += 1
            if read.isMultiple(of: 1_000), isCancelled() { throw ImportCancelled() }
            let prepared = PreparedTask(task, context)
            let repository = TaskRepository(database, owner: context.owner, now: context.now, way: way)
            if let place = try repository.present(prepared) { report.note(place) } else { report.added += 1 }
            if report.preview.count < Self.previewCount {
                report.preview.append(prepared.preview(context.owner.zone))
                report.drafts.append(prepared.task.draft)
            }
        }
        return report
    }

    /// How many tasks a dry run shows.
    static let previewCount = 5

    private static func report(_ source: some ImportSource) -> ImportReport {
        var report = ImportReport()
        report.findings = source.findings
        report.placeKind = source.placeKind
        return report
    }

    private func write(_ batch: [PreparedTask], _ change: inout Int?, _ report: inout ImportReport, tells: Bool) throws {
        guard !batch.isEmpty else { return }
        let (context, way, open) = (context, way, change)
        let outcome: (change: Int, places: [TaskRepository.Place?]) = try writer.result { database in
            let repository = TaskRepository(database, owner: context.owner, now: context.now, way: way)
            if let open { try repository.checkUnfinished(open) }
            let number = try open ?? repository.begin("import", finished: false)
            // Nearly always there is none, and then no row has to be looked for before it is inserted.
            let mayBePresent = try repository.hasSources
            let places = try repository.inserting(under: number) { rows in
                try batch.map { task -> TaskRepository.Place? in
                    if mayBePresent, task.keepsID, let place = try repository.present(task) { return place }
                    if try rows.insert(task.task, folded: task.folded, due: task.due) { return nil }
                    if let place = try repository.present(task) { return place }
                    if try repository.makeRoom(for: task), try rows.insert(task.task, folded: task.folded, due: task.due) {
                        return nil
                    }
                    try rows.insertRenamed(task)
                    return nil
                }
            }
            // Lists show the new rows at once, so the counts beside them must follow.
            if tells { try repository.bumpRevision() }
            return (number, places)
        }
        change = outcome.change
        for place in outcome.places {
            if let place { report.note(place) } else { report.added += 1 }
        }
    }

    private func finish(_ change: Int?, count: Int) throws -> Int? {
        guard let change else { return nil }
        let (context, way, audit) = (context, way, audit ?? Audit(command: context.now))
        try writer.perform { database in
            let repository = TaskRepository(database, owner: context.owner, now: context.now, way: way)
            try repository.checkUnfinished(change)
            if count > 0 {
                _ = try repository.finish(change, count: count)
                try audit.record(.imported, of: context.owner.id, detail: String(count), in: database)
            } else {
                try database.execute("DELETE FROM changes WHERE id = \(change)")
            }
        }
        return count > 0 ? change : nil
    }
}

/// When the person's open windows hear of what has come: twice a second, since each looks at its whole page again.
private struct Telling {
    private var last: ContinuousClock.Instant?

    mutating func isDue() -> Bool {
        let now = ContinuousClock.now
        if let last, now - last < .milliseconds(500) { return false }
        last = now
        return true
    }
}

extension ImportReport {
    fileprivate mutating func note(_ place: TaskRepository.Place) {
        present += 1
        if place == .trash { presentInTrash += 1 }
    }
}
