// What stands under Settings, for scripts with a person's cookie: JSON, or plain text with a line for each and tabs between its values.

import HTTP

extension Context {
    /// Preferences, under the names of their form.
    func answer(_ preferences: Preferences) throws -> Response {
        let values: KeyValuePairs<String, JSON> = [
            "theme": .text(preferences.theme), "text_size": .text(preferences.textSize),
            "language": .text(preferences.language.rawValue), "time_zone": .text(preferences.zoneName),
            "first_weekday": .number(preferences.firstWeekday.rawValue), "per_page": .number(preferences.perPage),
            "default_category": .text(preferences.defaultCategory), "default_sort": .text(preferences.order.rawValue),
        ]
        return try answer(Array(values.map { ($0.key, $0.value) }))
    }

    /// Names with their values.
    func answer(_ values: [(String, JSON)]) throws -> Response {
        try answer(
            JSON.object(Dictionary(values) { first, _ in first }),
            line: values.map { "\($0)\t\($1.plain)" }.joined(separator: "\n"))
    }

    /// A list under its name, each of its things with the same members, those of plain text in this order.
    func answer(_ name: String, _ things: [[(String, JSON)]]) throws -> Response {
        guard format == .json else {
            return text(things.map { $0.map(\.1.plain).joined(separator: "\t") + "\n" }.joined())
        }
        return try json(JSON.object([name: .list(things.map { .object(Dictionary($0) { first, _ in first }) })]))
    }
}

extension JSON {
    /// On a line of plain text: without line ends and tabs, `-` for nothing.
    var plain: String {
        switch self {
        case .text(let text): String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        case .flag(let flag): flag ? "1" : "0"
        case .number(let number): String(number)
        case .null, .list, .object: "-"
        }
    }
}
