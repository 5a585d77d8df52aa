// The imports of people's files in the database: what outlives the file and the process. Ownership stands in every WHERE.

import FoundationEssentials
import SQLite

/// What came of an import, as it is kept.
struct ImportResult: Codable, Sendable {
    var added = 0
    var present = 0
    var presentInTrash = 0
    var skipped = 0
    var warningCount = 0
    var warnings: [ImportWarning] = []
    var format: String?
    var encoding: String?
    var trouble: ImportTrouble?

    init(_ report: ImportReport?, _ trouble: ImportTrouble?) {
        self.trouble = trouble
        guard let report else { return }
        (added, present, presentInTrash) = (report.added, report.present, report.presentInTrash)
        (skipped, warningCount, warnings) = (report.skipped, report.warningCount, report.warnings)
        (format, encoding) = (report.findings?.format.rawValue, report.findings?.encoding?.rawValue)
    }
}

/// An import as its row tells it.
struct ImportRecord: Sendable {
    /// `open` until it runs.
    enum State: String, Sendable { case open, running, done, cancelled, failed }

    let id: Int
    let madeAt: Instant
    let fileName: String
    let state: State
    /// The change that undoes it, nil where it added nothing.
    let change: Int?
    let result: ImportResult?

    static let columns: SQL = "id, made_at, file_name, state, change_id, result"

    init(row: Row) throws {
        id = try row.int(0)
        madeAt = Instant(milliseconds: try row.int(1))
        fileName = try row.text(2)
        guard let state = State(rawValue: try row.text(3)) else { throw DamagedRow(table: "imports", number: id) }
        self.state = state
        change = try row.intOrNil(4)
        result = try row.textOrNil(5).flatMap { try? JSONDecoder().decode(ImportResult.self, from: Data($0.utf8)) }
    }
}

/// The home of SQL about imports.
struct ImportRepository {
    /// How many of a person's are remembered.
    static let mostOfOne = 50

    private let database: Connection

    init(_ database: Connection) { self.database = database }

    func find(_ id: Int, userID: Int) throws -> ImportRecord? {
        try database.first(
            "SELECT \(ImportRecord.columns) FROM imports WHERE id = \(id) AND user_id = \(userID)", ImportRecord.init(row:))
    }

    /// The latest that came to something.
    func recent(userID: Int, limit: Int) throws -> [ImportRecord] {
        try database.rows(
            """
            SELECT \(ImportRecord.columns) FROM imports WHERE user_id = \(userID) AND state <> 'open' ORDER BY id DESC LIMIT \(limit)
            """, ImportRecord.init(row:))
    }

    /// Notes a file that has come; forgets the oldest of this person's.
    func add(userID: Int, fileName: String, now: Instant) throws -> Int {
        try database.execute(
            """
            DELETE FROM imports WHERE user_id = \(userID) AND id <=
                (SELECT id FROM imports WHERE user_id = \(userID) ORDER BY id DESC LIMIT 1 OFFSET \(Self.mostOfOne - 1))
            """)
        try database.execute(
            """
            INSERT INTO imports (user_id, made_at, file_name, state) VALUES (\(userID), \(now.milliseconds), \(fileName), 'open')
            """)
        return Int(database.lastInsertRowID)
    }

    /// - Throws: `ImportCancelled` where it has been ended meanwhile.
    func begin(_ id: Int, userID: Int) throws {
        try database.execute("UPDATE imports SET state = 'running' WHERE id = \(id) AND user_id = \(userID) AND state = 'open'")
        guard database.changes == 1 else { throw ImportCancelled() }
    }

    /// False where it has been ended, or its person may not sign in or is gone.
    func mayGoOn(_ id: Int, userID: Int) throws -> Bool {
        try database.scalar(
            """
            SELECT 1 FROM imports JOIN users ON users.id = user_id
            WHERE imports.id = \(id) AND user_id = \(userID) AND state IN ('open', 'running') AND is_disabled = 0
            """) != nil
    }

    /// Ends what of a person's waits or runs, whichever process is at work on it: it looks here before each batch.
    func endAll(userID: Int) throws {
        try database.execute(
            "UPDATE imports SET state = 'cancelled' WHERE user_id = \(userID) AND state IN ('open', 'running')")
    }

    func end(_ id: Int, userID: Int, _ phase: ImportJob.Phase, change: Int?, _ result: ImportResult) throws {
        let text = String(decoding: try JSONEncoder().encode(result), as: UTF8.self)
        try database.execute(
            """
            UPDATE imports SET state = \(phase.rawValue), change_id = \(change), result = \(text)
            WHERE id = \(id) AND user_id = \(userID)
            """)
    }

    /// A file that its person does not want after all.
    func remove(_ id: Int, userID: Int) throws {
        try database.execute("DELETE FROM imports WHERE id = \(id) AND user_id = \(userID) AND state = 'open'")
    }
}
