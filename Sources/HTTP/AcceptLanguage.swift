// Accept-Language (RFC 9110 section 12.5.4) by lookup (RFC 4647 section 3.4), with the scripts of Chinese filled in,
// since browsers send `zh-CN` and `zh` where `zh-Hans` is meant.

/// An Accept-Language field.
public struct AcceptLanguage: Sendable, Equatable {
    /// The ranges in lower case, the best first; those of weight 0 are left out.
    public let ranges: [String]

    /// Reads the combined value of the field; malformed members are left out.
    public init(_ text: String?) {
        let weighted = Weighted.list(text ?? "").filter { $0.thousandths > 0 && Self.isRange($0.member) }
        // Sorting is made stable by the position.
        let sorted = weighted.enumerated().sorted {
            ($1.element.thousandths, $0.offset) < ($0.element.thousandths, $1.offset)
        }
        ranges = sorted.map { Grammar.lowercased(String($0.element.member)) }
    }

    /// The first of `languages` that a range asks for, best range first; nil where none does.
    public func preferred(among languages: [String]) -> String? {
        for range in ranges where range != "*" {
            for candidate in Self.lookups(range) {
                if let language = languages.first(where: { Grammar.equalsIgnoringCase($0.utf8, candidate) }) { return language }
            }
        }
        return ranges.contains("*") ? languages.first : nil
    }

    /// The range and its ever shorter beginnings: `zh-hant-tw`, `zh-hant`, `zh`.
    private static func lookups(_ range: String) -> [String] {
        var parts = range.split(separator: "-")
        if parts.first == "zh", parts.count == 1 || parts[1].utf8.count != 4 {
            let isTraditional = parts.dropFirst().contains { ["tw", "hk", "mo"].contains($0) }
            parts.insert(isTraditional ? "hant" : "hans", at: 1)
        }
        var result: [String] = []
        while !parts.isEmpty {
            result.append(parts.joined(separator: "-"))
            parts.removeLast()
            // RFC 4647: a single letter or digit that introduced what was removed goes with it.
            if let last = parts.last, last.utf8.count == 1 { parts.removeLast() }
        }
        return result
    }

    /// `*`, or parts of one to eight letters or digits.
    private static func isRange(_ text: Substring) -> Bool {
        text == "*"
            || text.utf8.split(separator: Ascii.hyphen, omittingEmptySubsequences: false).allSatisfy {
                (1...8).contains($0.count) && $0.allSatisfy { Grammar.isLetter($0) || Grammar.isDigit($0) }
            }
    }
}
