// Slows guessing: after five failures for an account or twenty from an address each further try has to wait, doubling up to a quarter of
// an hour. Nobody is locked out for good, and a success for the account forgets its failures.

import SQLite

/// The failures of one account and one address.
struct Throttle: Sendable {
    private let subjects: [(key: String, free: Int)]
    private let now: Instant
    private static let longest = 900
    private static let memory = 86_400

    init(account: String?, address: String, now: Instant) {
        subjects = [account.map { ("account:" + $0, 5) }, ("address:" + address, 20)].compactMap { $0 }
        self.now = now
    }

    /// Seconds until the next try is looked at, nil where that is now.
    func wait(_ database: Connection) throws -> Int? {
        var longest = 0
        for (key, free) in subjects {
            guard let (failures, last) = try read(key, database), failures >= free else { continue }
            let delay = min(Self.longest, 1 << min(failures - free + 1, 20))
            longest = max(longest, last.seconds + delay - now.seconds)
        }
        return longest > 0 ? min(longest, Self.longest) : nil
    }

    /// Counts a failure. One that is older than a day is forgotten.
    func failed(_ database: Connection) throws {
        try database.execute("DELETE FROM sign_in_failures WHERE last_at < \(now.adding(seconds: -Self.memory).milliseconds)")
        for (key, _) in subjects {
            try database.execute(
                """
                INSERT INTO sign_in_failures (subject, failures, last_at) VALUES (\(key), 1, \(now.milliseconds))
                ON CONFLICT DO UPDATE SET failures = failures + 1, last_at = excluded.last_at
                """)
        }
    }

    /// Forgets the account's failures; those of the address stay, or one account of one's own would be a way to guess on.
    func succeeded(_ database: Connection) throws {
        guard let account = subjects.first(where: { $0.key.utf8.starts(with: "account:".utf8) }) else { return }
        try database.execute("DELETE FROM sign_in_failures WHERE subject = \(account.key)")
    }

    private func read(_ key: String, _ database: Connection) throws -> (failures: Int, last: Instant)? {
        try database.first("SELECT failures, last_at FROM sign_in_failures WHERE subject = \(key)") {
            (try $0.int(0), Instant(milliseconds: try $0.int(1)))
        }
    }
}
