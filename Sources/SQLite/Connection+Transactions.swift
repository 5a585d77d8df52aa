// Transactions and savepoints.
//
// Promise: what throws leaves nothing behind. SQLite itself may roll a whole transaction back (full disk, I/O error), and
// then `isInTransaction` is false although no one called `rollback()`: whoever goes on after a failed savepoint asks first.

import CSQLite

extension Connection {
    /// When a transaction takes its lock.
    public enum TransactionKind: Sendable {
        /// The write lock at once: it never fails halfway for another writer.
        case immediate
        /// None before the first statement: one snapshot for several reads.
        case deferred
    }

    /// True between `begin` and `commit` or `rollback`.
    public var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    /// Begins a transaction.
    public func begin(_ kind: TransactionKind = .immediate) throws(DatabaseError) {
        afterwards = []
        switch kind {
        case .immediate: try execute("BEGIN IMMEDIATE")
        case .deferred: try execute("BEGIN DEFERRED")
        }
    }

    /// Commits; in a file, the changes are on the disk when this returns. If it throws, the transaction may be open still.
    public func commit() throws(DatabaseError) {
        try execute("COMMIT")
        runAfterwards()
    }

    /// Runs `body` once what this transaction changes is kept, and never where it is not; at once outside of a transaction.
    public func afterCommit(_ body: @escaping () -> Void) {
        if isInTransaction { afterwards.append(body) } else { body() }
    }

    @usableFromInline func runAfterwards() {
        guard !isInTransaction, !afterwards.isEmpty else { return }
        let bodies = afterwards
        afterwards = []
        for body in bodies { body() }
    }

    /// Rolls back; nothing to do if SQLite did so already.
    public func rollback() throws(DatabaseError) {
        afterwards = []
        guard isInTransaction else { return }
        try execute("ROLLBACK")
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back when it or the commit throws.
    @inlinable
    public func transaction<T>(_ kind: TransactionKind = .immediate, _ body: () throws -> T) throws -> T {
        try begin(kind)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            // The first error is the one to tell; a rollback that fails leaves nothing that could be committed.
            try? rollback()
            throw error
        }
    }

    /// Runs `body` as a part that can be undone alone; what came before it in the transaction stays. Outside of a
    /// transaction it is one. If SQLite rolled everything back, `isInTransaction` is false afterwards.
    @inlinable
    public func savepoint<T>(_ body: () throws -> T) throws -> T {
        try execute("SAVEPOINT part")
        let count = afterwards.count
        do {
            let result = try body()
            try execute("RELEASE part")
            runAfterwards()
            return result
        } catch {
            afterwards.removeLast(max(afterwards.count - count, 0))
            if isInTransaction {
                try? execute("ROLLBACK TO part")
                try? execute("RELEASE part")
            }
            throw error
        }
    }
}
