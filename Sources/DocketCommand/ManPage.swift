// The manual page, docket(1), in the macros of man(7): made of the tables of commands and options, as the help is.

import Docket

enum ManPage {
    static var text: String {
        var lines = [
            ".TH DOCKET 1 \"\" \"Docket \(escape(Version.text))\" \"User Commands\"", ".SH NAME",
            "docket \\- to\\-do lists for a household, a class or an office", ".SH SYNOPSIS", ".B docket", ".I COMMAND",
            ".RI [ OPTION ...]",
            ".SH DESCRIPTION",
            "Docket serves to\\-do lists to browsers and scripts from one file of data.",
            "All commands but \\fBrestore\\fR work while it serves, on the database that \\fB\\-\\-database\\fR or",
            "\\fBDOCKET_DATABASE\\fR names. An option is written \\fB\\-\\-name\\fR \\fIvalue\\fR or \\fB\\-\\-name=\\fR\\fIvalue\\fR.",
            ".SH COMMANDS",
        ]
        for command in Command.all {
            lines += [
                ".TP",
                "\\fBdocket \(escape(command.name))\\fR" + (command.words.isEmpty ? "" : " \\fI\(escape(command.words))\\fR"),
            ]
            lines.append(sentence(command.help))
            for option in command.options {
                lines += [
                    ".RS", ".TP", name(option.name, option.value), sentence(option.help + (option.isRequired ? " (wanted)" : "")),
                    ".RE",
                ]
            }
            // Those of serve have a section of their own.
            let settings = command.name == "serve" ? [] : command.settings
            if !settings.isEmpty {
                lines += [
                    ".IP",
                    "With " + settings.map { "\\fB\\-\\-\(escape($0))\\fR" }.joined(separator: ", ") + " as for \\fBserve\\fR.",
                ]
            }
        }
        lines += [".SH OPTIONS OF SERVE", "Each has an environment variable as well; the option wins."]
        for option in Config.options {
            let standard = option.standard.isEmpty ? "" : " [\(option.standard)]"
            lines += [
                ".TP", name(option.name, option.value) + " (\\fB\(escape(option.environment))\\fR)",
                sentence(option.help + standard),
            ]
        }
        lines += [
            ".SH EXIT STATUS", ".TP", ".B 0", "Done.", ".TP", ".B 1", "Failed; one line on standard error says why.", ".TP",
            ".B 2",
            "Wrong usage.", ".SH FILES", ".TP", ".I docket.sqlite3",
            "The data, in the working folder unless \\fB\\-\\-database\\fR says otherwise.",
            ".SH SEE ALSO", "The page \\fI/help\\fR of the running server, and \\fI/openapi.json\\fR for scripts.",
        ]
        return lines.joined(separator: "\n")
    }

    private static func name(_ name: String, _ value: String?) -> String {
        "\\fB\\-\\-\(escape(name))\\fR" + (value.map { " \\fI\(escape($0))\\fR" } ?? "")
    }

    /// A line of its own: one that began with a point or a stroke would be a request to roff.
    private static func sentence(_ text: String) -> String {
        let line = escape(text.prefix(1).uppercased() + text.dropFirst())
        return (line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" : "") + line + "."
    }

    private static func escape(_ text: String) -> String {
        [("\\", "\\e"), ("-", "\\-"), ("…", "..."), ("\"", "\\(dq")].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }
}
