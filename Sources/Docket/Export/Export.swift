// An export as a command asks for it: one person's tasks, all or those that conditions choose, to whoever takes the bytes.

import HTTP
public import SQLite

/// What to export, of whom.
public struct Export {
    /// The parameters of the list page that choose tasks, and `filter`: the name of a saved filter.
    public static let conditions: [(name: String, value: String, help: String, choices: [String])] = [
        ("filter", "NAME", "those of a saved filter", []), ("q", "TEXT", "those that hold these words", []),
        ("status", "WORD", "pending, completed or all [all]", ["pending", "completed", "all"]),
        ("category", "KEY", "those of one category", []),
        ("priority", "WORD", "low, medium or high", ["low", "medium", "high"]),
        (
            "due", "WHEN", "overdue, today, week, none, any, or days: 2026-12-01..2026-12-24",
            ["overdue", "today", "week", "none", "any"]
        ),
        ("pinned", "1", "pinned ones only", ["1"]), ("done", "DAYS", "completed on these days: 2026-12-01..2026-12-24", []),
        ("created", "DAYS", "made on these days: 2026-12-01..2026-12-24", []),
    ]

    /// The account's name.
    public let user: String
    /// The form of the file.
    public let format: ExportFormat
    private let wanted: [(String, String)]

    /// - Parameter wanted: conditions by name; those that are not there choose everything.
    public init(user: String, format: ExportFormat, wanted: [(String, String)]) {
        (self.user, self.format, self.wanted) = (user, format, wanted)
    }

    /// Runs it, piece by piece, each in a read transaction of its own.
    ///
    /// - Parameters:
    ///   - write: takes the next bytes.
    ///   - progress: told how many tasks are written, and of about how many.
    /// - Returns: how many tasks were written, and what the format could not carry, in words.
    /// - Throws: `CommandFailure` where there is no such person, or a condition means nothing.
    public func run(
        _ database: Connection, write: ([UInt8]) throws -> Void, progress: (Int, Int) -> Void = { _, _ in }
    ) throws -> (count: Int, losses: [String]) {
        let now = Instant.now()
        let owner = try AccountRepository(database: database, now: now).named(user)
        let filter = try filter(database, owner, now)
        let total = try TaskRepository(database, owner: owner, now: now).total(filter).count
        try database.transaction(.immediate) {
            try Audit(command: now).record(.exported, of: owner.id, detail: format.rawValue, in: database)
        }
        var walk = ExportWalk(owner: owner, filter: filter, now: now, format: format)
        do {
            while let piece = try database.transaction(.deferred, { try walk.next(database) }) {
                try write(piece)
                progress(walk.count, total)
            }
        } catch Refusal.notFound {
            throw CommandFailure("\(owner.name) is disabled: nothing of them is exported")
        }
        return (walk.count, format == .todotxt ? losses(walk) : [])
    }

    private func losses(_ walk: ExportWalk) -> [String] {
        (walk.contents > 0 ? ["the notes of \(walk.contents) tasks"] : [])
            + (walk.times > 0 ? ["the times of day of \(walk.times) due dates"] : [])
    }

    private func filter(_ database: Connection, _ owner: User, _ now: Instant) throws -> TaskFilter {
        let categories = try Category.all(database, userID: owner.id)
        var query = FormFields()
        for (name, value) in wanted {
            guard name == "filter" else {
                query.append(name, value)
                continue
            }
            let all = try SavedFilter.all(database, owner: owner, categories: categories)
            guard let found = all.first(where: { $0.name.utf8.elementsEqual(value.utf8) }) else {
                throw CommandFailure(
                    "\(owner.name) has no filter \"\(value)\"; there are: \(all.map(\.name).joined(separator: ", "))")
            }
            query.append(name, String(found.id))
        }
        let line = SearchLine(query, categories: CategoryLookup(categories, []), zone: owner.zone, now: now)
        let request = try ExportRequest(line, database, owner: owner, categories: categories)
        if let problem = request.problems.first {
            throw CommandFailure("--\(problem.parameter) can't be \"\(problem.value)\"")
        }
        return request.filter
    }
}
