// docket check: is the file sound, and is what it keeps twice (counters, sort keys, schema) the same both times? It only reads.

import Glibc
import SQLite

/// What looking through a database found.
public struct DatabaseCheck: Sendable {
    /// One line of the report.
    public struct Finding: Sendable {
        /// False for what only should be known.
        public let isWrong: Bool
        /// What it is.
        public let text: String
    }

    /// All lines, in the order in which they were found.
    public private(set) var findings: [Finding] = []

    /// What of it `DatabaseMend` can put right.
    public private(set) var mends: Set<DatabaseMend> = []

    /// True where something is wrong.
    public var isWrong: Bool { findings.contains(where: \.isWrong) }

    /// Looks through the file. Throws only where it cannot be opened at all.
    ///
    /// - Parameter progress: told what is looked at, how far that is and of how much; of 0 where nobody knows.
    public init(_ file: DatabaseFile, progress: (String, Int, Int) -> Void = { _, _, _ in }) throws {
        guard FileAccess.exists(file.path) else { throw CommandFailure("there is no database at \(file.path)") }
        try file.told {
            try file.reading(knowsRules: true) { connection in
                // One snapshot for all of it, also while the server writes.
                try connection.begin(.deferred)
                defer { try? connection.rollback() }
                progress("integrity", 0, 0)
                guard try checkPages(connection) else { return }
                progress("schema", 0, 0)
                guard try checkSchema(connection) else { return }
                progress("rows", 0, 0)
                try checkRows(connection)
                try checkSearch(connection, progress)
                try note(what: connection)
            }
        }
        checkPlace(file)
    }

    private mutating func wrong(_ text: String) { findings.append(Finding(isWrong: true, text: text)) }
    private mutating func note(_ text: String) { findings.append(Finding(isWrong: false, text: text)) }

    /// Adds one line for all of the same kind, with the first of them.
    private mutating func report(_ problems: [String], _ what: String, _ mend: DatabaseMend? = nil) {
        guard let first = problems.first else { return note("\(what): ok") }
        if let mend { mends.insert(mend) }
        wrong(
            "\(what): \(problems.count == 1 ? "" : "\(problems.count) problems, the first: ")\(first)"
                + (mend == nil ? "" : "; docket check --mend puts it right"))
    }

    private mutating func checkPages(_ connection: Connection) throws -> Bool {
        let problems: [String]
        do {
            problems = try connection.integrityCheck()
        } catch let error as DatabaseError where error.isCorrupt || error.isIOError {
            problems = [error.message]
        }
        report(problems, "integrity")
        return problems.isEmpty
    }

    private mutating func checkSchema(_ connection: Connection) throws -> Bool {
        let (version, wanted) = (try connection.userVersion, Schema.migrator.version)
        guard version <= wanted, version > 0 else {
            wrong("schema: version \(version), this program knows 1 to \(wanted)")
            return false
        }
        guard version == wanted else {
            note("schema: version \(version); docket serve brings it to \(wanted)")
            return false
        }
        let fresh = try Connection(path: ":memory:", mode: .readWriteCreate)
        try Schema.migrator.migrate(fresh)
        let (ours, theirs) = (try Self.schema(fresh), try Self.schema(connection))
        report(ours.filter { theirs[$0.key] != $0.value }.keys.sorted().map { "\($0) is missing or differs" }, "schema")
        let others = theirs.keys.filter { ours[$0] == nil }.sorted()
        if !others.isEmpty { note("schema: also there, not of Docket: \(others.joined(separator: ", "))") }
        return ours.keys.allSatisfy { !$0.hasPrefix("table ") || theirs[$0] != nil }
    }

    private static func schema(_ connection: Connection) throws -> [String: String] {
        let rows = try connection.rows("SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema") {
            (try $0.text(0), try $0.text(1))
        }
        return Dictionary(rows) { first, _ in first }
    }

