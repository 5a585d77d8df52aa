// Numbers by key for files of any size: the first hundred thousand keys are in memory, the others in a database of its own beside the
// data, which has lost its name already and is gone with the process. What a file needs of memory does not grow with it.

import Glibc
import SQLite

/// Numbers by keys of 128 bits.
final class KeyTable {
    /// As many keys as a dictionary holds in 2.6 MB.
    static let few = 98_304

    private let base: String
    private let few: Int
    private var memory: [TaskID: Int32] = [:]
    private var file: Connection?

    /// - Parameter database: beside which there is a place for what is too much: it can be written even where nothing else can.
    init(beside database: DatabaseFile, few: Int = KeyTable.few) { (base, self.few) = (database.scratch, few) }

    func number(_ key: TaskID) throws -> Int? {
        if let number = memory[key] { return Int(number) }
        return try file?.scalar("SELECT number FROM numbers WHERE key = \(key.bytes)").map { Int($0) }
    }

    func set(_ key: TaskID, _ number: Int) throws {
        if memory[key] != nil || memory.count < few {
            memory[key] = Int32(clamping: number)
        } else {
            let file = try file ?? open()
            self.file = file
            try file.execute("INSERT OR REPLACE INTO numbers VALUES (\(key.bytes), \(number))")
        }
    }

    private func open() throws -> Connection {
        let path = "\(base)-keys-\(getpid())-\(UInt32.random(in: .min ... .max))"
        FileAccess(path).makePrivate()
        defer { for ending in ["", "-wal", "-shm", "-journal"] { unlink(path + ending) } }
        let file = try Connection(path: path, mode: .readWrite, cacheKiB: 4_096)
        // One transaction that never ends: what does not fit into the cache goes to the file, and nothing is ever synced or put back.
        try file.executeScript(
            """
            PRAGMA journal_mode = MEMORY;
            PRAGMA synchronous = OFF;
            PRAGMA locking_mode = EXCLUSIVE;
            CREATE TABLE numbers (key BLOB PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            """)
        try file.begin(.immediate)
        return file
    }
}

/// Identities of records that have none: a digest of what stays the same, and a count, so that two equal ones in one file are two tasks.
final class RunningCount {
    private let counts: KeyTable

    init(_ context: ImportContext) { counts = KeyTable(beside: context.database) }

    /// `prefix:digest:n`.
    func identity(_ prefix: String, _ parts: [String]) throws -> String {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += part.utf8
            bytes.append(0)
        }
        return try identity(prefix, bytes: bytes)
    }

    /// The same of a record as it stands.
    func identity(_ prefix: String, bytes: [UInt8]) throws -> String {
        let digest = Array(SHA256.digest(bytes).prefix(16))
        var count = 1
        if let key = TaskID(bytes: digest) {
            count += try counts.number(key) ?? 0
            try counts.set(key, count)
        }
        let hex = Array("0123456789abcdef".utf8)
        let text = digest.flatMap { [hex[Int($0 >> 4)], hex[Int($0 & 15)]] }
        return "\(prefix):\(String(decoding: text, as: UTF8.self)):\(count)"
    }
}
