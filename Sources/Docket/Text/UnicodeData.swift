// The Unicode properties that normalization and folding need, decoded once from UnicodeTable into a two-stage table.
// Immutable after that, so every thread reads it freely. The standard library has these properties but not the mappings,
// and Foundation's would bring ICU into the program (ARCHITECTURE, Swift traps).

/// Properties and mappings of scalars.
struct UnicodeData: Sendable {
    static let shared = UnicodeData()

    struct Flags: OptionSet {
        let rawValue: UInt8
        static let ignorable = Flags(rawValue: 1)
        static let searchMark = Flags(rawValue: 2)
        /// May join the scalar before it: it never begins a segment that can be normalized alone.
        static let continuing = Flags(rawValue: 4)
    }

    /// What is known of a scalar; the numbers are places in `pool`, 0 for none.
    struct Record {
        var combiningClass: UInt8 = 0
        var flags: Flags = []
        var canonical: UInt16 = 0
        var compatibility: UInt16 = 0
        var caseFolding: UInt16 = 0
        var searchLetter: UInt16 = 0
    }

    /// For each 256 scalars the start of their block in `indices`; block 0 holds nothing but zeros.
    private var blocks = [UInt16](repeating: 0, count: 0x1100)
    private var indices = [UInt16](repeating: 0, count: 256)
    private var records = [Record()]
    /// Mappings: a length and so many scalars.
    private var pool: [UInt32] = [0]
    private var compositions: [(pair: UInt64, composite: UInt32)] = []

    func record(of scalar: UInt32) -> Record {
        if scalar >= 0xE0000, scalar <= 0xE0FFF { return Self.tagRecord }
        return records[Int(indices[Int(blocks[Int(scalar >> 8)]) << 8 | Int(scalar & 0xFF)])]
    }

    /// Whether anything at all is known of the scalar: most of Chinese is not here, and is copied as it is.
    func isPlain(_ scalar: UInt32) -> Bool {
        indices[Int(blocks[Int(scalar >> 8)]) << 8 | Int(scalar & 0xFF)] == 0 && !(0xE0000...0xE0FFF ~= scalar)
    }

    func mapping(_ place: UInt16) -> ArraySlice<UInt32> {
        let start = Int(place) + 1
        return pool[start..<start + Int(pool[Int(place)])]
    }

    /// The primary composite of two scalars (Unicode standard, section 3.11), Hangul excepted.
    func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        let pair = UInt64(first) << 32 | UInt64(second)
        var low = 0
        var high = compositions.count
        while low < high {
            let middle = (low + high) / 2
            if compositions[middle].pair < pair { low = middle + 1 } else { high = middle }
        }
        return low < compositions.count && compositions[low].pair == pair ? compositions[low].composite : nil
    }

    /// The plane of tags and variation selectors, all of it ignorable; too many for the table.
    private static let tagRecord = Record(flags: [.ignorable, .continuing])

    private init() {
        var stream = Stream(bytes: Self.decodeBase64(UnicodeTable.base64, count: UnicodeTable.byteCount))
        stream.runs { first, last, stream in
            let combiningClass = UInt8(truncatingIfNeeded: stream.number())
            for scalar in first...last { edit(scalar) { $0.combiningClass = combiningClass } }
        }
        stream.mappings { scalar, header, stream in
            let place = append(count: header / 2, of: scalar, &stream)
            edit(scalar) { $0.canonical = place }
            let mapped = mapping(place)
            if header & 1 == 0, mapped.count == 2, let first = mapped.first, let last = mapped.last {
                compositions.append((UInt64(first) << 32 | UInt64(last), scalar))
            }
        }
        stream.mappings { scalar, header, stream in
            let place = append(count: header, of: scalar, &stream)
            edit(scalar) { $0.compatibility = place }
        }
        stream.mappings { scalar, header, stream in
            let place = append(count: header, of: scalar, &stream)
            edit(scalar) { $0.caseFolding = place }
        }
        stream.mappings { scalar, header, stream in
            let place = append(count: header, of: scalar, &stream)
            edit(scalar) { $0.searchLetter = place }
        }
        for flag in [Flags.ignorable, .searchMark, .continuing] {
            stream.runs { first, last, _ in
                for scalar in first...last { edit(scalar) { $0.flags.insert(flag) } }
            }
        }
        compositions.sort { $0.pair < $1.pair }
    }

    private mutating func edit(_ scalar: UInt32, _ change: (inout Record) -> Void) {
        if blocks[Int(scalar >> 8)] == 0 {
            blocks[Int(scalar >> 8)] = UInt16(indices.count >> 8)
            indices.append(contentsOf: repeatElement(0, count: 256))
        }
        let place = Int(blocks[Int(scalar >> 8)]) << 8 | Int(scalar & 0xFF)
        if indices[place] == 0 {
            indices[place] = UInt16(records.count)
            records.append(Record())
        }
        change(&records[Int(indices[place])])
    }

    private mutating func append(count: Int, of scalar: UInt32, _ stream: inout Stream) -> UInt16 {
        let place = UInt16(pool.count)
        pool.append(UInt32(count))
        for position in 0..<count {
            pool.append(UInt32(stream.zigzag() + (position == 0 ? Int(scalar) : 0x300)))
        }
        return place
    }
}

extension UnicodeData {
    /// The numbers of the table. The table is part of the program and whole, so nothing is checked twice.
    private struct Stream {
        let bytes: [UInt8]
        var index = 0

        mutating func number() -> Int {
            var value = 0
            var shift = 0
            while true {
                let byte = bytes[index]
                index += 1
                value |= Int(byte & 0x7F) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
        }

        mutating func zigzag() -> Int {
            let value = number()
            return value & 1 == 0 ? value >> 1 : -(value + 1) >> 1
        }

        mutating func runs(_ body: (UInt32, UInt32, inout Stream) -> Void) {
            var scalar = 0
            for _ in 0..<number() {
                scalar += number()
                let length = number()
                body(UInt32(scalar), UInt32(scalar + length - 1), &self)
                scalar += length
            }
        }

        mutating func mappings(_ body: (UInt32, Int, inout Stream) -> Void) {
            var scalar = 0
            for _ in 0..<number() {
                scalar += number()
                let header = number()
                body(UInt32(scalar), header, &self)
            }
        }
    }

    static func decodeBase64(_ text: StaticString, count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var bits: UInt32 = 0
        var bitCount = 0
        // The literal lives as long as the program.
        text.withUTF8Buffer { buffer in
            for letter in buffer {
                let value: UInt8
                switch letter {
                case 0x41...0x5A: value = letter - 0x41
                case 0x61...0x7A: value = letter - 0x61 + 26
                case 0x30...0x39: value = letter - 0x30 + 52
                case 0x2B: value = 62
                default: value = 63
                }
                bits = bits << 6 | UInt32(value)
                bitCount += 6
                if bitCount >= 8 {
                    bitCount -= 8
                    bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
                }
            }
        }
        return bytes
    }
}
