// What a shell completes behind `docket`: commands, options, and the values that are words, files or folders. Made of the tables of
// commands and options, so that it knows what the program knows; nothing is asked of the program while someone types.

import Docket

enum Completion {
    static let shells = ["bash", "zsh", "fish"]

    /// The file that a shell reads.
    static func text(for shell: String) throws -> String {
        switch shell {
        case "bash": bash
        case "zsh": zsh
        case "fish": fish
        default: throw Usage("no completion for \(shell): \(shells.joined(separator: ", "))")
        }
    }

    /// An option as shells see it.
    private struct Option {
        enum Value { case none, words([String]), file, folder, other }

        let name: String
        let help: String
        let value: Value
        let valueName: String

        init(_ name: String, _ value: String?, _ choices: [String], _ help: String) {
            (self.name, self.help, valueName) = (name, help, value ?? "")
            self.value =
                switch value {
                case nil: .none
                case _ where !choices.isEmpty: .words(choices)
                case "FILE": .file
                case "FOLDER": .folder
                default: .other
                }
        }
    }

    private static func options(_ command: Command) -> [Option] {
        command.options.map { Option($0.name, $0.value, $0.choices, $0.help) }
            + Config.options.filter { command.settings.contains($0.name) }.map { Option($0.name, $0.value, $0.choices, $0.help) }
    }

    /// Commands by their first word, in the order of the table; each with the second words that it has.
    private static var groups: [(first: String, commands: [Command])] {
        var groups: [(first: String, commands: [Command])] = []
        for command in Command.all {
            let first = String(command.name.prefix { $0 != " " })
            if groups.last?.first == first {
                groups[groups.count - 1].commands.append(command)
            } else {
                groups.append((first, [command]))
            }
        }
        return groups
    }

    private static func second(_ command: Command) -> String { String(command.name.drop { $0 != " " }.dropFirst()) }

    private static func help(_ group: (first: String, commands: [Command])) -> String {
        group.commands.count == 1 ? group.commands[0].help : group.commands.map(second).joined(separator: ", ")
    }

