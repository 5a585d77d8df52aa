// Content lines of iCalendar (RFC 5545 section 3.1) and of vCalendar 1.0: unfolded byte by byte, since a fold may cut a character in two,
// and decoded line by line, UTF-8 where it is such, else GB18030 or Windows-1252.

/// A property.
struct CalendarLine: Equatable {
    /// Where it begins.
    let line: Int
    /// In capitals.
    let name: String
    /// Names in capitals, values without their quotation marks.
    let parameters: [Parameter]
    /// As it stands, not unescaped.
    let value: String

    /// A parameter of a property.
    struct Parameter: Equatable {
        let name: String
        let value: String
    }

    func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Text with its escapes taken back (section 3.3.11).
    var text: String {
        guard parameter("ENCODING") != "QUOTED-PRINTABLE", value.utf8.contains(0x5C) else { return value }
        return Self.unescape(value.utf8[...])
    }

    /// The parts between commas that are not escaped.
    var list: [String] {
        var (parts, start, isEscaped): ([String], Substring.UTF8View.Index, Bool) = ([], value.utf8.startIndex, false)
        for index in value.utf8.indices {
            if isEscaped {
                isEscaped = false
            } else if value.utf8[index] == 0x5C {
                isEscaped = true
            } else if value.utf8[index] == 0x2C {
                parts.append(Self.unescape(value.utf8[start..<index]))
                start = value.utf8.index(after: index)
            }
        }
        return parts + [Self.unescape(value.utf8[start...])]
    }

    private static func unescape(_ text: Substring.UTF8View) -> String {
        var (bytes, isEscaped): ([UInt8], Bool) = ([], false)
        for byte in text {
            if isEscaped {
                switch byte {
                case 0x6E, 0x4E: bytes.append(0x0A)
                case 0x5C, 0x3B, 0x2C, 0x3A, 0x22: bytes.append(byte)
                default: bytes += [0x5C, byte]
                }
                isEscaped = false
            } else if byte == 0x5C {
                isEscaped = true
            } else {
                bytes.append(byte)
            }
        }
        if isEscaped { bytes.append(0x5C) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Reads content lines.
struct CalendarReader: ~Copyable {
    private var source: ByteReader
    /// How a line that is no UTF-8 was read at last.
    private(set) var fallback: TextEncoding?

    init(_ source: consuming ByteReader) { self.source = source }

    /// A line, or where one was too long to be kept.
    enum Item: Equatable {
        case line(CalendarLine)
        case tooLong(line: Int, name: String)
    }

    /// The next line that is not empty; nil at the end.
    mutating func next() throws -> Item? {
        while true {
            var (bytes, isTooLong) = ([UInt8](), false)
            let number = source.line
            while let byte = try source.next() {
                if byte == 0x0A || byte == 0x0D {
                    if byte == 0x0D, try source.peek() == 0x0A { _ = try source.next() }
                    let next = try source.peek()
                    if next == 0x20 || next == 0x09 {
                        // One blank belongs to the fold, whatever follows it to the text.
                        _ = try source.next()
                    } else if bytes.last == 0x3D, Self.isQuotedPrintable(bytes) {
                        bytes.removeLast()
                    } else {
                        break
                    }
                    continue
                }
                if bytes.count >= ImportedText.byteLimit { isTooLong = true } else { bytes.append(byte) }
            }
            if isTooLong {
                let name = bytes.prefix(40).prefix { $0 != 0x3A && $0 != 0x3B }
                return .tooLong(line: number, name: String(decoding: name, as: UTF8.self).uppercased())
            }
            if bytes.contains(where: { $0 > 0x20 }) { return .line(parse(bytes, number)) }
            if try source.peek() == nil { return nil }
        }
    }

    private static func isQuotedPrintable(_ bytes: [UInt8]) -> Bool {
        guard let colon = bytes.prefix(200).firstIndex(of: 0x3A) else { return false }
        let head = bytes[..<colon].map { 0x61...0x7A ~= $0 ? $0 & 0xDF : $0 }
        let word = Array("QUOTED-PRINTABLE".utf8)
        return head.indices.contains { head[$0...].starts(with: word) }
    }

    private mutating func decode(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        var check = GB18030Check()
        check.take(Array(bytes)[...])
        let isChinese = check.isWhole && check.holdsChinese
        fallback = isChinese ? .gb18030 : .windows1252
        if isChinese { return GB18030.decode(Array(bytes)).text }
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(Windows1252.scalar(byte)) ?? "\u{FFFD}") }
        return String(text)
    }

    private mutating func parse(_ bytes: [UInt8], _ number: Int) -> CalendarLine {
        var rest = bytes[...]
        let name = rest.prefix { $0 != 0x3A && $0 != 0x3B }
        rest = rest.dropFirst(name.count)
        var parameters: [CalendarLine.Parameter] = []
        while rest.first == 0x3B {
            rest = rest.dropFirst()
            var (part, isQuoted): ([UInt8], Bool) = ([], false)
            while let byte = rest.first, isQuoted || byte != 0x3A && byte != 0x3B {
                if byte == 0x22 { isQuoted.toggle() } else { part.append(byte) }
                rest = rest.dropFirst()
            }
            let key = part.prefix { $0 != 0x3D }
            let value = decode(part.dropFirst(key.count + 1))
            let word = String(decoding: key, as: UTF8.self).uppercased()
            // vCalendar 1.0 leaves the names of some away.
            if key.count == part.count, ["QUOTED-PRINTABLE", "BASE64", "8BIT"].contains(word) {
                parameters.append(CalendarLine.Parameter(name: "ENCODING", value: word))
            } else {
                parameters.append(CalendarLine.Parameter(name: word, value: value))
            }
        }
        rest = rest.dropFirst()
        var value = Array(rest)
        let encoding = parameters.first { $0.name == "ENCODING" }?.value.uppercased()
        if encoding == "QUOTED-PRINTABLE" {
            parameters.removeAll { $0.name == "ENCODING" }
            parameters.append(CalendarLine.Parameter(name: "ENCODING", value: "QUOTED-PRINTABLE"))
            value = Self.unquote(value)
        }
        return CalendarLine(
            line: number, name: String(decoding: name, as: UTF8.self).uppercased().trimmedOfBlanks, parameters: parameters,
            value: decode(value))
    }

    private static func unquote(_ bytes: [UInt8]) -> [UInt8] {
        var (output, index): ([UInt8], Int) = ([], 0)
        func digit(_ byte: UInt8) -> UInt8 { byte <= 0x39 ? byte & 0x0F : (byte & 0x0F) + 9 }
        while index < bytes.count {
            if bytes[index] == 0x3D, index + 2 < bytes.count, bytes[index + 1].isHexDigit, bytes[index + 2].isHexDigit {
                output.append(digit(bytes[index + 1]) << 4 | digit(bytes[index + 2]))
                index += 3
            } else {
                output.append(bytes[index])
                index += 1
            }
        }
        return output
    }
}

extension String {
    fileprivate var trimmedOfBlanks: String { Characters.trim(self) }
}
