// The commands as an operator runs them: the built program, its output, its exit code, one clear line where it says no.

import Foundation
import Testing

struct CommandTests {
    /// The program of the same build as these tests.
    static let program: URL? = {
        var folder = URL(filePath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        let found = folder.appending(path: ".build/debug/docket")
        return FileManager.default.isExecutableFile(atPath: found.path()) ? found : nil
    }()

    struct Outcome: Equatable {
        var code: Int32
        var output: String
        var errors: String
    }

    /// A folder, and the program run in it.
    final class Terminal {
        let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "docket-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        func run(_ words: String..., input: String = "") throws -> Outcome { try run(words, input: input) }

        func run(_ words: [String], input: String = "") throws -> Outcome {
            let process = Process()
            let program: URL = try #require(CommandTests.program)
            process.executableURL = program
            process.arguments = words
            process.currentDirectoryURL = folder
            process.environment = ["DOCKET_DATABASE": folder.appending(path: "docket.sqlite3").path()]
            let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
            process.standardInput = standardInput
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            standardInput.fileHandleForWriting.write(Data(input.utf8))
            try standardInput.fileHandleForWriting.close()
            // What these commands say fits into a pipe, so one after the other is enough.
            let said = output.fileHandleForReading.readDataToEndOfFile()
            let complained = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return Outcome(
                code: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
                errors: String(decoding: complained, as: UTF8.self))
        }

        func person(_ name: String) throws { #expect(try run("user", "add", name, input: "correct horse\n").code == 0) }
    }

    @Test("People and tokens are made, listed and ended", .enabled(if: program != nil, "the program is not built"))
    func people() throws {
        let terminal = try Terminal()
        try terminal.person("ada")
        #expect(try terminal.run("user", "add", "Ada", input: "correct horse\n").errors == "docket: the user name is taken\n")
        #expect(try terminal.run("user", "list").output.contains("ada   administrator"))
        let token = try terminal.run("token", "add", "--user", "ada", "--name", "cron", "--expires", "90d")
        #expect(token.code == 0 && token.output.utf8.count == 44 && token.errors.isEmpty)
        #expect(try terminal.run("token", "list").output.contains("cron"))
        #expect(try terminal.run("token", "revoke", "--user", "ada", "--name", "cron").code == 0)
        #expect(try terminal.run("token", "revoke", "--user", "ada", "--name", "cron").code == 1)
        #expect(try terminal.run("user", "disable", "ada").output == "ada is disabled\n")
        #expect(try terminal.run("user", "enable", "ada").code == 0)
        #expect(try terminal.run("user", "password", "ada", input: "another horse\n").code == 0)
        #expect(try terminal.run("user", "delete", "ada").code == 0)
        #expect(try !terminal.run("user", "list").output.contains("ada"))
    }

    @Test(
        "An import tells its figures on one line, and a second one adds nothing",
        .enabled(if: program != nil, "the program is not built"))
    func imports() throws {
        let terminal = try Terminal()
        try terminal.person("ada")
        try Data("one\n\ntwo\n".utf8).write(to: terminal.folder.appending(path: "todo.txt"))
        let first = try terminal.run("import", "todo.txt", "--user", "ada")
        #expect(first == Outcome(code: 0, output: "2 added, 0 already there, 0 skipped, 0 warnings\n", errors: ""))
        #expect(try terminal.run("import", "todo.txt", "--user", "ada").output.hasPrefix("0 added, 2 already there"))
        #expect(try terminal.run("check").code == 0)
    }

    @Test(
        "An export goes to standard output or whole into a file, and what it can't hold is told",
        .enabled(if: program != nil, "the program is not built"))
    func exports() throws {
        let terminal = try Terminal()
        try terminal.person("ada")
        try Data("(A) 2026-01-02 one due:2026-03-01\nx 2026-01-04 2026-01-03 two @life\n".utf8)
            .write(to: terminal.folder.appending(path: "todo.txt"))
        #expect(try terminal.run("import", "todo.txt", "--user", "ada").code == 0)
        let csv = try terminal.run("export", "--user", "ADA", "--format", "csv")
        #expect(
            csv.code == 0 && csv.errors.isEmpty && CSVText.records(csv.output).map { $0[1] } == ["title", "one", "two @life"])
        let done = try terminal.run("export", "--user", "ada", "--format", "csv", "--status", "completed", "--category", "life")
        #expect(CSVText.records(done.output).map { $0[1] } == ["title", "two @life"])
        let path = terminal.folder.appending(path: "out.json")
        let json = try terminal.run("export", "--user", "ada", "--format", "json", "--output", path.path())
        #expect(json == Outcome(code: 0, output: "2 tasks in \(path.path())\n", errors: ""))
        #expect(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) is [String: Any])
        let mode = try FileManager.default.attributesOfItem(atPath: path.path())[.posixPermissions] as? Int
        #expect(mode == 0o600)
        for (words, reason) in [
            (["--user", "bob", "--format", "csv"], "no account called bob"),
            (["--user", "ada", "--format", "csv", "--status", "odd"], "--status can't be \"odd\""),
            (["--user", "ada", "--format", "csv", "--filter", "None"], "no filter \"None\""),
            (["--user", "ada", "--format", "csv", "--output", "no/such/folder/x"], "can't be made"),
        ] {
            let outcome = try terminal.run(["export"] + words)
            #expect(outcome.code == 1 && outcome.output.isEmpty && outcome.errors.contains(reason), "\(outcome)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: terminal.folder.path()).allSatisfy { !$0.contains("partial") })
    }

    @Test(
        "A wrong call is exit code 2 and one line", .enabled(if: program != nil, "the program is not built"),
        arguments: [
            ["fly"], ["user"], ["user", "fly"], ["user", "add"], ["user", "add", "a", "b"], ["user", "list", "--port", "1"],
            ["import", "x"],
            ["token", "add", "--user", "ada"], ["token", "add", "--user", "ada", "--name", "a", "--expires", "soon"],
            ["import", "x", "--user", "ada", "--format", "doc"], ["backup", "b", "--keep", "0"], ["user", "list", "--database"],
            ["serve", "--port", "x"], ["export", "--user", "ada"], ["export", "--format", "csv"],
            ["export", "--user", "ada", "--format", "doc"], ["export", "x", "--user", "ada", "--format", "csv"],
        ])
    func usage(_ words: [String]) throws {
        let terminal = try Terminal()
        let outcome = try terminal.run(words)
        #expect(outcome.code == 2)
        #expect(outcome.errors.hasPrefix("docket: ") && outcome.errors.filter { $0 == "\n" }.count == 1, "\(outcome)")
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "A database that can't be used is exit code 1, one line, and stays as it is",
        .enabled(if: program != nil, "the program is not built"),
        arguments: ["missing", "text", "folder", "no folder", "other"])
    func unusable(_ kind: String) throws {
        let terminal = try Terminal()
        let path = terminal.folder.appending(path: kind == "no folder" ? "none/docket.sqlite3" : "docket.sqlite3")
        switch kind {
        case "text": try Data(repeating: 65, count: 5_000).write(to: path)
        case "folder": try FileManager.default.createDirectory(at: path, withIntermediateDirectories: false)
        case "other": try Data("SQLite format 3\0".utf8 + [UInt8](repeating: 1, count: 4_080)).write(to: path)
        default: break
        }
        let before = try? Data(contentsOf: path)
        let outcome = try terminal.run("user", "list", "--database", path.path())
        #expect(outcome.code == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("docket: ") && outcome.errors.filter { $0 == "\n" }.count == 1, "\(outcome)")
        #expect((try? Data(contentsOf: path)) == before)
    }

    @Test("Each command has help, and the version is told", .enabled(if: program != nil, "the program is not built"))
    func help() throws {
        let terminal = try Terminal()
        let overview = try terminal.run("--help")
        #expect(overview.code == 0 && overview.output.contains("docket import FILE"))
        #expect(try terminal.run("user", "add", "--help").output.hasPrefix("docket user add NAME\n"))
        #expect(try terminal.run("--version").output.hasPrefix("docket "))
        #expect(try terminal.run("health", "--port", "1").code == 1)
    }

    /// Whether another program is there.
    private static func has(_ name: String) -> Bool {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
    }

    /// Runs a line of a shell in the terminal's folder, where `docket` is a function; its output.
    private static func shell(_ line: String, in folder: URL) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", line]
        process.currentDirectoryURL = folder
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            code: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    @Test(
        "A command whose answer nobody can see changes nothing, or tells it all the same; a token that nobody has seen is ended",
        .enabled(if: program != nil, "the program is not built"))
    func unseen() throws {
        let terminal = try Terminal()
        try terminal.person("ada")
        try Data("one\n".utf8).write(to: terminal.folder.appending(path: "todo.txt"))
        let program = try #require(Self.program).path()
        func run(_ line: String) throws -> Outcome {
            try Self.shell("export DOCKET_DATABASE=$PWD/docket.sqlite3; '\(program)' \(line)", in: terminal.folder)
        }
        let before = try terminal.run("user", "list")
        for line in [
            "token add --user ada --name cron", "import todo.txt --user ada", "user disable ada", "user add bob </dev/null",
            "backup copy.sqlite3", "--version",
        ] {
            let outcome = try run("\(line) >&-")
            #expect(outcome.code == 1 && outcome.errors.contains("standard output is closed"), "\(outcome)")
        }
        #expect(try terminal.run("user", "list") == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: terminal.folder.path()).count { $0.contains("copy") } == 0)
        let full = try run("token add --user ada --name cron > /dev/full")
        #expect(full.code == 1 && full.errors.contains("No space left") && full.errors.contains("so it is ended"), "\(full)")
        // A pipe whose reader is gone.
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: program)
        let database = terminal.folder.appending(path: "docket.sqlite3").path()
        process.arguments = ["token", "add", "--user", "ada", "--name", "cron", "--database", database]
        (process.standardOutput, process.standardError) = (pipe.fileHandleForWriting, FileHandle.nullDevice)
        try pipe.fileHandleForReading.close()
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 1)
        #expect(try !terminal.run("token", "list").output.contains("cron"))
        let imported = try run("import todo.txt --user ada > /dev/full")
        #expect(imported.code == 1 && imported.errors.contains("the answer was: 1 added, 0 already there"), "\(imported)")
        #expect(try terminal.run("user", "list").output.contains("administrator  1"))
    }

