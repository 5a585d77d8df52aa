// Takes away what an import that was cut off has left: cancelled, crashed, killed, or out of room. An import that still runs holds the
// lock of its person, and is left alone.

import Glibc
public import SQLite

/// Removes unfinished imports.
public enum ImportCleanup {
    /// Removes the unfinished imports of all people, or of one, and tells how many tasks went.
    ///
    /// - Parameters:
    ///   - file: the database, whose folder holds the locks.
    ///   - connection: reads what there is to do.
    public static func run(_ file: DatabaseFile, userID: Int? = nil, reading connection: Connection, writer: any Writing) throws
        -> Int
    {
        let condition: SQL = userID.map { "user_id = \($0)" } ?? "1"
        let left = try connection.rows("SELECT id, user_id FROM changes WHERE finished = 0 AND \(condition)") {
            (change: try $0.int(0) as Int, user: try $0.int(1) as Int)
        }
        var count = 0
        for one in left {
            guard let lock = try ImportLock(file, userID: one.user) else { continue }
            defer { lock.release() }
            count += try remove(one.change, of: one.user, through: writer)
        }
        return count
    }

    /// Removes one, in slices that nobody has to wait for long.
    @discardableResult
    static func remove(_ change: Int, of userID: Int, through writer: any Writing) throws -> Int {
        var count = 0
        while true {
            let removed: Int = try writer.result { database in
                guard try database.scalar("SELECT finished FROM changes WHERE id = \(change) AND user_id = \(userID)") == 0 else {
                    return 0
                }
                let now = Instant.now()
                if let owner = try AccountRepository(database: database, now: now).user(userID) {
                    let count = try TaskRepository(database, owner: owner, now: now).layBack(change, atMost: 1_000)
                    if count > 0 { return count }
                }
                try database.execute(
                    """
                    DELETE FROM tasks WHERE user_id = \(userID) AND number IN
                    (SELECT task_number FROM task_changes WHERE change_id = \(change) AND fields IS NULL LIMIT 1000)
                    """)
                let removed = database.changes
                if removed == 0 { try database.execute("DELETE FROM changes WHERE id = \(change) AND finished = 0") }
                try database.execute("UPDATE users SET revision = revision + 1 WHERE id = \(userID)")
                return removed
            }
            count += removed
            if removed == 0 { return count }
        }
    }
}

/// The lock of a person's import: a file beside the database, locked as long as the import runs, and gone with it, however it ends.
final class ImportLock {
    private let path: String?
    private var descriptor: Int32

    /// Nil where another import of this person runs.
    init?(_ file: DatabaseFile, userID: Int) throws {
        guard !file.isInMemory else {
            // Data of one process, whose imports end with it.
            (path, descriptor) = (nil, -1)
            return
        }
        let path = "\(file.path)-import-\(userID)"
        guard let descriptor = try LockFile.take(path) else { return nil }
        (self.path, self.descriptor) = (path, descriptor)
    }

    /// Ends it; a second call does nothing.
    func release() {
        guard descriptor >= 0 else { return }
        if let path { unlink(path) }
        close(descriptor)
        descriptor = -1
    }

    deinit { release() }
}
