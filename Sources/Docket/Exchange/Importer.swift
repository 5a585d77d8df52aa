// Brings the tasks of a file into the database: in batches, each a short transaction, so that other writers get their turn in between;
// all of them under one change, so that the whole import is one undo. Until its last batch the change is unfinished: an import that
// is cancelled, fails or crashes is taken away whole (ImportCleanup).

import Dispatch
import SQLite
import Synchronization

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
    /// Rows of one transaction at most: small enough that nobody waits long, large enough that a sync to disk is shared by many.
    let batchSize: Int
    /// After how many rows it is asked whether someone waits.
    private static let stride = 250
    /// Bytes of text of one transaction, about: two batches are in memory, whatever the file is.
    private static let mostBytes = 4 << 20
    /// Who is told of in the audit log; nil: the operator's command.
    var audit: Audit?
    /// Its number in the table `imports`; nil: the operator's command.
    var row: Int?

    /// Runs it.
    ///
    /// - Parameters:
    ///   - isCancelled: asked between batches.
    ///   - progress: told how many records have been read.
    func run(_ source: some ImportSource, isCancelled: () -> Bool = { false }, progress: (Int) -> Void = { _ in }) throws
        -> ImportReport
    {
        var report = self.report(source)
        var batch: [PreparedTask] = []
        var (read, bytes) = (0, 0)
        var told = Telling()
        let writing = Behind(Written())
        do {
            try source.read(context, &report) { task, _ in
                batch.append(PreparedTask(task, context))
                read += 1
                bytes += task.title.utf8.count + task.content.utf8.count
                if batch.count == batchSize || bytes >= Self.mostBytes {
                    if isCancelled() { throw ImportCancelled() }
                    let (full, tells) = (batch, told.isDue())
                    (batch, bytes) = ([], 0)
                    try writing.next { try write(full, &$0, tells: tells) }
                    progress(read)
                }
            }
            if isCancelled() { throw ImportCancelled() }
            try writing.next { [batch] in try write(batch, &$0, tells: false) }
            report.take(try writing.end())
            report.change = try finish(report.change, count: report.added)
            progress(read)
            return report
        } catch {
            guard let change = writing.settled.change else { throw error }
            do {
                try ImportCleanup.remove(change, of: context.owner.id, through: writer)
            } catch {
                // There is no room even for that. The change stays unfinished, and the next start or import takes it away.
                throw CommandFailure(
                    "the import failed and so did taking back what it had added (no room left?): make room, and the next start of "
                        + "serve or the next import does it", isStorageFull: Refusal(ofStorage: error) == .storageFull)
            }
            throw error
        }
    }

    /// Reads everything and tells what would come of it; writes nothing.
    func rehearse(_ source: some ImportSource, on database: Connection, isCancelled: () -> Bool = { false }) throws
        -> ImportReport
    {
        var (report, written) = (self.report(source), Written())
        var read = 0
        try source.read(context, &report) { task, report in
            read += 1
            if read.isMultiple(of: 1_000), isCancelled() { throw ImportCancelled() }
            let prepared = PreparedTask(task, context)
            let repository = TaskRepository(database, owner: context.owner, now: context.now, way: way)
            written.note(try repository.place(prepared))
            if report.preview.count < Self.previewCount {
                report.preview.append(prepared.preview(context.owner.zone))
                report.drafts.append(prepared.task.draft)
            }
        }
        report.take(written)
        return report
    }

    /// How many tasks a dry run shows.
    static let previewCount = 5

    private func report(_ source: some ImportSource) -> ImportReport {
        var report = ImportReport()
        report.findings = source.findings
        report.placeKind = source.placeKind
        // Those that there was no room for: what could be made the context knows.
        let leftOut = context.lacking(source.categories).count
        if leftOut > 0 {
            report.warn(0, .categoriesFull, ["count": String(leftOut), "limit": String(Limits.listed)])
        }
        return report
    }

    private func write(_ batch: [PreparedTask], _ written: inout Written, tells: Bool) throws {
        let (context, way, writer, row) = (context, way, writer, row)
        var rest = batch[...]
        while !rest.isEmpty {
            let (part, open) = (rest, written.change)
            let outcome: (change: Int, places: [TaskRepository.Place?]) = try writer.result { database in
                let repository = TaskRepository(database, owner: context.owner, now: context.now, way: way)
                try repository.checkGoesOn(open, row)
                let number = try open ?? repository.begin("import", finished: false)
                let places = try repository.adding(part, under: number) { $0.isMultiple(of: Self.stride) && writer.isAwaited }
                // Lists show the new rows at once, so the counts beside them must follow.
                if tells { try repository.bumpRevision() }
                return (number, places)
            }
            written.change = outcome.change
            for place in outcome.places { written.note(place) }
            rest = rest.dropFirst(outcome.places.count)
        }
    }

    private func finish(_ change: Int?, count: Int) throws -> Int? {
        guard let change else { return nil }
        let (context, way, row, audit) = (context, way, row, audit ?? Audit(command: context.now))
        try writer.perform { database in
            let repository = TaskRepository(database, owner: context.owner, now: context.now, way: way)
            try repository.checkGoesOn(change, row)
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

extension TaskRepository {
    /// Adds tasks, as many as there are before `isEnough` of their count, and at least one; tells of each where it was already, if so.
    fileprivate func adding(_ tasks: ArraySlice<PreparedTask>, under change: Int, until isEnough: (Int) -> Bool) throws
        -> [Place?]
    {
        // Nearly always there is none, and then no row has to be looked for before it is inserted.
        let mayBePresent = try hasSources
        return try inserting(under: change) { rows in
            var places: [Place?] = []
            for task in tasks {
                var place = mayBePresent && task.keepsID ? try self.place(task) : nil
                if place == nil, try !rows.insert(task.task, folded: task.folded, due: task.due) {
                    place = try self.place(task)
                    if place == nil { try rows.insertRenamed(task) }
                }
                if case .takenBack(let id) = place { try bringBack(id, as: task, under: change) }
                places.append(place)
                if isEnough(places.count) { break }
            }
            return places
        }
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

/// What an import has written so far.
private struct Written: Sendable {
    var change: Int?
    var (added, present, presentInTrash) = (0, 0, 0)

    /// One more task, and where it was already, if so.
    mutating func note(_ place: TaskRepository.Place?) {
        switch place {
        case nil, .takenBack: added += 1
        case .list: present += 1
        case .trash: (present, presentInTrash) = (present + 1, presentInTrash + 1)
        }
    }
}

extension ImportReport {
    fileprivate mutating func take(_ written: Written) {
        (change, added, present, presentInTrash) = (written.change, written.added, written.present, written.presentInTrash)
    }
}

/// Work that goes on behind the caller, one piece after the other: the next batch is read while the last one is written.
private final class Behind<Value: Sendable>: Sendable {
    private let queue = DispatchQueue(label: "behind")
    private let state: Mutex<(value: Value, failure: (any Error)?)>

    init(_ value: Value) { state = Mutex((value, nil)) }

    /// Begins a piece once the last one is done; throws what that threw.
    func next(_ piece: @escaping @Sendable (inout Value) throws -> Void) throws {
        _ = try end()
        queue.async {
            // Nobody else has the lock: who wants to see the value waits for the queue.
            self.state.withLock { state in
                do { try piece(&state.value) } catch { state.failure = error }
            }
        }
    }

    /// The value once all is done; throws what the last piece threw.
    func end() throws -> Value {
        let value = settled
        if let failure = state.withLock({ $0.failure }) { throw failure }
        return value
    }

    /// The value once all is done, however that ended.
    var settled: Value {
        queue.sync {}
        return state.withLock { $0.value }
    }
}
