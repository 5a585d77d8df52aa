// The conditions of a filter in words, for lists and for saved filters.

/// Conditions in words.
enum FilterWords {
    /// Each condition that is not at its default, with what takes it off.
    static func conditions(_ filter: TaskFilter, _ dates: DateText) -> [(text: String, remove: (inout TaskFilter) -> Void)] {
        let strings = dates.strings
        var found: [(text: String, remove: (inout TaskFilter) -> Void)] = []
        found += search(filter.search, strings)
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
        if let created = filter.created { found.append((self.created(created, dates), { $0.created = nil })) }
        return found
    }

    /// What is searched for, and each word that must not occur.
    private static func search(_ text: String, _ strings: Strings) -> [(text: String, remove: (inout TaskFilter) -> Void)] {
        if text.isEmpty { return [] }
        let pieces = Piece.all(text)
        let excluded = pieces.filter(SearchQuery.isExcluded)
        let others = pieces.filter { !SearchQuery.isExcluded($0) }
        // One phrase alone needs no marks of its own within those of the sentence.
        let words = others.count == 1 ? SearchQuery.searched(others[0]) : others.map(\.text).joined(separator: " ")
        guard !excluded.isEmpty else {
            return [(strings("conditions.text", [("text", others.count == 1 ? words : text)]), { $0.search = "" })]
        }
        let kept = excluded.map(\.text).joined(separator: " ")
        return (words.isEmpty ? [] : [(strings("conditions.text", [("text", words)]), { $0.search = kept })])
            + excluded.map { piece in
                (
                    strings("conditions.without", [("text", SearchQuery.searched(piece))]),
                    { $0.search = Piece.all($0.search).filter { $0 != piece }.map(\.text).joined(separator: " ") }
                )
            }
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

    static func created(_ days: DaySpan, _ dates: DateText) -> String {
        let (from, to) = (days.from.map(dates.day), days.to.map(dates.day))
        if let from, from == to { return dates.strings("conditions.created.day", [("day", from)]) }
        if let from, let to { return dates.strings("conditions.created.range", [("from", from), ("to", to)]) }
        return from.map { dates.strings("conditions.created.from", [("from", $0)]) }
            ?? dates.strings("conditions.created.to", [("to", to ?? "")])
    }

    static func due(_ due: DueCondition, _ dates: DateText) -> String {
        let strings = dates.strings
        switch due {
        case .overdue, .today, .week, .none, .any: return strings["conditions.due." + due.word]
        case .range(let from?, let to?):
            if from == to { return strings("conditions.due.day", [("day", dates.day(from))]) }
            return strings("conditions.due.range", [("from", dates.day(from)), ("to", dates.day(to))])
        case .range(let from?, nil): return strings("conditions.due.from", [("from", dates.day(from))])
        case .range(nil, let to?): return strings("conditions.due.to", [("to", dates.day(to))])
        case .range(nil, nil): return strings["conditions.due.any"]
        }
    }
}
