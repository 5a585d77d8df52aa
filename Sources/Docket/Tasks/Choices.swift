// What the selects of forms offer in one language: made once, so that a page only says which one is chosen.

import Mustache

/// The choices that are the same for everyone.
struct Choices: Sendable {
    private let statuses: [StatusCondition: Value]
    private let orders: [TaskOrder: Value]
    private let priorities: [Priority: Value]
    /// Priorities with none chosen.
    let plainPriorities: Value

    init(_ strings: Strings) {
        let statuses = StatusCondition.allCases.map { (value: $0.rawValue, label: strings["status." + $0.rawValue]) }
        let orders = TaskOrder.allCases.map { (value: $0.rawValue, label: strings["sort." + $0.rawValue]) }
        let priorities = Priority.allCases.reversed().map { (value: $0.word, label: strings["priority." + $0.word]) }
        self.statuses = Self.byChosen(StatusCondition.allCases) { Self.list(statuses, chosen: $0.rawValue) }
        self.orders = Self.byChosen(TaskOrder.allCases) { Self.list(orders, chosen: $0.rawValue) }
        self.priorities = Self.byChosen(Priority.allCases) { Self.list(priorities, chosen: $0.word) }
        plainPriorities = Self.list(priorities, chosen: nil)
    }

    func statuses(chosen: StatusCondition) -> Value { statuses[chosen] ?? .list([]) }
    func orders(chosen: TaskOrder) -> Value { orders[chosen] ?? .list([]) }
    func priorities(chosen: Priority?) -> Value { chosen.flatMap { priorities[$0] } ?? plainPriorities }

    /// The options of a select.
    static func list(_ options: [(value: String, label: String)], chosen: String?) -> Value {
        .list(
            options.map { value, label in
                ["value": .text(value), "label": .text(label), "selected": .bool(value == chosen)]
            })
    }

    private static func byChosen<Choice: Hashable>(_ all: [Choice], _ list: (Choice) -> Value) -> [Choice: Value] {
        Dictionary(uniqueKeysWithValues: all.map { ($0, list($0)) })
    }
}
