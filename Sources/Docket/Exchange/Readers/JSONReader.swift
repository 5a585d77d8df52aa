// JSON (RFC 8259) read byte by byte from a file of any length: objects and lists are walked, only single values are kept, and those up to
// a limit. Deep nesting is refused; what is wrong is told with its place. Half a surrogate pair becomes U+FFFD.

/// Walks through the JSON of a file.
struct JSONReader: ~Copyable {
    /// How deep values may be nested.
    static let depthLimit = 64

    private var source: ByteReader
    private let name: String
    private var depth = 0
    /// Bytes that the value at hand may still keep; below zero it is read and not kept.
    private var budget = 0

    init(_ source: consuming ByteReader, name: String) {
        self.source = source
        self.name = name
    }

    /// A value that is in memory; nil where it is none.
    static func small(_ bytes: [UInt8]) -> JSONValue? {
        var reader = JSONReader(ByteReader(bytes: bytes), name: "")
        guard let value = try? reader.value(), (try? reader.peek()) == .some(nil) else { return nil }
        return value
    }

    /// The line of what comes next.
    var line: Int { source.line }

    /// The next byte that is no white space, not taken; nil at the end.
    mutating func peek() throws -> UInt8? {
        while let byte = try source.peek() {
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            _ = try source.next()
        }
        return nil
    }

    /// Takes a byte that must stand here.
    mutating func take(_ byte: UInt8) throws {
        guard try peek() == byte else { throw try broken() }
        _ = try source.next()
    }

    /// Takes whatever stands up to the end of the line.
    mutating func takeLine() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try source.next(), byte != 0x0A, byte != 0x0D { if bytes.count < 200 { bytes.append(byte) } }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Nothing may follow but white space.
    mutating func end() throws { if try peek() != nil { throw try broken() } }

    /// Why the next byte can't stand here.
    private mutating func broken() throws -> ImportFailure {
        guard let byte = try source.peek() else { return ImportFailure(.cutJSON, ["file": name, "line": String(source.line)]) }
        let found = 0x21...0x7E ~= byte ? String(decoding: [byte], as: UTF8.self) : "0x" + String(byte, radix: 16)
        return ImportFailure(
            .brokenJSON, ["file": name, "line": String(source.line), "byte": String(source.column), "found": found])
    }

    // MARK: Walking

    /// Walks an object; the body takes the value of each key.
    mutating func object(_ body: (inout JSONReader, String) throws -> Void) throws {
        try enter(0x7B)
        if try peek() == 0x7D { return try leave() }
        while true {
            guard try peek() == 0x22 else { throw try broken() }
            budget = 10_000
            let key = try string()
            try take(0x3A)
            try body(&self, key)
            switch try peek() {
            case 0x2C: _ = try source.next()
            case 0x7D: return try leave()
            default: throw try broken()
            }
        }
    }

    /// Walks a list; the body takes each element.
    mutating func array(_ body: (inout JSONReader) throws -> Void) throws {
        try enter(0x5B)
        if try peek() == 0x5D { return try leave() }
        while true {
            try body(&self)
            switch try peek() {
            case 0x2C: _ = try source.next()
            case 0x5D: return try leave()
            default: throw try broken()
            }
        }
    }

    private mutating func enter(_ byte: UInt8) throws {
        try take(byte)
        depth += 1
        guard depth <= Self.depthLimit else {
            throw ImportFailure(.deepJSON, ["file": name, "line": String(source.line), "limit": String(Self.depthLimit)])
        }
    }

    private mutating func leave() throws {
        _ = try source.next()
        depth -= 1
    }

    // MARK: Values

    /// Reads a value; nil for one that is larger than `limit`.
    mutating func value(limit: Int = ImportedText.byteLimit) throws -> JSONValue? {
        budget = limit
        let value = try read()
        return budget >= 0 ? value : nil
    }

    /// Reads a value and keeps nothing of it.
    mutating func skip() throws { _ = try value(limit: 0) }

    private mutating func read() throws -> JSONValue {
        budget -= 16
        switch try peek() {
        case 0x7B: return try readObject()
        case 0x5B: return try readArray()
        case 0x22: return .string(try string())
        case 0x74: return try word("true", .bool(true))
        case 0x66: return try word("false", .bool(false))
        case 0x6E: return try word("null", .null)
        case let byte? where byte == 0x2D || 0x30...0x39 ~= byte: return .number(try number())
        default: throw try broken()
        }
    }

