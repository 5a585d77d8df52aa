// A context of named values: an ordered list that is searched from the front, which for the few dozen names of a page is
// quicker than any table, and which a literal builds with a single allocation.

/// Named values, in the order given.
///
/// Where a literal gives a name twice, the first one counts.
public struct Object: Sendable, ExpressibleByDictionaryLiteral {
    @usableFromInline var entries: [(Key, Value)]

    /// No names.
    @inlinable
    public init() { entries = [] }

    /// The names and values of a literal.
    @inlinable
    public init(dictionaryLiteral elements: (Key, Value)...) { entries = elements }

    /// Names and values made elsewhere.
    @inlinable
    public init(_ entries: [(Key, Value)]) { self.entries = entries }

    /// These names, and behind them those of another object: where both have a name, the first one counts.
    ///
    /// Consuming, so that the entries of what nobody else holds are moved, not copied.
    public consuming func appending(_ other: Object) -> Object {
        var joined = self
        joined.entries.append(contentsOf: other.entries)
        return joined
    }

    /// How many names there are.
    @inlinable
    public var count: Int { entries.count }

    /// The names, in order.
    public var keys: [Key] { entries.map(\.0) }

    /// The value of a name, or nil where the name is unknown; setting adds, replaces or (nil) removes.
    public subscript(key: Key) -> Value? {
        get { entries.first { $0.0 == key }?.1 }
        set {
            let index = entries.firstIndex { $0.0 == key }
            switch (index, newValue) {
            case (let index?, let value?): entries[index].1 = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): entries.append((key, value))
            case (nil, nil): break
            }
        }
    }
}
