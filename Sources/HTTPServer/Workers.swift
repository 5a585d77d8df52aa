// Real threads for work that may block: SQLite, password hashing. Each thread makes its own state once and keeps it for life,
// so the state need not be Sendable. One bounded queue, in which clients take turns. Refuses (Overloaded) rather than letting it grow.

import Glibc

/// No place in the queue: the caller answers `503` with Retry-After.
public struct Overloaded: Error, Equatable, Sendable {
    /// Makes the error.
    public init() {}
}

/// What a pool of workers tells about itself.
public struct QueueStatistics: Sendable, Equatable {
    /// Jobs that wait at this moment.
    public var queued = 0
    /// Jobs that a thread has begun, since the start.
    public var begun = 0
    /// Jobs refused because the queue was full.
    public var refused = 0
    /// Nanoseconds that the jobs so far have waited in the queue, summed.
    public var waitedNanoseconds: UInt64 = 0
    /// For a `BatchWorker`: batches begun, so that `begun / batches` is the mean batch.
    public var batches = 0
}

/// A fixed number of threads, each with a state of its own.
public final class Workers<State: AnyObject>: Sendable {
    // A job gets its state without the type, so that the queue is compiled for the jobs that it holds and not for any: otherwise a page
    // costs a fifth more. Right because only this pool's threads run its jobs, and hand over nothing else.
    private let queue: JobQueue<(AnyObject) -> Void>
    private let threads: [NativeThread]

    /// Starts the threads and waits until each has made its state.
    ///
    /// - Parameters:
    ///   - count: how many threads.
    ///   - queueLimit: how many jobs may wait.
    ///   - isOneKept: true where the last free thread is kept for clients who have none.
    ///   - name: at most 15 bytes, for `top -H`.
    ///   - makeState: called once on each thread.
    /// - Throws: the first error of `makeState`.
    public init(
        count: Int, queueLimit: Int, isOneKept: Bool = false, name: String = "worker",
        makeState: @escaping @Sendable () throws -> State
    ) throws {
        let queue = JobQueue<(AnyObject) -> Void>(limit: queueLimit, threads: count, isOneKept: isOneKept)
        let start = StartLine(count)
        self.queue = queue
        threads = (0..<count).map { thread in
            NativeThread(named: name) {
                guard let state = start.arrive(with: makeState) else { return }
                while let job = queue.next(for: thread) { job(state) }
            }
        }
        if let failure = start.wait() {
            stop()
            throw failure
        }
    }

    /// Runs `body` on one of the threads and returns its value to the caller's own thread or executor.
    ///
    /// Costs about 5 µs when a thread is free. What `mayWait` goes behind what came later from the same client and may not.
    public func run<Value: Sendable>(
        for client: Client = .program, mayWait: Bool = false, _ body: @escaping @Sendable (State) -> Value
    ) async throws(Overloaded) -> Value {
        let value: Value? = await withUnsafeContinuation { continuation in
            // Each path resumes once: the thread's, or the refusal.
            let accepted = queue.push(
                { continuation.resume(returning: body(unsafeDowncast($0, to: State.self))) }, of: client, mayWait: mayWait)
            if !accepted { continuation.resume(returning: nil) }
        }
        guard let value else { throw Overloaded() }
        return value
    }

    /// Runs `body` once on each thread, when nothing waits for it.
    public func onEach(_ body: @escaping @Sendable (State) -> Void) {
        queue.pushToEach { body(unsafeDowncast($0, to: State.self)) }
    }

    /// Counters at this moment.
    public var statistics: QueueStatistics { queue.statistics }

    /// Takes no more jobs, does those that wait, and ends the threads. Blocks meanwhile.
    public func stop() {
        queue.close()
        for thread in queue.claimThreads(threads) { thread.join() }
    }
}
