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
