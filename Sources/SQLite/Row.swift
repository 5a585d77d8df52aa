// One row of a result, read by column number in the order of the statement's column list.
//
// A row is a window on the statement, not a copy: it is valid only inside the closure that it is given to, and only
// until that closure returns. Reading is strict: a value of another storage class than the one asked for throws, and is
// never converted. (It is a plain struct because lending a ~Copyable value to a closure crashed the release optimizer.)

import CSQLite

/// The row at which a statement stands. Valid only inside the closure that receives it.
public struct Row {
    /// The statement; alive and stepped to a row for as long as the closure runs, as `Connection` steps it.
    let statement: OpaquePointer

    /// SQLite's storage classes.
    public enum StorageClass: Sendable {
        /// A signed integer.
        case integer
        /// A double.
        case real
        /// Text.
        case text
        /// Bytes.
        case blob
        /// NULL.
        case null
    }

    /// How many columns the row has.
    public var count: Int { Int(sqlite3_data_count(statement)) }

    /// What is really stored, for files whose columns do not keep their promise.
    public func storageClass(_ column: Int) -> StorageClass {
        switch type(column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    /// True if the column is NULL.
    public func isNull(_ column: Int) -> Bool { type(column) == SQLITE_NULL }

    /// An INTEGER.
    public func int(_ column: Int) throws(DatabaseError) -> Int64 {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_INTEGER else { throw mismatch(column, "INTEGER") }
        return sqlite3_value_int64(value)
    }

    /// An INTEGER in the type that the context wants; one that does not fit throws.
    @inlinable
    public func int<I: FixedWidthInteger>(_ column: Int) throws(DatabaseError) -> I {
        let value: Int64 = try int(column)
        guard let result = I(exactly: value) else { throw outOfRange(column) }
        return result
    }

    /// An INTEGER, or `nil` for NULL.
    public func intOrNil(_ column: Int) throws(DatabaseError) -> Int64? {
        let value = value(column)
        if sqlite3_value_type(value) == SQLITE_INTEGER { return sqlite3_value_int64(value) }
        return try isAbsent(column) ? nil : try int(column)
    }

    /// An INTEGER in the type that the context wants, or `nil` for NULL; one that does not fit throws.
    @inlinable
    public func intOrNil<I: FixedWidthInteger>(_ column: Int) throws(DatabaseError) -> I? {
        let value: Int64? = try intOrNil(column)
        guard let value else { return nil }
        guard let result = I(exactly: value) else { throw outOfRange(column) }
        return result
    }

    /// An INTEGER that is 0 or 1.
    public func bool(_ column: Int) throws(DatabaseError) -> Bool {
        let value: Int64 = try int(column)
        guard value == 0 || value == 1 else { throw mismatch(column, "0 or 1") }
        return value == 1
    }

    /// A REAL.
    public func double(_ column: Int) throws(DatabaseError) -> Double {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_FLOAT else { throw mismatch(column, "REAL") }
        return sqlite3_value_double(value)
    }

    /// A REAL, or `nil` for NULL.
    public func doubleOrNil(_ column: Int) throws(DatabaseError) -> Double? {
        try isAbsent(column) ? nil : try double(column)
    }

    /// A TEXT; bytes that are not UTF-8 throw, and are never replaced.
    public func text(_ column: Int) throws(DatabaseError) -> String {
        let bytes = try utf8(column)
        // `String(validating:as:)` says the same, but goes through generic code byte by byte.
        guard let valid = try? UTF8Span(validating: bytes.span) else { throw mismatch(column, "UTF-8") }
        return String(copying: valid)
    }

    /// A TEXT, or `nil` for NULL.
    public func textOrNil(_ column: Int) throws(DatabaseError) -> String? {
        try isAbsent(column) ? nil : try text(column)
    }

    /// A BLOB.
    public func bytes(_ column: Int) throws(DatabaseError) -> [UInt8] {
        [UInt8](try blob(column))
    }

    /// Lends the bytes of a BLOB without a copy; they are valid only inside `body`.
    @inlinable
    public func withBytes<R>(_ column: Int, _ body: (UnsafeRawBufferPointer) throws -> R) throws -> R {
        try body(try blob(column))
    }

    /// A BLOB, or `nil` for NULL.
    public func bytesOrNil(_ column: Int) throws(DatabaseError) -> [UInt8]? {
        try isAbsent(column) ? nil : try bytes(column)
    }

    /// Lends the bytes of a TEXT without a copy and unchecked; they are valid only inside `body`.
    @inlinable
    public func withUTF8<R>(_ column: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) throws -> R {
        try body(try utf8(column))
    }

    /// The bytes of a TEXT, owned by the statement until it is stepped or reset, which no closure outlives.
    @usableFromInline
    func utf8(_ column: Int) throws(DatabaseError) -> UnsafeBufferPointer<UInt8> {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_TEXT else { throw mismatch(column, "TEXT") }
        // The order matters: sqlite3_value_text may convert, and only then is the length that of UTF-8.
        guard let start = sqlite3_value_text(value) else { throw DatabaseError(SQLITE_NOMEM, on: nil, sql: sql) }
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// The bytes of a BLOB, owned as those of a TEXT are.
    @usableFromInline
    func blob(_ column: Int) throws(DatabaseError) -> UnsafeRawBufferPointer {
        let value = value(column)
        guard sqlite3_value_type(value) == SQLITE_BLOB else { throw mismatch(column, "BLOB") }
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }

    /// The value itself, looked up once; a column that does not exist gives NULL, also where its number is too large for C. SQLite calls it
    /// unprotected, which makes no difference where connections have no locks of their own (sqlite.org/c3ref/value.html).
    private func value(_ column: Int) -> OpaquePointer? { sqlite3_column_value(statement, Int32(clamping: column)) }

    private func type(_ column: Int) -> Int32 { sqlite3_value_type(value(column)) }

    /// True for NULL; a column that does not exist throws, which SQLite would call NULL.
    private func isAbsent(_ column: Int) throws(DatabaseError) -> Bool {
        guard type(column) == SQLITE_NULL else { return false }
        guard column >= 0, column < count else { throw mismatch(column, "a value or NULL") }
        return true
    }

    private var sql: String { sqlite3_sql(statement).map { String(cString: $0) } ?? "" }

    private func mismatch(_ column: Int, _ wanted: String) -> DatabaseError {
        guard column >= 0, column < count else {
            return DatabaseError(code: .range, message: "column \(column) does not exist: the row has \(count)", sql: sql)
        }
        return DatabaseError(
            code: .mismatch, message: "column \(column) is \(storageClass(column)), wanted \(wanted)", sql: sql)
    }

    @usableFromInline
    func outOfRange(_ column: Int) -> DatabaseError {
        DatabaseError(code: .mismatch, message: "column \(column) holds an integer that does not fit", sql: sql)
    }
}
