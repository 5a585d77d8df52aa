// Where rendering writes: one growing piece of memory. Escaping goes over UTF-8 bytes, so no combining character can hide
// a quote; sixteen bytes without anything to escape are copied at once.

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
    mutating func append(_ start: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        (base + count).initialize(from: start, count: length)
        count += length
    }

    mutating func append(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { append(start, $0.count) } }
    }

    mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { if let start = $0.baseAddress { append(start, $0.count) } }
    }

    mutating func append(_ number: Int) {
        reserve(20)
        var rest = number.magnitude
        var digits = 1
        var limit: UInt = 10
        while rest >= limit {
            digits += 1
            if digits == 20 { break }
            limit *= 10
        }
        if number < 0 {
            base[count] = UInt8(ascii: "-")
            count += 1
        }
        var at = count + digits
        count = at
        repeat {
            at -= 1
            base[at] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }

    mutating func append(_ number: Double) {
        let text = number == 0 ? "0" : number.description
        append(text.utf8.suffix(2).elementsEqual(".0".utf8) ? String(text.dropLast(2)) : text)
    }

    mutating func appendEscaped(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { if let start = $0.baseAddress { appendEscaped(start, $0.count) } }
    }

    mutating func appendEscaped(_ text: String) {
        var text = text
        text.withUTF8 { if let start = $0.baseAddress { appendEscaped(start, $0.count) } }
    }

    @inline(__always)
    mutating func appendEscaped(_ start: UnsafePointer<UInt8>, _ length: Int) {
        var index = 0
        reserve(length)
        while index &+ 16 <= length {
            let chunk = UnsafeRawPointer(start + index).loadUnaligned(as: SIMD16<UInt8>.self)
            if Output.hasSpecial(chunk) {
                for byte in index..<index &+ 16 { appendEscaped(start[byte], left: length &- byte) }
            } else {
                // `reserve` has made room for all that is left.
                UnsafeMutableRawPointer(base + count).storeBytes(of: chunk, as: SIMD16<UInt8>.self)
                count &+= 16
            }
            index &+= 16
        }
        while index < length {
            appendEscaped(start[index], left: length &- index)
            index &+= 1
        }
    }

    /// Appends one of `left` bytes for which there is room.
    @inline(__always)
    private mutating func appendEscaped(_ byte: UInt8, left: Int) {
        if Output.isSpecial(byte) {
            appendEntity(byte, left: left)
        } else {
            base[count] = byte
            count &+= 1
        }
    }

    @inline(never)
    private mutating func appendEntity(_ byte: UInt8, left: Int) {
        let entity: StaticString =
            switch byte {
            case UInt8(ascii: "&"): "&amp;"
            case UInt8(ascii: "<"): "&lt;"
            case UInt8(ascii: ">"): "&gt;"
            case UInt8(ascii: "\""): "&quot;"
            default: "&#39;"
            }
        reserve(entity.utf8CodeUnitCount + left)
        append(entity.utf8Start, entity.utf8CodeUnitCount)
    }

    @inline(__always)
    private static func isSpecial(_ byte: UInt8) -> Bool {
        // One bit for each of & < > " '.
        byte < 64 && (0x5000_00C4_0000_0000 as UInt64) &>> UInt64(byte) & 1 == 1
    }

    @inline(__always)
    private static func hasSpecial(_ chunk: SIMD16<UInt8>) -> Bool {
        var found = chunk .== UInt8(ascii: "&")
        found .|= chunk .== UInt8(ascii: "<")
        found .|= chunk .== UInt8(ascii: ">")
        found .|= chunk .== UInt8(ascii: "\"")
        found .|= chunk .== UInt8(ascii: "'")
        return any(found)
    }
}
