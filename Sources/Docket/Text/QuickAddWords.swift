// The marked words of a line of quick add: `!high` `!!!`, `#work`, `^tomorrow 18:30`, `*`. Only marked words that are understood are
// taken, each kind once; everything else is the title, as it was typed. `"#work"` in quotation marks is text and loses them.
// A line of which nothing would be left is all title.

/// A line of quick add, read.
struct QuickAddWords: Sendable {
    private(set) var title: String
    private(set) var priority: Priority?
    private(set) var category: Category?
    private(set) var due: Due?
    private(set) var isPinned = false

    /// True where a word was taken.
    var hasTaken: Bool { priority != nil || category != nil || due != nil || isPinned }

    /// Longer lines are all title: they are refused as one, and reading them would cost too much.
    static let longest = 20_000
    /// `^the day after tomorrow at 6 pm`.
    private static let longestDue = 7

    private static let priorities: [(String, Priority)] = [
        ("!!!", .high), ("!high", .high), ("!medium", .medium), ("!low", .low), ("!高", .high), ("!中", .medium), ("!低", .low),
    ]

    init(_ text: String, categories: CategoryLookup, zone: Zone, now: Instant) {
        title = text
        guard text.utf8.count <= Self.longest else { return }
        let pieces = Piece.all(text)
        var rest: [String] = []
        var index = 0
        var hasUnquoted = false
        while index < pieces.count {
            let piece = pieces[index]
            if let quoted = piece.quoted {
                let isMark = piece.lead.isEmpty && !quoted.contains(" ") && Self.mark(quoted) != nil
                hasUnquoted = hasUnquoted || isMark
                rest.append(isMark ? quoted : piece.text)
                index += 1
            } else if let count = take(pieces[index...], categories, zone, now) {
                index += count
            } else {
                rest.append(piece.text)
                index += 1
            }
        }
        if rest.isEmpty {
            (priority, category, due, isPinned) = (nil, nil, nil, false)
        } else if hasTaken || hasUnquoted {
            title = rest.joined(separator: " ")
        }
    }

    /// The sign that a word begins with, its full-width form made plain.
    private static func mark(_ word: String) -> Character? {
        let signs: [Character: Character] = ["！": "!", "＃": "#", "＾": "^", "＊": "*"]
        guard let first = word.first else { return nil }
        let sign = signs[first] ?? first
        return "!#^*".contains(sign) ? sign : nil
    }

    /// How many pieces are taken from the beginning, nil where the first is text.
    private mutating func take(_ pieces: ArraySlice<Piece>, _ categories: CategoryLookup, _ zone: Zone, _ now: Instant) -> Int? {
        guard let word = pieces.first?.text, let mark = Self.mark(word) else { return nil }
        let rest = String(word.dropFirst())
        switch mark {
        case "*" where rest.isEmpty && !isPinned:
            isPinned = true
            return 1
        case "!" where priority == nil:
            let folded = Folding.caseFold(word)
            priority = Self.priorities.first { $0.0.utf8.elementsEqual(folded.utf8) }?.1
            return priority == nil ? nil : 1
        case "#" where category == nil && !rest.isEmpty:
            category = categories.find(rest)
            return category == nil ? nil : 1
        case "^" where due == nil && !rest.isEmpty:
            // The longest run of words that is a date: `^2026-12-24 18:30`, `^next monday`.
            for count in stride(from: min(pieces.count, Self.longestDue), to: 0, by: -1) {
                let words = pieces.prefix(count)
                guard words.allSatisfy({ $0.quoted == nil }) else { continue }
                let text = ([rest] + words.dropFirst().map(\.text)).joined(separator: " ")
                if let read = try? Due(form: text, zone: zone, now: now) {
                    due = read
                    return count
                }
            }
            return nil
        default: return nil
        }
    }

    /// What was taken, in words: `tomorrow 18:30 · Work · High priority · Pinned`.
    func words(_ dates: DateText) -> String {
        let strings = dates.strings
        var parts: [String] = []
        if let due { parts.append(dates.due(due)) }
        if let category { parts.append(category.name(strings)) }
        if let priority { parts.append(strings["conditions.priority." + priority.word]) }
        if isPinned { parts.append(strings["conditions.pinned"]) }
        return parts.joined(separator: strings["list.summary.separator"])
    }

    /// Puts what was taken in the place of what the form has.
    func apply(to draft: inout TaskDraft) {
        if let priority { draft.priority = priority }
        if let category { draft.category = category }
        if let due { draft.due = due }
        if isPinned { draft.isPinned = true }
    }
}
