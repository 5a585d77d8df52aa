// `multipart/form-data` (RFC 7578, RFC 2046 section 5.1): finds the parts of a body without holding the body in memory.
// Promises: each part's content is a range of the body, exact to the byte.
// Refuses with 400: a preamble, a bad or missing boundary, a cut end, parts without a name; and more than the limits allow.

/// The parts of a form.
public struct MultipartForm: Sendable {
    /// One part.
    public struct Part: Sendable, Equatable {
        /// The name of the form field.
        public let name: String
        /// The name of the file as the sender calls it: a text to show, never a path. Nil where the field is no file.
        public let filename: String?
        /// What the sender says the content is.
        public let mediaType: MediaType?
        /// Where the content lies in the body.
        public let content: Range<Int>
    }

    /// How much is accepted.
    public struct Limits: Sendable {
        /// The most parts.
        public var parts: Int
        /// The longest field section of one part, in bytes.
        public var fieldSectionBytes: Int

        /// Limits.
        public init(parts: Int = 1_000, fieldSectionBytes: Int = 8192) {
            self.parts = parts
            self.fieldSectionBytes = fieldSectionBytes
        }
    }

    /// The parts in order.
    public let parts: [Part]
    private let body: Body

    /// Reads a body of the given type. Throws `ParseError` (415 where the type is another, else 400), or what reading the body throws.
    public init(_ body: Body, type: MediaType, limits: Limits = Limits()) throws {
        guard type.essence == "multipart/form-data" else { throw ParseError(415, "The content is not multipart/form-data.") }
        guard let boundary = type["boundary"], Self.isBoundary(boundary) else {
            throw ParseError(400, "The boundary of the form is missing or invalid.")
        }
        self.body = body
        parts = try Self.read(body, boundary: boundary, limits)
    }

    /// The first part of a name.
    public func first(_ name: String) -> Part? {
        parts.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The content of a small part. Throws `ParseError` 413 above `limit` bytes.
    public func bytes(of part: Part, limit: Int = 65536) throws -> [UInt8] {
        guard part.content.count <= limit else { throw ParseError(413, "A form field is too long.") }
        switch body {
        case .bytes(let bytes): return Array(bytes[part.content])
        case .spooled(let content):
            var bytes = [UInt8](repeating: 0, count: part.content.count)
            var read = 0
            while read < bytes.count {
                // The pointer lives for the call only, within the bounds of `bytes`.
                let count = try bytes.withUnsafeMutableBytes {
                    try content.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: $0[read...]), at: part.content.lowerBound + read)
                }
                guard count > 0 else { throw ParseError(400, "The form is cut off.") }
                read += count
            }
            return bytes
        }
    }

    /// The content of a small part as text. Throws `ParseError`: 400 where it is not UTF-8 or holds NUL, 413 above `limit` bytes.
    public func text(of part: Part, limit: Int = 65536) throws -> String {
        guard let text = PercentEncoding.valid(try bytes(of: part, limit: limit)) else {
            throw ParseError(400, "A form field is not UTF-8 or holds NUL.")
        }
        return text
    }

    /// `boundary` (RFC 2046 section 5.1.1).
    private static func isBoundary(_ text: String) -> Bool {
        let others = "'()+_,-./:=? "
        return (1...70).contains(text.utf8.count) && text.utf8.last != Ascii.space
            && text.utf8.allSatisfy { Grammar.isLetter($0) || Grammar.isDigit($0) || others.utf8.contains($0) }
    }

    private static func read(_ body: Body, boundary: String, _ limits: Limits) throws -> [Part] {
        var window = BodyWindow(body)
        let delimiter = BodyWindow.Pattern(Array("\r\n--\(boundary)".utf8))
        guard try window.skip("--\(boundary)".utf8) else { throw ParseError(400, "The form does not begin with its boundary.") }
        var parts: [Part] = []
        while try window.skip("\r\n".utf8) {
            guard parts.count < limits.parts else { throw ParseError(400, "The form has too many parts.") }
            let fields = try readFields(&window, limits)
            let start = window.position
            guard let end = try window.skip(through: delimiter) else { throw ParseError(400, "The form is cut off.") }
            parts.append(try part(fields, content: start..<end))
        }
        guard try window.skip("--".utf8) else { throw ParseError(400, "A boundary of the form is malformed.") }
        _ = try window.skip("\r\n".utf8)
        guard try window.isAtEnd() else { throw ParseError(400, "Something stands behind the end of the form.") }
        return parts
    }

    private static func readFields(_ window: inout BodyWindow, _ limits: Limits) throws -> Fields {
        var fields = Fields()
        var left = limits.fieldSectionBytes
        while true {
            guard let line = try window.line(limit: left), line.last == Ascii.carriageReturn else {
                throw ParseError(400, "The fields of a form part are malformed or too long.")
            }
            if line.count == 1 { return fields }
            left = max(0, left - line.count - 1)
            fields.append(try FieldLine.parse(line.span.extracting(..<(line.count - 1))))
        }
    }

    private static func part(_ fields: Fields, content: Range<Int>) throws -> Part {
        guard let text = fields[.contentDisposition], let disposition = FormDisposition(text) else {
            throw ParseError(400, "A form part has no valid Content-Disposition.")
        }
        // What the sender's system calls the file is no reason to refuse it.
        let mediaType = fields[.contentType].flatMap { MediaType($0) }
        return Part(name: disposition.name, filename: disposition.filename, mediaType: mediaType, content: content)
    }
}

