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
        let target = DatabaseFile.plain(target)
        try check(target, database)
        let partial = target + ".partial"
        let descriptor = try begin(partial, target)
        // At the end: closing it takes SQLite's own locks of the file away (sqlite.org/howtocorrupt.html, section 2.2).
        defer { close(descriptor) }
        var isDone = false
        defer { if !isDone { remove(partial) } }
        try database.told {
            try database.reading { source in
                do {
                    try source.backup(to: partial) { try progress($1 - $0, $1) }
                } catch let error as DatabaseError where error.isFull || error.isIOError {
                    throw CommandFailure(
                        "\(target): \(error.isFull ? "no room left on the disk" : error.message); nothing was kept",
                        isStorageFull: error.isFull)
                }
            }
        }
        try verify(partial)
        guard fsync(descriptor) == 0 else { throw CommandFailure(system: target) }
        try rotate(target, keep: keep)
        guard rename(partial, target) == 0 else { throw CommandFailure(system: target) }
        isDone = true
        FileAccess(target).syncFolder()
    }

    /// Makes an empty file for its owner's eyes: it will hold everybody's tasks and password hashes. One that a backup which was killed has
    /// left is taken over; one that is being written is not.
    private static func begin(_ partial: String, _ target: String) throws -> Int32 {
        let descriptor = open(partial, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw CommandFailure(system: "\(target) can't be made") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw CommandFailure("\(target) is being made by another backup")
        }
        // The one before us may just have given the file that we have locked its name.
        var (ours, there) = (stat(), stat())
        guard fstat(descriptor, &ours) == 0, stat(partial, &there) == 0, ours.st_ino == there.st_ino else {
            close(descriptor)
            throw CommandFailure("\(target) has just been made by another backup")
        }
        remove(partial, but: "")
        guard ftruncate(descriptor, 0) == 0, fchmod(descriptor, 0o600) == 0 else {
            close(descriptor)
            throw CommandFailure(system: "\(target) can't be made")
        }
        return descriptor
    }

    private static func remove(_ partial: String, but kept: String? = nil) {
        for ending in ["", "-journal", "-wal", "-shm"] where ending != kept { unlink(partial + ending) }
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
            guard rename(from, to) == 0 else { throw CommandFailure(system: to) }
        }
        var surplus = keep
        while unlink("\(target).\(surplus)") == 0 { surplus += 1 }
    }
}
