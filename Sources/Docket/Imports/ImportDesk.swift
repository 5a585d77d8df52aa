// Where the files wait that people have sent, and who works on them: one file a person, at most one import of a person at a time, the work
// itself on threads of its own. A file that nobody asks for is gone after an hour, and with the process in any case, since it has no name
// on the disk.

import Glibc
public import SQLite
import Synchronization

/// The imports of this process.
public final class ImportDesk: Sendable {
    /// Runs work on a thread that may take its time, with a connection that reads.
    public typealias Launch = @Sendable (@escaping @Sendable (Connection) -> Void) -> Void

    private struct Staff: Sendable {
        let database: DatabaseFile
        let writer: any Writing
        let launch: Launch
        /// How large a file is worked on while its sender waits.
        let atOnceBytes: Int
    }

    private struct State {
        var jobs: [Int: ImportJob] = [:]
        var staff: Staff?
        var isStopping = false
    }

    /// Files of all people together.
    static let mostFiles = 32
    /// Seconds that a file waits for its person.
    static let patience = 3_600

    private let state = Mutex(State())
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    /// Gives it a database and threads.
    ///
    /// - Parameter atOnceBytes: files up to this size are worked on while their sender waits.
    public func open(
        _ database: DatabaseFile, writer: any Writing, atOnceBytes: Int = 256 << 10, launch: @escaping Launch
    ) {
        state.withLock {
            $0.staff = Staff(database: database, writer: writer, launch: launch, atOnceBytes: atOnceBytes)
        }
    }

    /// The process ends: what runs is left as it is, for the next start to take away.
    public func stop() { state.withLock { $0.isStopping = true } }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Forgets the files that nobody has asked for in an hour.
    public func sweep() { sweep(Instant.now()) }

    func sweep(_ now: Instant) {
        let limit = now.adding(seconds: -Self.patience).milliseconds
        state.withLock { state in
            state.jobs = state.jobs.filter { $0.value.isBusy || $0.value.now.touchedAt.milliseconds >= limit }
        }
    }

    // MARK: Files

    /// The file of a number, if it is this person's and still here.
    private func job(_ id: Int, of userID: Int, _ now: Instant) -> ImportJob? {
        let job = state.withLock { $0.jobs[id] }
        guard let job, job.userID == userID else { return nil }
        job.touch(now)
        return job
    }

    /// The file of a row. Where the row is cancelled while its file still waits, its person was shut out meanwhile: that ended it.
    func job(of record: ImportRecord, userID: Int, _ now: Instant) -> ImportJob? {
        guard let job = job(record.id, of: userID, now) else { return nil }
        guard record.state == .cancelled, !job.isOver else { return job }
        remove(job)
        return nil
    }

    /// What of a person's is being imported.
    func running(of userID: Int) -> ImportJob? {
        state.withLock { $0.jobs.values.first { $0.userID == userID && $0.phase == .running } }
    }

    /// Takes a file in, in the place of the one that its person sent before.
    ///
    /// - Throws: `Refusal` where an import of this person runs, or too many files are here.
    func add(_ job: ImportJob, _ now: Instant) throws(Refusal) {
        sweep(now)
        let refusal: Refusal? = state.withLock { state in
            if state.jobs.values.contains(where: { $0.userID == job.userID && $0.phase == .running }) {
                return .conflict("import.running_already")
            }
            for other in state.jobs.values where other.userID == job.userID {
                other.cancel()
                state.jobs[other.id] = nil
            }
            guard state.jobs.count < Self.mostFiles, !state.isStopping else { return .busy }
            state.jobs[job.id] = job
            return nil
        }
        if let refusal { throw refusal }
    }

    /// Forgets a file.
    func remove(_ job: ImportJob) {
        job.cancel()
        state.withLock { _ = $0.jobs.removeValue(forKey: job.id) }
    }

    // MARK: Work