/// `form-data; name="…"; filename="…"` as browsers write it (WHATWG HTML, multipart/form-data encoding algorithm): quotes and
/// line ends come as `%22`, `%0D` and `%0A`, and a backslash stands for itself, unlike in a quoted string.
private struct FormDisposition {
    private(set) var name = ""
    private(set) var filename: String?

    init?(_ text: String) {
        let bytes = Array(text.utf8)
        var names: [String] = []
        let end = bytes.firstIndex(of: Ascii.semicolon) ?? bytes.count
        guard Grammar.equalsIgnoringCase(Grammar.trimmed(Substring(text.utf8.prefix(end))).utf8, "form-data") else { return nil }
        var index = end
        while index < bytes.count {
            guard bytes[index] == Ascii.semicolon else { return nil }
            index += 1
            while index < bytes.count, Grammar.isBlank(bytes[index]) { index += 1 }
            guard let equals = bytes[index...].firstIndex(of: Ascii.equals), equals > index,
                bytes[index..<equals].allSatisfy(Grammar.isToken)
            else { return nil }
            let key = String(decoding: bytes[index..<equals].map(Grammar.lowercased), as: UTF8.self)
            guard !names.contains(key) else { return nil }
            names.append(key)
            index = equals + 1
            let value: ArraySlice<UInt8>
            if index < bytes.count, bytes[index] == Ascii.quote {
                guard let close = bytes[(index + 1)...].firstIndex(of: Ascii.quote) else { return nil }
                value = bytes[(index + 1)..<close]
                index = close + 1
            } else {
                value = bytes[index...].prefix(while: Grammar.isToken)
                guard !value.isEmpty else { return nil }
                index = value.endIndex
            }
            while index < bytes.count, Grammar.isBlank(bytes[index]) { index += 1 }
            if key == "name" { name = Self.decode(value) }
            if key == "filename" { filename = Self.decode(value) }
        }
        guard names.contains("name") else { return nil }
    }

    /// Undoes exactly the three escapes.
    private static func decode(_ text: ArraySlice<UInt8>) -> String {
        var bytes: [UInt8] = []
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            index += 1
            var behind = index
            if byte == Ascii.percent, let escaped = PercentEncoding.escape(text, &behind), [0x22, 0x0D, 0x0A].contains(escaped) {
                bytes.append(escaped)
                index = behind
            } else {
                bytes.append(byte)
            }
        }
        // Whole characters were taken out of valid text, so what is left is valid.
        return String(decoding: bytes, as: UTF8.self)
    }
}