    private mutating func checkRows(_ connection: Connection) throws {
        report(try connection.foreignKeyCheck(), "references")
        report(
            try connection.rows(
                """
                SELECT user_id, status, category_id, priority, pinned, sum(kept), sum(real) FROM (
                    SELECT user_id, status, category_id, priority, pinned, count AS kept, 0 AS real FROM task_counts
                    UNION ALL
                    SELECT user_id, status, category_id, priority, pinned, 0, 1 FROM tasks WHERE trashed_at IS NULL
                ) GROUP BY 1, 2, 3, 4, 5 HAVING sum(kept) <> sum(real)
                """
            ) { row in
                let (user, kept, real): (Int, Int, Int) = (try row.int(0), try row.int(5), try row.int(6))
                return "user \(user) has \(real.of("task")) of a kind, its counter says \(kept)"
            }, "counters", .counters)
        report(try strayKeys(connection), "due dates", .dueDates)
        let zones = try connection.rows("SELECT time_zone, count(*) FROM users GROUP BY 1") {
            (try $0.text(0), try $0.int(1) as Int)
        }
        report(
            zones.filter { (try? Zone(named: $0.0)) == nil }.map {
                "\($0.0) of \($0.1.of("person", "people")) is not known here: their days are those of UTC"
            },
            "time zones")
        let unfinished = try connection.rows("SELECT user_id FROM changes WHERE finished = 0") { try $0.int(0) as Int }
        if !unfinished.isEmpty {
            note("imports: \(unfinished.count) unfinished; one that runs no more is taken away at the next start of serve")
        }
    }

    /// The search index, by a thousand tasks of it.
    private mutating func checkSearch(_ connection: Connection, _ progress: (String, Int, Int) -> Void) throws {
        let index = SearchIndex(connection)
        let sample = try index.sample(1_000)
        var missing: [String] = []
        for (count, number) in sample.enumerated() {
            progress("search index", count, sample.count)
            if try !index.isComplete(number) { missing.append("task \(number) is not found by its own words") }
        }
        report(missing, "search index (\(sample.count.of("task")) of it)", .search)
    }

    private mutating func note(what connection: Connection) throws {
        let people = Int(try connection.scalar("SELECT count(*) FROM users") ?? 0)
        let tasks = Int(try connection.scalar("SELECT count(*) FROM tasks") ?? 0)
        note("\(people.of("person", "people")), \(tasks.of("task"))")
    }

    /// Due days whose sort key is not the end of that day in their owner's zone: a zone's rules have changed, or a hand has.
    private func strayKeys(_ connection: Connection) throws -> [String] {
        let days = try connection.rows(
            """
            SELECT users.time_zone, due_on, min(due_key), max(due_key), count(*) FROM tasks JOIN users ON users.id = user_id
            WHERE due_on IS NOT NULL GROUP BY user_id, due_on
            """
        ) { row in
            (
                zone: try row.text(0), day: try row.text(1), least: try row.int(2) as Int64, most: try row.int(3) as Int64,
                count: try row.int(4) as Int
            )
        }
        return days.compactMap { row in
            guard let day = Day(row.day) else { return "\(row.day) is no date (\(row.count.of("task")))" }
            let key = Due.day(day).key(in: Zone(orUTC: row.zone))
            return row.least == key && row.most == key
                ? nil : "\(row.count.of("task")) due \(row.day) sorted by another moment than the end of that day in \(row.zone)"
        }
    }

    private mutating func checkPlace(_ file: DatabaseFile) {
        let access = FileAccess(file.path)
        do { try access.check() } catch { wrong("folder: \(error)") }
        if let kind = access.networkFileSystem() {
            wrong("folder: lies on a network file system (\(kind)), whose locks are not to be relied on")
        }
        guard let room = access.room() else { return }
        let text = "free space: \(room.free >> 20) MiB, the database takes \(room.taken >> 20) MiB"
        if room.free < max(room.taken / 10, 16 << 20) { wrong(text) } else { note(text) }
    }
}
