// docket user …: people, as an operator needs them when no page can be reached. Works while the server runs.

import Docket
import Glibc
import SQLite

enum Users {
    static func add(_ arguments: Arguments) throws {
        let name = try arguments.word()
        let file = DatabaseFile(try named(arguments))
        let hash = try Administration.hash(password: try PasswordInput.read())
        try with(file, try file.openMigrated()) {
            try $0.add(name, passwordHash: hash, isAdministrator: arguments.has("admin"), config: arguments.config)
            try Terminal.print("added \(try $0.name(of: name))")
        }
    }

    static func list(_ arguments: Arguments) throws {
        try arguments.noWords()
        try with(arguments) { administration in
            var rows = [["name", "role", "tasks", "since", "last seen"]]
            rows += try administration.accounts().map {
                [
                    $0.name, $0.isDisabled ? "disabled" : $0.isAdministrator ? "administrator" : "person", String($0.taskCount),
                    String($0.createdAt.prefix(10)), $0.lastSeenAt ?? "-",
                ]
            }
            try Terminal.print(table(rows))
        }
    }

    static func password(_ arguments: Arguments) throws {
        let name = try arguments.word()
        try with(arguments) { _ = try $0.name(of: name) }  // a wrong name is told before a password is typed
        let hash = try Administration.hash(password: try PasswordInput.read())
        try with(arguments) {
            try $0.setPassword(of: name, hash: hash)
            try Terminal.print("\(try $0.name(of: name)) has a new password; all sessions are ended")
        }
    }

    static func disable(_ arguments: Arguments) throws { try setDisabled(arguments, true) }

    static func enable(_ arguments: Arguments) throws { try setDisabled(arguments, false) }

    private static func setDisabled(_ arguments: Arguments, _ isDisabled: Bool) throws {
        let name = try arguments.word()
        try with(arguments) {
            let changed = try $0.setDisabled(name, isDisabled)
            try Terminal.print("\(try $0.name(of: name)) is \(changed ? "" : "already ")\(isDisabled ? "disabled" : "enabled")")
            try warn($0)
        }
    }

    static func delete(_ arguments: Arguments) throws {
        let name = try arguments.word()
        try with(arguments) {
            let shown = try $0.name(of: name)
            if !arguments.has("yes"), isatty(STDIN_FILENO) == 1 {
                Terminal.show("Remove \(shown) and everything of it, for good? Type the name: ")
                guard readLine() == shown else { throw Failure("nothing was removed") }
            }
            try Terminal.print("removed \(shown) and \(try $0.delete(name)) tasks")
            try warn($0)
        }
    }

    private static func warn(_ administration: Administration) throws {
        guard try administration.lacksAdministrator() else { return }
        Terminal.error("docket: there is no administrator who can sign in now; docket user add NAME --admin makes one")
    }

    // MARK: For all commands

    /// Opens the database that the arguments name, which must be there.
    static func with(_ arguments: Arguments, _ body: (Administration) throws -> Void) throws {
        let file = DatabaseFile(try named(arguments))
        try with(file, try file.openExisting(), body)
    }

    private static func with(_ file: DatabaseFile, _ connection: Connection, _ body: (Administration) throws -> Void) throws {
        defer { connection.close() }
        try file.told { try body(Administration(connection)) }
    }

    /// The path of the database; one in memory would end with the command.
    static func named(_ arguments: Arguments) throws -> String {
        let path = arguments.config.database
        guard path != ":memory:" else { throw Usage("a command needs a database file: --database FILE") }
        try ServerLock.checkName(DatabaseFile(path))
        return path
    }

    /// Columns in line. A cell may hold any name, so its length is counted in characters.
    static func table(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                if column < row.count - 1 { line += String(repeating: " ", count: widths[column] - cell.count + 2) }
            }
            return line
        }.joined(separator: "\n")
    }
}
