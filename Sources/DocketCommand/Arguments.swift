// What stands behind a command's name: its words, its own options, and those of the server's options that it takes (from the
// environment too). What a command does not know it refuses; nothing is guessed.

import Docket

/// The arguments of one call.
struct Arguments: Sendable {
    /// As they were typed.
    let all: [String]
    /// Those that are no options.
    let words: [String]
    /// The server's options.
    let config: Config
    private let values: [String: String]
    private let usage: String

    init(_ arguments: [String], of command: Command) throws {
        all = arguments
        usage = command.usage
        var (words, values): ([String], [String: String]) = ([], [:])
        var settings: [String] = []
        var rest = arguments[...]
        if command.name == "serve" { rest = [] }  // Serve reads them itself, all of them
        while let argument = rest.popFirst() {
            if argument == "--" {
                words += rest
                break
            }
            guard argument.hasPrefix("--") else {
                if argument.hasPrefix("-"), argument != "-" { throw Usage("docket \(command.name) has no option \(argument)") }
                words.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            let option = command.options.first { $0.name == parts[0] }
            guard option != nil || command.settings.contains(parts[0]) else {
                throw Usage("docket \(command.name) has no option --\(parts[0])")
            }
            var value = parts.count == 2 ? parts[1] : ""
            if option == nil || option?.value != nil {
                if parts.count == 1 {
                    guard let next = rest.popFirst() else { throw Usage("--\(parts[0]) wants a value") }
                    value = next
                }
            } else if parts.count == 2 {
                throw Usage("--\(parts[0]) takes no value")
            }
            if option == nil {
                settings.append("--\(parts[0])=\(value)")
            } else {
                guard values.updateValue(value, forKey: parts[0]) == nil else { throw Usage("--\(parts[0]) stands twice") }
            }
        }
        let names = Config.options.filter { command.settings.contains($0.name) }.map(\.environment)
        let environment = command.name == "serve" ? [:] : Environment.all.filter { names.contains($0.key) }
        config = try Config.read(arguments: settings, environment: environment).0
        for option in command.options where option.isRequired && values[option.name]?.isEmpty ?? true {
            throw Usage("--\(option.name) \(option.value ?? "") is wanted: docket \(command.usage)")
        }
        self.words = words
        self.values = values
    }

    /// The value of an option, nil where it is not there.
    subscript(option: String) -> String? { values[option] }

    /// True where an option without a value is there.
    func has(_ option: String) -> Bool { values[option] != nil }

    /// The one word that the command wants.
    func word() throws -> String {
        guard words.count == 1, let word = words.first, !word.isEmpty else { throw Usage("usage: docket \(usage)") }
        return word
    }

    /// Refuses words where the command wants none.
    func noWords() throws {
        if let word = words.first { throw Usage("\(word) is too much: docket \(usage)") }
    }
}
