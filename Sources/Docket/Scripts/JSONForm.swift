// Content of type application/json as the fields of a form: one object whose members are the form's fields. Read by bytes, strictly:
// refused with 400 are what is no JSON, no object, a name that stands twice, text with NUL or half a surrogate pair, and more nesting or
// fields than any form has. What a member may hold is asked afterwards, field by field (`fields(_:)`).

import HTTP

/// A JSON object, taken apart.
struct JSONForm {
    /// What a member holds, as far as forms tell kinds apart.
    enum Value {
        case text(String)
        /// As it was written.
        case number(String)
        case flag(Bool)
        case null
        case list([Value])
        case object
    }

    private(set) var members: [(name: String, value: Value)] = []

    /// The most members and elements of lists together: a form of 100,000 identifiers fits.
    static let countLimit = 100_100
    static let depthLimit = 16

    init(_ bytes: [UInt8]) throws(ParseError) {
        var reader = JSONText(bytes)
        // Some programs of Windows put a byte-order mark in front (RFC 8259 section 8.1: it may be ignored).
        _ = reader.take("\u{FEFF}")
        reader.skipSpaces()
        guard reader.take("{") else { throw ParseError(400, "The JSON is not an object.") }
        var names: Set<[UInt8]> = []
        var members: [(name: String, value: Value)] = []
        try reader.members { (reader, name) throws(ParseError) in
            // By bytes: equality of text takes canonically equivalent names for the same.
            guard names.insert(Array(name.utf8)).inserted else {
                throw ParseError(400, "A name stands twice in the JSON object.")
            }
            members.append((name, try reader.value(depth: 1)))
        }
        reader.skipSpaces()
        guard reader.isAtEnd else { throw reader.malformed }
        self.members = members
    }
}

/// A position in JSON text (RFC 8259).
private struct JSONText {
    private let bytes: [UInt8]
    private var index = 0
    private var count = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }
    var malformed: ParseError { ParseError(400, "The JSON is malformed at byte \(index + 1).") }
    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    mutating func take(_ text: StaticString) -> Bool {
        let end = index + text.utf8CodeUnitCount
        guard end <= bytes.count, bytes[index..<end].elementsEqual(String(describing: text).utf8) else { return false }
        index = end
        return true
    }

    /// The members behind an opening brace, through the closing one.
    mutating func members(_ body: (inout JSONText, String) throws(ParseError) -> Void) throws(ParseError) {
        try items(closing: "}") { (reader) throws(ParseError) in
            guard reader.next == UInt8(ascii: "\"") else { throw reader.malformed }
            let name = try reader.string()
            reader.skipSpaces()
            guard reader.take(":") else { throw reader.malformed }
            try body(&reader, name)
        }
    }

    private mutating func items(
        closing: StaticString, _ body: (inout JSONText) throws(ParseError) -> Void
    ) throws(ParseError) {
        skipSpaces()
        if take(closing) { return }
        while true {
            count += 1
            guard count <= JSONForm.countLimit else { throw ParseError(400, "The form has too many fields.") }
            skipSpaces()
            try body(&self)
            skipSpaces()
            if take(closing) { return }
            guard take(",") else { throw malformed }
        }
    }

    mutating func value(depth: Int) throws(ParseError) -> JSONForm.Value {
        guard depth <= JSONForm.depthLimit else { throw ParseError(400, "The JSON is nested too deeply.") }
        skipSpaces()
        switch next {
        case UInt8(ascii: "\""): return .text(try string())
        case UInt8(ascii: "["):
            index += 1
            var list: [JSONForm.Value] = []
            try items(closing: "]") { (reader) throws(ParseError) in list.append(try reader.value(depth: depth + 1)) }
            return .list(list)
        case UInt8(ascii: "{"):
            index += 1
            try members { (reader, _) throws(ParseError) in _ = try reader.value(depth: depth + 1) }
            return .object
        case UInt8(ascii: "t") where take("true"): return .flag(true)
        case UInt8(ascii: "f") where take("false"): return .flag(false)
        case UInt8(ascii: "n") where take("null"): return .null
        default: return .number(try number())
        }
    }

    /// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`
    private mutating func number() throws(ParseError) -> String {
        let start = index
        func digits(_ reader: inout JSONText) throws(ParseError) {
            let first = reader.index
            while let byte = reader.next, 0x30...0x39 ~= byte { reader.index += 1 }
            guard reader.index > first else { throw reader.malformed }
        }
        _ = take("-")
        if !take("0") { try digits(&self) }
        if take(".") { try digits(&self) }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits(&self)
        }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func string() throws(ParseError) -> String {
        index += 1
        var output: [UInt8] = []
        while let byte = next {
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: output, as: UTF8.self), !output.contains(0) else {
                    throw ParseError(400, "A form field is not UTF-8 or holds NUL.")
                }
                return text
            case UInt8(ascii: "\\"): try escape(&output)
            case 0..<0x20: throw malformed
            default: output.append(byte)
            }
        }
        throw malformed
    }

    private mutating func escape(_ output: inout [UInt8]) throws(ParseError) {
        guard let byte = next else { throw malformed }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(byte)
        case UInt8(ascii: "b"): output.append(0x08)
        case UInt8(ascii: "f"): output.append(0x0C)
        case UInt8(ascii: "n"): output.append(0x0A)
        case UInt8(ascii: "r"): output.append(0x0D)
        case UInt8(ascii: "t"): output.append(0x09)
        case UInt8(ascii: "u"):
            var scalar = try hexadecimal()
            if 0xD800..<0xDC00 ~= scalar, take("\\u") {
                let low = try hexadecimal()
                guard 0xDC00..<0xE000 ~= low else { throw malformed }
                scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(scalar) else { throw malformed }
            output += Character(scalar).utf8
        default: throw malformed
        }
    }

    private mutating func hexadecimal() throws(ParseError) -> UInt32 {
        guard index + 4 <= bytes.count, bytes[index..<(index + 4)].allSatisfy(\.isHexDigit),
            let value = UInt32(String(decoding: bytes[index..<(index + 4)], as: UTF8.self), radix: 16)
        else { throw malformed }
        index += 4
        return value
    }
}

