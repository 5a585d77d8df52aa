// A name in a context, made for comparing: up to 15 bytes live in two words, so that a literal costs no allocation and
// (inlined) no work at run time, and equality is two comparisons. Longer names compare by hash, then by their bytes.
// Names are equal when their UTF-8 is: canonical equivalence plays no part.

/// The name of a value in a context.
public struct Key: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// Where the bytes of a name over 15 bytes are.
    @usableFromInline
    enum Rest: Sendable {
        case none
        // A pointer into the program's constants: `StaticString` never goes away, and nobody writes to it.
        case literal(StaticName)
        case owned(LongName)
    }

    // Short: the bytes, little end first, with the length in the top byte of `high`.
    // Long: `low` is the FNV-1a hash, `high` the length with a top byte that no short name has.
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64
    @usableFromInline let rest: Rest

    /// A name known when the program is compiled.
    @inlinable @inline(__always)
    public init(stringLiteral name: StaticString) {
        guard name.hasPointerRepresentation else {
            self.init(String(name.unicodeScalar))
            return
        }
        let start = name.utf8Start
        let count = name.utf8CodeUnitCount
        if count < 16 {
            let (low, high) = Key.packed(start, count)
            self.init(low: low, high: high, rest: .none)
        } else {
            let (low, high) = Key.hashed(start, count)
            self.init(low: low, high: high, rest: .literal(StaticName(start: start)))
        }
    }

    @inlinable @inline(__always)
    init(low: UInt64, high: UInt64, rest: Rest) {
        self.low = low
        self.high = high
        self.rest = rest
    }

    /// A name known only when the program runs.
    public init(_ name: String) { self.init(utf8: Array(name.utf8)) }

    init(utf8 bytes: [UInt8]) {
        let count = bytes.count
        (low, high) = bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return (0, 0) }
            return count < 16 ? Key.packed(start, count) : Key.hashed(start, count)
        }
        rest = count < 16 ? .none : .owned(LongName(bytes))
    }

    @inlinable @inline(__always)
    static func packed(_ start: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
        let bytes = UnsafeRawPointer(start)
        var low: UInt64 = 0
        var high: UInt64 = 0
        if count >= 8 {
            low = UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self))
            // The last eight bytes, of which 16 - count are in `low` already.
            if count > 8 {
                high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self))
                high &>>= UInt64(truncatingIfNeeded: 8 * (16 - count))
            }
        } else if count >= 4 {
            low = UInt64(UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self)))
            let last = UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)))
            low |= last &<< UInt64(truncatingIfNeeded: 8 * (count - 4))
        } else if count > 0 {
            low = UInt64(start[0])
            if count > 1 { low |= UInt64(start[1]) &<< 8 }
            if count > 2 { low |= UInt64(start[2]) &<< 16 }
        }
        return (low, high | UInt64(truncatingIfNeeded: count) &<< 56)
    }

    @usableFromInline
    static func hashed(_ start: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for index in 0..<count { hash = (hash ^ UInt64(start[index])) &* 0x0000_0100_0000_01b3 }
        return (hash, UInt64(truncatingIfNeeded: count) | 0xFF00_0000_0000_0000)
    }

    /// Whether both names have the same bytes.
    @inlinable @inline(__always)
    public static func == (left: Key, right: Key) -> Bool {
        left.low == right.low && left.high == right.high && (left.high < 0xFF00_0000_0000_0000 || sameBytes(left, right))
    }

    /// Feeds the name to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(low)
        hasher.combine(high)
    }

    @usableFromInline
    static func sameBytes(_ left: Key, _ right: Key) -> Bool { left.utf8 == right.utf8 }

    /// The bytes of the name.
    var utf8: [UInt8] {
        switch rest {
        case .none:
            let count = Int(high &>> 56)
            return (0..<count).map { UInt8(truncatingIfNeeded: ($0 < 8 ? low : high) &>> UInt64(8 * ($0 & 7))) }
        case .literal(let name):
            return Array(UnsafeBufferPointer(start: name.start, count: Int(high & 0x00FF_FFFF_FFFF_FFFF)))
        case .owned(let name):
            return name.bytes
        }
    }

    /// The name as text.
    public var description: String { String(decoding: utf8, as: UTF8.self) }
}

/// The bytes of a long literal name.
///
/// `@unchecked`: the pointer comes from a `StaticString`, which is constant and lives as long as the program.
@usableFromInline
struct StaticName: @unchecked Sendable {
    @usableFromInline let start: UnsafePointer<UInt8>

    @inlinable
    init(start: UnsafePointer<UInt8>) { self.start = start }
}

/// The bytes of a long name made at run time.
@usableFromInline
final class LongName: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}
