// Why something of a file was not taken as it stands, or why a file is not taken at all: a code with its values, so that a page says it in
// its reader's language (`import.reason.CODE` of the strings files) and the command in English. Values are words of the file itself.

/// A reason, in no language yet.
public struct ImportReason: Sendable, Equatable, Codable, CustomStringConvertible {
    /// What it is.
    public let code: Code
    /// What stands in its places.
    let values: [String: String]

    init(_ code: Code, _ values: [String: String] = [:]) {
        self.code = code
        self.values = values
    }

    /// In English.
    public var description: String {
        values.reduce(code.english) { text, value in text.replacing("{\(value.key)}", with: value.value) }
    }

    /// In the language of a page.
    func text(_ strings: Strings) -> String {
        strings("import.reason." + code.rawValue, values.map { ($0, $0 == "instead" ? Self.shown($1, strings) : $1) })
    }

    /// What stands instead of a value is ours, and called as it is on the pages.
    private static func shown(_ word: String, _ strings: Strings) -> String {
        switch word {
        case Priority.medium.word: strings["priority.medium"]
        case TaskStatus.pending.word: strings["status.pending"]
        default: word
        }
    }

    /// A value of a file for a message: one line, never a long one.
    static func excerpt(_ text: String) -> String {
        let line = String(text.unicodeScalars.prefix(41).map { Characters.isUnshowable($0.value) ? " " : Character($0) })
        return line.unicodeScalars.count > 40 ? String(line.unicodeScalars.prefix(40)) + "…" : line
    }
}

/// A file that is not taken: nothing of it came in.
public struct ImportFailure: Error, Equatable, CustomStringConvertible {
    /// Why.
    public let reason: ImportReason

    init(_ code: ImportReason.Code, _ values: [String: String] = [:]) { reason = ImportReason(code, values) }

    /// In English.
    public var description: String { reason.description }
}
