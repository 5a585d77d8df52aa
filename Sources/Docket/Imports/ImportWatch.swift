// Whether an import may go on, asked before each piece of its file and each batch by the thread that works on it. What its person and the
// end of the process want is known at once; that the person was shut out or is gone stands in the database, where another process may
// have written it.

import SQLite

/// The watch over one import. Right because one thread asks it: the one that reads the file, to which the connection belongs.
final class ImportWatch: @unchecked Sendable {
    private let job: ImportJob
    private let connection: Connection
    private let isStopping: @Sendable () -> Bool
    private var looked: ContinuousClock.Instant?
    /// From its first batch on each looks into the database for itself, in the transaction that keeps it.
    var isWriting = false

    init(_ job: ImportJob, _ connection: Connection, isStopping: @escaping @Sendable () -> Bool) {
        (self.job, self.connection, self.isStopping) = (job, connection, isStopping)
    }

    var wantsToEnd: Bool {
        if job.wantsToEnd || isStopping() { return true }
        if isWriting { return false }
        let now = ContinuousClock.now
        if let looked, now - looked < .milliseconds(500) { return false }
        looked = now
        // A database that can't be asked just now is no reason to end.
        guard (try? ImportRepository(connection).mayGoOn(job.id, userID: job.userID)) == false else { return false }
        job.cancel()
        return true
    }
}
