// A connection to one database file, and the running of statements on it.
//
// Promise: opened as section 6 of ARCHITECTURE.md says (busy timeout first, WAL, every commit on disk before it returns,
// foreign keys, no double-quoted strings, a defensive and untrusted schema); values cross as bindings; a statement is
// reset and its values are cleared when its call ends, by whatever way.
// It refuses to leave its thread: it is not Sendable, and SQLite is opened without mutexes.

import CSQLite

/// A connection to a database. Belongs to the thread that made it.
public final class Connection {
    /// What a connection may do.
    public enum Mode: Sendable {
        /// Reads and writes; makes the file if there is none.
        case readWriteCreate
        /// Reads and writes a file that exists.
        case readWrite
        /// Reads a file that exists.
        case readOnly
    }

    /// `nil` once closed.
    var handle: OpaquePointer?
    private var cache = StatementCache()
    let patience: Patience
    /// Ends what this connection runs, from another thread.
    public let interrupter: Interrupter

    /// Opens a database, and reads from it once, so that a file that is none is told here and not later.
    ///
    /// - Parameters:
    ///   - path: a file, `:memory:`, or a `file:` URI.
    ///   - mode: what the connection may do. A file that cannot be written is refused where writing is asked for.
    ///   - busyMilliseconds: how long a statement waits for another connection's lock before it throws `isBusy`.
    ///   - cacheKiB: how much of the file may be kept in this connection's memory.
    ///   - mapMebibytes: how much of the file is read by memory map; none by default, as a disk that fails would then
    ///     end the process instead of throwing.
    /// - Throws: `cannotOpen`, `isNotADatabase`, `isCorrupt`, `isReadOnly`, `isBusy`.
    public init(
        path: String, mode: Mode, busyMilliseconds: Int = 5_000, cacheKiB: Int = 8_192, mapMebibytes: Int = 0
    ) throws(DatabaseError) {
        guard !path.utf8.contains(0) else { throw DatabaseError(code: .cannotOpen, message: "the path holds a NUL") }
        let access =
            switch mode {
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readWrite: SQLITE_OPEN_READWRITE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        Self.library
        var opened: OpaquePointer?
        let flags = access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_EXRESCODE
        let result = sqlite3_open_v2(path, &opened, flags, nil)
        guard result == SQLITE_OK, let opened else {
            let error = DatabaseError(result, on: opened)
            sqlite3_close_v2(opened)
            throw error
        }
        handle = opened
        patience = Patience(milliseconds: busyMilliseconds)
        interrupter = Interrupter(opened)
        do {
            try configure(mode, busyMilliseconds: busyMilliseconds, cacheKiB: cacheKiB, mapMebibytes: mapMebibytes)
        } catch {
            close()
            throw error
        }
    }

    deinit {
        close()
    }

    /// Closes the connection; what is open of a transaction is rolled back. A second call does nothing, and every other
    /// call after it throws.
    public func close() {
        guard let open = handle else { return }
        handle = nil
        interrupter.detach()
        cache.removeAll()
        // The v2 form waits for statements that are still in use further up the stack.
        sqlite3_close_v2(open)
    }

    /// Runs one statement to its end; rows that it gives are ignored.
    public func execute(_ sql: SQL) throws(DatabaseError) {
        let statement = try checkOut(sql)
        defer { checkIn(statement) }
        while try statement.step() {}
    }

    /// Every row, as `make` reads it. A row is valid only inside the closure.
    @inlinable
    public func rows<T>(_ sql: SQL, _ make: (Row) throws -> T) throws -> [T] {
        var result: [T] = []
        try forEach(sql) { row in
            result.append(try make(row))
            return true
        }
        return result
    }

    /// The first row, as `make` reads it, or `nil` without rows.
    @inlinable
    public func first<T>(_ sql: SQL, _ make: (Row) throws -> T) throws -> T? {
        var result: T?
        try forEach(sql) { row in
            result = try make(row)
            return false
        }
        return result
    }

    /// Gives rows one by one, without holding more than one, until the end or until `body` answers false.
    /// A statement that writes (RETURNING) is run to its end all the same.
    public func forEach(_ sql: SQL, _ body: (Row) throws -> Bool) throws {
        let statement = try checkOut(sql)
        defer { checkIn(statement) }
        let row = Row(statement: statement.handle)
        while try statement.step() {
            guard try body(row) else { return try statement.finish() }
        }
    }

    /// The first column of the first row: an INTEGER, or `nil` for NULL and for no row.
    public func scalar(_ sql: SQL) throws -> Int64? {
        try first(sql) { row in try row.intOrNil(0) } ?? nil
    }

    /// The plan's lines, as EXPLAIN QUERY PLAN words them, for tests that ask for an index.
    public func explain(_ sql: SQL) throws -> [String] {
        try rows("EXPLAIN QUERY PLAN \(sql)") { row in try row.text(3) }
    }

    /// Rows that the latest INSERT, UPDATE or DELETE changed itself, without triggers.
    public var changes: Int { handle.map { Int(sqlite3_changes64($0)) } ?? 0 }
    /// Rows changed since the connection was opened, triggers included.
    public var totalChanges: Int { handle.map { Int(sqlite3_total_changes64($0)) } ?? 0 }
    /// The row id of the latest INSERT.
    public var lastInsertRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }

    /// What is to be done once the transaction is kept.
    @usableFromInline var afterwards: [() -> Void] = []

    /// The handle while open.
    var open: OpaquePointer {
        get throws(DatabaseError) {
            guard let handle else { throw DatabaseError(code: .misuse, message: "the connection is closed") }
            return handle
        }
    }

    /// Gives back what is kept of the file and is not in use; the next statements read it again.
    public func releaseMemory() { _ = handle.map { sqlite3_db_release_memory($0) } }

    func checkOut(_ sql: SQL) throws(DatabaseError) -> Statement {
        let statement = try cache.checkOut(sql.bytes, on: try open)
        do {
            try statement.bind(sql)
        } catch {
            checkIn(statement)
            throw error
        }
        return statement
    }

    func checkIn(_ statement: Statement) {
        statement.reset()
        statement.isInUse = false
    }
}

/// Values cross threads, connections do not.
@available(*, unavailable)
extension Connection: Sendable {}
