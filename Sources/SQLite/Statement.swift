// A prepared statement with its values: prepare, bind, step, reset. Owned by one connection's cache or by one call.

import CSQLite

/// One `sqlite3_stmt`. Never leaves its connection's thread.
final class Statement {
    let handle: OpaquePointer
    private let connection: OpaquePointer
    /// True between check-out and check-in: it is being stepped, and may not be used a second time.
    var isInUse = false
    /// When the cache last gave it out, in calls.
    var lastUse = 0

    /// Prepares `text`, which must be exactly one statement.
    init(_ text: [UInt8], on connection: OpaquePointer, persistent: Bool) throws(DatabaseError) {
        var prepared: OpaquePointer?
        var problem: DatabaseError?
        text.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, csqlite_contains_nul(base, UInt(bytes.count)) == 0 else {
                problem = DatabaseError(code: .misuse, message: "the statement is empty or holds a NUL")
                return
            }
            base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { start in
                let flags = persistent ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
                var tail: UnsafePointer<CChar>?
                let result = sqlite3_prepare_v3(connection, start, Int32(clamping: bytes.count), flags, &prepared, &tail)
                guard result == SQLITE_OK else {
                    problem = DatabaseError(result, on: connection)
                    return
                }
                // What is left may be space and comments, which prepare to nothing.
                guard let tail, start + bytes.count > tail else { return }
                var second: OpaquePointer?
                let left = Int32(clamping: start + bytes.count - tail)
                if sqlite3_prepare_v3(connection, tail, left, 0, &second, nil) != SQLITE_OK || second != nil {
                    problem = DatabaseError(code: .misuse, message: "more than one statement")
                    sqlite3_finalize(second)
                }
            }
        }
        if let problem {
            sqlite3_finalize(prepared)
            throw DatabaseError(code: problem.code, message: problem.message, sql: String(decoding: text, as: UTF8.self))
        }
        guard let prepared else {
            throw DatabaseError(code: .misuse, message: "no statement", sql: String(decoding: text, as: UTF8.self))
        }
        handle = prepared
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds every value; too few or too many is an error, as is a NUL in text.
    func bind(_ sql: SQL) throws(DatabaseError) {
        guard Int(sqlite3_bind_parameter_count(handle)) == sql.bindings.count else {
            throw DatabaseError(code: .range, message: "as many values as ? are wanted", sql: sql.text)
        }
        var index: Int32 = 0
        for binding in sql.bindings {
            index += 1
            let result = bind(binding, at: index)
            guard result == SQLITE_OK else {
                if result == SQLITE_MISMATCH {
                    throw DatabaseError(code: .mismatch, message: "value \(index) is text with a NUL inside", sql: sql.text)
                }
                throw DatabaseError(result, on: connection, sql: sql.text)
            }
        }
    }

    private func bind(_ binding: Binding, at index: Int32) -> Int32 {
        switch binding {
        case .null: return sqlite3_bind_null(handle, index)
        case .int(let value): return sqlite3_bind_int64(handle, index, value)
        case .double(let value): return sqlite3_bind_double(handle, index, value)
        case .text(var value):
            return value.withUTF8 { bytes in
                // An empty string may have no address, and SQLite would take that for NULL.
                guard let base = bytes.baseAddress, !bytes.isEmpty else { return csqlite_bind_text(handle, index, "", 0) }
                guard csqlite_contains_nul(base, UInt(bytes.count)) == 0 else { return SQLITE_MISMATCH }
                return csqlite_bind_text(handle, index, base, UInt64(bytes.count))
            }
        case .blob(let value):
            guard !value.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return value.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, UInt64($0.count)) }
        }
    }

    /// One step: true at a row, false at the end.
    func step() throws(DatabaseError) -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        if result == SQLITE_DONE { return false }
        let sql = sqlite3_sql(handle).map { String(cString: $0) } ?? ""
        throw DatabaseError(result, on: connection, sql: sql)
    }

    /// Steps a statement that writes to its end: stopping at a row of RETURNING would commit in the reset, whose
    /// failure nobody would hear of. One that only reads is simply left.
    func finish() throws(DatabaseError) {
        guard sqlite3_stmt_readonly(handle) == 0 else { return }
        while try step() {}
    }

    /// Ready for the next use; holds no lock and no value of the last one.
    func reset() {
        sqlite3_reset(handle)
        if sqlite3_bind_parameter_count(handle) > 0 { sqlite3_clear_bindings(handle) }
    }
}
