// How hard a password is to guess, in a word. An estimate and no promise: it counts what a character adds beyond the one before it, so that
// repeated signs, runs such as `abcd` and patterns that come again add next to nothing.

/// The strength of a password.
enum PasswordStrength: String, CaseIterable, Comparable {
    /// As bad as the most common ones: one or two characters again and again, a run, nothing but white space.
    case trivial
    case weak, fair, strong

    /// - Parameter prepared: the password as it is hashed.
    init(_ prepared: [UInt8]) {
        let scalars = Array(String(decoding: prepared, as: UTF8.self).unicodeScalars.map(\.value))
        var bits = 0.0
        for (index, scalar) in scalars.enumerated() where !Self.isForeseen(scalars, index) {
            bits += Self.bits(scalar)
        }
        let isTrivial = Set(scalars).count <= 2 || bits < 16
        self = isTrivial ? .trivial : bits < 45 ? .weak : bits < 70 ? .fair : .strong
    }

    static func < (one: Self, other: Self) -> Bool {
        (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
    }

    /// The same as the one before, its neighbour in the alphabet, or what a pattern of two to four characters gives again.
    private static func isForeseen(_ scalars: [UInt32], _ index: Int) -> Bool {
        guard index > 0 else { return false }
        if (-1...1).contains(Int64(scalars[index]) - Int64(scalars[index - 1])) { return true }
        return (2...4).contains { period in
            index >= 2 * period - 1 && (0..<period).allSatisfy { scalars[index - $0] == scalars[max(0, index - $0 - period)] }
        }
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
