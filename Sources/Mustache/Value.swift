// What a template is rendered with. Values are made by hand, one literal a page or row; nothing here looks into a type.
// Text and bytes are escaped when written; `html` is the one door for markup that the program itself has made.

/// A value of a context.
///
/// False to a section: `null`, `false`, zero, not-a-number, empty text, empty bytes, empty markup and an empty list.
public enum Value: Sendable {
    /// Nothing: known, but absent. Written as nothing.
    case null
    /// Written as `true` or `false`.
    case bool(Bool)
    /// Written in decimal.
    case int(Int)
    /// Written in the shortest form that reads back the same; a whole number has no point.
    case double(Double)
    /// Escaped when written.
    case text(String)
    /// UTF-8, escaped when written.
    case bytes([UInt8])
    /// Markup that the program has made and vouches for: never escaped.
    case html([UInt8])
    /// A section is rendered once for each.
    case list([Value])
    /// Names for the section's inside.
    case object(Object)
}

extension Value: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Nothing.
    @inlinable
    public init(nilLiteral: ()) { self = .null }

    /// A truth value.
    @inlinable
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// A whole number.
    @inlinable
    public init(integerLiteral value: Int) { self = .int(value) }

    /// A number.
    @inlinable
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Text.
    @inlinable
    public init(stringLiteral value: String) { self = .text(value) }

    /// A list.
    @inlinable
    public init(arrayLiteral elements: Value...) { self = .list(elements) }

    /// Named values.
    @inlinable
    public init(dictionaryLiteral elements: (Key, Value)...) { self = .object(Object(elements)) }
}

extension Value {
    /// Whether a section of this value shows.
    var isTruthy: Bool {
        switch self {
        case .null: false
        case .bool(let value): value
        case .int(let value): value != 0
        case .double(let value): value != 0 && !value.isNaN
        case .text(let value): !value.isEmpty
        case .bytes(let value), .html(let value): !value.isEmpty
        case .list(let value): !value.isEmpty
        case .object: true
        }
    }
}
