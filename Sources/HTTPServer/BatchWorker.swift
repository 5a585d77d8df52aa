// One thread that does all jobs that have gathered as one batch: begin, each job, commit, and only then do the callers hear of it.
// With SQLite this is group commit: one transaction and one sync to disk for many changes.
// When begin or commit fails, every job of the batch fails with that error: nobody is told of a change that is not kept.

/// A change that waits for its batch.
private struct BatchJob {
    /// Does the work and keeps its outcome; the closure that it returns tells the caller, or tells it of a later failure.
    let perform: (AnyObject) -> ((any Error)?) -> Void
    /// Tells the caller that the batch never began.
    let refuse: (any Error) -> Void
}

/// A thread that commits in batches.
public final class BatchWorker<State: AnyObject>: Sendable {
    private let queue: JobQueue<BatchJob>
    private let thread: NativeThread

    /// Starts the thread and waits until it has made its state.
    ///
    /// - Parameters:
    ///   - queueLimit: how many jobs may wait.
    ///   - maximumBatch: how many jobs a batch holds at most.
    ///   - name: at most 15 bytes, for `top -H`.
    ///   - makeState: called once, on the thread.
    ///   - begin: called before the jobs of a batch.
    ///   - commit: called after them. When it throws it must leave the state ready for the next `begin` (roll back).
    /// - Throws: the error of `makeState`.
    public init(
        queueLimit: Int, maximumBatch: Int = 256, name: String = "writer",
        makeState: @escaping @Sendable () throws -> State,
        begin: @escaping @Sendable (State) throws -> Void,
        commit: @escaping @Sendable (State) throws -> Void
    ) throws {
        let queue = JobQueue<BatchJob>(limit: queueLimit)
        let start = StartLine(1)
        self.queue = queue
        thread = NativeThread(named: name) {
            guard let state = start.arrive(with: makeState) else { return }
            while let batch = queue.nextBatch(maximum: maximumBatch) {
                Self.run(batch, state, { try begin(state) }, { try commit(state) })
            }
        }
        if let failure = start.wait() {
            stop()
            throw failure
        }
    }

    private static func run(
        _ batch: [BatchJob], _ state: State, _ begin: () throws -> Void, _ commit: () throws -> Void
    ) {
        do { try begin() } catch {
            for job in batch { job.refuse(error) }
            return
        }
        let tellings = batch.map { $0.perform(state) }
        var failure: (any Error)?
        do { try commit() } catch { failure = error }
        for tell in tellings { tell(failure) }
    }

    /// Runs `body` in the next batch and returns its value once that is committed.
    ///
    /// Throws what `body` threw (the rest of the batch is not touched by that), the error of `begin` or `commit`, or `Overloaded`.
    public func run<Value: Sendable>(
        for client: Client = .program, _ body: @escaping @Sendable (State) throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Value, any Error>) in
            push(client, body) { continuation.resume(with: $0) }
        }
    }

    /// The same for a caller that is a worker thread itself: blocks it. Never call it from an event loop.
    public func runBlocking<Value: Sendable>(_ body: @escaping @Sendable (State) throws -> Value) throws -> Value {
        let outcome = Monitor<Result<Value, any Error>?>(nil)
        push(.program, body) { result in
            outcome.withLock { $0 = result }
            outcome.signal()
        }
        return try outcome.wait { $0 }.get()
    }

    /// Calls `tell` once, on the thread or at once for a refusal.
    private func push<Value: Sendable>(
        _ client: Client, _ body: @escaping @Sendable (State) throws -> Value,
        _ tell: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        let job = BatchJob(
            perform: { state in
                // Right because this thread runs its queue's jobs alone, and hands over nothing but its state.
                let result = Result { try body(unsafeDowncast(state, to: State.self)) }
                return { failure in tell(failure.map { .failure($0) } ?? result) }
            },
            refuse: { tell(.failure($0)) })
        if !queue.push(job, of: client) { tell(.failure(Overloaded())) }
    }

    /// Counters at this moment.
    public var statistics: QueueStatistics { queue.statistics }

    /// Takes no more jobs, does those that wait, and ends the thread. Blocks meanwhile.
    public func stop() {
        queue.close()
        for thread in queue.claimThreads([thread]) { thread.join() }
    }
}
