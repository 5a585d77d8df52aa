// docket import FILE --user NAME: tasks of another program, while the server runs or not. A second run of the same file adds nothing; the
// whole import is one undo; SIGINT and SIGTERM take it away again.

import Docket
import Glibc
import HTTPServer
import SQLite
import Synchronization

enum ImportCommand {
    private static let isCancelled = Atomic(false)

    static func run(_ arguments: Arguments) async throws {
        let name = try arguments.word()
        var job = Import(user: arguments["user"] ?? "", way: "command")
        if let name = arguments["format"] {
            guard let format = ImportFormat(rawValue: name) else {
                throw Usage("--format can't be \"\(name)\": \(ImportFormat.names)")
            }
            job.format = format
        }
        if let name = arguments["encoding"] {
            guard let encoding = TextEncoding.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
                throw Usage("--encoding can't be \"\(name)\": \(TextEncoding.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            job.encoding = encoding
        }
        job.category = arguments["category"]
        job.isAllCompleted = arguments.has("completed")
        let database = DatabaseFile(try Users.named(arguments))
        let file = try ByteFile(name)
        let isDry = arguments.has("dry-run")

        try Signals.claim()
        Task.detached {
            _ = await Signals.wait()
            isCancelled.store(true, ordering: .relaxed)
        }
        let connection = try database.openExisting(cacheKiB: 65_536)
        // Identifiers of other programs are random, so that the same pages change in each batch: the log takes them in seldom.
        try connection.execute("PRAGMA wal_autocheckpoint = 8000")
        defer { connection.close() }
        var progress = Progress("import", unit: "tasks")
        let report = try database.told {
            defer { progress.end() }
            return try job.run(
                file, into: database, reading: connection, writer: isDry ? nil : CommandWriter(connection),
                isCancelled: { isCancelled.load(ordering: .relaxed) }, progress: { progress.show($0, of: $1) })
        }
        tell(report, isDry)
    }

    private static func tell(_ report: ImportReport, _ isDry: Bool) {
        let limit = 50
        for warning in report.warnings.prefix(limit) { Terminal.error("\(warning)") }
        if report.warningCount > limit { Terminal.error("and \((report.warningCount - limit).of("more warning"))") }
        if isDry { for line in report.preview { Terminal.print(line) } }
        var parts = ["\(report.added) \(isDry ? "would be added" : "added")", "\(report.present) already there"]
        if report.presentInTrash > 0 { parts[1] += " (\(report.presentInTrash) of them in the trash)" }
        parts += ["\(report.skipped) skipped", report.warningCount.of("warning")]
        Terminal.print(parts.joined(separator: ", "))
    }
}

/// Writes through a command's own connection, a transaction each. Right because a command has one thread that uses it.
final class CommandWriter: Writing, @unchecked Sendable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws {
        try connection.transaction(.immediate) { try body(connection) }
    }
}
