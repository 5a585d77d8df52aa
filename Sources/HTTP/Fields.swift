// Field names and field sections (RFC 9110 sections 5 and 6.3): order kept, duplicates kept, names compared without case.

/// A field name: a token, held in lower case. One that exists is valid.
public struct FieldName: Hashable, Sendable, CustomStringConvertible {
    /// The name in lower case, ASCII.
    public let canonical: String

    /// Makes a name from text, or nil where it is not a token (RFC 9110 section 5.6.2). Only ASCII letters are folded.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.allSatisfy(Grammar.isToken) else { return nil }
        for index in bytes.indices where bytes[index] &- 0x41 < 26 { bytes[index] |= 0x20 }
        canonical = String(decoding: bytes, as: UTF8.self)
    }

    /// For names that the parser or the source text has checked: lower-case tokens.
    init(canonical: String) { self.canonical = canonical }

    /// By bytes; the length tells most names apart before a comparison.
    public static func == (one: Self, other: Self) -> Bool {
        one.canonical.utf8.count == other.canonical.utf8.count && one.canonical == other.canonical
    }

    /// The name in lower case.
    public var description: String { canonical }
}

/// A field section: an ordered list of name and value.
///
/// Values are text without CR, LF or NUL: the parser refuses others on the way in, the serializer on the way out.
public struct Fields: Sendable, Equatable {
    /// One field line.
    public struct Field: Sendable, Equatable {
        /// Its name.
        public var name: FieldName
        /// Its value, without surrounding white space.
        public var value: String
    }

    /// The lines in order.
    public private(set) var lines: [Field] = []

    /// An empty section.
    public init() {}

    /// Adds a line, keeping those of the same name.
    public mutating func append(_ name: FieldName, _ value: String) {
        lines.append(Field(name: name, value: value))
    }

    /// Adds the lines of another section, with room for the few that most answers get besides.
    public mutating func append(contentsOf others: Fields) {
        lines.reserveCapacity(lines.count + others.lines.count + 4)
        lines += others.lines
    }

    /// Adds a line that is made already.
    mutating func append(_ field: Field) { lines.append(field) }

    /// Makes room for that many lines at once.
    mutating func reserveCapacity(_ count: Int) { lines.reserveCapacity(count) }

    /// All values of a name, in order.
    public func values(_ name: FieldName) -> [String] {
        lines.lazy.filter { $0.name == name }.map(\.value)
    }

    /// The only value of a name on reading (nil where there is none or more than one);
    /// setting replaces every line of that name.
    public subscript(name: FieldName) -> String? {
        get {
            var found: String?
            for line in lines where line.name == name {
                if found != nil { return nil }
                found = line.value
            }
            return found
        }
        set {
            lines.removeAll { $0.name == name }
            if let newValue { append(name, newValue) }
        }
    }

    /// All values of a name joined as one list (RFC 9110 section 5.3), nil where there is none.
    public func combined(_ name: FieldName) -> String? {
        var combined: String?
        for line in lines where line.name == name { combined = combined.map { $0 + ", " + line.value } ?? line.value }
        return combined
    }

    /// True where at least one line has the name.
    public func contains(_ name: FieldName) -> Bool {
        lines.contains { $0.name == name }
    }
}
