// What a server does with its database before it listens: says what is doubtful about its place, takes away imports that were cut off.

import Docket
import SQLite

enum AtStart {
    static func tidy(_ file: DatabaseFile, _ threads: Threads) throws {
        guard !file.isInMemory else { return }
        if let kind = FileAccess(file.path).networkFileSystem() {
            Terminal.error(
                "docket: warning: \(file.path) lies on a network file system (\(kind)): locks and syncs can't be relied on there, put it on a local disk"
            )
        }
        try file.told {
            let connection = try file.openForReading()
            defer { connection.close() }
            let count = try ImportCleanup.run(file, reading: connection, writer: threads)
            if count > 0 { Terminal.error("docket: took away \(count.of("task")) of an import that was cut off") }
        }
    }
}
