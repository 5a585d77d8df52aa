// The identifier of a task: a UUID, version 7 for our own (RFC 9562 section 5.7), so that new rows stand at the end of their index.

/// 128 bits, written as 36 lower-case characters.
struct TaskID: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    /// A new one: 48 bits of milliseconds, 74 bits from the kernel's random source.
    init(at now: Instant) {
        let stamp = UInt64(clamping: now.milliseconds) & 0xFFFF_FFFF_FFFF
        high = stamp << 16 | 0x7000 | UInt64.random(in: 0...0xFFF)
        low = 0x8000_0000_0000_0000 | UInt64.random(in: 0...UInt64.max) >> 2
    }

    /// Reads `8-4-4-4-12` hexadecimal digits of either case, nil for anything else.
    init?(_ text: some StringProtocol) {
        var words: [UInt64] = [0, 0]
        var digits = 0
        var position = 0
        for byte in text.utf8 {
            defer { position += 1 }
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard byte.isHexDigit, digits < 32 else { return nil }
            let value = byte <= UInt8(ascii: "9") ? byte & 0x0F : (byte & 0x0F) + 9
            words[digits / 16] = words[digits / 16] << 4 | UInt64(value)
            digits += 1
        }
        guard digits == 32, position == 36 else { return nil }
        (high, low) = (words[0], words[1])
    }

    /// From 16 bytes, as the database keeps them.
    init?(bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 16 else { return nil }
        high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// From 16 bytes in an array.
    init?(bytes: [UInt8]) {
        guard let id = bytes.withUnsafeBytes({ TaskID(bytes: $0) }) else { return nil }
        self = id
    }

    /// The 16 bytes, most significant first.
    var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for index in 0..<8 {
                buffer[index] = UInt8(truncatingIfNeeded: high >> (56 - 8 * UInt64(index)))
                buffer[index + 8] = UInt8(truncatingIfNeeded: low >> (56 - 8 * UInt64(index)))
            }
            count = 16
        }
    }

    /// The 36 ASCII characters.
    var text: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(self)
        return bytes
    }

    var description: String { String(decoding: text, as: UTF8.self) }
}

extension [UInt8] {
    /// Appends the 36 characters of an identifier.
    mutating func append(_ id: TaskID) {
        append(addingCapacity: 36) { output in
            for digit in 0..<32 {
                if digit == 8 || digit == 12 || digit == 16 || digit == 20 { output.append(UInt8(ascii: "-")) }
                let word = digit < 16 ? id.high : id.low
                let value = UInt8(truncatingIfNeeded: word >> (60 - 4 * UInt64(digit % 16))) & 0x0F
                output.append(value < 10 ? value + UInt8(ascii: "0") : value - 10 + UInt8(ascii: "a"))
            }
        }
    }
}
