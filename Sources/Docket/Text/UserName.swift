// The one rule for user names (after RFC 8265, UsernameCaseMapped): 1 to 40 characters, letters and digits of any script, and `.` `_` `-`
// between them. Refused is what cannot be seen or told apart: controls, zero-width signs, direction overrides, letters of two
// scripts that share shapes. The name is shown as typed; its key is what must be unique, so that names that look or fold the same are one.

/// A user name that the rule allows.
struct UserName: Hashable, Sendable {
    static let limit = 40

    /// As typed, in normalization form C.
    let display: String
    /// Equal for names that count as one account. It is compared, never shown.
    let key: String

    init(_ text: String) throws(UserNameError) {
        let name = Normalization.nfc(Characters.trim(text))
        let scalars = name.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { throw .empty }
        do {
            try Characters.check(name, limit: Self.limit)
        } catch {
            throw .tooLong(limit: Self.limit)
        }
        var marks = 0
        for scalar in scalars {
            switch Self.kind(of: scalar) {
            case .mark: marks += 1
            case .letter, .digit, .joint: marks = 0
            case .other: throw .forbidden(String(scalar))
            }
            // Languages stack two marks on a letter; more is a prank on the lines above and below.
            if marks > 2 { throw .forbidden(String(scalar)) }
        }
        guard Self.kind(of: first) == .letter || Self.kind(of: first) == .digit, Self.kind(of: last) != .joint else {
            throw .edge
        }
        guard Set(scalars.compactMap(Confusables.alphabet)).count <= 1 else { throw .mixedAlphabets }
        display = name
        key = Confusables.skeleton(of: name)
    }

    /// The key of a name that someone signs in with, whether or not a new account could have it.
    static func key(of text: String) -> String {
        Confusables.skeleton(of: Normalization.nfc(Characters.trim(text)))
    }

    private enum Kind { case letter, digit, mark, joint, other }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        switch scalar.value {
        case 0x2D, 0x2E, 0x5F: return .joint
        case 0x30...0x39: return .digit
        case 0x41...0x5A, 0x61...0x7A: return .letter
        case 0..<0x80: return .other
        default: break
        }
        // Hangul fillers are letters that cannot be seen.
        if scalar.properties.isDefaultIgnorableCodePoint { return .other }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return .letter
        case .decimalNumber: return .digit
        case .nonspacingMark, .spacingMark: return .mark
        default: return .other
        }
    }
}

/// Why a name cannot be had.
enum UserNameError: Error, Hashable {
    case empty
    case tooLong(limit: Int)
    /// A sign that names may not have; it is quoted in the message.
    case forbidden(String)
    /// It must begin with a letter or digit and not end with a point, stroke or line.
    case edge
    /// Latin and Cyrillic letters in one name, say.
    case mixedAlphabets
}
