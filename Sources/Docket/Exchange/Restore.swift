// A backup comes back: it is copied, checked and brought to this program's schema first, and only then takes the place of the database,
// which is kept beside it. Refused while anyone has the database open.

import Glibc
import SQLite

/// Puts a backup in the place of the database.
public enum Restore {
    /// - Returns: where the old database is kept, nil where there was none.
    public static func run(_ file: ByteFile, to database: DatabaseFile) throws -> String? {
        guard !database.isInMemory else { throw CommandFailure("a restore needs a database file: --database FILE") }
        let path = database.path
        try FileAccess(path).checkFolder()
        var (old, new) = (stat(), stat())
        if stat(path, &old) == 0, let source = file.path, stat(source, &new) == 0, old.st_dev == new.st_dev,
            old.st_ino == new.st_ino
        {
            throw CommandFailure("\(file.name) is the database itself: name the backup that is to take its place")
        }
        try refuseOpen(path)
        guard try file.start(16).starts(with: "SQLite format 3\0".utf8) else {
            throw CommandFailure("\(file.name) is not a Docket database")
        }
        let copy = try PrivateCopy(of: file, beside: database)
        defer { copy.remove() }
        try check(copy.path, file.name)
        let kept = try setAside(path)
        guard rename(copy.path, path) == 0 else { throw CommandFailure(system: path) }
        FileAccess(path).syncFolder()
        return kept
    }

    /// A server holds a shared lock on the file as long as it has it open (SQLite's lock bytes, sqlite.org/lockingv3.html), damaged or not.
    private static func refuseOpen(_ path: String) throws {
        guard FileAccess.exists(path) else { return }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure(system: path) }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return }
        let who = lock.l_pid > 0 ? " by process \(lock.l_pid)" : ""
        throw CommandFailure(
            "\(path) is in use\(who): stop the server first (docket backup works meanwhile, docket restore can't)")
    }

    private static func check(_ copy: String, _ name: String) throws {
        do {
            let connection = try Connection(path: copy, mode: .readWrite)
            defer { connection.close() }
            if let problem = try connection.integrityCheck().first { throw CommandFailure("\(name) is damaged: \(problem)") }
            let known = try connection.scalar(
                "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('users', 'tasks', 'task_changes')")
            guard known == 3, try connection.userVersion > 0 else {
                throw CommandFailure("\(name) is the database of another program, not of Docket")
            }
            if let problem = try connection.foreignKeyCheck().first { throw CommandFailure("\(name) is damaged: \(problem)") }
            try Schema.migrator.migrate(connection)
            try connection.checkpoint(.truncate)
        } catch let error as DatabaseError {
            throw CommandFailure("\(name) is damaged or not a Docket database: \(error.message)")
        } catch let error as Migrator.Failure {
            throw CommandFailure("\(name): \(error)")
        }
    }

    /// Gives the old file a second name. Its log must not stay beside the new one, whose pages it would overwrite.
    private static func setAside(_ path: String) throws -> String? {
        guard FileAccess.exists(path) else {
            for ending in ["-wal", "-shm"] { unlink(path + ending) }
            return nil
        }
        let stamp = Instant.now().iso8601.utf8.filter { $0 != 0x3A && $0 != 0x2D }
        let base = "\(path).before-restore-\(String(decoding: stamp, as: UTF8.self))"
        // Two in one second must not take each other's.
        var (kept, number) = (base, 1)
        while FileAccess.exists(kept) {
            number += 1
            kept = "\(base)-\(number)"
        }
        // Closing the last connection of a sound file takes its log in.
        if let connection = try? Connection(path: path, mode: .readWrite) { connection.close() }
        for ending in ["-wal", "-shm"] where FileAccess.exists(path + ending) { rename(path + ending, kept + ending) }
        guard link(path, kept) == 0 || rename(path, kept) == 0 else {
            throw CommandFailure(system: kept)
        }
        return kept
    }
}
