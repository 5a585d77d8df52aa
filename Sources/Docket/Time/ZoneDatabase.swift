// The zoneinfo folder: finds a zone by name, reads it once and keeps it. The folder can be any, so that tests and images bring their own.
// A name is letters, digits, `_`, `-`, `+` between slashes and nothing else, so that no name leads out of the folder.
// A name that the folder no longer has is tried under its other name (US/Pacific, Europe/Kiev); UTC needs no file.

import Glibc
import Synchronization

/// Why a zone cannot be had.
enum ZoneError: Error, Hashable {
    /// Not a name of a zone at all.
    case invalidName
    /// A name, but the folder holds no such zone under it or its other name.
    case unknown(String)
    /// There is a file, but it is not a zoneinfo file.
    case damaged(String)
}

/// A folder of zoneinfo files.
final class ZoneDatabase: Sendable {
    static let system = ZoneDatabase(folder: "/usr/share/zoneinfo")

    let folder: String
    private let cache = Mutex<[String: Zone]>(["UTC": .utc])
    private let listed = Mutex<[String]?>(nil)

    init(folder: String) {
        self.folder = folder
    }

    /// The zone of this name, read at most once.
    func zone(named name: String) throws(ZoneError) -> Zone {
        if let known = cache.withLock({ $0[name] }) { return known }
        guard Self.isZoneName(name) else { throw .invalidName }
        // Reading happens outside the lock: two threads may read the same file, and both get the same value.
        let zone = try read(name)
        cache.withLock { $0[name] = zone }
        return zone
    }

    /// The zone that a person's row names, or UTC when this machine has lost it: a page must be shown all the same.
    func zoneOrUTC(named name: String) -> Zone {
        (try? zone(named: name)) ?? .utc
    }

    /// The zones to choose from, sorted, listed once: one for each place that the database's own table names, and UTC.
    /// Without that table every file that looks like a zone. With no files at all it is UTC alone, which a start-up check tells.
    func names() -> [String] {
        if let known = listed.withLock({ $0 }) { return known }
        let names = list()
        listed.withLock { $0 = names }
        return names
    }

    private func list() -> [String] {
        var names: Set<String> = []
        for table in ["zone.tab", "zone1970.tab"] where names.isEmpty {
            for line in (Self.contents(of: folder + "/" + table) ?? []).split(separator: 0x0A) where line.first != 0x23 {
                let columns = line.split(separator: 0x09, omittingEmptySubsequences: false)
                guard columns.count >= 3, let name = String(validating: columns[2], as: UTF8.self) else { continue }
                names.insert(name)
            }
        }
        if names.isEmpty { names = walk("") }
        names = names.filter { Self.isZoneName($0) && Self.size(of: folder + "/" + $0) != nil }
        return names.union(["UTC"]).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    static func isZoneName(_ name: String) -> Bool {
        guard (1...64).contains(name.utf8.count), !["localtime", "posixrules", "Factory"].contains(name) else { return false }
        let parts = name.utf8.split(separator: 0x2F, omittingEmptySubsequences: false)
        guard let first = parts.first, !first.elementsEqual("posix".utf8), !first.elementsEqual("right".utf8) else {
            return false
        }
        return parts.allSatisfy { part in
            !part.isEmpty
                && part.allSatisfy {
                    switch $0 {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x5F: true
                    default: false
                    }
                }
        }
    }

    private func read(_ name: String) throws(ZoneError) -> Zone {
        if let bytes = Self.contents(of: folder + "/" + name) {
            guard let file = ZoneFile(bytes) else { throw .damaged(name) }
            return Zone(name: name, file: file)
        }
        if ZoneAliases.utc.contains(name) { return Zone(name: name, file: ZoneFile(fixedOffset: 0)) }
        for other in ZoneAliases.others(of: name) {
            if let bytes = Self.contents(of: folder + "/" + other), let file = ZoneFile(bytes) {
                return Zone(name: name, file: file)
            }
        }
        throw .unknown(name)
    }

    private func walk(_ path: String) -> Set<String> {
        guard let directory = opendir(folder + "/" + path) else { return [] }
        defer { closedir(directory) }
        var names: Set<String> = []
        while let entry = readdir(directory) {
            // The name is a NUL-terminated field of the entry, valid until the next readdir.
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(validating: $0.prefix { $0 != 0 }, as: UTF8.self) }
            guard let name, Self.isZoneName(path + name) else { continue }
            // Real areas are one or two folders deep; a link that leads back into the folder must not be followed for ever.
            if Self.isFolder(folder + "/" + path + name), path.utf8.count(where: { $0 == 0x2F }) < 2 {
                names.formUnion(walk(path + name + "/"))
            } else if Self.contents(of: folder + "/" + path + name)?.prefix(4).elementsEqual("TZif".utf8) == true {
                names.insert(path + name)
            }
        }
        return names
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The size of a regular file; nil for anything else.
    private static func size(of path: String) -> Int? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// The bytes of a small regular file; nil if it is none. Real files have less than 10 kB, tables less than 40.
    private static func contents(of path: String) -> [UInt8]? {
        guard let size = size(of: path), size <= 1 << 18 else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
            // read fills only what the buffer holds, and only the bytes that it filled count as initialized.
            while count < size {
                let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, size - count)
                if got < 0, errno == EINTR { continue }
                if got <= 0 { break }
                count += got
            }
            initialized = count
        }
        return count == size ? bytes : nil
    }
}
