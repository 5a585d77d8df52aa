// A window that slides over a body: at most a block and what is still needed lies in memory, whatever the body's length.

/// Reads a body front to back.
struct BodyWindow {
    static let blockBytes = 65536

    private let body: Body
    private var block: [UInt8] = []
    /// What is in memory, and where in the body it begins.
    private var bytes: [UInt8] = []
    private var base = 0

    /// Where reading goes on, as an offset in the body. What lies before may be dropped.
    private(set) var position = 0

    init(_ body: Body) {
        self.body = body
        if case .bytes(let whole) = body { bytes = whole }
    }

    /// True where the body goes on exactly like this, which is then passed over.
    mutating func skip(_ text: some Collection<UInt8>) throws -> Bool {
        while available < text.count { guard try fill() else { return false } }
        guard bytes[(position - base)...].starts(with: text) else { return false }
        position += text.count
        return true
    }

    /// True where nothing is left.
    mutating func isAtEnd() throws -> Bool {
        if available > 0 { return false }
        return try !fill()
    }

    /// The bytes up to the next LF, without it; nil where there is none within `limit` bytes.
    mutating func line(limit: Int) throws -> [UInt8]? {
        var searched = position
        while true {
            if let index = bytes.span.firstOffset(of: Ascii.lineFeed, from: searched - base) {
                let line = bytes[(position - base)..<index]
                guard line.count <= limit else { return nil }
                position = base + index + 1
                return Array(line)
            }
            searched = base + bytes.count
            guard available <= limit, try fill() else { return nil }
        }
    }

    /// Passes over everything up to `pattern` and over it; the offset at which it begins, or nil where it does not come.
    mutating func skip(through pattern: Pattern) throws -> Int? {
        while true {
            if let index = pattern.firstOffset(in: bytes.span, from: position - base) {
                position = base + index + pattern.count
                return base + index
            }
            position = max(position, base + bytes.count - (pattern.count - 1))
            guard try fill() else { return nil }
        }
    }

    private var available: Int { base + bytes.count - position }

    /// Drops what is passed over and reads one more block; false at the end.
    private mutating func fill() throws -> Bool {
        guard case .spooled(let content) = body else { return false }
        if block.isEmpty { block = [UInt8](repeating: 0, count: Self.blockBytes) }
        let offset = base + bytes.count
        // The pointer lives for the call only, and `block` is not touched otherwise meanwhile.
        let count = try block.withUnsafeMutableBytes { try content.read(into: $0, at: offset) }
        guard count > 0 else { return false }
        bytes.removeSubrange(..<(position - base))
        base = position
        bytes.append(contentsOf: block[..<count])
        return true
    }

    /// Bytes to search for, by Horspool's method: a long pattern is compared at few places.
    struct Pattern {
        private let bytes: [UInt8]
        private var shifts: [Int]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            shifts = [Int](repeating: bytes.count, count: 256)
            for (index, byte) in bytes.dropLast().enumerated() { shifts[Int(byte)] = bytes.count - 1 - index }
        }

        var count: Int { bytes.count }

        func firstOffset(in text: Span<UInt8>, from start: Int) -> Int? {
            let last = bytes.count - 1
            var end = start + last
            while end < text.count {
                var index = last
                while index >= 0, text[end - last + index] == bytes[index] { index -= 1 }
                if index < 0 { return end - last }
                end += shifts[Int(text[end])]
            }
            return nil
        }
    }
}
