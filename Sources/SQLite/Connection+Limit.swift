// A bound on the work of statements, counted in steps of SQLite's machine (sqlite3_progress_handler): the same on a slow machine and a
// fast one, whatever plan a statement has and however the data lie. What goes beyond it ends with `isInterrupted`.

import CSQLite

extension Connection {
    /// Bounds the bytes of a text, a blob or a row (`SQLITE_LIMIT_LENGTH`): what would be longer is an error.
    public func limitLength(_ bytes: Int) { _ = handle.map { sqlite3_limit($0, SQLITE_LIMIT_LENGTH, Int32(clamping: bytes)) } }

    /// Runs a body whose statements may take no more than so many steps together; about ten million are a second.
    ///
    /// - Parameter steps: afterwards, how many are left.
    /// - Throws: what the body throws; `DatabaseError` with `isInterrupted` where the steps are used up. Rows that came before are right.
    public func limited<T>(steps: inout Int, _ body: () throws -> T) throws -> T {
        let every = 1_000
        var left = steps / every
        defer { steps = max(left, 0) * every }
        func goesOn() -> Bool {
            left -= 1
            return left >= 0
        }
        return try watched(every: every, goesOn: goesOn, body)
    }

    /// Asks each so many steps of the statements in a body whether they may go on. Not to be nested; the question may not touch the
    /// connection.
    func watched<T>(every steps: Int, goesOn: () -> Bool, _ body: () throws -> T) throws -> T {
        try withoutActuallyEscaping(goesOn) { goesOn in
            let watch = Watch(goesOn)
            let connection = try open
            // The pointer is good as long as the handler is set, which is not longer than this call, and so is the closure.
            sqlite3_progress_handler(
                connection, Int32(clamping: steps),
                { pointer in
                    guard let pointer else { return 1 }
                    return Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue().goesOn() ? 0 : 1
                },
                Unmanaged.passUnretained(watch).toOpaque())
            defer {
                sqlite3_progress_handler(connection, 0, nil, nil)
                withExtendedLifetime(watch) {}
            }
            return try body()
        }
    }
}

private final class Watch {
    let goesOn: () -> Bool
    init(_ goesOn: @escaping () -> Bool) { self.goesOn = goesOn }
}
