// docket export --user NAME --format WORD: the tasks of a person as a file or on standard output, while the server runs or not.

import Docket
import Glibc
import SQLite

enum ExportCommand {
    static let options: [CommandOption] =
        [
            .user,
            CommandOption(
                name: "format", value: "WORD", help: ExportFormat.names, choices: ExportFormat.allCases.map(\.rawValue),
                isRequired: true),
            CommandOption(name: "output", value: "FILE", help: "where it goes, whole or not at all [standard output]"),
        ] + Export.conditions.map { CommandOption(name: $0.name, value: $0.value, help: $0.help, choices: $0.choices) }

    static func run(_ arguments: Arguments) throws {
        try arguments.noWords()
        let word = arguments["format"] ?? ""
        guard let format = ExportFormat(rawValue: word) else {
            throw Usage("--format can't be \"\(word)\": \(ExportFormat.names)")
        }
        let wanted = Export.conditions.compactMap { condition in arguments[condition.name].map { (condition.name, $0) } }
        let export = Export(user: arguments["user"] ?? "", format: format, wanted: wanted)
        let file = DatabaseFile(try Users.named(arguments))
        let connection = try file.openExisting()
        defer { connection.close() }
        var progress = Progress("export", unit: "tasks")
        let result = try file.told {
            defer { progress.end() }
            guard let path = arguments["output"] else {
                return try export.run(connection, write: { try Terminal.write($0, to: STDOUT_FILENO, "standard output") })
            }
            return try whole(path) { descriptor in
                try export.run(
                    connection, write: { try Terminal.write($0, to: descriptor, path) }, progress: { progress.show($0, of: $1) })
            }
        }
        if !result.losses.isEmpty {
            Terminal.error("\(format.rawValue) can't hold \(result.losses.joined(separator: ", nor "))")
        }
        if let path = arguments["output"] { try Terminal.print("\(result.count) tasks in \(path)") }
    }

    /// A file that has its name only when it is whole, for its owner's eyes.
    private static func whole<Result>(_ path: String, _ body: (Int32) throws -> Result) throws -> Result {
        var old = stat()
        if stat(path, &old) == 0, old.st_mode & S_IFMT != S_IFREG { throw Failure("\(path) is not a file") }
        let partial = "\(path).partial-\(getpid())"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(system: "\(path) can't be made") }
        do {
            let result = try body(descriptor)
            // Only then is it known that all of it is on the disk.
            guard fsync(descriptor) == 0, close(descriptor) == 0, rename(partial, path) == 0 else {
                throw Failure(system: path)
            }
            return result
        } catch {
            close(descriptor)
            unlink(partial)
            throw error
        }
    }
}
