// Texts in the languages of Docket. Every language has its strings file; a key that one of them lacks stops the start (App.init).

import FoundationEssentials
import HTTP

/// A language that all of Docket speaks.
public enum Language: String, Sendable, CaseIterable {
    /// English.
    case english = "en"
    /// 简体中文.
    case chinese = "zh-Hans"

    /// Its own name, for the choice in the settings.
    var ownName: String {
        switch self {
        case .english: "English"
        case .chinese: "简体中文"
        }
    }
}

/// The texts of one language, by key. Placeholders are written `{name}`; a text that counts has the keys `.one` and `.other`.
///
/// A class, since every page passes it on many times and a struct's copies count the references of all its parts.
final class Strings: Sendable {
    let language: Language
    let texts: [String: String]
    /// What dates are written with, looked up once.
    let dates: DateWords

    /// Reads a strings file: one flat JSON object.
    init(language: Language, json: [UInt8]) throws {
        self.language = language
        texts = try JSONDecoder().decode([String: String].self, from: Data(json))
        dates = DateWords(texts)
    }

    /// The text of a key; the key itself where it is missing, which the check at the start excludes for all keys of all languages.
    subscript(key: String) -> String { texts[key] ?? key }

    /// The text of a key with its placeholders filled.
    func callAsFunction(_ key: String, _ values: [(String, String)]) -> String {
        Self.fill(self[key], values)
    }

    /// The text that fits a count, with `{n}` filled: the key with `.one` for exactly one, with `.zero` for none where there is such a
    /// text, with `.other` else.
    func count(_ key: String, _ number: Int, _ values: [(String, String)] = []) -> String {
        let text = number == 1 ? self[key + ".one"] : (number == 0 ? texts[key + ".zero"] : nil) ?? self[key + ".other"]
        return Self.fill(text, [("n", grouped(number))] + values)
    }

    /// A number for people: `12,345`.
    func grouped(_ number: Int) -> String {
        var digits = Array(String(number.magnitude).utf8)
        var index = digits.count - 3
        while index > 0 {
            digits.insert(UInt8(ascii: ","), at: index)
            index -= 3
        }
        return (number < 0 ? "-" : "") + String(decoding: digits, as: UTF8.self)
    }

    /// Replaces `{name}` by its value; what has no value stays as it is, and values are never read as patterns.
    private static func fill(_ pattern: String, _ values: [(String, String)]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(pattern.utf8.count + 32)
        var rest = Array(pattern.utf8)[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "{")) {
            output += rest[..<open]
            guard let close = rest[open...].firstIndex(of: UInt8(ascii: "}")) else {
                rest = rest[open...]
                break
            }
            let name = rest[(open + 1)..<close]
            if let value = values.first(where: { $0.0.utf8.elementsEqual(name) }) {
                output += value.1.utf8
            } else {
                output += rest[open...close]
            }
            rest = rest[(close + 1)...]
        }
        output += rest
        return String(decoding: output, as: UTF8.self)
    }
}

/// The words and patterns of dates, ready for the rows of a list.
struct DateWords: Sendable {
    let today: String
    let tomorrow: String
    let yesterday: String
    let weekdays: [String]
    let months: [String]
    let date: Pattern
    let dateWithYear: Pattern
    let withTime: Pattern

    init(_ texts: [String: String]) {
        func text(_ key: String) -> String { texts[key] ?? key }
        today = text("when.today")
        tomorrow = text("when.tomorrow")
        yesterday = text("when.yesterday")
        weekdays = (1...7).map { text("weekday.short.\($0)") }
        months = (1...12).map { text("month.short.\($0)") }
        date = Pattern(text("when.date"), ["weekday", "day", "month", "year"])
        dateWithYear = Pattern(text("when.date_year"), ["weekday", "day", "month", "year"])
        withTime = Pattern(text("when.with_time"), ["day", "time"])
    }

    /// A text with places for values, taken apart once.
    struct Pattern: Sendable {
        private enum Piece: Sendable {
            case text(String)
            case value(Int)
        }

        private var pieces: [Piece] = []

        /// Takes a text apart at the placeholders of these names.
        init(_ pattern: String, _ names: [String]) {
            var rest = Substring(pattern)
            while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
                if let index = names.firstIndex(of: String(rest[rest.index(after: open)..<close])) {
                    pieces.append(.text(String(rest[..<open])))
                    pieces.append(.value(index))
                } else {
                    pieces.append(.text(String(rest[...close])))
                }
                rest = rest[rest.index(after: close)...]
            }
            pieces.append(.text(String(rest)))
        }

        /// The text with its values, in the order of the names.
        func callAsFunction(_ values: String...) -> String {
            var result = ""
            result.reserveCapacity(48)
            for piece in pieces {
                switch piece {
                case .text(let text): result += text
                case .value(let index): result += values[index]
                }
            }
            return result
        }
    }
}
