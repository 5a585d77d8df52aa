// How far long work is, for a person who looks on: one line that writes over itself, on a terminal only. In a pipe nothing is written.

import Docket
import Glibc

/// A line of progress on standard error.
struct Progress {
    private let what: String
    private let unit: String
    private let isWatched = Terminal.isWatched
    private let started = Progress.milliseconds()
    private var shown = 0

    init(_ what: String, unit: String) {
        self.what = what
        self.unit = unit
    }

    /// Shows a state, ten times a second at most.
    mutating func show(_ done: Int, of total: Int) {
        let now = Self.milliseconds()
        guard isWatched, now - shown >= 100 else { return }
        shown = now
        let rate = done * 1_000 / max(now - started, 1)
        let share = total > 0 ? " \(min(done * 100 / total, 100)) %," : ""
        Terminal.show("\r\(what):\(share) \(done) \(unit), \(rate)/s \u{1B}[K")
    }

    /// Shows what is being done, where nobody knows how long it takes.
    mutating func show(_ part: String) {
        guard isWatched else { return }
        shown = Self.milliseconds()
        Terminal.show("\r\(what): \(part) \u{1B}[K")
    }

    /// Removes the line.
    func end() {
        if isWatched, shown > 0 { Terminal.show("\r\u{1B}[K") }
    }

    private static func milliseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
    }
}
