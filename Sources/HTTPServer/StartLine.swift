// The line at which threads meet when they start: their starter waits until each has made its state, or has failed to.

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
