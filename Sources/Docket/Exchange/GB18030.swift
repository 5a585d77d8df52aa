// GB18030, the national character set of China, with GBK and GB 2312 in it: one, two or four bytes a character. glibc could convert it,
// but a static executable finds none of glibc's tables, so the two-byte codes have a small table of our own.

enum GB18030 {
    /// A text, with U+FFFD where bytes are no code; `isWhole` tells whether there was such a place.
    static func decode(_ bytes: [UInt8]) -> (text: String, isWhole: Bool) {
        var text = String.UnicodeScalarView()
        var isWhole = true
        var index = 0
        while index < bytes.count {
            let (value, length) = next(bytes[index...])
            if value == nil { isWhole = false }
            text.append(value.flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
            index += length
        }
        return (String(text), isWhole)
    }

    /// The character that begins here, nil for none, and how many bytes it takes.
    static func next(_ bytes: ArraySlice<UInt8>) -> (UInt32?, Int) {
        let first = bytes[bytes.startIndex]
        if first < 0x80 { return (UInt32(first), 1) }
        guard 0x81...0xFE ~= first, bytes.count >= 2 else { return (nil, 1) }
        let second = bytes[bytes.startIndex + 1]
        if let place = twoByte(first, second) {
            let value = table[place]
            return value == 0xFFFD ? (nil, 1) : (UInt32(value), 2)
        }
        guard 0x30...0x39 ~= second, bytes.count >= 4 else { return (nil, 1) }
        let (third, fourth) = (bytes[bytes.startIndex + 2], bytes[bytes.startIndex + 3])
        guard 0x81...0xFE ~= third, 0x30...0x39 ~= fourth else { return (nil, 1) }
        let number = ((Int(first) - 0x81) * 10 + Int(second) - 0x30) * 1_260 + (Int(third) - 0x81) * 10 + Int(fourth) - 0x30
        if number < leftOver.count { return (UInt32(leftOver[number]), 4) }
        // 90 30 81 30 is U+10000, and from there on they count together.
        let beyond = number - 189_000
        return 0...0xFFFFF ~= beyond ? (UInt32(0x10000 + beyond), 4) : (nil, 1)
    }

    /// The place of a two-byte code in the table.
    static func twoByte(_ lead: UInt8, _ trail: UInt8) -> Int? {
        guard 0x81...0xFE ~= lead, 0x40...0xFE ~= trail, trail != 0x7F else { return nil }
        return (Int(lead) - 0x81) * 190 + Int(trail) - (trail > 0x7F ? 0x41 : 0x40)
    }

    /// The characters of the two-byte codes, U+FFFD where there is none: 48 kB, made when the first such file comes.
    private static let table: [UInt16] = {
        var values: [UInt16] = []
        values.reserveCapacity(23_940)
        var (value, shift, last) = (0, 0, 0)
        for byte in UnicodeData.decodeBase64(GB18030Table.base64, count: 32_000) {
            value |= Int(byte & 0x7F) << shift
            shift += 7
            if byte & 0x80 != 0 { continue }
            last += value & 1 == 0 ? value >> 1 : -((value + 1) >> 1)
            values.append(UInt16(truncatingIfNeeded: last))
            (value, shift) = (0, 0)
        }
        return values
    }()

    /// The characters of the four-byte codes below U+10000: in order, all that have no shorter code.
    private static let leftOver: [UInt16] = {
        var isKnown = [Bool](repeating: false, count: 0x10000)
        for value in table where value != 0xFFFD { isKnown[Int(value)] = true }
        return (0x80...0xFFFF as ClosedRange<Int>).filter { !isKnown[$0] && !(0xD800...0xDFFF ~= $0) }.map { UInt16($0) }
    }()
}

/// Whether bytes can be GB18030, piece by piece, and hold Chinese characters.
struct GB18030Check {
    private var isValid = true
    private var pending: [UInt8] = []
    /// True after one of the codes of everyday characters (GB 2312, rows 16 to 87): Western text in Windows-1252 is nearly never a row of them.
    private(set) var holdsChinese = false

    /// True where everything so far was valid and no character is cut off.
    var isWhole: Bool { isValid && pending.isEmpty }

    mutating func take(_ piece: ArraySlice<UInt8>) {
        guard isValid else { return }
        for byte in piece {
            switch pending.count {
            case 0 where byte < 0x80: continue
            case 0:
                isValid = 0x81...0xFE ~= byte
                pending.append(byte)
            case 1 where GB18030.twoByte(pending[0], byte) != nil:
                if 0xB0...0xF7 ~= pending[0], byte >= 0xA1 { holdsChinese = true }
                pending.removeAll(keepingCapacity: true)
            case 1, 3:
                isValid = 0x30...0x39 ~= byte
                if pending.count == 3 { pending.removeAll(keepingCapacity: true) } else { pending.append(byte) }
            default:
                isValid = 0x81...0xFE ~= byte
                pending.append(byte)
            }
            if !isValid { return }
        }
    }
}
