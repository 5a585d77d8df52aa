// The bounded queue between callers and worker threads, and the line at which threads meet when they start.

/// Jobs in order of arrival, at most `limit` waiting; those that may wait go behind the others, but for every eighth.
final class JobQueue<Job>: Sendable {
    private struct Entry {
        let job: Job
        let since: UInt64
    }

    private struct Contents {
        var entries = FIFO<Entry>()
        var followers = FIFO<Entry>()
        var turn = 0
        var isClosed = false
        var areThreadsClaimed = false
        var statistics = QueueStatistics()

        var count: Int { entries.count + followers.count }

        mutating func pop() -> Entry? {
            turn &+= 1
            // Even under a flood of others nobody waits for ever.
            if turn & 7 == 0, let entry = followers.popFirst() { return entry }
            return entries.popFirst() ?? followers.popFirst()
        }
    }

    private let limit: Int
    private let contents = Monitor(Contents())

    init(limit: Int) { self.limit = limit }

    /// False where the queue is full or closed. The job crosses to another thread: it must capture only what may.
    func push(_ job: Job, mayWait: Bool = false) -> Bool {
        let accepted = contents.withLock { contents in
            guard !contents.isClosed, contents.count < limit else {
                contents.statistics.refused += 1
                return false
            }
            let entry = Entry(job: job, since: Clock.monotonic())
            if mayWait { contents.followers.append(entry) } else { contents.entries.append(entry) }
            return true
        }
        if accepted { contents.signal() }
        return accepted
    }

    /// The next job, waiting for one; nil once the queue is closed and empty.
    func next() -> Job? {
        contents.wait { contents in
            if let entry = contents.pop() {
                contents.statistics.note(entry.since)
                return .some(entry.job)
            }
            return contents.isClosed ? .some(nil) : nil
        }
    }

    /// All jobs that wait, at most `maximum`, waiting for the first; nil once the queue is closed and empty.
    func nextBatch(maximum: Int) -> [Job]? {
        contents.wait { contents in
            var batch: [Job] = []
            while batch.count < maximum, let entry = contents.pop() {
                contents.statistics.note(entry.since)
                batch.append(entry.job)
            }
            if !batch.isEmpty {
                contents.statistics.batches += 1
                return .some(batch)
            }
            return contents.isClosed ? .some(nil) : nil
        }
    }

    func close() {
        contents.withLock { $0.isClosed = true }
        contents.broadcast()
    }

    /// The threads to be joined: the first time all, then none, so that `stop` may be called twice.
    func claimThreads(_ threads: [NativeThread]) -> [NativeThread] {
        contents.withLock { contents in
            defer { contents.areThreadsClaimed = true }
            return contents.areThreadsClaimed ? [] : threads
        }
    }

    var statistics: QueueStatistics {
        contents.withLock { contents in
            var statistics = contents.statistics
            statistics.queued = contents.count
            return statistics
        }
    }
}

extension QueueStatistics {
    fileprivate mutating func note(_ since: UInt64) {
        begun += 1
        waitedNanoseconds &+= Clock.monotonic() &- since
    }
}

/// Lets the starter of some threads wait until each has made its state, and hear of the first failure.
final class StartLine: Sendable {
    private struct Contents {
        var missing: Int
        var failure: (any Error)?
    }

    private let contents: Monitor<Contents>

    init(_ count: Int) { contents = Monitor(Contents(missing: count)) }

    /// Called by each thread once; nil where making the state failed.
    func arrive<State>(with makeState: () throws -> State) -> State? {
        defer { contents.signal() }
        do {
            let state = try makeState()
            contents.withLock { $0.missing -= 1 }
            return state
        } catch {
            contents.withLock { contents in
                contents.missing -= 1
                contents.failure = contents.failure ?? error
            }
            return nil
        }
    }

    /// Waits for all; returns the first failure.
    func wait() -> (any Error)? {
        contents.wait { contents in contents.missing == 0 ? .some(contents.failure) : nil }
    }
}
