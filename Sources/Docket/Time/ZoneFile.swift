// One zoneinfo file (TZif, RFC 9636 and 8536, versions 1 to 4), read from bytes into transitions, offsets and a rule for later years.
// Every count is checked against the bytes that are there: a damaged file gives nil, never a trap.
// Abbreviations, leap seconds and the standard/wall indicators are skipped: nothing here needs them.

/// The transitions of a zone: what a zoneinfo file says.
struct ZoneFile: Sendable {
    /// Seconds since 1970 at which the offset changes, ascending.
    let transitions: [Int]
    /// The offset from each transition on, seconds east of UTC; as many as there are transitions.
    let offsets: [Int]
    /// The offset before the first transition.
    let firstOffset: Int
    /// What holds after the last transition; without one its offset goes on for ever.
    let rule: PosixRule?

    /// A zone that never changes.
    init(fixedOffset: Int) {
        transitions = []
        offsets = []
        firstOffset = fixedOffset
        rule = nil
    }

    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes: bytes[...])
        guard var header = reader.header() else { return nil }
        var timeWidth = 4
        if header.version >= 2 {
            // A version 1 block stands first for old readers; the one with 64-bit times follows, with its own header.
            guard reader.skip(header.size(timeWidth: 4)), let second = reader.header() else { return nil }
            header = second
            timeWidth = 8
        }
        guard let times = reader.take(header.timeCount * timeWidth), let indices = reader.take(header.timeCount),
            let types = reader.take(header.typeCount * 6),
            reader.skip(
                header.abbreviationBytes + header.leapCount * (timeWidth + 4) + header.standardCount + header.universalCount)
        else { return nil }

        var typeOffsets: [Int] = []
        for start in stride(from: types.startIndex, to: types.endIndex, by: 6) {
            let offset = Reader.integer(types[start..<start + 4])
            // RFC 9636 section 3.2: more than a day and an hour either way is not a real offset.
            guard (-89_999...93_599).contains(offset) else { return nil }
            typeOffsets.append(offset)
        }
        guard let first = typeOffsets.first else { return nil }

        var transitions: [Int] = []
        var offsets: [Int] = []
        for (position, index) in indices.enumerated() {
            let start = times.startIndex + position * timeWidth
            let time = Reader.integer(times[start..<start + timeWidth])
            guard transitions.last.map({ $0 < time }) ?? true, Int(index) < typeOffsets.count else { return nil }
            transitions.append(time)
            offsets.append(typeOffsets[Int(index)])
        }
        self.transitions = transitions
        self.offsets = offsets
        firstOffset = first

        guard timeWidth == 8 else {
            rule = nil
            return
        }
        guard let footer = reader.line() else { return nil }
        rule = PosixRule(footer)
        if rule == nil, !footer.isEmpty { return nil }
    }

    /// The offset at an instant in seconds since 1970.
    func offset(at seconds: Int) -> Int {
        let index = countOfTransitions(through: seconds)
        if index == transitions.count, let rule { return rule.offset(at: seconds) }
        return index == 0 ? firstOffset : offsets[index - 1]
    }

    /// The next transition after an instant and the offset that it brings; nil when nothing changes any more.
    func transition(after seconds: Int) -> (at: Int, offset: Int)? {
        let index = countOfTransitions(through: seconds)
        if index < transitions.count { return (transitions[index], offsets[index]) }
        return rule?.change(after: seconds)
    }

    private func countOfTransitions(through seconds: Int) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension ZoneFile {
    private struct Header {
        let version: Int
        let universalCount, standardCount, leapCount, timeCount, typeCount, abbreviationBytes: Int

        func size(timeWidth: Int) -> Int {
            timeCount * (timeWidth + 1) + typeCount * 6 + abbreviationBytes + leapCount * (timeWidth + 4) + standardCount
                + universalCount
        }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        static func integer(_ bytes: ArraySlice<UInt8>) -> Int {
            // Two's complement, big-endian: the first byte carries the sign.
            var value = bytes.first.map { $0 >= 0x80 ? -1 : 0 } ?? 0
            for byte in bytes { value = value << 8 | Int(byte) }
            return value
        }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, count <= bytes.count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        mutating func header() -> Header? {
            guard let head = take(44), Array(head.prefix(4)) == [0x54, 0x5A, 0x69, 0x66] else { return nil }
            let letter = head[head.startIndex + 4]
            let counts = (0..<6).map { Self.integer(head[(head.startIndex + 20 + $0 * 4)..<(head.startIndex + 24 + $0 * 4)]) }
            guard counts.allSatisfy({ (0...1_000_000).contains($0) }) else { return nil }
            return Header(
                version: letter == 0 ? 1 : Int(letter) - 0x30,
                universalCount: counts[0], standardCount: counts[1], leapCount: counts[2],
                timeCount: counts[3], typeCount: counts[4], abbreviationBytes: counts[5])
        }

        /// The footer: what stands between two line feeds.
        mutating func line() -> [UInt8]? {
            guard bytes.first == 0x0A, let end = bytes.dropFirst().firstIndex(of: 0x0A) else { return nil }
            return Array(bytes[(bytes.startIndex + 1)..<end])
        }
    }
}
