// Brings a file to the program's schema version, by SQLite's recipe for schema changes (lang_altertable, section 7):
// foreign keys off outside, then for each migration one immediate transaction with its steps, a foreign key check and
// the new `user_version`. Killed anywhere, the file is at the version before or after, never between.
// It refuses a file that is newer than the program.

/// Runs the migrations that a file has not had.
public struct Migrator: Sendable {
    /// Why a file stays as it is.
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// A newer program has written this file.
        case newerSchema(file: Int, program: Int)
        /// A migration leaves references to rows that do not exist.
        case foreignKeys(migration: String, violations: [String])
        /// A migration ended the migrator's transaction.
        case transactionEnded(migration: String)

        /// One line for a person.
        public var description: String {
            switch self {
            case .newerSchema(let file, let program):
                "the database has schema version \(file), this program knows versions up to \(program)"
            case .foreignKeys(let migration, let violations):
                "migration \(migration) breaks \(violations.count) references, the first: \(violations.first ?? "")"
            case .transactionEnded(let migration):
                "migration \(migration) ended the transaction that it ran in"
            }
        }
    }

    private let migrations: [Migration]

    /// A migrator for the whole history, oldest first.
    public init(_ migrations: [Migration]) {
        self.migrations = migrations
    }

    /// The schema version of a file after migrating: how many migrations there are.
    public var version: Int { migrations.count }

    /// Migrates the file to `version`, or changes nothing that a finished migration did not change.
    ///
    /// - Parameters:
    ///   - connection: the first one to the file, outside of a transaction.
    ///   - beforeChanging: called once before the first change, with no lock held, to copy the file; what it throws
    ///     ends the migration. Two programs that start at once may both call it.
    /// - Throws: `Failure`, `DatabaseError`, or what a migration or `beforeChanging` throws.
    public func migrate(
        _ connection: Connection, beforeChanging: (_ from: Int, _ to: Int) throws -> Void = { _, _ in }
    ) throws {
        let from = try connection.userVersion
        guard from <= version else { throw Failure.newerSchema(file: from, program: version) }
        guard from < version else { return }
        try beforeChanging(from, version)

        // Inside a transaction this pragma does nothing, so it goes around them all.
        try connection.execute("PRAGMA foreign_keys = OFF")
        let outcome = Result { while try advance(connection) {} }
        try connection.execute("PRAGMA foreign_keys = ON")
        try outcome.get()
    }

    /// Runs the next migration, if there is one; the version is read under the lock, as another program may have
    /// migrated in the meantime.
    private func advance(_ connection: Connection) throws -> Bool {
        try connection.transaction(.immediate) {
            let current = try connection.userVersion
            guard current <= version else { throw Failure.newerSchema(file: current, program: version) }
            guard current < version else { return false }
            let migration = migrations[current]
            try migration.steps(connection)
            guard connection.isInTransaction else { throw Failure.transactionEnded(migration: migration.name) }
            let violations = try connection.foreignKeyCheck()
            guard violations.isEmpty else {
                throw Failure.foreignKeys(migration: migration.name, violations: violations)
            }
            try connection.execute(SQL(trusted: "PRAGMA user_version = \(current + 1)"))
            return true
        }
    }
}
