// The one file of all data: opening it, bringing its schema up to date, and telling in one line why that can't be: what is wrong, with
// which file, and what mends it.

import Glibc
public import SQLite

/// Opens connections to the database of a configuration.
public struct DatabaseFile: Sendable {
    /// The path, or the name of a database in memory that all connections of this process share.
    public let path: String
    /// True for a trial run whose data ends with the process.
    public let isInMemory: Bool

    /// - Parameter path: a file, or `:memory:`.
    public init(_ path: String) {
        isInMemory = path == ":memory:"
        if isInMemory {
            self.path = "file:docket-\(UInt64.random(in: 0...UInt64.max))?mode=memory&cache=shared"
        } else {
            self.path = Self.resolved(Self.plain(path))
            // Where there is room for the database, and in an image whose root is read-only the one place to write.
            Connection.keepTemporaryFiles(in: FileAccess(self.path).folder)
        }
    }

    /// What begins with `file:` would be a URI for SQLite, and another file than the one whose lock is taken, or that is named to a person.
    static func plain(_ path: String) -> String { path.hasPrefix("file:") ? "./" + path : path }

    /// How names of files that lie beside it for a while begin.
    var scratch: String { isInMemory ? "/tmp/docket" : path }

    /// Behind symbolic links: what lies beside a database, its log and locks, has one name, by whatever name it is called.
    private static func resolved(_ path: String, depth: Int = 0) -> String {
        // A name that is no link stays as it was said.
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        if let real = realpath(path, nil) {
            defer { free(real) }
            return String(cString: real)
        }
        // It leads to what is still to be made; where it leads in a circle the opening tells.
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBytes { bytes in
            bytes.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, bytes.count) } ?? -1
        }
        guard count > 0, depth < 40 else { return path }
        let name = String(decoding: target.prefix(count), as: UTF8.self)
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return resolved(name.utf8.first == UInt8(ascii: "/") ? name : folder + name, depth: depth + 1)
    }

    /// Opens for writing, made where it is missing, and migrated. A file with data is copied beside itself before it is changed.
    ///
    /// - Parameter cacheKiB: how much of the file may be kept in memory.
    /// - Throws: `StartFailure` with one line that says what is wrong and what mends it.
    public func openMigrated(cacheKiB: Int = 8_192) throws -> Connection {
        try told {
            if !isInMemory {
                try FileAccess(path).check()
                // Looked at before it is opened for writing, which alone would change a stranger's file (to a write-ahead log).
                if FileAccess.exists(path) { try refuseForeign(try openForReading()) } else { FileAccess(path).makePrivate() }
            }
            let connection = try Connection(path: path, mode: .readWriteCreate, cacheKiB: cacheKiB)
            try Schema.migrator.migrate(connection) { from, to in
                guard from > 0, !isInMemory else { return }
                let copy = "\(path).before-version-\(to)"
                // An upgrade that was cut off has made it already, of the version before all of it: that one stays.
                if FileAccess.exists(copy), let made = try? Connection(path: copy, mode: .readOnly),
                    let version = try? made.userVersion, (1..<from).contains(version)
                {
                    return
                }
                try connection.backup(to: copy, pagesPerStep: 1_000) { _, _ in }
            }
            return connection
        }
    }

    /// Opens a file that must be there already, for writing, migrated: what most commands do.
    ///
    /// - Throws: `StartFailure`.
    public func openExisting(cacheKiB: Int = 8_192) throws -> Connection {
        guard !isInMemory, FileAccess.exists(path) else {
            throw StartFailure("there is no database at \(isInMemory ? ":memory:" : path): name it with --database FILE")
        }
        return try openMigrated(cacheKiB: cacheKiB)
    }

    /// Opens for reading only. A database in memory is opened as it is: its pages are shared with the writer's connection.
    ///
    /// - Parameter waits: false where a lock is not to be waited for.
    public func openForReading(waits: Bool = true) throws -> Connection {
        try Connection(path: path, mode: isInMemory ? .readWrite : .readOnly, busyMilliseconds: waits ? 5_000 : 0)
    }

    /// Runs a body with a connection that only reads, and leaves no log beside the file that was not there before.
    ///
    /// - Parameter knowsRules: true where the CHECKs of the schema are wanted, which SQLite does not read where it may not write.
    func reading<Result>(knowsRules: Bool = false, _ body: (Connection) throws -> Result) throws -> Result {
        let logs = [path + "-wal", path + "-shm"]
        let wasOpen = logs.contains(where: FileAccess.exists)
        defer {
            // Whoever closes last takes the log away, but only one that may write.
            if !wasOpen, logs.contains(where: FileAccess.exists), let last = try? Connection(path: path, mode: .readWrite) {
                last.close()
            }
        }
        // The header says whether it has a write-ahead log already (sqlite.org/fileformat.html, 1.3): opening must not change that.
        let hasLog = knowsRules && (try? ByteFile(path).start(19).last) == 2
        let connection = try hasLog ? (try? Connection(path: path, mode: .readWrite)) ?? openForReading() : openForReading()
        defer { connection.close() }
        return try body(connection)
    }

    /// Runs a body, and tells what SQLite throws in it in one line.
    public func told<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw StartFailure(Self.explain(error, path))
        } catch let error as Migrator.Failure {
            throw StartFailure("\(path): \(error)")
        }
    }

    /// An SQLite database with tables of another program is left alone.
    private func refuseForeign(_ connection: Connection) throws {
        defer { connection.close() }
        guard try connection.userVersion == 0 else { return }
        guard try connection.scalar("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw StartFailure("\(path) is the database of another program, not of Docket")
        }
    }

    /// What an error of SQLite means for the person who runs Docket.
    public static func explain(_ error: DatabaseError, _ path: String) -> String {
        if error.isNotADatabase { return "\(path) is not a Docket database" }
        if error.isCorrupt { return "\(path) is damaged: restore a backup (docket restore FILE)" }
        if error.isBusy { return "\(path) is locked by another program: nothing was changed, try again" }
        if error.isFull { return "no room left on the disk for \(path)" }
        if error.isReadOnly || error.cannotOpen { return "\(path) can't be written: \(error.message)" }
        if error.isIOError { return "\(path) can't be read or written, the disk or its file system fails: \(error.message)" }
        return "\(path): \(error.message)"
    }
}
