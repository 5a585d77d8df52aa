// What every connection is told before its first statement, in the order that matters: the busy timeout before anything
// that takes a lock, the defences before anything that reads the schema, WAL before anything that writes.

import CSQLite
import Synchronization

extension Connection {
    func configure(
        _ mode: Mode, busyMilliseconds: Int, cacheKiB: Int, mapMebibytes: Int
    ) throws(DatabaseError) {
        let connection = try open
        if busyMilliseconds > 0 { wait(connection) }
        let switches: [(Int32, Int32)] = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1),
            (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            (SQLITE_DBCONFIG_DQS_DML, 0),
            (SQLITE_DBCONFIG_DQS_DDL, 0),
            (SQLITE_DBCONFIG_ENABLE_FKEY, 1),
        ]
        for (option, value) in switches {
            let result = csqlite_configure(connection, option, value)
            guard result == SQLITE_OK else { throw DatabaseError(result, on: connection) }
        }
        try execute(SQL(trusted: "PRAGMA cache_size = -\(max(cacheKiB, 64))"))
        try execute(SQL(trusted: "PRAGMA mmap_size = \(max(mapMebibytes, 0) << 20)"))
        // The first read of the file: what is damaged or no database is told here.
        try execute("PRAGMA schema_version")
        guard mode != .readOnly else { return }
        guard sqlite3_db_readonly(connection, "main") == 0 else {
            throw DatabaseError(code: .readOnly, message: "the database file cannot be written")
        }
        try useWriteAheadLog(busyMilliseconds: busyMilliseconds)
        try execute("PRAGMA synchronous = FULL")
        // After a large import the log shrinks to this at the next checkpoint.
        try execute(SQL(trusted: "PRAGMA journal_size_limit = \(64 << 20)"))
    }

    /// What the library is told once in the life of the process: whoever touches it first, before SQLite is called, makes that so.
    static let library: Void = csqlite_begin()

    private static let isFolderSet = Atomic(false)

    /// Where SQLite keeps what a large change would have to bring back, and what a sort has no room for: files without a name, so that memory
    /// does not grow with the data. For the whole process: the first folder counts. One that is gone or can't be written is passed over for
    /// `/tmp` and the like (sqlite.org/tempfiles.html, 5).
    public static func keepTemporaryFiles(in folder: String) {
        guard !isFolderSet.exchange(true, ordering: .acquiringAndReleasing) else { return }
        library
        csqlite_keep_temporary_files(folder)
    }

    /// Lets statements wait for the locks of others. SQLite's own way of waiting looks again ten times a second in the end, and a program
    /// that writes one change after the other would be faster each time.
    private func wait(_ connection: OpaquePointer) {
        // The pointer is good as long as the connection, which holds what it leads to and alone makes such calls.
        sqlite3_busy_handler(
            connection,
            { pointer, looked in
                guard let pointer else { return 0 }
                let patience = Unmanaged<Patience>.fromOpaque(pointer).takeUnretainedValue()
                guard patience.lasts(isFirst: looked == 0) else { return 0 }
                sqlite3_sleep(2)
                return 1
            }, Unmanaged.passUnretained(patience).toOpaque())
    }

    /// Going over to WAL wants the file for itself, and SQLite does not wait for that by itself: two programs that open
    /// a new file at once would meet SQLITE_BUSY.
    private func useWriteAheadLog(busyMilliseconds: Int) throws(DatabaseError) {
        let pause = 10
        var waited = 0
        while true {
            do throws(DatabaseError) {
                let journal = try journalMode("PRAGMA journal_mode = WAL")
                // A database in memory has no log.
                guard journal == "wal" || journal == "memory" else {
                    throw DatabaseError(code: .cannotOpen, message: "no write-ahead log on this file system: \(journal)")
                }
                return
            } catch {
                guard error.isBusy, waited < busyMilliseconds else { throw error }
                sqlite3_sleep(Int32(pause))
                waited += pause
            }
        }
    }

    private func journalMode(_ pragma: SQL) throws(DatabaseError) -> String {
        let statement = try checkOut(pragma)
        defer { checkIn(statement) }
        guard try statement.step() else { return "" }
        return try Row(statement: statement.handle).text(0)
    }
}

/// How long a statement waits for the locks of others.
final class Patience {
    private let bound: Duration
    private var end = ContinuousClock.now

    init(milliseconds: Int) { bound = .milliseconds(milliseconds) }

    fileprivate func lasts(isFirst: Bool) -> Bool {
        if isFirst { end = .now + bound }
        return .now < end
    }
}
