// A JSON value to be answered, for what has no type of its own.

/// A value; what is empty is null, and its name is there all the same.
enum JSON: Encodable, Sendable {
    case null
    case flag(Bool)
    case number(Int)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let members): try container.encode(members)
        }
    }

    /// The value, or null.
    init(_ text: String?) { self = text.map { .text($0) } ?? .null }
    /// The value, or null.
    init(_ number: Int?) { self = number.map { .number($0) } ?? .null }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    init(stringLiteral text: String) { self = .text(text) }
    init(integerLiteral number: Int) { self = .number(number) }
    init(booleanLiteral flag: Bool) { self = .flag(flag) }
    init(arrayLiteral elements: JSON...) { self = .list(elements) }

    init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(Dictionary(members, uniquingKeysWith: { _, last in last }))
    }
}
