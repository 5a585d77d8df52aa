// Things of which each may be used by one thread at a time, lent for a moment: connections to a database for what is too short to be worth
// another thread. Nobody waits for one.

/// A few spare things.
public final class Spares<Value: AnyObject>: @unchecked Sendable {
    // Right to send: a thing is out of `free` while a thread uses it, and the lock orders one user after the other.
    // Without the type, so that the lock and the array are compiled for what they hold.
    private let free = Monitor<[AnyObject]>([])

    /// Makes them.
    public init(count: Int, _ make: () throws -> Value) rethrows {
        for _ in 0..<count {
            let value = try make()
            free.withLock { $0.append(value) }
        }
    }

    /// Lets go of them: from now on nothing is lent.
    public func removeAll() { free.withLock { $0 = [] } }

    /// Lends one to `body`; nil where all are lent, or `body` says so.
    public func lend<Result>(_ body: (Value) -> Result?) -> Result? {
        guard let value = free.withLock({ $0.popLast() }) else { return nil }
        defer { free.withLock { $0.append(value) } }
        return body(unsafeDowncast(value, to: Value.self))
    }
}
