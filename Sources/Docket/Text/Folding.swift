// Folds texts so that what people take for the same compares equal, byte by byte: case, width and compatibility forms (NFKC case
// folding), what cannot be seen, and for search also accents. Both sides of a comparison are folded, never one.
// Hangul syllables and voiced kana stay whole, and so do й and ў, which are letters of their own. A folded text can be
// traced back to the bytes that it came from, so that a page can mark what matched.

enum Folding {
    /// The form that search compares: `Café`, `ＣＡＦＥ` and `cafe` are the same bytes.
    static func fold(_ text: String) -> [UInt8] {
        var folder = Folder(text, isForSearch: true)
        folder.run()
        return folder.output
    }

    /// The same, with the way back to the text.
    static func foldWithOrigins(_ text: String) -> FoldedText {
        var folder = Folder(text, isForSearch: true, keepsOrigins: true)
        folder.run()
        return FoldedText(bytes: folder.output, origins: folder.origins + [text.utf8.count])
    }

    /// NFKC case folding (Unicode standard, section 3.13) with accents kept: for names and words.
    static func caseFold(_ text: String) -> String {
        var folder = Folder(text, isForSearch: false)
        folder.run()
        return String(decoding: folder.output, as: UTF8.self)
    }
}

/// A folded text and, for each of its bytes, where in the original the letters that it came from begin; one more origin is the end.
struct FoldedText: Sendable {
    let bytes: [UInt8]
    let origins: [Int]

    /// The bytes of the original that a range of the folded bytes came from: always whole letters with their marks.
    func original(of range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end < bytes.count, origins[end] == origins[end - 1] { end += 1 }
        return origins[range.lowerBound]..<origins[end]
    }
}

/// One pass over a text, by segments: a scalar with all that may join it is folded alone.
private struct Folder {
    let isForSearch: Bool
    let keepsOrigins: Bool
    var output: [UInt8] = []
    var origins: [Int] = []
    private let bytes: [UInt8]
    private var segment: [UInt32] = []
    private var folded: [UInt32] = []
    private let data = UnicodeData.shared

    init(_ text: String, isForSearch: Bool, keepsOrigins: Bool = false) {
        self.isForSearch = isForSearch
        self.keepsOrigins = keepsOrigins
        bytes = Array(text.utf8)
        output.reserveCapacity(bytes.count)
        if keepsOrigins { origins.reserveCapacity(bytes.count + 1) }
    }

    mutating func run() {
        var index = 0
        while index < bytes.count {
            let start = index
            let byte = bytes[index]
            if byte < 0x80, index + 1 == bytes.count || bytes[index + 1] < 0x80 {
                output.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
                index += 1
            } else if isHan(at: index), index + 3 == bytes.count || bytes[index + 3] < 0x80 || isHan(at: index + 3) {
                output.append(contentsOf: bytes[index..<index + 3])
                index += 3
            } else {
                index = foldSegment(from: index)
            }
            if keepsOrigins { origins.append(contentsOf: repeatElement(start, count: output.count - origins.count)) }
        }
    }

    /// Whether a scalar of U+4000 to U+9FFF begins here: ideographs, of which none is mapped or continues another.
    private func isHan(at index: Int) -> Bool { 0xE4...0xE9 ~= bytes[index] }

    /// Folds a scalar and what continues it; the index behind them.
    private mutating func foldSegment(from start: Int) -> Int {
        let (first, length) = decode(at: start)
        var index = start + length
        segment.removeAll(keepingCapacity: true)
        segment.append(first)
        while index < bytes.count, bytes[index] >= 0x80 {
            let (next, length) = decode(at: index)
            guard data.record(of: next).flags.contains(.continuing) else { break }
            segment.append(next)
            index += length
        }
        if segment.count == 1, data.isPlain(first) {
            if length == 1 {
                output.append(first &- 0x41 < 26 ? UInt8(first) | 0x20 : UInt8(first))
            } else {
                output.append(contentsOf: bytes[start..<index])
            }
            return index
        }
        folded.removeAll(keepingCapacity: true)
        if segment.count > 1 {
            // Folding starts from the canonical order, so that canonically equivalent texts fold the same.
            for scalar in segment { Normalization.decompose(scalar, isCompatibility: false, into: &folded) }
            Normalization.reorder(&folded)
            swap(&segment, &folded)
            folded.removeAll(keepingCapacity: true)
        }
        for scalar in segment { expand(scalar) }
        Normalization.reorder(&folded)
        if isForSearch { stripMarks() }
        Normalization.compose(&folded)
        for scalar in folded { append(scalar) }
        return index
    }

    /// The bytes come from a String, so they are valid UTF-8.
    private func decode(at index: Int) -> (scalar: UInt32, length: Int) {
        let lead = UInt32(bytes[index])
        func tail(_ offset: Int) -> UInt32 { UInt32(bytes[index + offset] & 0x3F) }
        if lead < 0x80 { return (lead, 1) }
        if lead < 0xE0 { return ((lead & 0x1F) << 6 | tail(1), 2) }
        if lead < 0xF0 { return ((lead & 0x0F) << 12 | tail(1) << 6 | tail(2), 3) }
        return ((lead & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4)
    }

    /// Case folding and full compatibility decomposition, until nothing maps any more.
    private mutating func expand(_ scalar: UInt32) {
        if Hangul.syllables.contains(scalar) { return Hangul.decompose(scalar, into: &folded) }
        if scalar &- 0x41 < 26 { return folded.append(scalar | 0x20) }
        let record = data.record(of: scalar)
        if record.flags.contains(.ignorable) { return }
        var place = record.caseFolding
        if place == 0 { place = record.canonical }
        if place == 0, record.compatibility != 0 {
            // `¨` alone would become a space and a mark, and so match every space: it stays what it is.
            let mapped = data.mapping(record.compatibility)
            if mapped.count == 1 || mapped.first != 0x20 { place = record.compatibility }
        }
        if place == 0, isForSearch { place = record.searchLetter }
        if place == 0 { return folded.append(scalar) }
        for mapped in data.mapping(place) { expand(mapped) }
    }

    private mutating func stripMarks() {
        var base: UInt32 = 0
        folded.removeAll { scalar in
            guard data.record(of: scalar).flags.contains(.searchMark) else {
                base = scalar
                return false
            }
            // The breve of й and ў.
            return !(scalar == 0x0306 && (base == 0x0438 || base == 0x0443))
        }
    }

    private mutating func append(_ scalar: UInt32) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
}
