// Rows of lists, as the template of a row wants them.

import Mustache

/// Makes rows for one page.
struct TaskRows {
    private let strings: Strings
    private let summary: Summary
    private let dates: DateText
    private let search: SearchQuery?
    private let now: Int64

    init(_ context: Context, _ summary: Summary, search: String) {
        strings = context.strings
        self.summary = summary
        dates = DateText(context)
        self.search = SearchQuery(search)
        now = context.now.milliseconds
    }

    func row(_ task: TaskItem) -> Value {
        let category = summary.category(task.categoryID)
        let isDone = task.status == .completed
        let title = Value.text(task.title)
        return [
            "id": .bytes(task.id.text), "title": title,
            "title_shown": search.map { .html(Self.mark($0, in: task.title)) } ?? title,
            "completed": .bool(isDone), "pinned": .bool(task.isPinned),
            "overdue": .bool(!isDone && task.dueKey.map { $0 < now } ?? false), "has_content": .bool(!task.content.isEmpty),
            "priority": .text(task.priority.word),
            "priority_text": task.priority == .medium ? .null : .text(strings["priority.row." + task.priority.word]),
            "category_name": .text(category?.name(strings) ?? ""), "category_color": .text("color-\(category?.color ?? 1)"),
            "category_icon": .text(category?.icon ?? "briefcase"),
            "due_text": task.due.map { .text(isDone ? dates.exact($0) : dates.due($0)) } ?? .null,
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
