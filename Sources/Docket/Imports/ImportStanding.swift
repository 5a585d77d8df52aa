// How an import stands, whether it is told by the file that waits in memory or, after that, by its row: what the page, JSON and plain text
// are made of. An import that was running when the process ended is one that was cut off, and says so.

import Mustache

/// One import at one moment.
struct ImportStanding: Sendable {
    enum State: String, Sendable, CaseIterable {
        case examining, examined, running, done, cancelled, failed
        /// The file was not imported and is no longer here.
        case gone
        /// The process ended while it ran: what it had added was taken away.
        case interrupted
        /// Undone since.
        case takenBack = "taken_back"
    }

    let id: Int
    let fileName: String
    private(set) var state: State
    let result: ImportResult
    var progress = (done: 0, total: 0)
    /// What undoes it.
    private(set) var change: Int?
    /// While the file is here: what would come of it, and what was chosen.
    var report: ImportReport?
    var options = ImportOptions()

    init(_ job: ImportJob) {
        let now = job.now
        (id, fileName, options, report) = (job.id, job.fileName, now.options, now.report)
        state = State(rawValue: now.phase.rawValue) ?? .failed
        result = ImportResult(now.report, now.trouble)
        (progress, change) = (now.progress, now.report?.change)
    }

    init(_ record: ImportRecord) {
        (id, fileName, change) = (record.id, record.fileName, record.change)
        state =
            switch record.state {
            case .open: .gone
            case .running: .interrupted
            case .done: .done
            case .cancelled: .cancelled
            case .failed: .failed
            }
        result = record.result ?? ImportResult(nil, nil)
        let records = result.added + result.present + result.skipped
        if state == .done { progress = (records, records) }
    }

    /// With what became of it since: its undo may have been undone in turn, and so on.
    func now(_ repository: TaskRepository) throws -> ImportStanding {
        guard state == .done, let change else { return self }
        var standing = self
        let undos = try repository.undos(of: change)
        if !undos.count.isMultiple(of: 2) { standing.state = .takenBack }
        // In force again, it is taken back by undoing what last brought it back.
        let last = undos.last ?? change
        let canBeUndone = try standing.state == .done && repository.describe(change: last)?.canBeUndone == true
        standing.change = canBeUndone ? last : nil
        return standing
    }

    /// True where it can't be read as it was chosen to be.
    var isUnreadable: Bool { state == .examined && result.trouble != nil }

    /// Where it stands, in a sentence.
    func text(_ strings: Strings) -> String {
        switch state {
        case .examining: return strings["import.state.examining"]
        case .running: return strings["import.state.running"]
        case .examined:
            return result.trouble?.text(strings) ?? strings("import.would", counts(strings))
        case .done: return strings("import.did", counts(strings))
        case .cancelled: return strings["import.state.cancelled"]
        case .failed:
            let reason = (result.trouble ?? .text("import.broken")).text(strings)
            return strings("import.state.failed", [("reason", reason)])
        case .gone: return strings["import.state.gone"]
        case .interrupted: return strings["import.state.interrupted"]
        case .takenBack: return strings["import.state.taken_back"]
        }
    }

    private func counts(_ strings: Strings) -> [(String, String)] {
        [
            ("added", strings.grouped(result.added)), ("present", strings.grouped(result.present)),
            ("skipped", strings.grouped(result.skipped)),
        ]
    }

    /// How far it is: `2,000 of 5,000`.
    func progressText(_ strings: Strings) -> String? {
        guard progress.total > 0 else { return nil }
        return strings(
            "import.progress",
            [
                ("done", strings.grouped(min(progress.done, progress.total))), ("total", strings.grouped(progress.total)),
            ])
    }
}

extension ImportWarning {
    /// One line in the person's language, with its place.
    func text(_ strings: Strings) -> String {
        let text = reason.text(strings)
        // Of the file as a whole: a sentence of its own.
        if place == 0 { return text.prefix(1).uppercased() + text.dropFirst() }
        return strings("import.place." + kind.rawValue, [("n", strings.grouped(place)), ("reason", text)])
    }
}