    private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }

    // MARK: bash

    private static var bash: String {
        var lines = [
            "# Completion of docket for bash: docket completion bash > /usr/share/bash-completion/completions/docket",
            "_docket() {",
            "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} words= files=",
            "    if [ \"$COMP_CWORD\" = 1 ]; then",
            "        COMPREPLY=($(compgen -W \(quoted(groups.map(\.first).joined(separator: " "))) -- \"$current\"))",
            "        return",
            "    fi", "    case $command in",
        ]
        for group in groups where group.commands.count > 1 {
            lines += [
                "    \(group.first))", "        if [ \"$COMP_CWORD\" = 2 ]; then",
                "            COMPREPLY=($(compgen -W \(quoted(group.commands.map(second).joined(separator: " "))) -- \"$current\"))",
                "            return", "        fi", "        command=\"$command ${COMP_WORDS[2]}\"", "        ;;",
            ]
        }
        lines += ["    esac", "    case \"$command $previous\" in"]
        for command in Command.all {
            for option in options(command) {
                let action: String
                switch option.value {
                case .none: continue
                case .words(let words):
                    action = "COMPREPLY=($(compgen -W \(quoted(words.joined(separator: " "))) -- \"$current\"))"
                case .file: action = "mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
                case .folder: action = "mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
                case .other: action = "COMPREPLY=()"
                }
                lines.append("    '\(command.name) --\(option.name)') \(action); return ;;")
            }
        }
        lines += ["    esac", "    case $command in"]
        for command in Command.all {
            let words = options(command).map { "--" + $0.name } + command.choices
            if words.isEmpty, command.words != "FILE" { continue }
            lines.append(
                "    '\(command.name)') words=\(quoted(words.joined(separator: " ")))"
                    + (command.words == "FILE" ? " files=1" : "") + " ;;")
        }
        lines += [
            "    esac", "    if [ -n \"$files\" ] && [[ $current != -* ]]; then",
            "        mapfile -t COMPREPLY < <(compgen -f -- \"$current\")",
            "    else", "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))", "    fi", "}",
            "complete -o filenames -F _docket docket",
        ]
        return lines.joined(separator: "\n")
    }

    // MARK: zsh

    private static var zsh: String {
        func described(_ word: String, _ help: String) -> String { quoted(word.replacing(":", with: "\\:") + ":" + help) }
        var lines = [
            "#compdef docket",
            "# Completion of docket for zsh: docket completion zsh > /usr/local/share/zsh/site-functions/_docket",
            "_docket() {", "    local -a found", "    local command=$words[2]", "    if (( CURRENT == 2 )); then",
            "        found=(\(groups.map { described($0.first, help($0)) }.joined(separator: " ")))",
            "        _describe command found", "        return", "    fi", "    case $command in",
        ]
        for group in groups where group.commands.count > 1 {
            lines += [
                "    \(group.first))", "        if (( CURRENT == 3 )); then",
                "            found=(\(group.commands.map { described(second($0), $0.help) }.joined(separator: " ")))",
                "            _describe command found", "            return", "        fi",
                "        command=\"$command $words[3]\"",
                "        shift words", "        (( CURRENT-- ))", "        ;;",
            ]
        }
        lines += ["    esac", "    shift words", "    (( CURRENT-- ))", "    case $command in"]
        for command in Command.all {
            var specifications = options(command).map { option in
                let help = bracketed(option.help)
                return switch option.value {
                case .none: "--\(option.name)[\(help)]"
                case .words(let words): "--\(option.name)=[\(help)]:\(option.valueName):(\(words.joined(separator: " ")))"
                case .file: "--\(option.name)=[\(help)]:\(option.valueName):_files"
                case .folder: "--\(option.name)=[\(help)]:\(option.valueName):_files -/"
                case .other: "--\(option.name)=[\(help)]:\(option.valueName): "
                }
            }
            if command.words == "FILE" { specifications.append("1:FILE:_files") }
            if !command.choices.isEmpty {
                specifications.append("1:\(command.words):(\(command.choices.joined(separator: " ")))")
            }
            if specifications.isEmpty { continue }
            lines.append("    '\(command.name)') _arguments \(specifications.map(quoted).joined(separator: " ")) ;;")
        }
        // Read as a file of fpath it is the function's body, sourced it has to be told.
        lines += ["    esac", "}", "if [ \"$funcstack[1]\" = _docket ]; then _docket \"$@\"; else compdef _docket docket; fi"]
        return lines.joined(separator: "\n")
    }

    /// Within the brackets of a specification.
    private static func bracketed(_ text: String) -> String {
        ["\\", "[", "]", ":"].reduce(text) { $0.replacing($1, with: "\\" + $1) }
    }

    // MARK: fish

    private static var fish: String {
        func quoted(_ text: String) -> String {
            "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
        }
        var lines = [
            "# Completion of docket for fish: docket completion fish > /usr/share/fish/vendor_completions.d/docket.fish",
            "complete -c docket -f",
        ]
        for group in groups {
            lines.append("complete -c docket -n __fish_use_subcommand -a \(quoted(group.first)) -d \(quoted(help(group)))")
            let seconds = group.commands.map(second)
            for command in group.commands {
                var condition = "__fish_seen_subcommand_from \(group.first)"
                if group.commands.count > 1 {
                    let before = condition + "; and not __fish_seen_subcommand_from \(seconds.joined(separator: " "))"
                    lines.append(
                        "complete -c docket -n \(quoted(before)) -a \(quoted(second(command))) -d \(quoted(command.help))")
                    condition += "; and __fish_seen_subcommand_from \(second(command))"
                }
                if command.words == "FILE" { lines.append("complete -c docket -n \(quoted(condition)) -F") }
                if !command.choices.isEmpty {
                    lines.append(
                        "complete -c docket -n \(quoted(condition)) -a \(quoted(command.choices.joined(separator: " ")))")
                }
                for option in options(command) {
                    let value =
                        switch option.value {
                        case .none: ""
                        case .words(let words): " -x -a \(quoted(words.joined(separator: " ")))"
                        case .file: " -r -F"
                        case .folder: " -x -a '(__fish_complete_directories)'"
                        case .other: " -x"
                        }
                    lines.append("complete -c docket -n \(quoted(condition)) -l \(option.name)\(value) -d \(quoted(option.help))")
                }
            }
        }
        return lines.joined(separator: "\n")
    }
}
