// The lines of a text file as strings, one at a time: LF, CRLF and CR end one, mixed as they come. A line longer than a million bytes is
// told instead of kept.

struct TextLines {
    let file: ByteFile
    let encoding: TextEncoding

    /// A line.
    enum Line {
        case text(String)
        /// Some bytes of it are nothing in its encoding, and are shown as U+FFFD.
        case damaged(String)
        case tooLong
    }

    /// Gives each line with its number, blank ones too.
    func forEach(_ body: (_ number: Int, _ line: Line) throws -> Void) throws {
        var splitter = LineSplitter()
        var wide = UTF16Bytes(isBigEndian: encoding == .utf16BigEndian)
        let isWide = encoding == .utf16LittleEndian || encoding == .utf16BigEndian
        func give(_ number: Int, _ bytes: [UInt8]?) throws { try body(number, bytes.map(decode) ?? .tooLong) }
        try file.forEachPiece { piece in
            if isWide {
                try splitter.take(wide.take(piece)[...], give)
            } else {
                try splitter.take(piece, give)
            }
        }
        if isWide { try splitter.take(wide.end()[...], give) }
        try splitter.end(give)
    }

    private func decode(_ bytes: [UInt8]) -> Line {
        switch encoding {
        case .utf8, .utf16LittleEndian, .utf16BigEndian:
            if let text = String(validating: bytes, as: UTF8.self) { return .text(text) }
            return .damaged(String(decoding: bytes, as: UTF8.self))
        case .windows1252:
            var text = String.UnicodeScalarView()
            for byte in bytes { text.append(Unicode.Scalar(Windows1252.scalar(byte)) ?? "\u{FFFD}") }
            return .text(String(text))
        case .gb18030:
            let text = GB18030.decode(bytes)
            return text.isWhole ? .text(text.text) : .damaged(text.text)
        }
    }
}

/// Cuts bytes into lines.
private struct LineSplitter {
    private var line: [UInt8] = []
    private var number = 1
    private var isTooLong = false
    private var endedByCR = false

    mutating func take(_ piece: ArraySlice<UInt8>, _ body: (Int, [UInt8]?) throws -> Void) throws {
        var rest = piece
        while let first = rest.first {
            if endedByCR {
                endedByCR = false
                if first == 0x0A {
                    rest = rest.dropFirst()
                    continue
                }
            }
            guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
                keep(rest)
                return
            }
            keep(rest[..<end])
            try flush(body)
            endedByCR = rest[end] == 0x0D
            rest = rest[(end + 1)...]
        }
    }

    mutating func end(_ body: (Int, [UInt8]?) throws -> Void) throws {
        if !line.isEmpty || isTooLong { try flush(body) }
    }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        if line.count + bytes.count > ImportedText.byteLimit { isTooLong = true }
        if isTooLong { line.removeAll() } else { line += bytes }
    }

    private mutating func flush(_ body: (Int, [UInt8]?) throws -> Void) throws {
        try body(number, isTooLong ? nil : line)
        line.removeAll(keepingCapacity: true)
        isTooLong = false
        number += 1
    }
}

/// UTF-16 bytes as UTF-8 bytes; half a surrogate pair becomes U+FFFD.
private struct UTF16Bytes {
    let isBigEndian: Bool
    private var half: UInt8?
    private var high: UInt16?

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    mutating func take(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(piece.count)
        for byte in piece {
            guard let first = half else {
                half = byte
                continue
            }
            half = nil
            unit(isBigEndian ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first), &output)
        }
        return output
    }

    mutating func end() -> [UInt8] {
        var output: [UInt8] = []
        if half != nil || high != nil { append(0xFFFD, &output) }
        return output
    }

    private mutating func unit(_ unit: UInt16, _ output: inout [UInt8]) {
        if let first = high {
            high = nil
            if 0xDC00...0xDFFF ~= unit {
                return append(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(unit) - 0xDC00), &output)
            }
            append(0xFFFD, &output)
        }
        if 0xD800...0xDBFF ~= unit {
            high = unit
        } else {
            append(UInt32(unit), &output)
        }
    }

    private func append(_ value: UInt32, _ output: inout [UInt8]) {
        output += UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
    }
}

/// The code page of Western European Windows: Latin-1 but for the signs in 0x80 to 0x9F (WHATWG Encoding standard, index windows-1252).
enum Windows1252 {
    private static let signs: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
        0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E,
        0x0178,
    ]

    static func scalar(_ byte: UInt8) -> UInt32 {
        0x80...0x9F ~= byte ? UInt32(signs[Int(byte) - 0x80]) : UInt32(byte)
    }
}
