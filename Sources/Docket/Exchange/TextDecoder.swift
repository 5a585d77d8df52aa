// Text of any encoding as UTF-8 bytes, a piece at a time. What is nothing in its encoding becomes U+FFFD; UTF-8 passes as it is, and whoever
// makes strings of it checks it.

struct TextDecoder {
    let encoding: TextEncoding
    private var wide: UTF16Bytes
    /// The beginning of a character whose end is in the next piece.
    private var pending: [UInt8] = []

    init(_ encoding: TextEncoding) {
        self.encoding = encoding
        wide = UTF16Bytes(isBigEndian: encoding == .utf16BigEndian)
    }

    mutating func take(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        switch encoding {
        case .utf8: return Array(piece)
        case .utf16LittleEndian, .utf16BigEndian: return wide.take(piece)
        case .windows1252:
            var output: [UInt8] = []
            output.reserveCapacity(piece.count + piece.count / 8)
            for byte in piece { Self.append(byte < 0x80 ? UInt32(byte) : Windows1252.scalar(byte), to: &output) }
            return output
        case .gb18030:
            pending += piece
            return drain(leaving: 3)
        }
    }

    /// What is left when there are no more pieces.
    mutating func end() -> [UInt8] {
        switch encoding {
        case .utf8, .windows1252: []
        case .utf16LittleEndian, .utf16BigEndian: wide.end()
        case .gb18030: drain(leaving: 0)
        }
    }

    /// A character has at most four bytes: with three more behind it none is cut.
    private mutating func drain(leaving count: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(pending.count * 3 / 2)
        var index = 0
        while pending.count - index > count {
            if pending[index] < 0x80 {
                output.append(pending[index])
                index += 1
                continue
            }
            let (value, length) = GB18030.next(pending[index...])
            Self.append(value ?? 0xFFFD, to: &output)
            index += length
        }
        pending.removeFirst(index)
        return output
    }

    private static func append(_ value: UInt32, to output: inout [UInt8]) {
        if value < 0x80 { return output.append(UInt8(value)) }
        output += UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
    }
}

/// UTF-16 bytes as UTF-8 bytes; half a surrogate pair becomes U+FFFD.
struct UTF16Bytes {
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