    @Test(
        "The completions are right for their shells", .enabled(if: program != nil, "the program is not built"),
        arguments: ["bash", "zsh", "fish"])
    func completion(shell: String) throws {
        let terminal = try Terminal()
        let file = terminal.folder.appending(path: "completion")
        let text = try terminal.run("completion", shell)
        #expect(text.code == 0)
        try Data(text.output.utf8).write(to: file)
        // Every command and option stands in it.
        let help = try terminal.run("--help").output
        for match in help.matches(of: /--([a-z-]+)/) { #expect(text.output.contains(match.output.1), "\(match.output.1)") }
        for match in help.matches(of: /\n  docket ([a-z]+)/) {
            #expect(text.output.contains(match.output.1), "\(match.output.1)")
        }
        guard Self.has(shell) else { return }
        #expect(try Self.shell("\(shell) -n completion", in: terminal.folder) == Outcome(code: 0, output: "", errors: ""))
    }

    @Test(
        "bash completes commands, options and values", .enabled(if: program != nil, "the program is not built"),
        arguments: [
            ("us", "user"), ("user pass", "password"), ("token add --na", "--name"), ("token add --scope r", "read"),
            ("import --format goo", "google"), ("import --encoding GB", "GB18030"), ("export --format tod", "todotxt"),
            ("export --status p", "pending"),
            ("serve --log j", "json"),
            ("serve --language z", "zh-Hans"), ("completion f", "fish"), ("backup comp", "completion"), ("backup a", "a b"),
            ("user list --data", "--database"),
            ("user list --database comp", "completion"), ("user list --nothing", ""),
        ])
    func bash(typed: String, completed: String) throws {
        let terminal = try Terminal()
        try Data(try terminal.run("completion", "bash").output.utf8).write(to: terminal.folder.appending(path: "completion"))
        try Data().write(to: terminal.folder.appending(path: "a b"))
        let line = """
            source ./completion; COMP_WORDS=(docket \(typed)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _docket; printf '%s\\n' "${COMPREPLY[@]}"
            """
        #expect(try Self.shell(line, in: terminal.folder).output == completed + "\n")
    }

    @Test(
        "fish completes values", .enabled(if: program != nil && has("fish"), "the program or fish is not there"),
        arguments: [
            ("import --format ", "csv"), ("import --format goo", "google"), ("export --format tod", "todotxt"),
            ("export --format=j", "--format=json"), ("export --due t", "today"), ("import --dates d", "day"),
        ])
    func fish(typed: String, completed: String) throws {
        let terminal = try Terminal()
        try Data(try terminal.run("completion", "fish").output.utf8).write(to: terminal.folder.appending(path: "completion"))
        let found = try Self.shell("fish -N -c \"source ./completion; complete -C 'docket \(typed)'\"", in: terminal.folder)
            .output
        #expect(found.split(separator: "\n").map { $0.prefix { $0 != "\t" } }.contains(Substring(completed)), "\(found)")
    }

    @Test(
        "The manual page names every command and option, and troff has nothing to say",
        .enabled(if: program != nil, "the program is not built"))
    func manual() throws {
        let terminal = try Terminal()
        let page = try terminal.run("man")
        #expect(page.code == 0 && page.output.hasPrefix(".TH DOCKET 1 "))
        let plain = page.output.replacing("\\-", with: "-")
        let help = try terminal.run("--help").output
        for match in help.matches(of: /--([a-z-]+)|DOCKET_[A-Z_]+/) {
            #expect(plain.contains(match.output.0), "\(match.output.0)")
        }
        for match in help.matches(of: /\n  (docket [a-z]+( [a-z]+)?)/) {
            #expect(plain.contains(match.output.1), "\(match.output.1)")
        }
        try Data(page.output.utf8).write(to: terminal.folder.appending(path: "docket.1"))
        if Self.has("groff") {
            let lint = try Self.shell("groff -man -Tutf8 -ww -z docket.1", in: terminal.folder)
            #expect(lint == Outcome(code: 0, output: "", errors: ""))
        }
        if Self.has("mandoc") { #expect(try Self.shell("mandoc -T lint -W error docket.1", in: terminal.folder).code == 0) }
        #expect(try terminal.run("completion", "csh").code == 2)
        #expect(try terminal.run("completion").code == 2)
        #expect(try terminal.run("man", "docket").code == 2)
    }
}
