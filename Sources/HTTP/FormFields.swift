// The fields of a form or a query as `application/x-www-form-urlencoded` (WHATWG URL, section 5): order and doubles kept.
// Refused with 400: more fields than the limit, names or values that are not UTF-8 or hold NUL. A `%` without two digits is a `%`.

/// An ordered list of names and values.
public struct FormFields: Sendable, Equatable, Sequence, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable, Equatable {
        /// Its name, decoded.
        public var name: String
        /// Its value, decoded.
        public var value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in order.
    public private(set) var list: [Field] = []

    /// An empty form.
    public init() {}

    /// Fields in the order of the literal, doubles kept.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }

    /// Decodes a form or a query. A form of more than `count` fields is refused.
    public init(urlEncoded bytes: some Collection<UInt8>, count limit: Int = 2_000) throws(ParseError) {
        let array = Array(bytes)
        var start = 0
        while start <= array.count {
            let end = array.span.firstOffset(of: UInt8(ascii: "&"), from: start) ?? array.count
            if end > start {
                guard list.count < limit else { throw ParseError(400, "The form has too many fields.") }
                let field = array[start..<end]
                let equals = field.firstIndex(of: Ascii.equals) ?? end
                append(try Self.decode(field[..<equals]), try Self.decode(field[equals...].dropFirst()))
            }
            start = end + 1
        }
    }

    /// Decodes a query; nil is an empty one.
    public init(query: String?, count limit: Int = 2_000) throws(ParseError) {
        try self.init(urlEncoded: (query ?? "").utf8, count: limit)
    }

    /// Adds a field at the end.
    public mutating func append(_ name: String, _ value: String) { list.append(Field(name: name, value: value)) }

    /// The first value of a name.
    public func first(_ name: String) -> String? {
        list.first { Self.same($0.name, name) }?.value
    }

    /// All values of a name, in order.
    public func all(_ name: String) -> [String] {
        list.lazy.filter { Self.same($0.name, name) }.map(\.value)
    }

    /// True where there is no field.
    public var isEmpty: Bool { list.isEmpty }

    /// How many fields there are.
    public var count: Int { list.count }

    /// Iterates over the fields in order.
    public func makeIterator() -> IndexingIterator<[Field]> { list.makeIterator() }

    /// The fields as a query string or form content, without `?`.
    public var encoded: String {
        var bytes: [UInt8] = []
        for field in list {
            if !bytes.isEmpty { bytes.append(UInt8(ascii: "&")) }
            Self.encode(field.name, to: &bytes)
            bytes.append(Ascii.equals)
            Self.encode(field.value, to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// By bytes: `==` on text takes canonically equivalent names for the same.
    private static func same(_ one: String, _ other: String) -> Bool { one.utf8.elementsEqual(other.utf8) }

    private static func decode(_ text: ArraySlice<UInt8>) throws(ParseError) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            switch byte {
            case Ascii.plus: bytes.append(Ascii.space)
            case Ascii.percent: bytes.append(PercentEncoding.escape(text, &index) ?? Ascii.percent)
            default: bytes.append(byte)
            }
        }
        guard let valid = PercentEncoding.valid(bytes) else {
            throw ParseError(400, "A form field is not UTF-8 or holds NUL.")
        }
        return valid
    }

    private static func encode(_ text: String, to bytes: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case Ascii.space: bytes.append(Ascii.plus)
            case UInt8(ascii: "*"), Ascii.hyphen, UInt8(ascii: "."), UInt8(ascii: "_"): bytes.append(byte)
            case _ where Grammar.isLetter(byte) || Grammar.isDigit(byte): bytes.append(byte)
            default: PercentEncoding.appendEscape(byte, to: &bytes)
            }
        }
    }
}
