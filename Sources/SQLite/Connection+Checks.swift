// What a connection can tell about its file: versions, soundness, and the state of its log.

import CSQLite

extension Connection {
    /// The schema version that the migrator wrote; 0 in a new file.
    public var userVersion: Int {
        get throws { Int(try scalar("PRAGMA user_version") ?? 0) }
    }

    /// A number that is another whenever a different connection has changed the file.
    public var dataVersion: Int64 {
        get throws { try scalar("PRAGMA data_version") ?? 0 }
    }

    /// Problems of the file, without comparing indexes with tables; empty if it is sound. Damage may also be thrown.
    public func quickCheck() throws -> [String] {
        try problems("PRAGMA quick_check")
    }

    /// Problems of the file, everything compared with everything; empty if it is sound. Damage may also be thrown.
    public func integrityCheck() throws -> [String] {
        try problems("PRAGMA integrity_check")
    }

    /// One line for each row that refers to a row that does not exist; empty if all is well.
    public func foreignKeyCheck() throws -> [String] {
        try rows("PRAGMA foreign_key_check") { row in
            let number: Int64? = try row.intOrNil(1)
            return "\(try row.text(0)) row \(number.map { String($0) } ?? "?") refers to a missing row of \(try row.text(2))"
        }
    }

    /// How thorough a checkpoint is (sqlite3_wal_checkpoint_v2).
    public enum CheckpointMode: Sendable {
        /// As much as can be done without waiting.
        case passive
        /// Waits for writers and readers, then all.
        case full
        /// As full, and the log starts anew.
        case restart
        /// As restart, and the log's file is emptied.
        case truncate
    }

    /// Copies the log into the file. Throws `isBusy` if others did not let it finish in the time to wait.
    public func checkpoint(_ mode: CheckpointMode = .passive) throws(DatabaseError) {
        let value =
            switch mode {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .full: SQLITE_CHECKPOINT_FULL
            case .restart: SQLITE_CHECKPOINT_RESTART
            case .truncate: SQLITE_CHECKPOINT_TRUNCATE
            }
        let connection = try open
        let result = sqlite3_wal_checkpoint_v2(connection, nil, value, nil, nil)
        guard result == SQLITE_OK else { throw DatabaseError(result, on: connection) }
    }

    /// After a commit with so many pages in the log, as much of it as can be is copied into the file; 0: never.
    public func checkpoint(afterPages pages: Int) throws(DatabaseError) {
        try execute(SQL(trusted: "PRAGMA wal_autocheckpoint = \(max(pages, 0))"))
    }

    private func problems(_ pragma: SQL) throws -> [String] {
        var lines: [String] = []
        do {
            try forEach(pragma) { row in
                lines.append(try row.text(0))
                return true
            }
        } catch let error as DatabaseError where error.isCorrupt && !lines.isEmpty {
            // What was found before it could go no further says more.
        }
        return lines == ["ok"] ? [] : lines
    }
}
