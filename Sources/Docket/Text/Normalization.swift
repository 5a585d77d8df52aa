// Unicode normalization forms C and KC (UAX 15), on tables of our own. Linear, but for the sorting of a long run of marks.
// Texts that people write are kept as they are; what is compared by someone (names, passwords) is normalized first, because
// two devices may send the same letters in different encodings, and SQLite compares bytes.

enum Normalization {
    /// Normalization form C: what passwords and shown names have.
    static func nfc(_ text: String) -> String { normalize(text, isCompatibility: false) }

    /// Normalization form KC: width, ligatures and other presentation forms become plain.
    static func nfkc(_ text: String) -> String { normalize(text, isCompatibility: true) }

    private static func normalize(_ text: String, isCompatibility: Bool) -> String {
        // Below U+0300 nothing combines, and below U+00A0 nothing has a compatibility mapping.
        if text.utf8.allSatisfy({ $0 < (isCompatibility ? 0x80 : 0xCC) }) { return text }
        var scalars: [UInt32] = []
        scalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { decompose(scalar.value, isCompatibility: isCompatibility, into: &scalars) }
        reorder(&scalars)
        compose(&scalars)
        return string(of: scalars)
    }

    static func string(of scalars: [UInt32]) -> String {
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars.lazy.compactMap(Unicode.Scalar.init))
        return String(result)
    }

    // MARK: The three steps

    static func decompose(_ scalar: UInt32, isCompatibility: Bool, into scalars: inout [UInt32]) {
        if Hangul.syllables.contains(scalar) { return Hangul.decompose(scalar, into: &scalars) }
        let data = UnicodeData.shared
        let record = data.record(of: scalar)
        let place = record.canonical != 0 ? record.canonical : isCompatibility ? record.compatibility : 0
        if place == 0 { return scalars.append(scalar) }
        for mapped in data.mapping(place) { decompose(mapped, isCompatibility: isCompatibility, into: &scalars) }
    }

    /// Canonical ordering: marks behind a letter in the order of their combining classes, equal classes as they stand.
    static func reorder(_ scalars: inout [UInt32]) {
        let data = UnicodeData.shared
        var start = 0
        while start < scalars.count {
            var end = start
            var previous: UInt8 = 0
            var isOrdered = true
            while end < scalars.count, case let value = data.record(of: scalars[end]).combiningClass, value != 0 {
                if value < previous { isOrdered = false }
                previous = value
                end += 1
            }
            if !isOrdered {
                // Swift's sort is stable.
                scalars[start..<end].sort { data.record(of: $0).combiningClass < data.record(of: $1).combiningClass }
            }
            start = end + 1
        }
    }

    /// Canonical composition of decomposed and ordered scalars.
    static func compose(_ scalars: inout [UInt32]) {
        let data = UnicodeData.shared
        var starter: Int?
        var previousClass: UInt8 = 0
        var count = 0
        for scalar in scalars {
            let combiningClass = data.record(of: scalar).combiningClass
            if let place = starter, count == place + 1 || (previousClass < combiningClass && previousClass != 0),
                let composite = Hangul.composite(scalars[place], scalar) ?? data.composite(scalars[place], scalar)
            {
                scalars[place] = composite
                continue
            }
            if combiningClass == 0 { starter = count }
            previousClass = combiningClass
            scalars[count] = scalar
            count += 1
        }
        scalars.removeLast(scalars.count - count)
    }
}

/// Hangul syllables are composed by arithmetic (Unicode standard, section 3.12).
enum Hangul {
    static let syllables: Range<UInt32> = 0xAC00..<0xAC00 + 11_172
    private static let (lead, vowel, trail): (UInt32, UInt32, UInt32) = (0x1100, 0x1161, 0x11A7)

    static func decompose(_ syllable: UInt32, into scalars: inout [UInt32]) {
        let index = syllable - syllables.lowerBound
        scalars.append(lead + index / 588)
        scalars.append(vowel + index % 588 / 28)
        if !index.isMultiple(of: 28) { scalars.append(trail + index % 28) }
    }

    static func composite(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if (lead..<lead + 19).contains(first), (vowel..<vowel + 21).contains(second) {
            return syllables.lowerBound + ((first - lead) * 21 + second - vowel) * 28
        }
        if syllables.contains(first), (first - syllables.lowerBound).isMultiple(of: 28), (trail + 1..<trail + 28).contains(second)
        {
            return first + second - trail
        }
        return nil
    }
}
