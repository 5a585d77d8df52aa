// One thread that waits for many descriptors (epoll) and runs the tasks that wait for them.
// It is a task executor: a connection's task goes on, on this thread, when its descriptor is ready, so waiting costs no thread hop.
// Fair: what became ready first runs first, each turn looks at the descriptors again, and who wants more steps behind who is fresh. Never call anything that blocks here.

import CLinux
import Glibc

/// What an event loop keeps for each descriptor.
protocol Polled: AnyObject {
    /// The descriptor is ready as epoll's bits say. Called on the loop's thread.
    func ready(_ events: UInt32)
    /// The deadline of the descriptor has come. Called on the loop's thread.
    func deadlinePassed()
}

/// An epoll instance on its own thread.
final class EventLoop: TaskExecutor, @unchecked Sendable {
    // Right to send: everything mutable below is touched by the loop's own thread only, except `inbox`, which has a lock.
    // Before `run` begins, nothing is touched.

    /// Bytes read from a socket stay here until they are parsed: one buffer a loop, none a connection.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 * 1024, alignment: 64)
    /// Nanoseconds, monotonic; read once a turn.
    private(set) var now = Clock.monotonic()

    private enum Item {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Inbox {
        var items: [Item] = []
        /// True while the loop sleeps, or is about to: then the next item wakes it.
        var isLoopAsleep = false
    }

    private let inbox = Monitor(Inbox())
    private let epoll: Int32
    private let wakeup: Int32
    private var thread = pthread_t()
    private var polled: [(any Polled)?] = []
    private var deadlines = DeadlineHeap()
    private var readyJobs: [UnownedJob] = []
    private var runningJobs: [UnownedJob] = []
    private var arrived: [Item] = []
    private var patient = FIFO<UnsafeContinuation<Void, Never>>()
    private var alarm: (() -> Void)?
    private var isEnding = false

    init() throws(SystemError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeup = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        guard epoll >= 0, wakeup >= 0 else { throw SystemError("event loop") }
        // Edge-triggered: each write wakes the loop once, and nobody needs to read the counter.
        var event = epoll_event(events: EPOLLIN.rawValue | EPOLLET.rawValue, data: epoll_data_t(fd: wakeup))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event)
    }

    deinit {
        close(epoll)
        close(wakeup)
        buffer.deallocate()
    }

    // MARK: From any thread

    /// True on the loop's own thread.
    var isCurrent: Bool { pthread_equal(pthread_self(), thread) != 0 }

    /// Swift hands over a piece of a task that prefers this loop.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent { readyJobs.append(job) } else { post(.job(job)) }
    }

    /// Runs `work` on the loop's thread, soon.
    func call(_ work: @escaping @Sendable () -> Void) { post(.call(work)) }

    private func post(_ item: Item) {
        let mustWake = inbox.withLock { inbox in
            inbox.items.append(item)
            defer { inbox.isLoopAsleep = false }
            return inbox.isLoopAsleep
        }
        if mustWake { eventfd_write(wakeup, 1) }
    }

    // MARK: On the loop's thread

    /// For a task that has had its turn and has more to do at once (the next pipelined request, the rest of an upload): who comes
    /// fresh goes first, and only a few of the others have their turn beside them. So ten thousand requests sent without reading an
    /// answer delay nobody else.
    func letOthersGoFirst() async {
        await withUnsafeContinuation { patient.append($0) }
    }

    /// Watches a descriptor until it is closed: edge-triggered for connections, so that it is told once and costs no further call.
    func watch(_ descriptor: Int32, _ events: UInt32, _ watcher: any Polled) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        guard epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else { return false }
        let index = Int(descriptor)
        while polled.count <= index { polled.append(nil) }
        polled[index] = watcher
        return true
    }

    /// Changes what a watched descriptor is watched for.
    func rewatch(_ descriptor: Int32, _ events: UInt32) {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
    }

    /// Forgets a descriptor and closes it. Never from `ready`: other events of the same turn may still name it.
    func unwatchAndClose(_ descriptor: Int32) {
        unwatch(descriptor)
        close(descriptor)
    }

    /// Forgets a descriptor that is to be closed at once.
    func unwatch(_ descriptor: Int32) {
        polled[Int(descriptor)] = nil
        deadlines.set(Int(descriptor), DeadlineHeap.never)
    }

    /// Sets the one deadline of a watched descriptor; `DeadlineHeap.never` takes it away.
    func setDeadline(_ descriptor: Int32, _ moment: UInt64) { deadlines.set(Int(descriptor), moment) }

    /// What is watched for a descriptor.
    func watcher(_ descriptor: Int) -> (any Polled)? { descriptor < polled.count ? polled[descriptor] : nil }

    /// Everything that is watched.
    var watchers: [any Polled] { polled.compactMap { $0 } }

    /// Runs `work` at a moment; there is one alarm, and setting it again replaces it.
    func setAlarm(_ moment: UInt64, _ work: @escaping () -> Void) {
        alarm = work
        // The wake-up descriptor has no deadline of its own.
        deadlines.set(Int(wakeup), moment)
    }

    private func ring() {
        let work = alarm
        alarm = nil
        work?()
    }

    /// Ends `run` after this turn.
    func end() { isEnding = true }

    /// Runs the loop on the calling thread until `end`, once.
    func run() {
        thread = pthread_self()
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while !isEnding {
            runReady()
            wait(&events)
            while let descriptor = deadlines.popExpired(at: now) {
                if descriptor == Int(wakeup) { ring() } else { polled[descriptor]?.deadlinePassed() }
            }
        }
        // What is watched, and what was to be done, knows its owner, who knows the loop.
        alarm = nil
        polled = []
    }

    /// Runs what was ready at the begin of the turn; what becomes ready meanwhile has its turn after the next look at epoll.
    private func runReady() {
        inbox.withLock { swap(&$0.items, &arrived) }
        for item in arrived {
            switch item {
            case .job(let job): readyJobs.append(job)
            case .call(let work): work()
            }
        }
        arrived.removeAll(keepingCapacity: true)
        swap(&readyJobs, &runningJobs)
        for job in runningJobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        runningJobs.removeAll(keepingCapacity: true)
        for _ in 0..<16 { patient.popFirst()?.resume() }
    }

    private func wait(_ events: inout [epoll_event]) {
        let mayBlock =
            readyJobs.isEmpty && !isEnding
            && inbox.withLock { inbox in
                inbox.isLoopAsleep = inbox.items.isEmpty
                return inbox.isLoopAsleep
            }
        let count = epoll_wait(epoll, &events, Int32(events.count), mayBlock ? millisecondsToNextDeadline() : 0)
        now = Clock.monotonic()
        if mayBlock { inbox.withLock { $0.isLoopAsleep = false } }
        guard count > 0 else { return }
        for event in events[..<Int(count)] {
            let descriptor = event.data.fd
            if descriptor != wakeup { polled[Int(descriptor)]?.ready(event.events) }
        }
    }

    /// Rounded up, so that a deadline is never found a moment too early; -1 where there is none.
    private func millisecondsToNextDeadline() -> Int32 {
        let next = deadlines.next
        guard next != DeadlineHeap.never else { return -1 }
        guard next > now else { return 0 }
        return Int32(min((next - now + 999_999) / 1_000_000, 3_600_000))
    }
}
