// The index for searches among very many tasks: which characters, and pairs and triples of neighbours, each task's folded text has.
// It may say too much (of texts that are gone), never too little: what it finds is always looked at in the text itself. So it is kept
// behind the writers' backs, in small steps; tasks behind `through` are not in it yet and are looked at one by one. People with few
// tasks never use it: going through their own texts is faster.

public import SQLite

/// The index of terms, through one connection.
public struct SearchIndex {
    private let database: Connection

    /// The index of a database.
    public init(_ database: Connection) { self.database = database }

    /// From how many tasks on a person's searches use it (500 texts are gone through in 0.2 ms).
    static let worthwhile = 5_000
    /// How many of the newest tasks of all people may be missing in it before a step is worth its sync to disk.
    static let slack = 1_000
    /// How many tasks may be missing in it before a search rather goes through the person's own.
    static let longestRest = 5_000

    /// Tasks up to this number are in the index.
    func through() throws -> Int { Int(try database.scalar("SELECT through FROM search_progress") ?? 0) }

    private func last() throws -> Int { Int(try database.scalar("SELECT max(number) FROM tasks") ?? 0) }

    // MARK: Keeping

    /// Takes some more tasks into the index, inside the caller's transaction. True where more are left.
    public func step() throws -> Bool { try step(slack: Self.slack, size: 250) }

    func step(slack: Int, size: Int) throws -> Bool {
        let (through, last) = (try through(), try last())
        if try isStale(through, last) {
            try forget()
            return last >= slack
        }
        guard last - through >= slack else { return false }
        let tasks = try database.rows(
            "SELECT number, user_id, folded FROM tasks WHERE number > \(through) ORDER BY number LIMIT \(size)"
        ) { row in (number: try row.int(0) as Int, owner: try row.int(1) as Int, folded: try row.text(2)) }
        for task in tasks { try insert(task.number, owner: task.owner, folded: task.folded) }
        let reached = tasks.last?.number ?? last
        try database.execute("UPDATE search_progress SET through = \(reached)")
        return last - reached >= slack
    }

    /// Empties it, to be made anew step by step.
    func forget() throws {
        try database.execute("INSERT INTO search_terms (search_terms) VALUES ('delete-all')")
        try database.execute("UPDATE search_progress SET through = 0, stale = 0")
    }

    /// Takes in a changed text of a task that is in the index already.
    func update(_ number: Int, owner: Int, folded: String) throws {
        guard number <= (try through()) else { return }
        try insert(number, owner: owner, folded: folded)
        try database.execute("UPDATE search_progress SET stale = stale + 1")
    }

    private func insert(_ number: Int, owner: Int, folded: String) throws {
        let terms = Self.terms(owner: owner, text: folded.utf8, separator: [UInt8(ascii: " ")])
        try database.execute(
            "INSERT INTO search_terms (rowid, terms) VALUES (\(number), \(String(decoding: terms, as: UTF8.self)))")
    }

    /// True where so much of it stands for what is gone that it is made anew: a tenth, and in a small one anything at all, so that what
    /// someone deleted does not stay in the file.
    private func isStale(_ through: Int, _ last: Int) throws -> Bool {
        let stale = Int(try database.scalar("SELECT stale FROM search_progress") ?? 0)
        return stale > 0 && (stale > through / 10 || through < 20_000 && last - through >= Self.slack)
    }

    // MARK: Checking

    /// Some of the tasks that should be in it, evenly spread, and how many there are at most.
    func sample(_ count: Int) throws -> [Int64] {
        let through = Int64(try through())
        let step = max(1, through / Int64(count))
        return try stride(from: 1, through: through, by: Int(step)).compactMap {
            try database.scalar("SELECT min(number) FROM tasks WHERE number BETWEEN \($0) AND \(min(through, $0 + step - 1))")
        }
    }

