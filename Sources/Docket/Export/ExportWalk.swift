// An export on its way: all tasks of a filter, oldest first, a piece at a time. A piece is read in a transaction of its own and begins
// behind the last task of the one before, by a key that never changes (when the task was made, then its number). So nothing is held
// between two pieces, however slowly they are taken, and a task that stays as it is while others change stands in the export once.

import SQLite

/// Where an export has got to: the last task that was looked at.
struct ExportPlace: Sendable, Equatable {
    var createdAt = Int64.min
    var number = Int64.min
    /// True where there may be more tasks that were made at that very time: thousands are where an import knew no other.
    var mayHaveMore = false
}

/// One export, from its first piece to its last.
struct ExportWalk: Sendable {
    /// A piece is about this long, so that it is read in a moment and many people can have theirs at once.
    static let pieceSize = 64 << 10
    /// Tasks looked at in one statement, and in one piece at most, where a search finds few of them.
    private static let (rowsOfStatement, rowsOfPiece) = (500, 5_000)

    private let owner: User
    private let filter: TaskFilter
    private let now: Instant
    private let makeWriter: @Sendable (CategoryTexts, User) -> any TaskWriter
    private var place = ExportPlace()
    private var isBegun = false
    /// True once the last piece has been made.
    private(set) var isOver = false
    /// How many tasks have been written.
    private(set) var count = 0
    /// Of those, what todo.txt cannot carry: notes, and times of day.
    private(set) var contents = 0
    private(set) var times = 0

    init(
        owner: User, filter: TaskFilter, now: Instant, writer: @escaping @Sendable (CategoryTexts, User) -> any TaskWriter
    ) {
        (self.owner, self.filter, self.now, makeWriter) = (owner, filter, now, writer)
    }

    init(owner: User, filter: TaskFilter, now: Instant, format: ExportFormat) {
        self.init(owner: owner, filter: filter, now: now) { format.writer($0, $1.zone) }
    }

    /// The next piece, read in the transaction that is open on the connection. It may be empty where a search found nothing in so many
    /// tasks, though more come; nil behind the last one.
    ///
    /// - Throws: `Refusal.notFound` where the person is gone or shut out meanwhile.
    mutating func next(_ database: Connection) throws -> [UInt8]? {
        if isOver { return nil }
        guard try database.scalar("SELECT 1 FROM users WHERE id = \(owner.id) AND is_disabled = 0") != nil else {
            throw Refusal.notFound
        }
        let texts = CategoryTexts(try Category.all(database, userID: owner.id), owner.language)
        let writer = makeWriter(texts, owner)
        let repository = TaskRepository(database, owner: owner, now: now)
        var output: [UInt8] = []
        output.reserveCapacity(Self.pieceSize + 16_384)
        if !isBegun { writer.begin(&output) }
        isBegun = true
        var looked = 0
        while output.count < Self.pieceSize, looked < Self.rowsOfPiece {
            let (before, asked) = (looked, place)
            try database.forEach(repository.walk(filter, after: place, limit: Self.rowsOfStatement)) { row in
                looked += 1
                place = ExportPlace(createdAt: try row.int(9), number: try row.int(0), mayHaveMore: true)
                if try row.int(16) as Int == 1 {
                    try ExportedTask.lend(row) { task in
                        writer.write(task, isFirst: count == 0, &output)
                        count += 1
                        if !task.content.isEmpty { contents += 1 }
                        if case .moment = task.due { times += 1 }
                    }
                }
                return output.count < Self.pieceSize
            }
            if looked > before { continue }
            if asked.mayHaveMore {
                place.mayHaveMore = false
            } else {
                isOver = true
                writer.end(&output)
                break
            }
        }
        return output
    }
}

extension TaskRepository {
    /// The statement that reads the tasks of a filter behind a place, oldest first, with 1 or 0 behind their columns for whether what
    /// no index knows of (words, the day of completion) fits too: so each row that was looked at moves the place on.
    func walk(_ filter: TaskFilter, after place: ExportPlace, limit: Int) -> SQL {
        let (indexed, others) = conditions(filter)
        // As two statements and not as one comparison of pairs, of which SQLite looks up the first part only.
        let behind: SQL =
            place.mayHaveMore
            ? "created_at = \(place.createdAt) AND number > \(place.number)" : "created_at > \(place.createdAt)"
        let arms = filter.status.statuses.flatMap { status in
            (filter.pinnedOnly ? [true] : [false, true]).map { isPinned -> SQL in
                let conditions: [SQL] =
                    [
                        """
                        user_id = \(owner.id) AND status = \(status.rawValue) AND pinned = \(isPinned) AND trashed_at IS NULL \
                        AND \(behind)
                        """
                    ] + indexed
                return "SELECT number AS place, created_at AS a FROM tasks WHERE \(SQL.joined(conditions, separator: " AND "))"
            }
        }
        // A task that was never completed is not unknown to be completed then: it does not fit.
        let fits: SQL = others.isEmpty ? "1" : "(\(SQL.joined(others, separator: " AND "))) IS TRUE"
        // CROSS JOIN keeps the order of the walk: its rows are the outer loop.
        return """
            SELECT \(TaskItem.columns), \(fits) FROM (\(SQL.joined(arms, separator: " UNION ALL ")) ORDER BY 2, 1 LIMIT \(limit)) AS page \
            CROSS JOIN tasks ON tasks.number = page.place
            """
    }
}
