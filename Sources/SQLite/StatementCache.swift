// The prepared statements of one connection, found by their text. Bounded: the one unused for longest makes room.
//
// A text is compared as bytes: Swift's == on strings is canonical equivalence, SQLite's is not.

import CSQLite

/// Statements by text, for one connection.
struct StatementCache {
    private var statements: [Key: Statement] = [:]
    private var uses = 0
    private let capacity = 200

    /// The text as a key. Statements differ in their length or near their end, all but a few: hashing no more than that is enough.
    private struct Key: Hashable {
        let text: [UInt8]

        func hash(into hasher: inout Hasher) {
            hasher.combine(text.count)
            text.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0.suffix(48))) }
        }

        static func == (one: Self, other: Self) -> Bool {
            one.text.withUnsafeBytes { one in
                other.text.withUnsafeBytes { other in
                    guard one.count == other.count, let left = one.baseAddress, let right = other.baseAddress else {
                        return one.count == other.count
                    }
                    return csqlite_equal(left, right, UInt(one.count)) != 0
                }
            }
        }
    }

    /// A statement for this text that nobody steps; it is marked as in use. The same text in use once more (a query
    /// inside its own rows) gets a statement of its own, which ends with its use.
    mutating func checkOut(_ text: [UInt8], on connection: OpaquePointer) throws(DatabaseError) -> Statement {
        uses += 1
        let key = Key(text: text)
        if let statement = statements[key] {
            if statement.isInUse { return try Statement(text, on: connection, persistent: false) }
            statement.isInUse = true
            statement.lastUse = uses
            return statement
        }
        let statement = try Statement(text, on: connection, persistent: true)
        if statements.count >= capacity { removeOldest() }
        statement.isInUse = true
        statement.lastUse = uses
        statements[key] = statement
        return statement
    }

    /// Forgets all; those that are in use end with their use.
    mutating func removeAll() {
        statements.removeAll()
    }

    private mutating func removeOldest() {
        let idle = statements.filter { !$0.value.isInUse }
        guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return }
        statements[oldest.key] = nil
    }
}
