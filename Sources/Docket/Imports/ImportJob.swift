// A file that somebody has sent, from its arrival to the end of its import: what was chosen for it, how far it is, what came of it. It
// lives in memory, as the file does; what must outlive a restart stands in the table `imports`.

import Synchronization

/// One file on its way into somebody's tasks.
final class ImportJob: Sendable {
    /// How far it is.
    enum Phase: String, Sendable {
        /// Being read, to show what would come of it.
        case examining
        /// Read: its person looks at what would come of it.
        case examined
        case running
        case done, cancelled, failed
    }

    /// All that changes.
    struct State: Sendable {
        var phase = Phase.examining
        var options: ImportOptions
        /// The file; nil once it is not needed any more, and with that gone from the disk.
        var file: ByteFile?
        /// What would come of it, or came of it.
        var report: ImportReport?
        /// Why it was not read, or not imported.
        var trouble: ImportTrouble?
        /// Records that are done, and of how many.
        var progress = (done: 0, total: 0)
        /// When its person last asked for it.
        var touchedAt: Instant
    }

    let id: Int
    let userID: Int
    /// The account's name.
    let user: String
    let fileName: String
    /// Writes down that its tasks have come.
    let audit: Audit
    private let state: Mutex<State>
    private let isCancelled = Atomic(false)

    init(id: Int, user: User, file: ByteFile, options: ImportOptions, audit: Audit, now: Instant) {
        (self.id, userID, self.user, fileName, self.audit) = (id, user.id, user.name, file.name, audit)
        state = Mutex(State(options: options, file: file, touchedAt: now))
    }

    /// As it stands at this moment.
    var now: State { state.withLock { $0 } }

    var phase: Phase { state.withLock { $0.phase } }

    /// True where it is at work on a thread.
    var isBusy: Bool { [.examining, .running].contains(phase) }

    /// True where nothing can be done with it any more.
    var isOver: Bool { [.done, .cancelled, .failed].contains(phase) }

    func touch(_ now: Instant) { state.withLock { $0.touchedAt = now } }

    /// Begins to read or to run it, with what was chosen; false where it is at work already, or over.
    func begin(_ phase: Phase, _ options: ImportOptions?) -> Bool {
        state.withLock { state in
            guard state.phase == .examined else { return false }
            state.phase = phase
            // One that came when the reading had just ended was for the reading.
            isCancelled.store(false, ordering: .relaxed)
            if let options { state.options = options }
            (state.trouble, state.progress) = (nil, (0, 0))
            return true
        }
    }

    /// What a script wants at once.
    func beginToRun() { state.withLock { $0.phase = .running } }

    func note(done: Int, total: Int) { state.withLock { $0.progress = (done, total) } }

    /// Read, with what would come of it.
    func examined(_ report: ImportReport) { state.withLock { ($0.phase, $0.report) = (.examined, report) } }

    /// Read, with why it can't be.
    func unreadable(_ trouble: ImportTrouble) {
        state.withLock { ($0.phase, $0.report, $0.trouble) = (.examined, nil, trouble) }
    }

    /// Over.
    func end(_ phase: Phase, _ report: ImportReport?, _ trouble: ImportTrouble?) {
        state.withLock { state in
            (state.phase, state.trouble, state.file) = (phase, trouble, nil)
            state.report = report
        }
    }

    /// Asks it to end and to take back what it has added.
    func cancel() { isCancelled.store(true, ordering: .relaxed) }

    var wantsToEnd: Bool { isCancelled.load(ordering: .relaxed) }
}

/// Why an import came to nothing, in no language yet.
enum ImportTrouble: Error, Codable, Sendable, Equatable {
    /// The file's own fault.
    case reason(ImportReason)
    /// A text of the strings files.
    case text(String)

    init(_ error: any Error) {
        self =
            switch error {
            case let failure as ImportFailure: .reason(failure.reason)
            default: .text(Refusal(ofStorage: error).map { $0.code.key + ".text" } ?? "import.broken")
            }
    }

    /// What a script hears that has sent the file.
    var code: ErrorCode {
        switch self {
        case .reason: .invalid
        case .text(let key): [.storageFull, .busy].first { $0.key + ".text" == key } ?? .internal
        }
    }

    func text(_ strings: Strings) -> String {
        switch self {
        case .reason(let reason): reason.text(strings)
        case .text(let key): strings[key]
        }
    }
}
