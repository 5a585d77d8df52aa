// The passwords that every guesser tries first, by a rule instead of a list: one or two words that many people take, in any case and width
// and with signs for letters (`p@ssw0rd`), and the digits and signs that many add to them; a day; two runs woven together; any of these
// again and again.
// Runs, rows of keys and repeated signs are `PasswordStrength.trivial`. What is drawn at random is not caught, however short.

enum CommonPasswords {
    /// True for a prepared password that guessers try first.
    static func contains(_ prepared: [UInt8]) -> Bool {
        guard prepared.count <= longest else { return false }
        let lower = Array(Folding.caseFold(String(decoding: prepared, as: UTF8.self)).utf8)
        return isWords(lower) || isDay(lower) || isWoven(lower) || isRepeated(lower)
    }

    private static let longest = 80
    /// What may be added to the words: four digits, a year and a sign, or any run such as `123456`.
    private static let mostAdded = 13.0

    private static func isWords(_ text: [UInt8]) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) || byte >= 0x80 }
        guard let first = text.firstIndex(where: isLetter), let last = text.lastIndex(where: isLetter) else { return false }
        // What stands before and behind is added, or a sign for a letter: `pa$$`.
        return [(first, last + 1), (0, text.count), (0, last + 1), (first, text.count)].contains { start, end in
            added(text[..<start]) + added(text[end...]) <= mostAdded && isWords(text[start..<end])
        }
    }

    private static func isWords(_ text: ArraySlice<UInt8>) -> Bool {
        [UInt8(ascii: "i"), UInt8(ascii: "l")].contains { one in
            let letters = text.map { byte in signs[byte].map { $0 == UInt8(ascii: "i") ? one : $0 } ?? byte }
            return isOneOrTwo(letters) || letters.last == UInt8(ascii: "s") && isOneOrTwo(letters.dropLast())
        }
    }

    private static func isOneOrTwo(_ letters: [UInt8]) -> Bool {
        if CommonWords.all.contains(letters) { return true }
        guard letters.count >= 4 else { return false }
        return (2...letters.count - 2).contains { middle in
            CommonWords.all.contains(Array(letters[..<middle])) && CommonWords.all.contains(Array(letters[middle...]))
        }
    }

    /// Signs that stand for letters; those of an `i` for an `l`, too.
    static let signs = Dictionary(uniqueKeysWithValues: zip("@4013$5!7".utf8, "aaoiessit".utf8))

    /// How hard to guess is what was added; a year is two digits' worth.
    private static func added(_ text: ArraySlice<UInt8>) -> Double {
        guard let year = text.indices.dropLast(3).first(where: { isYear(text[$0..<($0 + 4)]) }) else {
            return PasswordStrength.bits(text.map(UInt32.init))
        }
        return 6 + PasswordStrength.bits((text[..<year] + text[(year + 4)...]).map(UInt32.init))
    }

    private static func isYear(_ text: ArraySlice<UInt8>) -> Bool { number(text).map { (1900...2099).contains($0) } ?? false }

    /// A day, its parts apart or together: 2000-1-1, 12.05.1987!, 19870512, 05121987.
    private static func isDay(_ text: [UInt8]) -> Bool {
        let parts = text.split { !(0x30...0x39).contains($0) }
        guard text.count - parts.joined().count <= 9, !text.contains(where: { (0x61...0x7A).contains($0) }) else { return false }
        func isDay(_ year: ArraySlice<UInt8>, _ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
            guard isYear(year), let one = number(one), let other = number(other) else { return false }
            return (1...31).contains(max(one, other)) && (1...12).contains(min(one, other))
        }
        if parts.count == 3 { return isDay(parts[0], parts[1], parts[2]) || isDay(parts[2], parts[0], parts[1]) }
        guard parts.count == 1, let all = parts.first, all.count == 8 else { return false }
        return isDay(all.prefix(4), all.dropFirst(4).prefix(2), all.suffix(2))
            || isDay(all.suffix(4), all.prefix(2), all.dropFirst(2).prefix(2))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.count < 5, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    }

    /// Two runs, a character of each in turn: `q1w2e3r4`.
    private static func isWoven(_ text: [UInt8]) -> Bool {
        (0...1).allSatisfy { start in
            PasswordStrength.bits(stride(from: start, to: text.count, by: 2).map { UInt32(text[$0]) }) <= 7
        }
    }

    private static func isRepeated(_ text: [UInt8]) -> Bool {
        guard text.count >= 6 else { return false }
        return (3...text.count / 2).contains { length in
            let part = Array(text[..<length])
            return text.count.isMultiple(of: length) && zip(text, text.dropFirst(length)).allSatisfy(==)
                && (PasswordStrength(part) == .trivial || contains(part))
        }
    }
}