    private mutating func readObject() throws -> JSONValue {
        var members: [JSONValue.Member] = []
        try enter(0x7B)
        if try peek() == 0x7D {
            try leave()
            return .object([])
        }
        while true {
            guard try peek() == 0x22 else { throw try broken() }
            let key = try string()
            try take(0x3A)
            let value = try read()
            if budget >= 0 { members.append(JSONValue.Member(key: key, value: value)) } else { members = [] }
            switch try peek() {
            case 0x2C: _ = try source.next()
            case 0x7D:
                try leave()
                return .object(members)
            default: throw try broken()
            }
        }
    }

    private mutating func readArray() throws -> JSONValue {
        var elements: [JSONValue] = []
        try enter(0x5B)
        if try peek() == 0x5D {
            try leave()
            return .array([])
        }
        while true {
            let value = try read()
            if budget >= 0 { elements.append(value) } else { elements = [] }
            switch try peek() {
            case 0x2C: _ = try source.next()
            case 0x5D:
                try leave()
                return .array(elements)
            default: throw try broken()
            }
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws -> JSONValue {
        for byte in word.utf8 {
            guard try source.peek() == byte else { throw try broken() }
            _ = try source.next()
        }
        return value
    }

    private mutating func number() throws -> String {
        var bytes: [UInt8] = []
        while let byte = try source.peek(), 0x30...0x39 ~= byte || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains(byte) {
            guard bytes.count < 1_000 else { throw try broken() }
            bytes.append(byte)
            _ = try source.next()
        }
        let text = String(decoding: bytes, as: UTF8.self)
        guard Double(text) != nil, bytes.last.map({ 0x30...0x39 ~= $0 }) == true else { throw try broken() }
        return text
    }

    private mutating func string() throws -> String {
        try take(0x22)
        var bytes: [UInt8] = []
        // A backslash that was taken already, behind half a character.
        var isEscape = false
        while let byte = isEscape ? 0x5C : try source.next() {
            isEscape = false
            switch byte {
            case 0x22: return String(decoding: bytes, as: UTF8.self)
            case 0x5C:
                switch try source.peek() {
                case 0x75?:
                    _ = try source.next()
                    for scalar in try escapedScalars(&isEscape) {
                        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { keep(byte, &bytes) }
                    }
                case let escaped?:
                    guard let place = Self.escapes.firstIndex(of: escaped) else { throw try broken() }
                    _ = try source.next()
                    keep(Self.escaped[place], &bytes)
                case nil: throw try broken()
                }
            default: keep(byte, &bytes)
            }
        }
        throw try broken()
    }

    private mutating func keep(_ byte: UInt8, _ bytes: inout [UInt8]) {
        budget -= 1
        if budget >= 0 { bytes.append(byte) } else if !bytes.isEmpty { bytes = [] }
    }

    private static let escapes = Array("\"\\/bfnrt".utf8)
    private static let escaped = Array("\"\\/\u{8}\u{C}\n\r\t".utf8)

    /// Behind `\u`: a character, or what is left of half a one.
    private mutating func escapedScalars(_ isEscape: inout Bool) throws -> [Unicode.Scalar] {
        var high: UInt32?
        var result: [Unicode.Scalar] = []
        while true {
            let unit = try hex()
            if let first = high, 0xDC00...0xDFFF ~= unit {
                return result + [Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (unit - 0xDC00)) ?? "\u{FFFD}"]
            }
            if high != nil { result.append("\u{FFFD}") }
            guard 0xD800...0xDBFF ~= unit else { return result + [Unicode.Scalar(unit) ?? "\u{FFFD}"] }
            high = unit
            guard try source.peek() == 0x5C else { return result + ["\u{FFFD}"] }
            _ = try source.next()
            guard try source.peek() == 0x75 else {
                isEscape = true
                return result + ["\u{FFFD}"]
            }
            _ = try source.next()
        }
    }

    private mutating func hex() throws -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = try source.peek(), byte.isHexDigit else { throw try broken() }
            _ = try source.next()
            value = value << 4 | UInt32(byte <= 0x39 ? byte & 0x0F : (byte & 0x0F) + 9)
        }
        return value
    }
}
