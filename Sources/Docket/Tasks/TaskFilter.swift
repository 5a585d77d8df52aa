// What a list shows: which tasks, in which order. Read from a query string once, valid from then on.
// An unknown value is told and shows nothing: it never widens the result.

import HTTP

/// The five orders of a list. Pinned tasks come first in each.
enum TaskOrder: String, CaseIterable, Sendable {
    case newest = "created_desc"
    case oldest = "created_asc"
    case priority = "priority_desc"
    case dueSoonest = "due_asc"
    case dueLatest = "due_desc"

    var isByDue: Bool { self == .dueSoonest || self == .dueLatest }
}

/// The conditions on the status.
enum StatusCondition: String, CaseIterable, Sendable {
    case pending, completed, all

    /// The ones that it lets through.
    var statuses: [TaskStatus] {
        switch self {
        case .pending: [.pending]
        case .completed: [.completed]
        case .all: [.pending, .completed]
        }
    }
}

/// The conditions on a due date.
enum DueCondition: Equatable, Sendable {
    case overdue, today, week, none, any
    /// Days from and to, both included; either end may be open, not both.
    case range(Day?, Day?)

    init?(word: String) {
        switch word {
        case "overdue": self = .overdue
        case "today": self = .today
        case "week": self = .week
        case "none": self = .none
        case "any": self = .any
        default:
            guard let dots = word.range(ofDots: ()) else { return nil }
            let (from, to) = (String(word[..<dots.lowerBound]), String(word[dots.upperBound...]))
            let (first, last) = (Day(from), Day(to))
            guard first != nil || from.isEmpty, last != nil || to.isEmpty, first != nil || last != nil else { return nil }
            if let first, let last, last < first { return nil }
            self = .range(first, last)
        }
    }

    var word: String {
        switch self {
        case .overdue: "overdue"
        case .today: "today"
        case .week: "week"
        case .none: "none"
        case .any: "any"
        case .range(let from, let to): (from?.description ?? "") + ".." + (to?.description ?? "")
        }
    }
}

/// The conditions and the order of a list.
struct TaskFilter: Equatable, Sendable {
    /// What was typed into the search field.
    var search = ""
    var status = StatusCondition.pending
    var category: Category?
    var priority: Priority?
    var pinnedOnly = false
    var due: DueCondition?
    /// The days on which it was completed: from and to, both included.
    var done: ClosedRange<Day>?
    /// The days on which it was made.
    var created: DaySpan?
    var order = TaskOrder.newest

    /// A value that is no value of its parameter.
    struct Problem: Equatable, Sendable {
        let parameter: String
        let value: String
        /// True where it was typed into the search field, which keeps it.
        var isTyped = false

        /// What the answer to a script names.
        var field: String { parameter == "unknown_parameter" ? value : parameter }

        /// Of its message.
        var key: String { "problem." + parameter }

        /// The parameters that an address does not have: passed over, a misspelt condition would show more than was asked for.
        static func unknown(_ query: some Sequence<FormFields.Field>, besides known: Set<String>) -> [Problem] {
            query.filter { !known.contains($0.name) }.map { Problem(parameter: "unknown_parameter", value: $0.name) }
        }
    }

    init() {}

    /// Reads the parameters of the list page. What is missing or empty is at its default.
    init(query: FormFields, categories: [Category], order standard: TaskOrder, problems: inout [Problem]) {
        order = standard
        func value<Value>(_ name: String, _ make: (String) -> Value?) -> Value? {
            let all = query.all(name)
            guard let text = all.first, !text.isEmpty else { return nil }
            if all.count > 1, !all.allSatisfy({ $0.utf8.elementsEqual(text.utf8) }) {
                problems.append(Problem(parameter: name, value: all.joined(separator: ", ")))
                return nil
            }
            guard let made = make(text) else {
                problems.append(Problem(parameter: name, value: text))
                return nil
            }
            return made
        }
        search = value("q") { $0 } ?? ""
        if search.unicodeScalars.count > Self.longestSearch {
            problems.append(Problem(parameter: "q", value: String(search.prefix(60)) + "…"))
            search = ""
        }
        status = value("status", StatusCondition.init(rawValue:)) ?? .pending
        category = value("category") { key in categories.first { $0.key == key } }
        priority = value("priority", Priority.init(word:))
        pinnedOnly = value("pinned") { $0 == "1" ? true : $0 == "0" ? false : nil } ?? false
        due = value("due", DueCondition.init(word:))
        done = value("done") { word in
            guard case .range(let first?, let last?) = DueCondition(word: word) else { return nil }
            return first...last
        }
        created = value("created", DaySpan.init(word:))
        order = value("sort", TaskOrder.init(rawValue:)) ?? standard
    }

    /// Characters (code points) of a search text: longer ones are refused, since each word costs a pass over the texts.
    static let longestSearch = 1_000

    /// The query string that stands for this filter, without what is at its default; `order` is told where it is not `standard`.
    func query(order standard: TaskOrder?) -> [(String, String)] {
        var pairs: [(String, String)] = []
        if !search.isEmpty { pairs.append(("q", search)) }
        if status != .pending { pairs.append(("status", status.rawValue)) }
        if let category { pairs.append(("category", category.key)) }
        if let priority { pairs.append(("priority", priority.word)) }
        if pinnedOnly { pairs.append(("pinned", "1")) }
        if let due { pairs.append(("due", due.word)) }
        if let done { pairs.append(("done", "\(done.lowerBound)..\(done.upperBound)")) }
        if let created { pairs.append(("created", created.word)) }
        if order != standard { pairs.append(("sort", order.rawValue)) }
        return pairs
    }
}

extension String {
    fileprivate func range(ofDots: Void) -> Range<Index>? {
        guard let first = utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        let second = utf8.index(after: first)
        guard second < endIndex, utf8[second] == UInt8(ascii: ".") else { return nil }
        return first..<utf8.index(after: second)
    }
}
