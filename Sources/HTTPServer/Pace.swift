// How long a peer may keep us waiting: a fixed patience, which grows with every byte that it takes or gives.
// So a peer at the minimum rate is never cut, one that stands still is cut after the patience, and so is a trickle.

/// The patience with one transfer.
struct Pace {
    private let rate: UInt64
    private var left: UInt64
    private var since: UInt64 = 0

    /// `rate` in bytes a second.
    init(patience: Duration, rate: Int) {
        left = patience.nanoseconds
        self.rate = UInt64(max(1, rate))
    }

    /// Begins to wait; returns when patience ends.
    mutating func wait(from now: UInt64) -> UInt64 {
        since = now
        return now &+ left
    }

    /// The wait is over, with this many bytes gained since the last one.
    mutating func gained(_ bytes: Int, at now: UInt64) {
        let waited = since == 0 ? 0 : now &- since
        since = 0
        left = left > waited ? left - waited : 0
        left += UInt64(bytes) &* 1_000_000_000 / rate
    }
}
