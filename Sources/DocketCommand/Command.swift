// The table of all commands: name, words, options, help line and what runs. `--help`, the manual page and the
// completions of shells are made of it.

import Docket

/// One command. Its name may have two words: `user add`.
struct Command: Sendable {
    let name: String
    /// What stands behind the name.
    var words = ""
    let help: String
    /// What its word can be, where that is known.
    var choices: [String] = []
    /// Options of its own.
    var options: [CommandOption] = []
    /// Options of the server that it takes as well, with their names in the environment.
    var settings: [String] = []
    /// True where what it prints is wanted, and not only how it ends.
    var answers = true
    let run: @Sendable (Arguments) async throws -> Void

    /// The usage line, without the program's name.
    var usage: String { words.isEmpty ? name : name + " " + words }
}

/// An option that belongs to one command.
struct CommandOption: Sendable {
    let name: String
    /// What stands for its value in the help; nil for one that has none.
    let value: String?
    let help: String
    /// What its value can be, where that is known.
    var choices: [String] = []
    /// True where the command does nothing without it.
    var isRequired = false
}

extension Command {
    static let all: [Command] = [
        Command(
            name: "serve", words: "[OPTION …]", help: "answer browsers and scripts", settings: Config.options.map(\.name),
            answers: false, run: { try await Serve.run($0.all) }),
        Command(
            name: "user add", words: "NAME", help: "make an account; the password is typed, or comes from standard input",
            options: [CommandOption(name: "admin", value: nil, help: "an administrator (the first account always is one)")],
            settings: ["database", "language", "time-zone"], run: Users.add),
        Command(name: "user list", help: "accounts and how many tasks they have", settings: ["database"], run: Users.list),
        Command(
            name: "user password", words: "NAME", help: "set a password, and end all sessions of that person",
            settings: ["database"],
            run: Users.password),
        Command(
            name: "user disable", words: "NAME", help: "close an account: its sessions, tokens and feeds stop",
            settings: ["database"],
            run: Users.disable),
        Command(name: "user enable", words: "NAME", help: "open it again", settings: ["database"], run: Users.enable),
        Command(
            name: "user delete", words: "NAME", help: "remove an account and everything of it, for good",
            options: [CommandOption(name: "yes", value: nil, help: "don't ask on a terminal")], settings: ["database"],
            run: Users.delete),
        Command(
            name: "token add", help: "make a token for scripts, and print it",
            options: [
                .user, CommandOption(name: "name", value: "WHAT", help: "what it is for", isRequired: true),
                CommandOption(
                    name: "scope", value: "WORD", help: "read, add or full [full]", choices: ["read", "add", "full"]),
                CommandOption(name: "expires", value: "DAYS", help: "when it ends, as 90d [never]"),
            ], settings: ["database"], run: Tokens.add),
        Command(
            name: "token list", help: "tokens, of all people or of one",
            options: [CommandOption(name: "user", value: "NAME", help: "whose")], settings: ["database"], run: Tokens.list),
        Command(
            name: "token revoke", help: "end a token",
            options: [.user, CommandOption(name: "name", value: "WHAT", help: "which", isRequired: true)], settings: ["database"],
            run: Tokens.revoke),
        Command(
            name: "import", words: "FILE", help: "bring in tasks of another program; again adds nothing, and it is one undo",
            options: [
                .user,
                CommandOption(
                    name: "format", value: "WORD", help: ImportFormat.names + " [recognised]",
                    choices: ImportFormat.allCases.map(\.rawValue)),
                CommandOption(name: "category", value: "KEY", help: "for tasks without one [the person's default]"),
                CommandOption(
                    name: "encoding", value: "NAME", help: "UTF-8, UTF-16LE, UTF-16BE, GB18030, Windows-1252 [recognised]",
                    choices: TextEncoding.allCases.map(\.rawValue)),
                CommandOption(
                    name: "delimiter", value: "SIGN", help: "of a CSV: comma, semicolon, tab, pipe, or the sign [recognised]",
                    choices: Delimiter.allCases.map(\.rawValue)),
                CommandOption(
                    name: "header", value: "YES", help: "yes or no: does a CSV's first line name the columns? [recognised]",
                    choices: ["yes", "no"]),
                CommandOption(
                    name: "columns", value: "MAP",
                    help: "of a CSV: title=1,due=4 …; --dry-run shows them, keep and ignore are fields too [by the header]"),
                CommandOption(
                    name: "dates", value: "ORDER", help: "day or month: which comes first in 03/04/2026? [by the whole column]",
                    choices: DateOrder.allCases.map(\.rawValue)),
                CommandOption(name: "completed", value: nil, help: "all are completed: a done.txt whose lines don't say so"),
                CommandOption(name: "dry-run", value: nil, help: "tell what would come of it, and change nothing"),
            ], settings: ["database"], run: ImportCommand.run),
        Command(
            name: "export", help: "a person's tasks as a file: all, or those that the conditions choose",
            options: ExportCommand.options, settings: ["database"], run: ExportCommand.run),
        Command(
            name: "backup", words: "FILE", help: "copy the database while the server runs, verified before it has its name",
            options: [CommandOption(name: "keep", value: "N", help: "how many to keep: FILE, FILE.1, FILE.2 … [1]")],
            settings: ["database"], run: BackupCommands.backup),
        Command(
            name: "restore", words: "FILE", help: "put a backup in the place of the database, which is kept aside",
            settings: ["database"], run: BackupCommands.restore),
        Command(
            name: "check", help: "look through the database for damage",
            options: [
                CommandOption(name: "mend", value: nil, help: "make anew what can be: counters, sort keys, the search index")
            ],
            settings: ["database"], run: BackupCommands.check),
        Command(
            name: "health", help: "ask the running server whether it answers", settings: ["host", "port"], answers: false,
            run: HealthCommand.run),
        Command(
            name: "completion", words: "SHELL", help: "what makes a shell complete these words: bash, zsh or fish",
            choices: Completion.shells, run: { try Terminal.print(try Completion.text(for: try $0.word())) }),
        Command(
            name: "man", help: "the manual page, for man",
            run: {
                try $0.noWords()
                try Terminal.print(ManPage.text)
            }),
        Command(
            name: "--version", help: "the version of the program", run: { _ in try Terminal.print("docket \(Version.text)") }),
        Command(name: "--help", words: "[COMMAND]", help: "this text", run: { try Terminal.print(try Help.text($0.words)) }),
    ]