    /// True where each term of a task's text leads to it.
    func isComplete(_ number: Int64) throws -> Bool {
        let task = try database.first("SELECT user_id, folded FROM tasks WHERE number = \(number)") {
            (owner: try $0.int(0) as Int, folded: try $0.text(1))
        }
        guard let task else { return true }
        let terms = Self.terms(owner: task.owner, text: task.folded.utf8, separator: [UInt8(ascii: " ")])
            .split(separator: UInt8(ascii: " ")).map { "\"" + String(decoding: $0, as: UTF8.self) + "\"" }
        // In portions, since an expression may only be so deep.
        for start in stride(from: 0, to: terms.count, by: 50) {
            let match = terms[start..<min(start + 50, terms.count)].joined(separator: " AND ")
            let found = try database.scalar("SELECT 1 FROM search_terms WHERE search_terms MATCH \(match) AND rowid = \(number)")
            guard found == 1 else { return false }
        }
        return true
    }

    // MARK: Asking

    /// Where a search may match: among these terms, and among the tasks behind `through`.
    struct Place {
        let match: String
        let through: Int
    }

    /// Nil where the index does not help.
    func place(_ search: SearchQuery, owner: Int) throws -> Place? {
        let through = try through()
        guard try last() - through <= Self.longestRest, let match = Self.expression(search, owner: owner) else { return nil }
        return Place(match: match, through: through)
    }

    /// The longest searches are found by their first terms.
    private static let mostTerms = 24

    /// All terms of a search's words, of which a text has every one if it matches.
    private static func expression(_ search: SearchQuery, owner: Int) -> String? {
        var terms: [[UInt8]] = []
        for word in search.words {
            let all = Self.terms(owner: owner, text: word, separator: [UInt8(ascii: " ")])
                .split(separator: UInt8(ascii: " ")).map(Array.init)
            // Shorter ones say nothing more where there are longer ones.
            let longest = all.map(Self.length).max() ?? 0
            for term in all where Self.length(term) == longest && !terms.contains(term) { terms.append(term) }
        }
        guard !terms.isEmpty else { return nil }
        return terms.prefix(mostTerms).map { "\"" + String(decoding: $0, as: UTF8.self) + "\"" }.joined(separator: " AND ")
    }

    /// How many characters a term is of.
    private static func length(_ term: [UInt8]) -> Int {
        let characters = String(decoding: term, as: UTF8.self).unicodeScalars
        return characters.firstIndex(of: "\u{B7}").map { characters[characters.index(after: $0)...].count } ?? 0
    }

    // MARK: Terms

    /// The terms of a folded text, of one person: `7·m 7·i 7·mi 7·l 7·il 7·mil …`. White space parts words, no term goes across it.
    ///
    /// The tokenizer takes ASCII letters and digits and everything beyond ASCII as parts of a term; other signs are moved to U+0180 and up.
    static func terms(owner: Int, text: some Sequence<UInt8>, separator: [UInt8]) -> [UInt8] {
        let prefix = Array("\(owner)\u{B7}".utf8)
        var output: [UInt8] = []
        output.reserveCapacity(4_096)
        var (before, previous, current): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        func end() {
            guard !current.isEmpty else { return }
            output += prefix
            output += current
            output += separator
            if !previous.isEmpty {
                output += prefix
                output += previous
                output += current
                output += separator
            }
            if !before.isEmpty {
                output += prefix
                output += before
                output += previous
                output += current
                output += separator
            }
            swap(&before, &previous)
            swap(&previous, &current)
            current.removeAll(keepingCapacity: true)
        }
        for byte in text {
            if byte & 0xC0 == 0x80 {
                current.append(byte)
                continue
            }
            end()
            switch byte {
            case ...0x20:
                before.removeAll(keepingCapacity: true)
                previous.removeAll(keepingCapacity: true)
            case 0x30...0x39, 0x61...0x7A, 0x80...: current.append(byte)
            default:
                current.append(0xC6 | byte >> 6)
                current.append(0x80 | byte & 0x3F)
            }
        }
        end()
        return output
    }
}
