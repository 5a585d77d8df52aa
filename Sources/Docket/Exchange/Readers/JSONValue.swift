// A small piece of JSON in memory: one task, never a whole file. Numbers keep their text; the members of an object keep their order.

/// A value.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    /// A name with its value.
    struct Member: Equatable {
        let key: String
        let value: JSONValue
    }

    /// The value of a key, the last one where there are several; null for none.
    subscript(_ key: String) -> JSONValue { members.last { $0.key == key }?.value ?? .null }

    var members: [Member] { if case .object(let members) = self { members } else { [] } }
    var elements: [JSONValue] { if case .array(let elements) = self { elements } else { [] } }
    var isNull: Bool { self == .null }
    var isObject: Bool { if case .object = self { true } else { false } }

    /// A string, nil for anything else.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// What a person reads: a string as it is, a number, a word; lists with commas; objects by their names.
    var readable: String {
        switch self {
        case .null: ""
        case .bool(let flag): flag ? "true" : "false"
        case .number(let text), .string(let text): text
        case .array(let elements): elements.map(\.readable).filter { !$0.isEmpty }.joined(separator: ", ")
        case .object(let members):
            members.filter { !$0.value.isNull }.map { "\($0.key) \($0.value.readable)" }.joined(separator: ", ")
        }
    }

    /// What it is, for a message.
    var kind: String {
        switch self {
        case .null: "null"
        case .bool, .number: readable
        case .string(let text): "\"" + ImportReason.excerpt(text) + "\""
        case .array: "[…]"
        case .object: "{…}"
        }
    }

    /// Keys that stand there more than once.
    var doubledKeys: [String] {
        var seen: Set<String> = []
        return members.map(\.key).filter { !seen.insert($0).inserted }
    }
}
