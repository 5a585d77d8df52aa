// The form that a filter is composed with: what was chosen, what of it is wrong, and what it means. It is filled from the query string
// of a list page, from a saved filter, or from the form that was sent: all three have the same fields. A range of due days comes as one
// value (`due=2026-12-01..2026-12-24`) or as the form's three (`due=range`, `due_from`, `due_to`).

import HTTP
import Mustache

/// A filter as it is being composed.
struct FilterForm {
    /// What it means; right where there are no errors.
    private(set) var filter: TaskFilter
    private(set) var errors = FormErrors()
    private let fields: FormFields
    /// `range` for a range in either spelling.
    private let due: String
    private let dueFrom: String
    private let dueTo: String

    static let conditionNames = ["q", "status", "category", "priority", "pinned", "due", "done", "created", "sort"]

    init(_ fields: FormFields, _ typed: [TaskFilter.Problem], categories: [Category], order: TaskOrder) {
        self.fields = fields
        let word = fields.first("due") ?? ""
        if let ends = Self.ends(word) {
            (due, dueFrom, dueTo) = ("range", ends.from, ends.to)
        } else {
            (dueFrom, dueTo) = (fields.first("due_from") ?? "", fields.first("due_to") ?? "")
            // Who fills in a day means a range.
            due = (word.isEmpty || word == "any") && !(dueFrom + dueTo).isEmpty ? "range" : word
        }
        var plain = FormFields()
        for field in fields where due != "range" || !field.name.utf8.elementsEqual("due".utf8) {
            plain.append(field.name, field.value)
        }
        var problems = typed
        filter = TaskFilter(query: plain, categories: categories, order: order, problems: &problems)
        for problem in problems { errors.add(problem.parameter, problem.key, [("value", problem.value)]) }
        let single = due == "range" ? ["q", "due", "due_from", "due_to"] : ["q"]
        errors.addDoubled(fields.filter { single.contains($0.name) })
        if due == "range" {
            filter.due = readRange()
        }
    }

    private mutating func readRange() -> DueCondition? {
        func day(_ text: String) -> Day? {
            if text.isEmpty { return nil }
            if let day = Day(text) { return day }
            errors.add("due", "problem.due.no_such_day", [("value", text)])
            return nil
        }
        let (from, to) = (day(dueFrom), day(dueTo))
        if dueFrom.isEmpty, dueTo.isEmpty { errors.add("due", "problem.due.range_empty") }
        if let from, let to, to < from { errors.add("due", "problem.due.range") }
        return from == nil && to == nil ? nil : .range(from, to)
    }

    /// The two ends of `from..to`.
    private static func ends(_ word: String) -> (from: String, to: String)? {
        let bytes = Array(word.utf8)
        guard
            let dots = bytes.indices.dropLast().first(where: {
                bytes[$0] == UInt8(ascii: ".") && bytes[$0 + 1] == UInt8(ascii: ".")
            })
        else {
            return nil
        }
        return (String(decoding: bytes[..<dots], as: UTF8.self), String(decoding: bytes[(dots + 2)...], as: UTF8.self))
    }

    // MARK: View

    /// The fields as they were chosen, with the mistakes beside them.
    func view(_ context: Context, _ summary: Summary, name: String, errors: FormErrors) throws -> Object {
        let strings = context.strings
        func option(_ value: String, _ label: String, _ chosen: String) -> Value {
            ["value": .text(value), "label": .text(label), "selected": .bool(value == chosen)]
        }
        let (category, priority) = (fields.first("category") ?? "", fields.first("priority") ?? "")
        let status = fields.first("status") ?? ""
        var categories = summary.categories.map { entry -> Value in
            [
                "value": .text(entry.key), "label": .text(entry.name(strings)), "color": .text("color-\(entry.color)"),
                "icon": .text(entry.icon), "selected": .bool(entry.key == category),
            ]
        }
        if !category.isEmpty, !summary.categories.contains(where: { $0.key == category }) {
            // One that is gone stays chosen: sent again it is refused again, instead of meaning every category.
            categories.append(["value": .text(category), "label": .text(category), "color": "", "icon": "warn", "selected": true])
        }
        let dues =
            [("", "filter.any")] + ["overdue", "today", "week"].map { ($0, "due." + $0) } + [("any", "due.some")]
            + ["none", "range"].map { ($0, "due." + $0) }
        let beside = ["name", "due", "due_from", "due_to"]
        let dueError = ["due", "due_from", "due_to"].lazy.compactMap { errors.text($0, strings) }.first
        return [
            "form": [
                "q": .text(fields.first("q") ?? ""),
                "statuses": .list(
                    StatusCondition.allCases.map {
                        option($0.rawValue, strings["status." + $0.rawValue], status.isEmpty ? "pending" : status)
                    }),
                "any_category": .bool(category.isEmpty), "categories": .list(categories), "any_priority": .bool(priority.isEmpty),
                "priorities": .list(
                    Priority.allCases.reversed().map { option($0.word, strings["priority." + $0.word], priority) }),
                "dues": .list(dues.map { option($0.0, strings[$0.1], due) }), "due_from": .text(dueFrom), "due_to": .text(dueTo),
                "due_error": dueError.map { .text($0) } ?? .null, "pinned": .bool(fields.first("pinned") == "1"),
                "done": filter.done.map { days -> Value in
                    [
                        "value": .text("\(days.lowerBound)..\(days.upperBound)"),
                        "label": .text(FilterWords.done(days, DateText(context))),
                    ]
                } ?? .null,
                "created": filter.created.map { days -> Value in
                    ["value": .text(days.word), "label": .text(FilterWords.created(days, DateText(context)))]
                } ?? .null,
                "sorts": .list(
                    TaskOrder.allCases.map { option($0.rawValue, strings["sort." + $0.rawValue], filter.order.rawValue) }),
                "name": .text(name), "name_error": errors.text("name", strings).map { .text($0) } ?? .null,
            ],
            "problems": .list(
                errors.fields.filter { !beside.contains($0.name) }
                    .map { ["text": .text(strings($0.message.key, $0.message.values))] }),
        ]
    }
}
