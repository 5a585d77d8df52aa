// The history of a task for scripts: JSON, or plain text with one change a line. Values are as forms have them.

import HTTP
import SQLite

struct HistoryAnswers {
    private let context: Context
    private let session: Session

    init(_ context: Context, _ session: Session) { (self.context, self.session) = (context, session) }

    /// The changes, last first.
    func list(_ task: TaskItem) throws -> Response {
        let entries = try TaskRepository(context, session).history(task)
        let keys = try keys()
        guard context.format == .json else {
            return context.text(
                entries.map { entry in
                    let fields = values(entry, keys).map { "\($0.name): \($0.from.short) > \($0.to.short)" }
                    return ([entry.madeAt.iso8601, String(entry.changeID), entry.kind, entry.way] + fields)
                        .joined(separator: "\t") + "\n"
                }.joined())
        }
        return try context.json(
            JSON.object([
                "changes": .list(
                    entries.map { entry in
                        let fields = values(entry, keys).map { ($0.name, JSON.object(["from": $0.from, "to": $0.to])) }
                        return [
                            "change": .number(entry.changeID), "at": .text(entry.madeAt.iso8601), "kind": .text(entry.kind),
                            "way": .text(entry.way), "fields": .object(Dictionary(fields) { first, _ in first }),
                        ]
                    })
            ]))
    }

    /// The keys of all categories, of those that are gone too.
    private func keys() throws -> [Int: String] {
        let rows = try context.database.rows("SELECT id, key FROM categories WHERE user_id = \(session.user.id)") {
            (try $0.int(0) as Int, try $0.text(1))
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// What changed, in the order of the columns. A due date has two of them, of which one side is empty where its kind changed.
    private func values(_ entry: HistoryEntry, _ keys: [Int: String]) -> [(name: String, from: JSON, to: JSON)] {
        var found: [(name: String, from: JSON, to: JSON)] = []
        for column in TaskColumn.allCases {
            guard let (from, to) = entry.fields[column], let name = (column == .trashedAt ? "trashed_at" : column.field) else {
                continue
            }
            let (before, after) = (value(column, from, keys), value(column, to, keys))
            if let index = found.firstIndex(where: { $0.name == name }) {
                if case .null = found[index].from { found[index].from = before }
                if case .null = found[index].to { found[index].to = after }
            } else {
                found.append((name, before, after))
            }
        }
        return found
    }

    private func value(_ column: TaskColumn, _ value: StoredValue, _ keys: [Int: String]) -> JSON {
        switch (column, value) {
        case (_, .none): return .null
        case (.status, .number(let number)): return JSON(TaskStatus(rawValue: Int(number))?.word)
        case (.pinned, .number(let number)): return .flag(number == 1)
        case (.priority, .number(let number)): return JSON(Priority(rawValue: Int(number))?.word)
        case (.categoryID, .number(let number)): return JSON(keys[Int(number)])
        case (.dueAt, .number(let number)):
            return .text(Due.moment(Instant(milliseconds: number)).formText(in: context.zone))
        case (.trashedAt, .number(let number)): return .text(Instant(milliseconds: number).iso8601)
        case (_, .number(let number)): return .number(Int(number))
        case (_, .text(let text)): return .text(text)
        }
    }
}

extension JSON {
    /// The beginning of it on a line of plain text.
    fileprivate var short: String { String(plain.prefix(200)) }
}
