// A statement's text together with the values bound to it.
//
// Promise: text comes from literals of the source only. A value that is interpolated becomes `?` and a binding;
// only another `SQL` is spliced in. The literal type is `StaticString`, so even `SQL(stringLiteral: variable)` does
// not compile: there is no way from a `String` that a person typed to text that SQLite parses.

/// SQL text with its bound values: `"SELECT title FROM tasks WHERE user_id = \(userID)"`.
public struct SQL: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The text in UTF-8: pieces are put together by copying bytes, and the statement is found by them.
    private(set) var bytes: [UInt8]
    /// The values for each `?`, in order.
    public private(set) var bindings: [Binding]

    /// Empty text, to which pieces are added.
    public init() {
        bytes = []
        bindings = []
    }

    /// A literal without values.
    public init(stringLiteral value: StaticString) {
        bytes = []
        bindings = []
        append(value)
    }

    /// A literal with values between its pieces.
    public init(stringInterpolation: StringInterpolation) {
        self = stringInterpolation.sql
    }

    /// For this module, where a pragma takes no bound value: `text` is made of literals and integers.
    init(trusted text: String) {
        bytes = Array(text.utf8)
        bindings = []
    }

    /// The statement as SQLite parses it, with `?` where values go.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// True without text.
    public var isEmpty: Bool { bytes.isEmpty }

    private mutating func append(_ literal: StaticString) {
        literal.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    /// Puts pieces one behind the other, such as conditions with `" AND "` between them.
    public static func joined(_ pieces: [SQL], separator: SQL) -> SQL {
        var result = SQL()
        for (index, piece) in pieces.enumerated() {
            if index > 0 { result += separator }
            result += piece
        }
        return result
    }

    /// One piece behind the other; no space is added.
    public static func + (left: SQL, right: SQL) -> SQL {
        var result = left
        result += right
        return result
    }

    /// Adds a piece at the end; no space is added.
    public static func += (left: inout SQL, right: SQL) {
        left.bytes += right.bytes
        left.bindings += right.bindings
    }

    /// Collects the literal pieces and values of an interpolated literal.
    public struct StringInterpolation: StringInterpolationProtocol {
        var sql = SQL()

        /// Reserves room for the pieces.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.bytes.reserveCapacity(literalCapacity + interpolationCount * 8)
            sql.bindings.reserveCapacity(interpolationCount)
        }

        /// A piece of the source's own text.
        public mutating func appendLiteral(_ literal: StaticString) {
            sql.append(literal)
        }

        /// A value: becomes `?` and a binding, whatever its characters are.
        public mutating func appendInterpolation(_ value: some Bindable) {
            sql.bytes.append(UInt8(ascii: "?"))
            sql.bindings.append(value.binding)
        }

        /// A value or NULL: becomes `?` and a binding.
        public mutating func appendInterpolation(_ value: (some Bindable)?) {
            sql.bytes.append(UInt8(ascii: "?"))
            sql.bindings.append(value?.binding ?? .null)
        }

        /// Another piece of SQL, spliced with its bindings.
        public mutating func appendInterpolation(_ piece: SQL) {
            sql += piece
        }

        /// Another piece of SQL, spliced with its bindings; the label says so at the call.
        public mutating func appendInterpolation(sql piece: SQL) {
            sql += piece
        }
    }
}
