// Rows of lists, as the template of a row wants them.

import Mustache

/// Makes rows for one page.
struct TaskRows {
    private struct Shown {
        let id: Int
        let name: Value
        let color: Value
        let icon: Value
    }

    private let categories: [Shown]
    private let priorities: [(word: Value, text: Value)]
    private let dates: DateText
    private let search: SearchQuery?
    private let now: Int64

    init(_ context: Context, _ summary: Summary, search: String) {
        let strings = context.strings
        categories = summary.categories.map {
            Shown(id: $0.id, name: .text($0.name(strings)), color: .text("color-\($0.color)"), icon: .text($0.icon))
        }
        priorities = Priority.allCases.map {
            (.text($0.word), $0 == .medium ? .null : .text(strings["priority.row." + $0.word]))
        }
        dates = DateText(context)
        self.search = SearchQuery(search)
        now = context.now.milliseconds
    }

    /// - Parameter number: which row of its page it is, from 1.
    func row(_ task: TaskItem, number: Int) -> Value {
        let category = categories.first { $0.id == task.categoryID }
        let priority = priorities[task.priority.rawValue]
        let isDone = task.status == .completed
        let isLate = !isDone && task.dueKey.map { $0 < now } ?? false
        let title = Value.text(task.title)
        return [
            "id": .bytes(task.id.text), "number": .text(String(number)), "title": title,
            "title_shown": search.map { .html(Self.mark($0, in: task.title)) } ?? title,
            "completed": .bool(isDone), "pinned": .bool(task.isPinned),
            "overdue": .bool(isLate), "has_content": .bool(!task.content.isEmpty),
            "priority": priority.word, "priority_text": priority.text, "category_name": category?.name ?? "",
            "category_color": category?.color ?? "color-1", "category_icon": category?.icon ?? "briefcase",
            "due_text": task.due.map { .text(isDone ? dates.exact($0) : dates.due($0, isLate: isLate)) } ?? .null,
        ]
    }

    /// The title with what matched in `<mark>`, everything else escaped.
    private static func mark(_ search: SearchQuery, in title: String) -> [UInt8] {
        let bytes = Array(title.utf8)
        var output: [UInt8] = []
        var position = 0
        for range in search.ranges(in: title) {
            Markdown.escape(bytes[position..<range.lowerBound], into: &output)
            output += "<mark>".utf8
            Markdown.escape(bytes[range], into: &output)
            output += "</mark>".utf8
            position = range.upperBound
        }
        Markdown.escape(bytes[position...], into: &output)
        return output
    }
}
