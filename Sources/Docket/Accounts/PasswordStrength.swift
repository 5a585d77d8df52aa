// How hard a password is to guess, in a word. An estimate and no promise: it counts what a character adds beyond the ones before it, so that
// repeated signs, runs such as `abcd`, rows of keys and patterns that come again add next to nothing. `Public/password.js` tells the same
// word beside the field; a test holds the two together.

/// The strength of a password.
enum PasswordStrength: String, CaseIterable, Comparable {
    /// As bad as the most common ones: one or two characters again and again, a run, nothing but white space.
    case trivial
    case weak, fair, strong

    /// - Parameter prepared: the password as it is hashed.
    init(_ prepared: [UInt8]) {
        let characters = Self.characters(prepared)
        let bits = Self.bits(characters)
        let isTrivial = Set(characters).count <= 2 || bits < 16
        let all = isTrivial || !Self.isMixed(characters) ? bits : bits + 2 * Double(characters.count)
        self = isTrivial ? .trivial : all < 45 ? .weak : all < 70 ? .fair : .strong
    }

    static func < (one: Self, other: Self) -> Bool {
        (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
    }

    /// The characters that people see, whatever their width. One of several code points, as many an emoji, gets a number behind all code
    /// points, and none beside another's.
    private static func characters(_ prepared: [UInt8]) -> [UInt32] {
        var numbers: [Character: UInt32] = [:]
        return Normalization.nfkc(String(decoding: prepared, as: UTF8.self)).map { character in
            let scalars = character.unicodeScalars
            if scalars.count == 1 { return scalars[scalars.startIndex].value }
            let number = numbers[character] ?? 0x20_0000 + 2 * UInt32(numbers.count)
            numbers[character] = number
            return number
        }
    }

    /// What all characters add together.
    static func bits(_ scalars: [UInt32]) -> Double {
        scalars.indices.reduce(0) { $0 + (isForeseen(scalars, $1) ? 0 : bits(scalars[$1])) }
    }

    /// True where the kind changes so often that nobody thought of it: drawn at random, as password managers do. Signs that stand for letters
    /// are letters here.
    private static func isMixed(_ scalars: [UInt32]) -> Bool {
        let kinds = scalars.map { scalar in
            switch scalar {
            case 0x41...0x5A: 1
            case 0x61...0x7A, 0x80...: 0
            default: CommonPasswords.signs[UInt8(scalar)] != nil ? 0 : (0x30...0x39).contains(scalar) ? 2 : 3
            }
        }
        return 5 * zip(kinds, kinds.dropFirst()).count { $0 != $1 } >= 2 * kinds.count
    }

    /// The same as the one before, its neighbour in the alphabet, part of a row, or what a pattern of two to four characters gives again.
    private static func isForeseen(_ scalars: [UInt32], _ index: Int) -> Bool {
        guard index > 0 else { return false }
        if (-1...1).contains(step(scalars, index)) || isInRow(scalars, index) || isInRow(scalars, index + 1) { return true }
        return (2...4).contains { period in
            index >= 2 * period - 1 && (0..<period).allSatisfy { scalars[index - $0] == scalars[max(0, index - $0 - period)] }
        }
    }

    /// The third of three in a row: keys that touch each other, or digits at the same distance (1 4 7, 2 4 6).
    private static func isInRow(_ scalars: [UInt32], _ index: Int) -> Bool {
        guard index > 1, index < scalars.count else { return false }
        let three = scalars[(index - 2)...index]
        if three.allSatisfy({ (0x30...0x39).contains($0) }), step(scalars, index) == step(scalars, index - 1) { return true }
        let keys = three.map(key)
        return touch(keys[0], keys[1]) && touch(keys[1], keys[2])
    }

    private static func step(_ scalars: [UInt32], _ index: Int) -> Int64 { Int64(scalars[index]) - Int64(scalars[index - 1]) }

    /// Where a character lies on the keys of an English keyboard: 16 times the row, and the column. Each row is half a key right of the one
    /// above it.
    private static func key(_ scalar: UInt32) -> Int? { scalar < 128 ? keys[Int(scalar)] : nil }

    private static let keys: [Int?] = {
        let plain = ["1234567890-=", "qwertyuiop[]", "asdfghjkl;'", "zxcvbnm,./"]
        let shifted = ["!@#$%^&*()_+", "QWERTYUIOP{}", "ASDFGHJKL:\"", "ZXCVBNM<>?"]
        var keys = [Int?](repeating: nil, count: 128)
        for rows in [plain, shifted] {
            for (row, characters) in rows.enumerated() {
                for (column, character) in characters.utf8.enumerated() { keys[Int(character)] = 16 * row + column }
            }
        }
        return keys
    }()

    private static func touch(_ one: Int?, _ other: Int?) -> Bool {
        guard let one, let other else { return false }
        return [1, 15, 16].contains(abs(one - other))
    }

    /// What an unforeseen character adds: few are drawn at random, so less than its alphabet has.
    private static func bits(_ scalar: UInt32) -> Double {
        switch scalar {
        case 0x30...0x39: 3
        case 0x61...0x7A, 0x20: 3.5
        case 0x41...0x5A: 4.5
        case 0..<0x80: 5
        default: 8
        }
    }
}
