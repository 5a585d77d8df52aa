// Letters of different alphabets that look alike, for user names only (after the idea of UTS 39, with a small table of our own).
// A skeleton is the case-folded name with such letters replaced by the Latin one: names with the same skeleton are one account.
// Alike is what has the same shape as a capital or as a small letter. Latin letters and digits are never confused with each other.

enum Confusables {
    /// The skeleton of a name: width, case and look-alikes folded, accents kept.
    static func skeleton(of name: String) -> String {
        // Decomposed, so that ё is compared with ë by its parts.
        var scalars: [UInt32] = []
        for scalar in Folding.caseFold(name).unicodeScalars {
            Normalization.decompose(scalar.value, isCompatibility: false, into: &scalars)
        }
        var result = String.UnicodeScalarView()
        for scalar in scalars.lazy.compactMap(Unicode.Scalar.init) {
            if scalar.value >= 0x80, scalar.properties.generalCategory == .decimalNumber,
                let value = scalar.properties.numericValue
            {
                result.append(Unicode.Scalar(UInt8(0x30 + Int(value) % 10)))
            } else if scalar.value == 0x0307, result.last == "i" || result.last == "j" {
                // A second dot on a letter that has one: what İ folds to.
                continue
            } else {
                result.append(lookAlikes[scalar] ?? scalar)
            }
        }
        // A replaced letter may now compose with the mark behind it.
        return Normalization.nfc(String(result))
    }

    /// The alphabets that share shapes; names may have letters of one of them. Han, kana, Hangul and all others share none.
    enum Alphabet { case latin, greek, cyrillic, armenian, cherokee, coptic, lisu }

    static func alphabet(of scalar: Unicode.Scalar) -> Alphabet? {
        switch scalar.value {
        case 0x41...0x5A, 0x61...0x7A, 0xAA, 0xBA, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2AF, 0x1D00...0x1D25, 0x1D2C...0x1D5C,
            0x1D62...0x1D65, 0x1D6B...0x1D77, 0x1D79...0x1DBE, 0x1E00...0x1EFF, 0x2071, 0x207F, 0x2090...0x209C, 0x2C60...0x2C7F,
            0xA722...0xA787, 0xA78B...0xA7FF, 0xAB30...0xAB64, 0xFB00...0xFB06, 0xFF21...0xFF3A, 0xFF41...0xFF5A:
            .latin
        case 0x370...0x3FF, 0x1D26...0x1D2A, 0x1F00...0x1FFF: .greek
        case 0x400...0x52F, 0x1C80...0x1C8F, 0x1D2B, 0x1D78, 0x2DE0...0x2DFF, 0xA640...0xA69F: .cyrillic
        case 0x531...0x587, 0xFB13...0xFB17: .armenian
        case 0x13A0...0x13FD, 0xAB70...0xABBF: .cherokee
        case 0x2C80...0x2CFF, 0x3E2...0x3EF: .coptic
        case 0xA4D0...0xA4FD: .lisu
        default: nil
        }
    }

    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        var letters: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (from, to) in pairs {
            for (letter, latin) in zip(from.unicodeScalars, to.unicodeScalars) { letters[letter] = latin }
        }
        return letters
    }()

    /// Case-folded letters and below them what they look like.
    private static let pairs: [(String, String)] = [
        // Cyrillic
        (
            "авеһікјӏмноԛрѕстуүхԁԝԍѵьзҽ",
            "abehikjlmhoqpsctyyxdwgvb3e"
        ),
        // Greek
        (
            "αβεζηικμνορτυχϳ",
            "abezhikmnoptyxj"
        ),
        // Armenian
        ("օոսհզցքյ", "onuhqgpj"),
        // Latin letters without a mapping to the plain one, small capitals among them
        (
            "ıɑɡɩɪᴀʙᴄᴅᴇɢʜᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢǀʋ",
            "iagiiabcdeghjklmnoprstuvwyzlv"
        ),
    ]
}
