// Ends a running statement from another thread, at shutdown: the one thing of a connection that may cross threads.

import CSQLite
import Synchronization

/// A handle that interrupts its connection's statement, which then throws `isInterrupted`.
/// After the connection is closed it does nothing.
public final class Interrupter: Sendable {
    /// The lock holds off the close while sqlite3_interrupt, which is made for being called on another thread, runs.
    private let connection: Mutex<UInt>

    init(_ connection: OpaquePointer) {
        self.connection = Mutex(UInt(bitPattern: connection))
    }

    /// Interrupts what runs now; a statement begun later is not touched.
    public func interrupt() {
        connection.withLock { address in
            guard let open = OpaquePointer(bitPattern: address) else { return }
            sqlite3_interrupt(open)
        }
    }

    func detach() {
        connection.withLock { $0 = 0 }
    }
}
