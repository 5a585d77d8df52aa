// The passwords that every guesser tries first, by a rule instead of a list: one or two words that many people take, in any case and with
// signs for letters (`p@ssw0rd`), and the digits and signs that many add to them; a day; two runs woven together; any of these twice.
// Runs, rows of keys and repeated signs are `PasswordStrength.trivial`. What is drawn at random is not caught, however short.

enum CommonPasswords {
    /// True for a prepared password that guessers try first.
    static func contains(_ prepared: [UInt8]) -> Bool {
        guard prepared.count <= longest else { return false }
        let lower = prepared.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        return isWords(lower) || isDay(lower) || isWoven(lower) || isTwice(lower)
    }

    private static let longest = 40
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
            let letters = text.map { letter(for: $0, one) }
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

    /// The letter that a sign stands for.
    private static func letter(for byte: UInt8, _ one: UInt8) -> UInt8 {
        switch Unicode.Scalar(byte) {
        case "@", "4": UInt8(ascii: "a")
        case "0": UInt8(ascii: "o")
        case "1", "!": one
        case "3": UInt8(ascii: "e")
        case "$", "5": UInt8(ascii: "s")
        case "7": UInt8(ascii: "t")
        default: byte
        }
    }

    /// How hard to guess is what was added; a year is two digits' worth.
    private static func added(_ text: ArraySlice<UInt8>) -> Double {
        guard let year = text.indices.dropLast(3).first(where: { isYear(text[$0..<($0 + 4)]) }) else {
            return PasswordStrength.bits(text.map(UInt32.init))
        }
        return 6 + PasswordStrength.bits((text[..<year] + text[(year + 4)...]).map(UInt32.init))
    }

    private static func isYear(_ text: ArraySlice<UInt8>) -> Bool { number(text).map { (1900...2099).contains($0) } ?? false }

    /// Eight digits that are a day: 19870512, 12051987, 05121987.
    private static func isDay(_ text: [UInt8]) -> Bool {
        guard text.count == 8 else { return false }
        let pairs = stride(from: 0, to: 8, by: 2).map { number(text[$0..<($0 + 2)]) ?? -1 }
        func isDay(_ month: Int, _ day: Int) -> Bool { (1...12).contains(month) && (1...31).contains(day) }
        return isYear(text[..<4]) && isDay(pairs[2], pairs[3])
            || isYear(text[4...]) && (isDay(pairs[0], pairs[1]) || isDay(pairs[1], pairs[0]))
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
    }

    /// Two runs, a character of each in turn: `q1w2e3r4`.
    private static func isWoven(_ text: [UInt8]) -> Bool {
        (0...1).allSatisfy { start in
            PasswordStrength.bits(stride(from: start, to: text.count, by: 2).map { UInt32(text[$0]) }) <= 7
        }
    }

    private static func isTwice(_ text: [UInt8]) -> Bool {
        let half = text.count / 2
        guard text.count.isMultiple(of: 2), half > 2, text[..<half] == text[half...] else { return false }
        return PasswordStrength(Array(text[..<half])) == .trivial || contains(Array(text[..<half]))
    }
}
