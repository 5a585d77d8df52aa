// Content negotiation (RFC 9110 section 12): media types with q-values, the most specific range counting.
// A malformed member is left out; a field with no valid member counts as absent, so that odd clients get an answer.

/// A member of a list with its weight in thousandths.
struct Weighted {
    let member: Substring
    let thousandths: Int

    /// The members of a list, without those whose weight is malformed.
    static func list(_ text: String) -> [Weighted] {
        Grammar.list(text).compactMap(Weighted.init)
    }

    private init?(_ text: Substring) {
        let parts = Grammar.list(text, separator: Ascii.semicolon)
        guard let last = parts.last else { return nil }
        guard parts.count > 1, last.utf8.count >= 2, Grammar.equalsIgnoringCase(last.utf8.prefix(2), "q=") else {
            member = text
            thousandths = 1000
            return
        }
        guard let weight = Self.weight(last.utf8.dropFirst(2)) else { return nil }
        member = parts.count == 2 ? parts[0] : Substring(parts.dropLast().joined(separator: ";"))
        thousandths = weight
    }

    /// `0`, `1`, or one of them with up to three decimals, at most 1 (RFC 9110 section 12.4.2).
    private static func weight(_ text: Substring.UTF8View) -> Int? {
        var digits = Array(text)
        if digits.count > 1 {
            guard digits.count <= 5, digits[1] == UInt8(ascii: ".") else { return nil }
            digits.remove(at: 1)
        }
        digits += [UInt8](repeating: 0x30, count: max(0, 4 - digits.count))
        guard let number = Grammar.decimal(digits, digits: 4), number <= 1000 else { return nil }
        return number
    }
}

/// An Accept field.
public struct Accept: Sendable, Equatable {
    private struct Preference: Sendable, Equatable {
        let type: MediaType
        let thousandths: Int
    }

    private let preferences: [Preference]

    /// Reads the combined value of the field; nil is an absent field: everything is acceptable.
    public init(_ text: String?) {
        preferences = Weighted.list(text ?? "").compactMap { item in
            MediaType(item.member).map { Preference(type: $0, thousandths: item.thousandths) }
        }
    }

    /// The weight of a type in thousandths; 0 where it is not acceptable.
    public func quality(of type: MediaType) -> Int {
        guard !preferences.isEmpty else { return 1000 }
        var best = (specificity: -1, thousandths: 0)
        for preference in preferences {
            guard let specificity = Self.specificity(preference.type, of: type), specificity > best.specificity else { continue }
            best = (specificity, preference.thousandths)
        }
        return best.thousandths
    }

    /// The acceptable type with the highest weight, the earlier one where two are equal; nil where none is acceptable (406).
    public func preferred(among types: [MediaType]) -> MediaType? {
        var best: (type: MediaType, quality: Int)?
        for type in types {
            let quality = quality(of: type)
            if quality > (best?.quality ?? 0) { best = (type, quality) }
        }
        return best?.type
    }

    /// How closely a range names a type, nil where it does not.
    private static func specificity(_ range: MediaType, of type: MediaType) -> Int? {
        if range.type == "*" { return range.subtype == "*" ? 0 : nil }
        guard range.type == type.type else { return nil }
        if range.subtype == "*" { return 1 }
        guard range.subtype == type.subtype else { return nil }
        for parameter in range.parameters {
            guard let value = type[parameter.name], Grammar.equalsIgnoringCase(value.utf8, parameter.value) else { return nil }
        }
        return 2 + range.parameters.count
    }
}
