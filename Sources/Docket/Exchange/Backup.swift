// A backup: one consistent file, made while the server goes on, verified before it has its name. Older ones move up: FILE, FILE.1, FILE.2.

import Glibc
import SQLite

/// Makes backups.
public enum Backup {
    /// Copies the database to `target`, which has its name only when it is whole and sound.
    ///
    /// - Parameters:
    ///   - keep: how many files there may be in all; 1: the one before is replaced.
    ///   - progress: pages copied, and all; what it throws ends the backup.
    public static func make(
        of database: DatabaseFile, to target: String, keep: Int = 1, progress: (Int, Int) throws -> Void = { _, _ in }
    ) throws {
        try check(target, database)
        let partial = "\(target).partial-\(getpid())"
        // It holds everybody's tasks and password hashes: for its owner's eyes.
        let made = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard made >= 0 else { throw CommandFailure("\(target) can't be made: \(String(cString: strerror(errno)))") }
        close(made)
        defer { for ending in ["", "-journal", "-wal", "-shm"] { unlink(partial + ending) } }
        try database.told {
            let source = try database.openForReading()
            defer { source.close() }
            do {
                try source.backup(to: partial) { try progress($1 - $0, $1) }
            } catch let error as DatabaseError where error.isFull || error.isIOError {
                throw CommandFailure("\(target): \(error.isFull ? "no room left on the disk" : error.message); nothing was kept")
            }
        }
        try verify(partial)
        try rotate(target, keep: keep)
        guard rename(partial, target) == 0 else { throw CommandFailure("\(target): \(String(cString: strerror(errno)))") }
        FileAccess(target).syncFolder()
    }

    /// A file that is something else than a database is never replaced, and the database itself neither.
    private static func check(_ target: String, _ database: DatabaseFile) throws {
        var (old, ours) = (stat(), stat())
        guard FileAccess.exists(database.path) else { throw CommandFailure("there is no database at \(database.path)") }
        guard stat(target, &old) == 0 else { return }
        guard old.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure("\(target) is not a file: name the file of the backup")
        }
        if stat(database.path, &ours) == 0, old.st_dev == ours.st_dev, old.st_ino == ours.st_ino {
            throw CommandFailure("\(target) is the database itself")
        }
        guard try old.st_size == 0 || ByteFile(target).start(16).starts(with: "SQLite format 3\0".utf8) else {
            throw CommandFailure("\(target) is something else than a backup: it is not replaced")
        }
    }

    private static func verify(_ path: String) throws {
        do {
            let copy = try Connection(path: path, mode: .readOnly)
            defer { copy.close() }
            if let problem = try copy.quickCheck().first {
                throw CommandFailure("the database is damaged, no backup was made: \(problem)")
            }
        } catch let error as DatabaseError {
            throw CommandFailure("the database is damaged, no backup was made: \(error.message)")
        }
    }

    private static func rotate(_ target: String, keep: Int) throws {
        guard keep > 1 else { return }
        for number in stride(from: keep - 1, through: 1, by: -1) {
            let (from, to) = (number == 1 ? target : "\(target).\(number - 1)", "\(target).\(number)")
            guard FileAccess.exists(from) else { continue }
            guard rename(from, to) == 0 else { throw CommandFailure("\(to): \(String(cString: strerror(errno)))") }
        }
        var surplus = keep
        while unlink("\(target).\(surplus)") == 0 { surplus += 1 }
    }
}
