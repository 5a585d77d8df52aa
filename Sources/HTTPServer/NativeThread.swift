// A POSIX thread that runs one closure. Blocking is legal on it, unlike on the threads of Swift's own pool.

import CLinux
import Glibc

/// A running thread, to be joined or detached once.
struct NativeThread: Sendable {
    private let handle: pthread_t

    /// Starts a thread; `name` (at most 15 bytes) is what `top -H` and `perf` show.
    init(named name: String, _ body: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(Box(name, body))
        var handle = pthread_t()
        let failure = pthread_create(
            &handle, nil,
            { context in
                guard let context else { return nil }
                let box = Unmanaged<Box>.fromOpaque(context).takeRetainedValue()
                CLinux_name_thread(box.name)
                box.body()
                return nil
            }, box.toOpaque())
        // Only at start-up, before any input: without its threads the program cannot be.
        precondition(failure == 0, "the system refuses a thread")
        self.handle = handle
    }

    /// Waits until the closure has returned.
    func join() { pthread_join(handle, nil) }

    /// Lets the thread end by itself: nobody will join it.
    func detach() { pthread_detach(handle) }

    private final class Box: Sendable {
        let name: String
        let body: @Sendable () -> Void
        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
