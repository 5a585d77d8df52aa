// The changes of a task in words.

import Mustache

struct HistoryView {
    private let context: Context
    private let session: Session
    private let dates: DateText
    private let categories: [Category]

    init(_ context: Context, _ session: Session) throws {
        self.context = context
        self.session = session
        dates = DateText(context)
        categories = try context.summary(session).categories
    }

    /// The events, last first.
    func events(_ task: TaskItem) throws -> [Value] {
        let strings = context.strings
        return try TaskRepository(context, session).history(task).map { entry in
            let changes = entry.fields.compactMap { column, values -> (Int, Value)? in
                guard let label = column.field else { return nil }
                return (
                    TaskColumn.allCases.firstIndex(of: column) ?? 0,
                    [
                        "label": .text(strings["field." + label]), "before": .text(text(column, values.from)),
                        "after": .text(text(column, values.to)),
                    ]
                )
            }.sorted { $0.0 < $1.0 }.map(\.1)
            return [
                "what_text": .text(strings[Self.key(entry.kind)]), "when_iso": .text(entry.madeAt.iso8601),
                "when_text": .text(dates.moment(entry.madeAt)), "who": .text(session.user.name),
                "way_text": .text(strings["history.way." + entry.way]), "has_changes": .bool(!changes.isEmpty),
                "changes": .list(changes),
            ]
        }
    }

    private static func key(_ kind: String) -> String {
        switch kind {
        case "create": "history.created"
        case "complete": "history.completed"
        case "reopen": "history.reopened"
        case "pin": "history.pinned"
        case "unpin": "history.unpinned"
        case "trash": "history.trashed"
        case "restore": "history.restored"
        case "undo": "history.undone"
        case "import": "history.imported"
        default: "history.changed"
        }
    }

    private static let shownCharacters = 200

    private func text(_ column: TaskColumn, _ value: StoredValue) -> String {
        let strings = context.strings
        switch (column, value) {
        case (_, .none): return strings["history.empty_value"]
        case (.status, .number(let number)): return TaskStatus(rawValue: Int(number)).map { strings["status." + $0.word] } ?? ""
        case (.pinned, .number(let number)): return strings[number == 1 ? "edit.pinned" : "edit.not_pinned"]
        case (.priority, .number(let number)): return Priority(rawValue: Int(number)).map { strings["priority." + $0.word] } ?? ""
        case (.categoryID, .number(let number)):
            return categories.first { $0.id == Int(number) }?.name(strings) ?? strings["history.category_gone"]
        case (.dueAt, .number(let number)): return dates.moment(Instant(milliseconds: number))
        case (.dueOn, .text(let text)): return Day(text).map(dates.day) ?? text
        // The beginning of long notes: five hundred changes of them would be a page of many megabytes.
        case (_, .text(let text)):
            let start = text.prefix(Self.shownCharacters)
            return start.endIndex < text.endIndex ? start + "…" : text
        case (_, .number(let number)): return String(number)
        }
    }
}

extension TaskColumn {
    /// The field that it tells of, nil for those that follow from others.
    var field: String? {
        switch self {
        case .status: "status"
        case .pinned: "pinned"
        case .priority: "priority"
        case .categoryID: "category"
        case .dueOn, .dueAt: "due"
        case .title: "title"
        case .content: "content"
        case .completedAt, .dueKey, .trashedAt: nil
        }
    }
}
