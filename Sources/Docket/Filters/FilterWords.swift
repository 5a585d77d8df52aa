// The conditions of a filter in words, for lists and for saved filters.

/// Conditions in words.
enum FilterWords {
    /// Each condition that is not at its default, with what takes it off.
    static func conditions(_ filter: TaskFilter, _ dates: DateText) -> [(text: String, remove: (inout TaskFilter) -> Void)] {
        let strings = dates.strings
        var found: [(text: String, remove: (inout TaskFilter) -> Void)] = []
        if !filter.search.isEmpty { found.append((strings("conditions.text", [("text", filter.search)]), { $0.search = "" })) }
        if filter.status != .pending {
            found.append((strings["conditions.status." + filter.status.rawValue], { $0.status = .pending }))
        }
        if let category = filter.category { found.append((category.name(strings), { $0.category = nil })) }
        if let priority = filter.priority {
            found.append((strings["conditions.priority." + priority.word], { $0.priority = nil }))
        }
        if filter.pinnedOnly { found.append((strings["conditions.pinned"], { $0.pinnedOnly = false })) }
        if let due = filter.due { found.append((self.due(due, dates), { $0.due = nil })) }
        if let done = filter.done { found.append((self.done(done, dates), { $0.done = nil })) }
        return found
    }

    /// All of a filter in one line.
    static func line(_ filter: TaskFilter, _ dates: DateText) -> String {
        let texts = conditions(filter, dates).map(\.text)
        return texts.isEmpty
            ? dates.strings["filter.everything"] : texts.joined(separator: dates.strings["list.summary.separator"])
    }

    static func done(_ days: ClosedRange<Day>, _ dates: DateText) -> String {
        let (from, to) = (dates.day(days.lowerBound), dates.day(days.upperBound))
        if days.lowerBound == days.upperBound { return dates.strings("conditions.done.day", [("day", from)]) }
        return dates.strings("conditions.done.range", [("from", from), ("to", to)])
    }

    static func due(_ due: DueCondition, _ dates: DateText) -> String {
        let strings = dates.strings
        switch due {
        case .overdue, .today, .week, .none, .any: return strings["conditions.due." + due.word]
        case .range(let from?, let to?):
            return strings("conditions.due.range", [("from", dates.day(from)), ("to", dates.day(to))])
        case .range(let from?, nil): return strings("conditions.due.from", [("from", dates.day(from))])
        case .range(nil, let to?): return strings("conditions.due.to", [("to", dates.day(to))])
        case .range(nil, nil): return strings["conditions.due.any"]
        }
    }
}
