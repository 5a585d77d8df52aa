// Numbers by key for files of any size: the first hundred thousand keys are in memory, the others in a temporary table, for which SQLite
// has a file without a name beside the data. What a file needs of memory does not grow with it.

import SQLite

/// Numbers by keys of 128 bits.
final class KeyTable {
    /// As many keys as a dictionary holds in 2.6 MB.
    static let few = 98_304

    private let few: Int
    private var memory: [TaskID: Int32] = [:]
    private var file: Connection?

    init(few: Int = KeyTable.few) { self.few = few }

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
        let file = try Connection(path: ":memory:", mode: .readWriteCreate)
        // One transaction that never ends: what does not fit into the cache goes to the file, and nothing is ever put back.
        try file.executeScript(
            """
            PRAGMA temp_store = FILE;
            PRAGMA temp.cache_size = -4096;
            BEGIN;
            CREATE TEMP TABLE numbers (key BLOB PRIMARY KEY, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;
            """)
        return file
    }
}

/// Identities of records that have none: a digest of what stays the same, and a count, so that two equal ones in one file are two tasks.
final class RunningCount {
    private let counts = KeyTable()

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
