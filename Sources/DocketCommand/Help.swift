// The help, from the tables of commands and options.

import Docket

enum Help {
    /// The text for all commands, or for those whose name begins with the words.
    static func text(_ words: [String]) throws -> String {
        words.isEmpty ? overview : try commands(words.joined(separator: " "))
    }

    private static var overview: String {
        var lines = ["Docket \(Version.text): to-do lists for a household, a class or an office.", "", "Commands:"]
        lines += Command.all.map { pad("  docket \($0.usage)", 30) + $0.help }
        lines += [
            "", "docket COMMAND --help tells the options of a command.", "",
            "Options of serve (or the environment, with a value):",
        ]
        lines += Config.options.flatMap(line)
        return lines.joined(separator: "\n")
    }

    private static func commands(_ name: String) throws -> String {
        let found = Command.all.filter { $0.name == name || $0.name.hasPrefix(name + " ") }
        guard !found.isEmpty else { throw Usage("no such command: \(name); docket --help lists them") }
        return found.map { command in
            var lines = ["docket \(command.usage)", "  " + command.help]
            lines += command.options.map {
                pad("  --\($0.name) \($0.value ?? "")", 30) + $0.help + ($0.isRequired ? " (wanted)" : "")
            }
            lines += Config.options.filter { command.settings.contains($0.name) }.flatMap(line)
            return lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    private static func line(_ option: Config.Option) -> [String] {
        let standard = option.standard.isEmpty ? "" : " [\(option.standard)]"
        return [pad("  --\(option.name) \(option.value)", 30) + option.help + standard, "      " + option.environment]
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text.count < width ? text + String(repeating: " ", count: width - text.count) : text + "  "
    }
}
