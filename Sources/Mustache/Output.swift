// Where rendering writes: one growing piece of memory. Escaping goes over UTF-8 bytes, so no combining character can hide
// a quote; eight are looked at and copied at once.

struct Output: ~Copyable {
    // Owned here alone, freed in deinit; `count` bytes of it are initialized, and `capacity` is what was allocated.
    private var base: UnsafeMutablePointer<UInt8>
    private(set) var count = 0
    private var capacity: Int

    init(capacity: Int) {
        self.capacity = max(capacity, 64)
        base = .allocate(capacity: self.capacity)
    }

    deinit { base.deallocate() }

    /// What has been written.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base, count: count) }

    /// A copy of what has been written.
    consuming func take() -> [UInt8] { Array(bytes) }

    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
    }

    @inline(__always)
    mutating func append(_ start: UnsafePointer<UInt8>?, _ length: Int) {
        guard let start else { return }
        reserve(length)
        (base + count).initialize(from: start, count: length)
        count += length
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { append($0.baseAddress, $0.count) }
    }

    mutating func append(_ text: String) {
        // Native text lends its bytes; only text bridged from elsewhere has to be copied.
        if text.utf8.withContiguousStorageIfAvailable({ append($0.baseAddress, $0.count) }) == nil { append(Array(text.utf8)) }
    }

    mutating func append(_ number: Int) {
        reserve(20)
        if number.magnitude < 10, number >= 0 {
            base[count] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: number)
            count &+= 1
            return
        }
        var rest = number.magnitude
        var digits = 1
        var limit: UInt = 10
        while rest >= limit {
            digits &+= 1
            if digits == 20 { break }
            limit &*= 10
        }
        if number < 0 {
            base[count] = UInt8(ascii: "-")
            count += 1
        }
        var at = count + digits
        count = at
        repeat {
            at &-= 1
            base[at] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    mutating func append(_ number: Double) {
        let text = number == 0 ? "0" : number.description
        append(text.utf8.suffix(2).elementsEqual(".0".utf8) ? String(text.dropLast(2)) : text)
    }

    mutating func appendEscaped(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { appendEscaped($0.baseAddress, $0.count) }
    }

    mutating func appendEscaped(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ appendEscaped($0.baseAddress, $0.count) }) == nil {
            appendEscaped(Array(text.utf8))
        }
    }

    mutating func appendEscaped(_ start: UnsafePointer<UInt8>?, _ length: Int) {
        guard let start else { return }
        var index = 0
        while index < length {
            let chunk = min(length &- index, 512)
            appendEscaped(chunk: UnsafeRawPointer(start + index), chunk)
            index &+= chunk
        }
    }

    @inline(__always)
    private mutating func appendEscaped(chunk start: UnsafeRawPointer, _ length: Int) {
        // The longest entity is six bytes; what is written eight at a time may go beyond its end.
        reserve(length &* 6 &+ 8)
        var from = start
        let end = start + length
        var to = UnsafeMutableRawPointer(base + count)
        while end - from >= 8 {
            let word = UInt64(littleEndian: from.loadUnaligned(as: UInt64.self))
            to.storeBytes(of: word.littleEndian, as: UInt64.self)
            let found = Output.specials(word)
            if found == 0 {
                from += 8
                to += 8
            } else {
                let plain = found.trailingZeroBitCount &>> 3
                from += plain
                to = Output.storeEntity(from.load(as: UInt8.self), to + plain)
                from += 1
            }
        }
        while from < end {
            let byte = from.load(as: UInt8.self)
            if Output.isSpecial(byte) {
                to = Output.storeEntity(byte, to)
            } else {
                to.storeBytes(of: byte, as: UInt8.self)
                to += 1
            }
            from += 1
        }
        count = to - UnsafeMutableRawPointer(base)
    }

    /// Stores what stands for a special byte; returns where to go on. Eight bytes are written, whatever the length.
    @inline(never)
    private static func storeEntity(_ byte: UInt8, _ to: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
        let (entity, count): (UInt64, Int) =
            switch byte {
            case UInt8(ascii: "&"): (0x3B70_6D61_26, 5)  // &amp;
            case UInt8(ascii: "<"): (0x3B74_6C26, 4)  // &lt;
            case UInt8(ascii: ">"): (0x3B74_6726, 4)  // &gt;
            case UInt8(ascii: "\""): (0x3B74_6F75_7126, 6)  // &quot;
            default: (0x3B39_3323_26, 5)  // &#39;
            }
        to.storeBytes(of: entity.littleEndian, as: UInt64.self)
        return to + count
    }

    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        // One bit for each of & < > " '.
        byte < 64 && (0x5000_00C4_0000_0000 as UInt64) &>> UInt64(byte) & 1 == 1
    }

    /// The highest bit of each special byte of eight: & and ' differ in their lowest bit only, < and > in the one above it.
    ///
    /// Exact for the lowest such byte, and so for whether there is one; a borrow may add bits above it.
    @inline(__always)
    private static func specials(_ word: UInt64) -> UInt64 {
        let each: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ each &* 0x22
        let ampersands = (word | each) ^ each &* 0x27
        let angles = (word | each &* 0x02) ^ each &* 0x3E
        // A byte that is zero borrows into its highest bit; one that was set before does not count.
        let found = (quotes &- each) & ~quotes | (ampersands &- each) & ~ampersands | (angles &- each) & ~angles
        return found & (each &* 0x80)
    }
}
