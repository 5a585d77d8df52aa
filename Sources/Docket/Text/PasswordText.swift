// A password as it is hashed: the OpaqueString profile of RFC 8265, so that `é` typed on two devices is the same password.
// Spaces of other scripts become U+0020, then normalization form C; case, width and everything else count. Nothing is trimmed or cut.

/// A password that the rule allows, ready to be hashed. The same limits hold on every way in.
struct PasswordText: Sendable {
    static let minimum = 8
    static let limit = 1_000

    let bytes: [UInt8]

    /// A password to be set.
    init(_ text: String) throws(TextError) {
        if let control = text.unicodeScalars.first(where: { Characters.isUnshowable($0.value) }) { throw .control(control.value) }
        try Characters.check(text, limit: Self.limit)
        let prepared = Self.prepare(text)
        try Characters.check(prepared, limit: Self.limit, minimum: Self.minimum)
        bytes = Array(prepared.utf8)
    }

    /// A password to be compared: nil where it cannot be anyone's, so that nothing huge is ever hashed.
    init?(toVerify text: String) {
        guard let password = try? PasswordText(text) else { return nil }
        self = password
    }

    private static func prepare(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isSpace = scalar.value >= 0x80 && scalar.properties.generalCategory == .spaceSeparator
            result.append(isSpace ? " " : scalar)
        }
        return Normalization.nfc(String(result))
    }
}
