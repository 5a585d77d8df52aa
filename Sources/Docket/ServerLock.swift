// One server a file. SQLite would let a second one write too, but the first keeps in memory what it told people last, and would not tell
// their windows of the other's changes. The lock is a file beside the database, locked as long as the server runs and gone with it,
// however it ends; commands do not ask for it. The database itself is locked as well, for a server that knows it by another name. Where
// the file is no more what was opened, nothing may be written to it either.

import Glibc
import SQLite

/// The right to serve a database file.
public final class ServerLock: Sendable {
    private let path: String
    private let descriptor: Int32
    /// The database. Never closed: all of SQLite's own locks of this process would go with it (fcntl(2)). What `flock` holds is of another
    /// kind, which SQLite neither sees nor needs, but not on a network file system, where there is none (-1).
    private let data: Int32

    /// Nil where another server has it.
    private init?(_ path: String, _ data: Int32) throws {
        guard let descriptor = try LockFile.take(path) else { return nil }
        (self.path, self.descriptor, self.data) = (path, descriptor, data)
        let text = "process \(getpid()) on \(Self.hostName())\n"
        ftruncate(descriptor, 0)
        _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
    }

    /// Takes the lock, or waits for the server that has it to stop: the one before us at a restart.
    ///
    /// - Parameters:
    ///   - seconds: how long.
    ///   - waiting: told once, with the line that says who has it.
    /// - Throws: `StartFailure` where it does not stop.
    public static func take(_ file: DatabaseFile, seconds: Int = 10, waiting: (String) -> Void) throws -> ServerLock? {
        if file.isInMemory { return nil }
        try FileAccess(file.path).checkFolder()
        let path = file.path + "-server"
        let access = FileAccess(file.path)
        if !FileAccess.exists(file.path) { access.makePrivate() }
        let data = access.networkFileSystem() == nil ? open(file.path, O_RDONLY | O_CLOEXEC) : -1
        var holder = ""
        for attempt in 0..<max(seconds * 10, 1) {
            if let lock = try ServerLock(path, data) {
                if data < 0 || flock(data, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK { return lock }
                holder = "a server that knows it by another name (a hard link)"
                lock.release()
            } else {
                holder = Self.holder(path)
            }
            if attempt == 0 { waiting("\(file.path) is served by \(holder) already: waiting \(seconds) s for it to stop") }
            usleep(100_000)
        }
        throw StartFailure("\(file.path) is served by \(holder) already: stop that server first, or name another --database")
    }

    /// For a command, before it opens anything: refuses a file that a server serves by another name. What the two write lies in logs of
    /// their own, and one would destroy the other's (sqlite.org/howtocorrupt.html, 2.6).
    ///
    /// - Throws: `StartFailure`.
    public static func checkName(_ file: DatabaseFile) throws {
        guard FileAccess(file.path).hasSecondName else { return }
        let data = open(file.path, O_RDONLY | O_CLOEXEC)
        defer { if data >= 0 { close(data) } }
        guard data >= 0, flock(data, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        let lock = open(file.path + "-server", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        defer { if lock >= 0 { close(lock) } }
        // Held by the server of this very name.
        if lock >= 0, flock(lock, LOCK_SH | LOCK_NB) != 0 { return }
        throw StartFailure("\(file.path) is served by a server that knows it by another name (a hard link): use that name")
    }

    /// Ends it.
    public func release() {
        unlink(path)
        if data >= 0 { flock(data, LOCK_UN) }
    }

    deinit { close(descriptor) }

    private static func holder(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return "another server" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 200)
        let count = max(read(descriptor, &buffer, buffer.count), 0)
        let line = String(decoding: buffer.prefix(count).prefix { $0 >= 0x20 }, as: UTF8.self)
        return line.isEmpty ? "another server" : line
    }

    private static func hostName() -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let result = buffer.withUnsafeMutableBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.map { gethostname($0, bytes.count - 1) }
        }
        return result == 0 ? String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self) : "this machine"
    }
}

/// Which file it was that was opened: one that is moved away or replaced while a server runs would take changes to where nobody finds them.
public struct FileIdentity: Sendable {
    private let path: String
    private let (device, node): (dev_t, ino_t)

    /// Nil for a database in memory.
    public init?(_ file: DatabaseFile) {
        var status = stat()
        guard !file.isInMemory, stat(file.path, &status) == 0 else { return nil }
        (path, device, node) = (file.path, status.st_dev, status.st_ino)
    }

    /// Throws a `DatabaseError` that `isIOError` where there is nothing at the path any more, or something else.
    public func check() throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_dev == device, status.st_ino == node else {
            throw DatabaseError(code: ResultCode(rawValue: 10), message: "the database file was moved, removed or replaced")
        }
    }
}
