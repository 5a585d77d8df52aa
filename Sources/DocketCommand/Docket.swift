// The program: finds the sub-command, runs it, and turns what it throws into one line and an exit code.
// Exit codes: 0 done, 1 failed, 2 wrong usage.

import CLinux
import Docket
import Glibc
import SQLite

@main
enum Program {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        let name = arguments.isEmpty ? "--help" : arguments.removeFirst()
        do {
            guard let command = Command.all.first(where: { $0.name == name }) else {
                throw Usage("no such command: \(name); docket --help lists them")
            }
            try await command.run(arguments)
            exit(0)
        } catch let usage as Usage {
            Terminal.error("docket: \(usage.description)")
            exit(2)
        } catch let mistake as Config.Mistake {
            Terminal.error("docket: \(mistake.description)")
            exit(2)
        } catch {
            Terminal.error("docket: \(error)")
            exit(1)
        }
    }
}

/// A wrong call: one line, exit code 2.
struct Usage: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// A failure that is told in one line, exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

/// One sub-command.
struct Command: Sendable {
    let name: String
    /// What stands behind the name in the help.
    let usage: String
    let help: String
    let run: @Sendable ([String]) async throws -> Void

    static let all: [Command] = [
        Command(name: "serve", usage: "[OPTION …]", help: "answer browsers and scripts", run: Serve.run),
        Command(
            name: "--version", usage: "", help: "the version of the program",
            run: { _ in Terminal.print("docket \(Version.text)") }),
        Command(name: "--help", usage: "", help: "this text", run: { _ in Help.print() }),
    ]
}
