// How many tasks a list shows, as far as that is known.

/// How many tasks a filter shows: exactly, or more than a bound up to which they were counted.
struct TaskTotal: Equatable, Sendable {
    /// As far as is counted while a person waits.
    static let bound = 10_000
    /// Steps of SQLite's machine that looking takes while a person waits: some 25,000 texts, or a quarter of a million entries of an index.
    static let steps = 400_000

    let count: Int
    let isExact: Bool
    /// True where only a part was looked through: so many were found in it.
    let isCutShort: Bool

    init(_ count: Int, isExact: Bool = true, isCutShort: Bool = false) {
        (self.count, self.isExact, self.isCutShort) = (count, isExact, isCutShort)
    }
}

extension Strings {
    /// A text with a number of tasks that may only be known as more than so many.
    func total(_ key: String, _ total: TaskTotal) -> String {
        total.isExact ? count(key, total.count) : self(key + ".other", [("n", grouped(total))])
    }

    /// `12,345`, or `more than 10,000`.
    func grouped(_ total: TaskTotal) -> String {
        total.isExact ? grouped(total.count) : self("list.more_than", [("n", grouped(total.count))])
    }
}
