// What is searched for: words parted by white space of any script, all of which must occur, in any order, anywhere in title or content;
// `"exact words"` occur as they stand, `-words` must not. Every other sign means itself. Words are folded as the searched text is.

/// A search that has at least one word.
struct SearchQuery: Hashable, Sendable {
    /// The folded words, each once, in the order of typing; none is empty.
    let words: [[UInt8]]
    /// Those that must not occur.
    let excluded: [[UInt8]]

    /// Nil when nothing is left to search for: an empty field, white space, invisible signs.
    init?(_ text: String) {
        var words: [[UInt8]] = []
        var excluded: [[UInt8]] = []
        for piece in Piece.all(text) {
            let isExcluded = Self.isExcluded(piece)
            let word = Folding.fold(Self.searched(piece))
            if isExcluded, !word.isEmpty {
                if !excluded.contains(word) { excluded.append(word) }
            } else if !word.isEmpty, !words.contains(word) {
                words.append(word)
            }
        }
        guard !words.isEmpty || !excluded.isEmpty else { return nil }
        self.words = words
        self.excluded = excluded
    }

    /// `-word` and `-"exact words"`; a hyphen alone, two of them, or one before a digit is text.
    static func isExcluded(_ piece: Piece) -> Bool {
        if piece.quoted != nil { return piece.lead == "-" }
        let scalars = piece.text.unicodeScalars
        return scalars.first == "-" && scalars.dropFirst().first.map { $0 != "-" && $0.properties.numericType == nil } ?? false
    }

    /// What of a piece is looked for.
    static func searched(_ piece: Piece) -> String {
        if let quoted = piece.quoted, piece.lead.isEmpty || piece.lead == "-" { return quoted }
        return isExcluded(piece) ? String(piece.text.unicodeScalars.dropFirst()) : piece.text
    }

    /// Whether every word occurs in one of the folded texts, and none of the excluded ones.
    func matches(_ foldedTexts: [UInt8]...) -> Bool {
        func occurs(_ word: [UInt8]) -> Bool {
            let finder = SubstringFinder(word)
            return foldedTexts.contains { finder.first(in: $0, from: 0) != nil }
        }
        return words.allSatisfy(occurs) && !excluded.contains(where: occurs)
    }

    /// Where in a text, in bytes of UTF-8, the words occur: ascending, apart from each other, never inside a character.
    func ranges(in text: String) -> [Range<Int>] {
        let folded = Folding.foldWithOrigins(text)
        var found: [Range<Int>] = []
        for word in words {
            let finder = SubstringFinder(word)
            var start = 0
            while let match = finder.first(in: folded.bytes, from: start) {
                found.append(folded.original(of: match..<match + word.count))
                start = match + word.count
            }
        }
        return Self.snap(found.sorted { $0.lowerBound < $1.lowerBound }, to: text)
    }

    /// Widens ranges to whole characters and joins those that touch.
    private static func snap(_ ranges: [Range<Int>], to text: String) -> [Range<Int>] {
        guard !ranges.isEmpty else { return [] }
        var result: [Range<Int>] = []
        var next = ranges.startIndex
        var end = 0
        for character in text {
            let start = end
            end += character.utf8.count
            // A character is marked if any range has a byte in it.
            while next < ranges.endIndex, ranges[next].upperBound <= start { next += 1 }
            guard next < ranges.endIndex else { break }
            guard ranges[next].lowerBound < end else { continue }
            if let last = result.last, last.upperBound == start {
                result[result.count - 1] = last.lowerBound..<end
            } else {
                result.append(start..<end)
            }
        }
        return result
    }
}

/// Finds a word in linear time (Knuth, Morris and Pratt), so that no text and word can be made to take long.
struct SubstringFinder {
    private let word: [UInt8]
    /// For each length of what has matched, the length of its longest proper end that is also a beginning of the word.
    private let borders: [Int]

    init(_ word: [UInt8]) {
        self.word = word
        var borders = [Int](repeating: 0, count: word.count)
        var length = 0
        for index in word.indices.dropFirst() {
            while length > 0, word[index] != word[length] { length = borders[length - 1] }
            if word[index] == word[length] { length += 1 }
            borders[index] = length
        }
        self.borders = borders
    }

    /// The first place at or behind `start` where the word stands; an empty word stands nowhere.
    func first(in text: [UInt8], from start: Int) -> Int? {
        guard !word.isEmpty else { return nil }
        var length = 0
        for index in start..<max(start, text.count) {
            while length > 0, text[index] != word[length] { length = borders[length - 1] }
            if text[index] == word[length] { length += 1 }
            if length == word.count { return index + 1 - length }
        }
        return nil
    }
}
