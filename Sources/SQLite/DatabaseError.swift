// Every failure of this module: SQLite's result code, its message and the statement, never the bound values,
// so that an error may be logged whole without telling what a person wrote.
// (One exception is SQLite's own: FTS5 quotes a malformed MATCH expression, so those are built, not typed.)

import CSQLite

/// A result code of SQLite, extended: the low byte is the primary code.
public struct ResultCode: RawRepresentable, Hashable, Sendable {
    /// The extended code.
    public let rawValue: Int32

    /// Wraps a code.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The code without its extension, such as 5 for every kind of busy.
    public var primary: Int32 { rawValue & 0xff }

    static let error = ResultCode(rawValue: SQLITE_ERROR)
    static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
    static let mismatch = ResultCode(rawValue: SQLITE_MISMATCH)
    static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
    static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
    static let range = ResultCode(rawValue: SQLITE_RANGE)
}

/// A statement or an opening that failed.
public struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Which rule of the schema a change would break.
    public enum Constraint: Sendable {
        /// UNIQUE, or a row id that exists.
        case unique
        /// PRIMARY KEY.
        case primaryKey
        /// A reference to a row that does not exist, or from a row that would lose it.
        case foreignKey
        /// CHECK.
        case check
        /// NOT NULL.
        case notNull
        /// The column type of a STRICT table.
        case dataType
        /// A trigger's RAISE, or a rule that has no code of its own.
        case other
    }

    /// The extended result code.
    public let code: ResultCode
    /// SQLite's or this module's words.
    public let message: String
    /// The statement without its bound values; empty where no statement is to blame.
    public let sql: String

    /// An error with everything that is known about it.
    public init(code: ResultCode, message: String, sql: String = "") {
        self.code = code
        self.message = message
        self.sql = sql
    }

    /// What SQLite says about the latest call on a connection.
    init(_ result: Int32, on connection: OpaquePointer?, sql: String = "") {
        let described = connection.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
        self.init(
            code: ResultCode(rawValue: result),
            message: described.map { String(cString: $0) } ?? "unknown error",
            sql: sql)
    }

    /// For the log: code, message, statement.
    public var description: String {
        sql.isEmpty ? "SQLite \(code.rawValue): \(message)" : "SQLite \(code.rawValue): \(message), in: \(sql)"
    }

    /// Another connection holds the lock, and the time to wait for it is over.
    public var isBusy: Bool { code.primary == SQLITE_BUSY || code.primary == SQLITE_LOCKED }
    /// No room: the disk, or `max_page_count`.
    public var isFull: Bool { code.primary == SQLITE_FULL }
    /// The file, its folder or the connection cannot be written.
    public var isReadOnly: Bool { code.primary == SQLITE_READONLY }
    /// The file is damaged.
    public var isCorrupt: Bool { code.primary == SQLITE_CORRUPT }
    /// The file is something else than a database.
    public var isNotADatabase: Bool { code.primary == SQLITE_NOTADB }
    /// The operating system failed to read or write.
    public var isIOError: Bool { code.primary == SQLITE_IOERR }
    /// The file, or one that belongs to it, cannot be opened.
    public var cannotOpen: Bool { code.primary == SQLITE_CANTOPEN }
    /// Ended by an `Interrupter`.
    public var isInterrupted: Bool { code.primary == SQLITE_INTERRUPT }
    /// A rule of the schema refused the change.
    public var isConstraint: Bool { code.primary == SQLITE_CONSTRAINT }
    /// A value has another type than the one asked for.
    public var isMismatch: Bool { code.primary == SQLITE_MISMATCH }

    /// Which rule of the schema refused the change; `nil` for every other error.
    public var constraint: Constraint? {
        guard isConstraint else { return nil }
        switch code.rawValue >> 8 {
        case 1: return .check
        case 3: return .foreignKey
        case 5: return .notNull
        case 6: return .primaryKey
        case 8, 10: return .unique
        case 12: return .dataType
        default: return .other
        }
    }
}