extension JSONForm {
    /// The members as fields of a form: true and false as `1` and `0`, null as empty, a list as a repeated field.
    ///
    /// - Parameter parameters: the fields that the address takes, each with its kind; nil where any is let through.
    /// - Throws: `FormErrors` that name each member of another kind, and each that the address does not know.
    func fields(_ parameters: [Parameter]?) throws(FormErrors) -> FormFields {
        var fields = FormFields()
        var errors = FormErrors()
        for (name, value) in members {
            let parameter = parameters?.first { $0.name.utf8.elementsEqual(name.utf8) }
            if parameters != nil, parameter == nil {
                errors.add(unknown: name)
                continue
            }
            switch value {
            case .list(let elements):
                let texts = elements.compactMap { Self.text($0, parameter) }
                if texts.count == elements.count, parameter?.isRepeated ?? true {
                    for text in texts { fields.append(name, text) }
                    continue
                }
            default:
                if let text = Self.text(value, parameter), parameter?.isRepeated != true {
                    fields.append(name, text)
                    continue
                }
            }
            errors.add(name, "problem.json." + (parameter?.wanted ?? "kind"))
        }
        try errors.check()
        return fields
    }

    /// `7`, and `7.0`, which is the same number.
    private static func whole(_ text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard !text.utf8.contains(where: { $0 | 0x20 == 0x65 }), parts.count == 1 || parts[1].utf8.allSatisfy({ $0 == 0x30 })
        else {
            return nil
        }
        return String(parts[0])
    }

    /// What a form would have said, nil where the field does not take that kind.
    private static func text(_ value: Value, _ parameter: Parameter?) -> String? {
        guard let kind = parameter?.kind else {
            return switch value {
            case .text(let text), .number(let text): text
            case .flag(let flag): flag ? "1" : "0"
            case .null: ""
            case .list, .object: nil
            }
        }
        switch (value, kind) {
        case (.null, _): return parameter?.isNullable == true ? "" : nil
        case (.flag(let flag), .flag): return flag ? "1" : "0"
        case (.number(let text), .number): return whole(text)
        case (.text, .flag), (.text, .number), (.text, .file): return nil
        case (.text(let text), _): return text
        default: return nil
        }
    }
}
