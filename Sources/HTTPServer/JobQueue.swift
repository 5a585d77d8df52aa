// The bounded queue between callers and worker threads. Clients take turns, no network takes more than half of the places, and where a
// thread is kept free, one client's long jobs never hold all of them.

/// Jobs that wait for a thread, at most `limit`.
final class JobQueue<Job>: Sendable {
    private struct Entry {
        let job: Job
        let since: UInt64
    }

    /// Whose job each thread runs.
    private struct Running {
        var clients: [Client?]
        /// True where the last free thread is for clients who have none.
        var isOneKept: Bool

        var hasFree: Bool { isOneKept && clients.contains(nil) }

        func mayBegin(_ client: Client) -> Bool {
            !isOneKept || !clients.contains(client) || clients.count(where: { $0 == nil }) > 1
        }
    }

    private struct Contents {
        var waiting = Turns<Entry>()
        var running: Running
        /// For each thread what it is to do besides.
        var errands: [Job?]
        var isClosed = false
        var areThreadsClaimed = false
        var statistics = QueueStatistics()

        mutating func pop() -> (client: Client, job: Job)? {
            let running = running
            guard let (client, entry) = waiting.popFirst(where: { running.mayBegin($0) }) else { return nil }
            statistics.note(entry.since)
            return (client, entry.job)
        }
    }

    private let limit: Int
    private let contents: Monitor<Contents>

    /// - Parameters:
    ///   - limit: how many jobs may wait.
    ///   - threads: how many threads call `next`.
    ///   - isOneKept: true where the last free thread is kept for clients who have none.
    init(limit: Int, threads: Int = 1, isOneKept: Bool = false) {
        self.limit = limit
        let running = Running(clients: Array(repeating: nil, count: threads), isOneKept: isOneKept && threads > 1)
        contents = Monitor(Contents(running: running, errands: Array(repeating: nil, count: threads)))
    }

    /// False where there is no place or the queue is closed. The job crosses to another thread: it must capture only what may.
    func push(_ job: Job, of client: Client = .program, mayWait: Bool = false) -> Bool {
        let (isAccepted, canRun) = contents.withLock { contents in
            let places = client == .program ? limit : max(1, limit / 2)
            guard !contents.isClosed, contents.waiting.count < limit, contents.waiting.count(from: client) < places else {
                contents.statistics.refused += 1
                return (false, false)
            }
            contents.waiting.append(Entry(job: job, since: Clock.monotonic()), of: client, mayWait: mayWait)
            return (true, contents.running.mayBegin(client))
        }
        if canRun { contents.signal() }
        return isAccepted
    }

    /// The next job for a thread (0 and up), which is done with its last one; nil once the queue is closed and empty.
    func next(for thread: Int = 0) -> Job? {
        contents.wait { contents in
            let last = contents.running.clients[thread]
            contents.running.clients[thread] = nil
            if let (client, job) = contents.pop() {
                contents.running.clients[thread] = client
                // The client who has lost a thread by that may now have the one that is kept.
                if client != last, contents.waiting.count > 0, contents.running.hasFree { self.contents.signal() }
                return .some(job)
            }
            if let errand = contents.errands[thread] {
                contents.errands[thread] = nil
                return .some(errand)
            }
            return contents.isClosed ? .some(nil) : nil
        }
    }

    /// Gives a job to each thread that calls `next`, for when nothing waits.
    func pushToEach(_ job: Job) {
        contents.withLock { contents in
            for thread in contents.errands.indices { contents.errands[thread] = job }
        }
        contents.broadcast()
    }

    /// All jobs that wait, at most `maximum`, waiting for the first; nil once the queue is closed and empty.
    func nextBatch(maximum: Int) -> [Job]? {
        contents.wait { contents in
            var batch: [Job] = []
            while batch.count < maximum, let (_, job) = contents.pop() { batch.append(job) }
            if !batch.isEmpty {
                contents.statistics.batches += 1
                return .some(batch)
            }
            return contents.isClosed ? .some(nil) : nil
        }
    }

    func close() {
        contents.withLock { contents in
            contents.isClosed = true
            contents.running.isOneKept = false
        }
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
            statistics.queued = contents.waiting.count
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
