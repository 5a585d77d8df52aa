// Whether what people change can be kept, and what they kept be read: after a commit that failed `/healthz` says so until one succeeds,
// and after damage that a page has met, until the end of the process.

import SQLite
import Synchronization

/// How the last commit ended.
public final class DiskState: Sendable {
    private struct State {
        var trouble: String?
        var failures = 0
        var isDamaged = false
        /// The writer's count of changes at its last commit: a commit that changed nothing proves nothing.
        var changes = 0
        var lookedAt: Instant?
    }

    private let state = Mutex(State())

    init() {}

    /// A commit has succeeded; `changes` is the connection's count of changes.
    public func succeeded(changes: Int) {
        state.withLock { state in
            if state.changes != changes { state.trouble = nil }
            state.changes = changes
        }
    }

    /// A change has been written for no other reason than to see whether that works again.
    public func recovered() { state.withLock { $0.trouble = nil } }

    /// A transaction could not begin or commit.
    public func failed(_ error: any Error, changes: Int) {
        let reason = Self.reason(error)
        state.withLock { state in
            state.failures += 1
            state.changes = changes
            state.trouble = reason ?? state.trouble
        }
    }

    /// Reads something of the file, by `read`, but once a second at most: whoever asks more often hears how that went.
    func look(at now: Instant, _ read: () throws -> Void) rethrows {
        let isFresh = state.withLock { state in
            state.lookedAt.map { (0..<1_000).contains(now.milliseconds - $0.milliseconds) } ?? false
        }
        if isFresh { return }
        try read()
        state.withLock { $0.lookedAt = now }
    }

    /// A page has met a damaged place of the file. It does not heal: only a backup does.
    public func damaged() { state.withLock { $0.isDamaged = true } }

    /// One line, nil while all is well.
    public var trouble: String? { state.withLock { $0.isDamaged ? damage : $0.trouble } }

    /// True after a commit that failed, until one succeeds.
    public var mayRecover: Bool { state.withLock { $0.trouble != nil } }

    /// Commits that failed since the start.
    public var failures: Int { state.withLock { $0.failures } }

    /// In words that name no path; nil for what would pass by itself.
    private static func reason(_ error: any Error) -> String? {
        guard let error = error as? DatabaseError else { return nil }
        if error.isBusy { return "another program holds the database" }
        if error.isFull { return "no room left on the disk" }
        if error.isCorrupt { return damage }
        if error.isReadOnly || error.cannotOpen { return "the database can't be written" }
        if error.isIOError { return "the disk or its file system fails" }
        return nil
    }
}

/// In words that name no path.
private let damage = "the database is damaged: docket check says where, docket restore puts a backup in its place"
