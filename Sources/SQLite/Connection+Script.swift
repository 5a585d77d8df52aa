// Several statements in one text, for migrations and fixtures. An error names the one that failed, not the whole script.

import CSQLite

extension Connection {
    /// Runs the statements of a script, one after the other, without values.
    public func executeScript(_ script: StaticString) throws(DatabaseError) {
        try executeScript(script.description)
    }

    /// Runs the statements of a script, one after the other, without values. What came before one that fails stays done:
    /// a transaction around it is the caller's.
    /// The text is SQL: it is for migrations and fixtures, and never made of what a person typed.
    public func executeScript(_ script: String) throws(DatabaseError) {
        let connection = try open
        guard !script.utf8.contains(0) else { throw DatabaseError(code: .misuse, message: "the script holds a NUL") }
        // The NUL at the end lets an error quote what is left of the script.
        let problem = script.withCString { start -> DatabaseError? in
            var rest = start
            while rest.pointee != 0 {
                if let problem = Self.runFirst(of: &rest, on: connection) { return problem }
            }
            return nil
        }
        if let problem { throw problem }
    }

    /// Runs the first statement of what is left and moves past it; space and comments are a statement that does nothing.
    private static func runFirst(of rest: inout UnsafePointer<CChar>, on connection: OpaquePointer) -> DatabaseError? {
        var statement: OpaquePointer?
        var tail: UnsafePointer<CChar>?
        defer { sqlite3_finalize(statement) }
        let prepared = sqlite3_prepare_v3(connection, rest, -1, 0, &statement, &tail)
        guard prepared == SQLITE_OK, let tail else {
            return DatabaseError(prepared, on: connection, sql: String(String(cString: rest).prefix(500)))
        }
        rest = tail
        guard let statement else { return nil }
        while true {
            let result = sqlite3_step(statement)
            if result == SQLITE_DONE { return nil }
            guard result == SQLITE_ROW else {
                return DatabaseError(result, on: connection, sql: sqlite3_sql(statement).map { String(cString: $0) } ?? "")
            }
        }
    }
}
