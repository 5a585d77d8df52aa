// Slows guessing: after five failures for an account or twenty from an address each further try has to wait, doubling up to a quarter of
// an hour; kept in the database, so that a restart forgives nothing (FAULTS A21). Nobody is locked out for good: a device on which the
// account has been signed in before is counted by itself, so that a stranger's guessing never stands between people and their own device.

import HTTP
import SQLite

/// The failures that count for one try.
struct Throttle: Sendable {
    private let subjects: [Subject]
    private let now: Instant
    private static let longest = 900
    private static let memory = 86_400

    private struct Subject: Sendable {
        let key: String
        /// Failures before the first delay.
        let free: Int
        /// True where a success makes its failures forgotten.
        let isForgiven: Bool
    }

    /// For signing in. Of a known device only its own failures count.
    init(account: String?, address: String, device: [UInt8]? = nil, now: Instant) {
        self.now = now
        if let device {
            subjects = [Subject(key: "device:" + Self.hex(device), free: 5, isForgiven: true)]
            return
        }
        // Those of an address stay after a success, or one account of one's own would be a way to guess on.
        let place = Subject(key: "address:" + Self.network(address), free: 20, isForgiven: false)
        subjects = (account.map { [Subject(key: "account:" + $0, free: 5, isForgiven: true)] } ?? []) + [place]
    }

    /// For a password that is asked for again by a page of someone who is signed in.
    init(password user: Int, now: Instant) {
        self.now = now
        subjects = [Subject(key: "password:\(user)", free: 5, isForgiven: true)]
    }

    /// Seconds until the next try is looked at, nil where that is now.
    func wait(_ database: Connection) throws -> Int? {
        var longest = 0
        for subject in subjects {
            guard let (failures, last) = try read(subject.key, database), failures >= subject.free else { continue }
            let delay = min(Self.longest, 1 << min(failures - subject.free + 1, 20))
            longest = max(longest, last.seconds + delay - now.seconds)
        }
        return longest > 0 ? min(longest, Self.longest) : nil
    }

    /// Counts a failure. One that is older than a day is forgotten.
    func failed(_ database: Connection) throws {
        try database.execute("DELETE FROM sign_in_failures WHERE last_at < \(now.adding(seconds: -Self.memory).milliseconds)")
        for subject in subjects {
            try database.execute(
                """
                INSERT INTO sign_in_failures (subject, failures, last_at) VALUES (\(subject.key), 1, \(now.milliseconds))
                ON CONFLICT DO UPDATE SET failures = failures + 1, last_at = excluded.last_at
                """)
        }
    }

    /// True where a success would have something to forget: asked before, so that it costs no write where there is nothing.
    func hasFailures(_ database: Connection) throws -> Bool {
        try subjects.contains { try $0.isForgiven && read($0.key, database) != nil }
    }

    /// Forgets what a success forgives.
    func succeeded(_ database: Connection) throws {
        for subject in subjects where subject.isForgiven {
            try database.execute("DELETE FROM sign_in_failures WHERE subject = \(subject.key)")
        }
    }

    /// `20 seconds`, `5 minutes`.
    static func text(_ seconds: Int, _ strings: Strings) -> String {
        seconds < 120 ? strings.count("when.seconds", seconds) : strings.count("when.minutes", (seconds + 59) / 60)
    }

    /// What counts as one address: an IPv4 address, or the /64 network of an IPv6 one, all of which belongs to one subscriber.
    private static func network(_ address: String) -> String {
        guard let bytes = AddressRange.parse(address), bytes.count == 16 else { return address }
        return hex(Array(bytes.prefix(8))) + "/64"
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private func read(_ key: String, _ database: Connection) throws -> (failures: Int, last: Instant)? {
        try database.first("SELECT failures, last_at FROM sign_in_failures WHERE subject = \(key)") {
            (try $0.int(0), Instant(milliseconds: try $0.int(1)))
        }
    }
}
