// Searches over bytes, eight at a time, since the standard library offers no memchr.
// Loads of eight bytes are bounds-checked by RawSpan, and every bit pattern is a UInt64.

enum Ascii {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let percent: UInt8 = 0x25
    static let plus: UInt8 = 0x2B
    static let comma: UInt8 = 0x2C
    static let hyphen: UInt8 = 0x2D
    static let slash: UInt8 = 0x2F
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let backslash: UInt8 = 0x5C
}

extension Span<UInt8> {
    private static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var tops: UInt64 { 0x8080_8080_8080_8080 }

    /// Eight bytes, the first in the lowest place.
    private func word(at offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The offset of the first such byte at or behind `start`.
    func firstOffset(of byte: UInt8, from start: Int = 0) -> Int? {
        let pattern = Self.ones &* UInt64(byte)
        var offset = start
        while offset &+ 8 <= count {
            let difference = word(at: offset) ^ pattern
            let zeros = (difference &- Self.ones) & ~difference & Self.tops
            if zeros != 0 { return offset &+ zeros.trailingZeroBitCount >> 3 }
            offset &+= 8
        }
        while offset < count {
            if self[offset] == byte { return offset }
            offset &+= 1
        }
        return nil
    }

    /// True where no byte is a control character; HTAB is let through.
    var isFreeOfControls: Bool {
        var offset = 0
        while offset &+ 8 <= count {
            let eight = word(at: offset)
            let low = (eight &- Self.ones &* 0x20) & ~eight
            let delete = eight ^ (Self.ones &* 0x7F)
            if (low | ((delete &- Self.ones) & ~delete)) & Self.tops != 0 {
                for index in offset..<(offset &+ 8) where Grammar.isControl(self[index]) { return false }
            }
            offset &+= 8
        }
        while offset < count {
            if Grammar.isControl(self[offset]) { return false }
            offset &+= 1
        }
        return true
    }

    /// The bytes as text, nil where they are not UTF-8.
    var text: String? {
        guard let valid = try? UTF8Span(validating: self) else { return nil }
        return String(copying: valid)
    }

    /// The range left when SP and HTAB are taken from both ends of `range` (OWS, RFC 9110 section 5.6.3).
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, Grammar.isBlank(self[lower]) { lower &+= 1 }
        while lower < upper, Grammar.isBlank(self[upper &- 1]) { upper &-= 1 }
        return lower..<upper
    }
}
