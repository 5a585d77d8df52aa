// docket backup, restore and check: the file of all data, copied, brought back, looked through.

import Docket
import HTTPServer

enum BackupCommands {
    static func backup(_ arguments: Arguments) async throws {
        let target = try arguments.word()
        var keep = 1
        if let text = arguments["keep"] {
            guard let number = Number.read(text.utf8), 1...1_000 ~= number else {
                throw Usage("--keep can't be \"\(text)\": 1 to 1000")
            }
            keep = number
        }
        try Cancellation.listen()
        var progress = Progress("backup", unit: "pages")
        defer { progress.end() }
        try Backup.make(of: DatabaseFile(try Users.named(arguments)), to: target, keep: keep) {
            if Cancellation.isWanted { throw Failure("cancelled: no backup was made") }
            progress.show($0, of: $1)
        }
        progress.end()
        try Terminal.print("\(target) is a whole and sound copy of \(arguments.config.database)")
    }

    static func restore(_ arguments: Arguments) throws {
        let file = try ByteFile(try arguments.word())
        let path = try Users.named(arguments)
        let kept = try Restore.run(file, to: DatabaseFile(path))
        try Terminal.print("\(path) is \(file.name) now\(kept.map { "; what was there before is kept as \($0)" } ?? "")")
    }

    static func check(_ arguments: Arguments) throws {
        try arguments.noWords()
        let path = try Users.named(arguments)
        let check = try look(path)
        guard !check.mends.isEmpty, arguments.has("mend") else { return try end(check, path) }
        try DatabaseMend.run(DatabaseFile(path), check.mends)
        try Terminal.print("made anew: \(check.mends.map(\.rawValue).sorted().joined(separator: ", ")); looking again")
        try end(try look(path), path)
    }

    private static func look(_ path: String) throws -> DatabaseCheck {
        var progress = Progress("check", unit: "tasks of the search index")
        defer { progress.end() }
        let check = try DatabaseCheck(DatabaseFile(path)) { what, done, all in
            if all == 0 { progress.show(what) } else { progress.show(done, of: all) }
        }
        progress.end()
        for finding in check.findings { try Terminal.print("\(finding.isWrong ? "WRONG " : "      ")\(finding.text)") }
        return check
    }

    private static func end(_ check: DatabaseCheck, _ path: String) throws {
        if check.isWrong { throw Failure("\(path) is not as it should be") }
    }
}
