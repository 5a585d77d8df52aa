// Whether this process may read and write a database file and its folder, told in words that an operator can act on, and on what kind
// of file system it lies. SQLite itself would only say that it cannot open the file.

import Glibc
public import SQLite

/// A path whose folder is to hold the database and its log.
public struct FileAccess: Sendable {
    private let path: String
    let folder: String

    /// - Parameter path: the database file, there or not.
    public init(_ path: String) {
        self.path = path
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        folder = slash.map { String(path[..<$0]) + ($0 == path.startIndex ? "/" : "") } ?? "."
    }

    /// True where there is something at the path.
    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Throws `StartFailure` with path, owner, wanted owner and the command that mends it.
    public func check() throws {
        try checkFolder()
        var status = stat()
        // The log and its index belong to the database: a command that root once ran may have left its own.
        for name in [path, path + "-wal", path + "-shm"] where Self.exists(name) {
            guard stat(name, &status) == 0 else { throw StartFailure("\(name): \(Self.message())") }
            guard status.st_mode & S_IFMT == S_IFREG else { throw StartFailure("\(name) is not a file") }
            guard access(name, R_OK | W_OK) == 0 else { throw refusal(name, name, status) }
        }
    }

    /// The same for the folder alone.
    func checkFolder() throws {
        var status = stat()
        guard stat(folder, &status) == 0 else {
            let mend = errno == ENOENT ? "; mkdir -p \(folder) makes it" : ""
            throw StartFailure("the folder \(folder) of the database: \(Self.message())\(mend)")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw StartFailure("\(folder) is not a folder") }
        guard access(folder, W_OK | X_OK) == 0 else { throw refusal("the folder \(folder)", folder, status) }
    }

    /// True where the same file is also reached by another name (sqlite.org/howtocorrupt.html, 2.6).
    public var hasSecondName: Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_nlink > 1
    }

    /// Makes an empty file that only its owner may read, where there is none: SQLite takes it as a new database, and gives its log
    /// the same rights.
    func makePrivate() {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor >= 0 { close(descriptor) }
    }

    /// Makes a rename in the folder last.
    func syncFolder() {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Bytes that are free for us on the file system, and that the database takes.
    func room() -> (free: Int, taken: Int)? {
        var system = statvfs()
        guard statvfs(folder, &system) == 0 else { return nil }
        var taken = 0
        var status = stat()
        for name in [path, path + "-wal"] where stat(name, &status) == 0 { taken += Int(status.st_size) }
        return (Int(system.f_bavail) * Int(system.f_frsize), taken)
    }

    /// Why SQLite may have rolled a transaction back by itself: the disk is full, or it fails.
    public var lostTransaction: DatabaseError {
        let isFull = room().map { $0.free < 1 << 20 } ?? false
        return DatabaseError(code: ResultCode(rawValue: isFull ? 13 : 10), message: "SQLite has rolled the transaction back")
    }

    private func refusal(_ what: String, _ name: String, _ status: stat) -> StartFailure {
        let reason = errno
        if reason == EROFS { return StartFailure("\(what) lies on a file system that is mounted read-only") }
        let (user, group) = (geteuid(), getegid())
        guard status.st_uid != user else {
            return StartFailure("\(what) belongs to user \(user), as Docket does, but can't be written: chmod u+rwX \(name)")
        }
        return StartFailure(
            "\(what) belongs to user \(status.st_uid), Docket runs as user \(user) and can't write it: chown -R \(user):\(group) \(folder)"
        )
    }

    private static func message() -> String { String(cString: strerror(errno)) }

    /// The kind of network file system that the folder lies on (`nfs4`, `cifs`, `fuse.sshfs`), nil for a local one.
    ///
    /// Their locks and syncs are not to be relied on, and memory that two machines map is not shared.
    public func networkFileSystem() -> String? {
        var status = stat()
        guard stat(folder, &status) == 0 else { return nil }
        let device = UInt64(status.st_dev)
        let major = (device >> 8 & 0xFFF) | (device >> 32 & ~0xFFF)
        let minor = (device & 0xFF) | (device >> 12 & ~0xFF)
        return Self.fileSystem(ofDevice: "\(major):\(minor)", mounts: Self.mounts())
    }

    /// Looks a device up in the lines of `/proc/self/mountinfo` (proc(5)): the third field is the device, the one behind ` - ` the kind.
    static func fileSystem(ofDevice device: String, mounts: [UInt8]) -> String? {
        let network = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "ncpfs", "lustre"]
        for line in mounts.split(separator: UInt8(ascii: "\n")) {
            let words = line.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
            guard words.count > 4, words[2] == device, let dash = words.firstIndex(of: "-"), dash + 1 < words.count else {
                continue
            }
            let kind = words[dash + 1]
            if network.contains(kind) || kind.hasPrefix("fuse.") && kind != "fuse.overlayfs" && kind != "fuse.fuse-overlayfs" {
                return kind
            }
        }
        return nil
    }

    private static func mounts() -> [UInt8] {
        let file = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else { return all }
            all += buffer[..<count]
        }
    }
}
