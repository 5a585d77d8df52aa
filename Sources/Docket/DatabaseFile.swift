// The one file of all data: opening it, bringing its schema up to date, and telling in one line why that can't be.

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
        self.path = isInMemory ? "file:docket-\(UInt64.random(in: 0...UInt64.max))?mode=memory&cache=shared" : path
    }

    /// Opens for writing, made where it is missing, and migrated. A file with data is copied beside itself before it is changed.
    ///
    /// - Throws: `StartFailure` with one line that says what is wrong and what mends it.
    public func openMigrated() throws -> Connection {
        do {
            let connection = try Connection(path: path, mode: .readWriteCreate)
            try Schema.migrator.migrate(connection) { from, to in
                guard from > 0, !isInMemory else { return }
                try connection.backup(to: "\(path).before-version-\(to)", pagesPerStep: 1_000) { _, _ in }
            }
            return connection
        } catch let error as DatabaseError {
            throw StartFailure(explain(error))
        } catch let error as Migrator.Failure {
            throw StartFailure("\(path): \(error)")
        }
    }

    /// Opens for reading only. A database in memory is opened as it is: its pages are shared with the writer's connection.
    public func openForReading() throws -> Connection {
        try Connection(path: path, mode: isInMemory ? .readWrite : .readOnly)
    }

    private func explain(_ error: DatabaseError) -> String {
        if error.isNotADatabase { return "\(path) is not a Docket database" }
        if error.isCorrupt { return "\(path) is damaged: restore a backup (docket restore FILE)" }
        if error.isBusy { return "\(path) is locked by another program" }
        if error.isFull { return "no room left for \(path)" }
        if error.isReadOnly || error.cannotOpen { return "\(path) can't be written: \(error.message)" }
        return "\(path): \(error.message)"
    }
}