    /// The command that the first words name, and what follows them. `docket COMMAND --help` becomes `docket --help COMMAND`.
    static func find(_ words: [String]) throws -> (Command, Arguments) {
        var words = words.isEmpty ? ["--help"] : words
        let ending = words.firstIndex(of: "--") ?? words.endIndex
        if let place = words[..<ending].firstIndex(where: { $0 == "--help" || $0 == "-h" || $0 == "help" && words.first == $0 }) {
            words = ["--help"] + words[..<place].prefix { !$0.hasPrefix("-") } + words[words.index(after: place)...]
        }
        for count in [2, 1] where words.count >= count {
            let name = words[..<count].joined(separator: " ")
            guard let command = all.first(where: { $0.name == name }) else { continue }
            return (command, try Arguments(Array(words[count...]), of: command))
        }
        let group = all.filter { $0.name.hasPrefix(words[0] + " ") }
        guard group.isEmpty else {
            let second = group.map { String($0.name.dropFirst(words[0].count + 1)) }.joined(separator: ", ")
            throw Usage("docket \(words[0]) wants one of: \(second)")
        }
        throw Usage("no such command: \(words[0]); docket --help lists them")
    }
}

extension CommandOption {
    /// Whose tasks or tokens.
    static let user = CommandOption(name: "user", value: "NAME", help: "whose", isRequired: true)
}
