// A copy of the database while it is in use.
//
// Promise: one consistent state, that of the moment of the call, in one pass: a read transaction holds the snapshot, so
// writers neither wait nor make the copy start again (for its time the log grows instead). The finished copy is one file
// on the disk, synced, without a log beside it. If it throws, the file at `path` is not a backup.

import CSQLite

extension Connection {
    /// Copies the whole database to the file at `path`, replacing what a database there holds.
    ///
    /// - Parameters:
    ///   - path: a file of its own, preferably one that does not exist.
    ///   - pagesPerStep: how many pages are copied between two calls of `progress`; all at once if not positive.
    ///   - progress: pages that remain, and all; what it throws ends the backup.
    /// - Throws: `DatabaseError`, or what `progress` throws.
    public func backup(
        to path: String, pagesPerStep: Int = 1_000, progress: (_ remaining: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws {
        guard !isInTransaction else {
            throw DatabaseError(code: .misuse, message: "a backup is not made inside of a transaction")
        }
        guard !path.utf8.contains(0) else { throw DatabaseError(code: .cannotOpen, message: "the path holds a NUL") }
        var target: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let opened = sqlite3_open_v2(path, &target, flags, nil)
        defer { sqlite3_close_v2(target) }
        guard opened == SQLITE_OK, let target else { throw DatabaseError(opened, on: target) }
        // EXTRA syncs the folder too, after the journal is gone.
        try run("PRAGMA synchronous = EXTRA", on: target)

        try transaction(.deferred) {
            // The snapshot begins with the first read.
            _ = try scalar("SELECT count(*) FROM sqlite_schema")
            try copy(to: target, pagesPerStep: pagesPerStep, progress: progress)
        }
        // The copy says WAL in its header, as the original does; plain, it can be read in a folder that is read-only.
        try run("PRAGMA journal_mode = DELETE", on: target)
    }

    private func copy(to target: OpaquePointer, pagesPerStep: Int, progress: (Int, Int) throws -> Void) throws {
        guard let backup = sqlite3_backup_init(target, "main", try open, "main") else {
            throw DatabaseError(sqlite3_extended_errcode(target), on: target)
        }
        var failure: (any Error)?
        var result = SQLITE_OK
        repeat {
            result = sqlite3_backup_step(backup, pagesPerStep > 0 ? Int32(clamping: pagesPerStep) : -1)
            guard result == SQLITE_OK || result == SQLITE_DONE else { break }
            do {
                try progress(Int(sqlite3_backup_remaining(backup)), Int(sqlite3_backup_pagecount(backup)))
            } catch {
                failure = error
            }
        } while result == SQLITE_OK && failure == nil
        let finished = sqlite3_backup_finish(backup)
        if let failure { throw failure }
        guard result == SQLITE_DONE, finished == SQLITE_OK else {
            throw DatabaseError(finished == SQLITE_OK ? result : finished, on: target)
        }
    }

    private func run(_ pragma: StaticString, on target: OpaquePointer) throws(DatabaseError) {
        let result = sqlite3_exec(target, pragma.description, nil, nil, nil)
        guard result == SQLITE_OK else { throw DatabaseError(result, on: target, sql: pragma.description) }
    }
}
