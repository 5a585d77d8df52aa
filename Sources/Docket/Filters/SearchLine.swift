// The search field's query line: `status:` `category:` `priority:` `due:` `created:` `pinned:` in English and Chinese become the
// parameters of the list that they stand for; the words, `-words` and `"exact words"` stay what is searched for (`SearchQuery`).
// A value that is not understood is a problem, so that nothing is shown; a keyword that there is not is a word like any other.

import HTTP

/// A query in which the search field has been read.
struct SearchLine {
    /// The parameters of a list, with what the search field said in the places of its conditions.
    private(set) var query: FormFields
    private(set) var problems: [TaskFilter.Problem] = []

    private enum Keyword: String {
        case status, category, priority, due, created, pinned
    }

    private static let keywords: [(String, Keyword)] = [
        ("status", .status), ("状态", .status), ("category", .category), ("分类", .category), ("priority", .priority),
        ("优先级", .priority), ("due", .due), ("截止", .due), ("到期", .due), ("created", .created), ("创建", .created),
        ("pinned", .pinned), ("置顶", .pinned),
    ]

    private static let values: [Keyword: [(String, String)]] = [
        .status: [
            ("open", "pending"), ("pending", "pending"), ("未完成", "pending"), ("completed", "completed"), ("done", "completed"),
            ("已完成", "completed"), ("完成", "completed"), ("all", "all"), ("全部", "all"),
        ],
        .priority: [
            ("high", "high"), ("高", "high"), ("medium", "medium"), ("中", "medium"), ("low", "low"), ("低", "low"),
        ],
        .due: [
            ("overdue", "overdue"), ("late", "overdue"), ("逾期", "overdue"), ("已逾期", "overdue"), ("today", "today"),
            ("今天", "today"),
            ("week", "week"), ("本周", "week"), ("none", "none"), ("无", "none"), ("any", "any"), ("有", "any"),
        ],
        .pinned: [("1", "1"), ("yes", "1"), ("是", "1"), ("0", "0"), ("no", "0"), ("否", "0")],
    ]

    /// Reads the field `q` of a query; without keywords everything stays as it is.
    init(_ query: FormFields, categories: CategoryLookup, zone: Zone, now: Instant) {
        self.query = query
        let texts = query.all("q")
        guard texts.count == 1, let text = texts.first, text.unicodeScalars.count <= TaskFilter.longestSearch else { return }
        var rest: [String] = []
        var found: [Keyword: String] = [:]
        for piece in Piece.all(text) {
            guard let (keyword, value) = Self.split(piece) else {
                rest.append(piece.text)
                continue
            }
            guard found[keyword] == nil else {
                problems.append(TaskFilter.Problem(parameter: "twice", value: piece.text, isTyped: true))
                continue
            }
            let word = Self.word(keyword, value, categories, zone, now)
            found[keyword] = word ?? ""
            if word == nil {
                problems.append(TaskFilter.Problem(parameter: keyword.rawValue, value: value, isTyped: true))
            }
        }
        // With a mistake the field comes back as it was typed.
        guard !found.isEmpty, problems.isEmpty else { return }
        self.query = FormFields()
        for field in query where field.name != "q" && !found.keys.contains(where: { $0.rawValue == field.name }) {
            self.query.append(field.name, field.value)
        }
        if !rest.isEmpty { self.query.append("q", rest.joined(separator: " ")) }
        for (keyword, word) in found.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            self.query.append(keyword.rawValue, word)
        }
    }

    /// `status:open` as keyword and value; nil for what is a word.
    private static func split(_ piece: Piece) -> (Keyword, String)? {
        let scalars = piece.text.unicodeScalars
        guard let colon = scalars.firstIndex(where: { $0 == ":" || $0 == "：" }) else { return nil }
        let name = Folding.caseFold(String(scalars[..<colon]))
        guard let keyword = keywords.first(where: { $0.0.utf8.elementsEqual(name.utf8) })?.1 else { return nil }
        let value = piece.quoted ?? String(scalars[scalars.index(after: colon)...])
        return value.isEmpty ? nil : (keyword, value)
    }

    /// The parameter's value, nil where it is not understood.
    private static func word(_ keyword: Keyword, _ value: String, _ categories: CategoryLookup, _ zone: Zone, _ now: Instant)
        -> String?
    {
        let folded = Folding.caseFold(value)
        if let word = values[keyword]?.first(where: { $0.0.utf8.elementsEqual(folded.utf8) })?.1 { return word }
        switch keyword {
        case .category: return categories.find(value)?.key
        case .due, .created: return days(folded, zone, now)
        case .status, .priority, .pinned: return nil
        }
    }

    /// `fri`, `<fri`, `>=2026-01-01`, `2026-01-01..2026-02-01` as a range of days.
    private static func days(_ text: String, _ zone: Zone, _ now: Instant) -> String? {
        func day(_ text: some StringProtocol) -> Day? {
            guard let due = try? Due(form: String(text), zone: zone, now: now), case .day(let day) = due else { return nil }
            return day
        }
        if let span = DaySpan(word: text) { return span.word }
        for (sign, from, to) in [(">=", 0, nil), ("<=", nil, 0), (">", 1, nil), ("<", nil, -1)] as [(String, Int?, Int?)]
        where text.hasPrefix(sign) {
            guard let day = day(text.dropFirst(sign.count)) else { return nil }
            return DaySpan(from: from.map(day.adding(days:)), to: to.map(day.adding(days:))).word
        }
        return day(text).map { DaySpan(from: $0, to: $0).word }
    }
}

/// Days from and to, both included; either end may be open, not both.
struct DaySpan: Equatable, Sendable {
    let from: Day?
    let to: Day?

    init(from: Day?, to: Day?) {
        self.from = from
        self.to = to
    }

    /// `2026-01-01..2026-02-01`, `2026-01-01..`, `..2026-02-01`.
    init?(word: String) {
        guard case .range(let from, let to)? = DueCondition(word: word) else { return nil }
        self.init(from: from, to: to)
    }

    var word: String { (from?.description ?? "") + ".." + (to?.description ?? "") }
}

extension Context {
    /// A query with its search field read.
    func searchLine(_ query: FormFields, _ categories: [Category]) -> SearchLine {
        SearchLine(query, categories: lookup(categories), zone: zone, now: now)
    }
}
