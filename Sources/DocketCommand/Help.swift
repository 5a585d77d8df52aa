// The help, from the tables of commands and options.

import Docket

enum Help {
    static func print() {
        var lines = ["Docket \(Version.text): to-do lists for a household, a class or an office.", "", "Commands:"]
        lines += Command.all.map { pad("  docket \($0.name) \($0.usage)", 58) + $0.help }
        lines += ["", "Options of serve (or the environment, with a value):"]
        for option in Config.options {
            let standard = option.standard.isEmpty ? "" : " [\(option.standard)]"
            lines.append(pad("  --\(option.name) \(option.value)", 40) + option.help + standard)
            lines.append("      " + option.environment)
        }
        Terminal.print(lines.joined(separator: "\n"))
    }

    private static func pad(_ text: String, _ width: Int) -> String {
        text.count < width ? text + String(repeating: " ", count: width - text.count) : text + "  "
    }
}
