// What a server does with its database before it listens: says what is doubtful about its place, takes away imports that were cut off.

import Docket
import SQLite

enum AtStart {
    /// - Parameter say: takes the name of an event and its line.
    static func tidy(_ file: DatabaseFile, _ threads: Threads, _ say: (_ event: String, _ line: String) -> Void) throws {
        guard !file.isInMemory else { return }
        let access = FileAccess(file.path)
        if let kind = access.networkFileSystem() {
            say(
                "network_file_system",
                "warning: \(file.path) lies on a network file system (\(kind)): locks and syncs can't be relied on there, put it on a local disk"
            )
        }
        if access.hasSecondName {
            say(
                "second_name",
                "warning: \(file.path) has a second name (a hard link): a program that opens it by that one destroys it, since the log has another name too; cp makes a copy"
            )
        }
        try file.told {
            let connection = try file.openForReading()
            defer { connection.close() }
            let count = try ImportCleanup.run(file, reading: connection, writer: threads)
            if count > 0 { say("import_taken_away", "took away \(count.of("task")) of an import that was cut off") }
        }
    }
}