    /// Reads or runs what has begun: at once where it is small, else on a thread of its own.
    func work(_ job: ImportJob, _ context: Context) {
        guard let staff = state.withLock({ $0.staff }), let file = job.now.file else {
            return job.end(.failed, nil, .text("error.busy.text"))
        }
        if file.byteCount <= staff.atOnceBytes {
            return perform(job, file, staff.database, on: context.database, through: context.writer)
        }
        staff.launch { connection in
            self.perform(job, file, staff.database, on: connection, through: PacedWriter(staff.writer) { self.isStopping })
        }
    }

    private func perform(
        _ job: ImportJob, _ file: ByteFile, _ database: DatabaseFile, on connection: Connection, through writer: any Writing
    ) {
        let now = job.now
        var work = Import(user: job.user, way: "import")
        work.audit = job.audit
        work.options = now.options
        work.row = job.id
        let watch = ImportWatch(job, connection) { self.isStopping }
        let wantsToEnd: @Sendable () -> Bool = { watch.wantsToEnd }
        do {
            guard now.phase == .running else {
                return job.examined(
                    try work.run(file, into: database, reading: connection, writer: nil, isCancelled: wantsToEnd))
            }
            try writer.perform { try ImportRepository($0).begin(job.id, userID: job.userID) }
            let report = try work.run(
                file, into: database, reading: connection, writer: writer, isCancelled: wantsToEnd,
                progress: {
                    watch.isWriting = true
                    job.note(done: $0, total: $1)
                })
            end(job, .done, report, nil, writer)
        } catch is ImportCancelled {
            // A file that was discarded, or had to make room for another one, is no longer spoken of.
            if state.withLock({ $0.jobs[job.id] != nil }) { end(job, .cancelled, nil, nil, writer) }
        } catch  where now.phase != .running {
            job.unreadable(trouble(error, job))
        } catch {
            end(job, .failed, nil, trouble(error, job), writer)
        }
    }

    private func end(
        _ job: ImportJob, _ phase: ImportJob.Phase, _ report: ImportReport?, _ trouble: ImportTrouble?, _ writer: any Writing
    ) {
        // After a restart its row says that it was cut off.
        if isStopping, phase != .done { return job.end(.failed, nil, trouble) }
        let result = ImportResult(report, trouble)
        do {
            try writer.perform {
                try ImportRepository($0).end(job.id, userID: job.userID, phase, change: report?.change, result)
            }
        } catch {
            logger.event("import_not_noted", [("import", String(job.id)), ("detail", String(describing: error))])
        }
        job.end(phase, report, trouble)
        logger.event(
            "import_ended",
            [
                ("import", String(job.id)), ("user", String(job.userID)), ("state", phase.rawValue),
                ("added", String(report?.added ?? 0)),
            ])
    }

    /// What a person is told; what is our own fault goes to the log as well.
    private func trouble(_ error: any Error, _ job: ImportJob) -> ImportTrouble {
        let trouble = ImportTrouble(error)
        if case .text = trouble {
            logger.event("import_trouble", [("import", String(job.id)), ("detail", String(describing: error))])
        }
        return trouble
    }
}

/// The process ends.
struct ImportStopped: Error {}

/// Gives way to everybody else: after each change it rests as long as the change took, waiting included, so that the more others do, the
/// more room they have.
final class PacedWriter: Writing {
    private let writer: any Writing
    private let isStopping: @Sendable () -> Bool
    /// It has been told that the process ends; what comes then takes back what had come in, and does not rest.
    private let isTold = Atomic(false)

    init(_ writer: any Writing, isStopping: @escaping @Sendable () -> Bool) {
        (self.writer, self.isStopping) = (writer, isStopping)
    }

    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws {
        if isStopping(), !isTold.exchange(true, ordering: .relaxed) { throw ImportStopped() }
        let begin = ContinuousClock.now
        try writer.perform(body)
        if isStopping() { return }
        let spent = (ContinuousClock.now - begin).components
        let microseconds = Int(spent.seconds) * 1_000_000 + Int(spent.attoseconds / 1_000_000_000_000)
        usleep(UInt32(min(max(microseconds, 1_000), 100_000)))
    }
}
