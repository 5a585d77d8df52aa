// docket import FILE --user NAME: tasks of another program, while the server runs or not. A second run of the same file adds nothing; the
// whole import is one undo; SIGINT, SIGTERM and SIGHUP take it away again.

import Docket
import SQLite

enum ImportCommand {
    static func run(_ arguments: Arguments) async throws {
        let name = try arguments.word()
        var job = Import(user: arguments["user"] ?? "", way: "command")
        job.options = try options(arguments)
        let database = DatabaseFile(try Users.named(arguments))
        let file = try ByteFile(name)
        let isDry = arguments.has("dry-run")

        try Cancellation.listen()
        let connection = try database.openExisting(cacheKiB: 16_384)
        // Identifiers of other programs are random, so that the same pages change in each batch: the log takes them in seldom.
        try connection.execute("PRAGMA wal_autocheckpoint = 8000")
        defer { connection.close() }
        var progress = Progress("import", unit: "tasks")
        let report = try database.told {
            defer { progress.end() }
            return try job.run(
                file, into: database, reading: connection, writer: isDry ? nil : CommandWriter(connection, database),
                isCancelled: { Cancellation.isWanted }, progress: { progress.show($0, of: $1) })
        }
        try tell(report, isDry)
    }

    /// What was chosen, each by its option.
    private static func options(_ arguments: Arguments) throws -> ImportOptions {
        func choose<Value>(_ name: String, _ words: [String], _ make: (String) -> Value?) throws -> Value? {
            guard let text = arguments[name] else { return nil }
            guard let value = make(text) else { throw Usage("--\(name) can't be \"\(text)\": \(words.joined(separator: ", "))") }
            return value
        }
        var options = ImportOptions()
        options.format = try choose("format", ImportFormat.allCases.map(\.rawValue), ImportFormat.init(rawValue:))
        options.encoding = try choose("encoding", TextEncoding.allCases.map(\.rawValue)) { name in
            TextEncoding.allCases.first { $0.rawValue.lowercased() == name.lowercased() }
        }
        options.delimiter = try choose("delimiter", Delimiter.allCases.map(\.rawValue), Delimiter.init(typed:))
        options.columns = try choose("columns", ["such as title=1,due=4 with any of"] + ColumnField.allCases.map(\.rawValue)) {
            ColumnMap($0)
        }
        options.hasHeader = try choose("header", ["yes", "no"]) { ["yes": true, "no": false][$0] }
        options.dateOrder = try choose("dates", DateOrder.allCases.map(\.rawValue), DateOrder.init(rawValue:))
        options.category = arguments["category"]
        options.isAllCompleted = arguments.has("completed")
        return options
    }

    private static func tell(_ report: ImportReport, _ isDry: Bool) throws {
        let limit = 50
        if isDry, let findings = report.findings { try tell(findings) }
        // What was not taken first: nothing else matters as much.
        for warning in report.warnings.filter(\.isSkipped).prefix(limit) { Terminal.error("\(warning)") }
        for warning in report.warnings.filter({ !$0.isSkipped }).prefix(limit) { Terminal.error("\(warning)") }
        let told = min(report.warnings.count(where: \.isSkipped), limit) + min(report.warnings.count { !$0.isSkipped }, limit)
        if report.warningCount > told { Terminal.error("and \((report.warningCount - told).of("more warning"))") }
        if isDry { for line in report.preview { try Terminal.print(line) } }
        var parts = ["\(report.added) \(isDry ? "would be added" : "added")", "\(report.present) already there"]
        if report.presentInTrash > 0 { parts[1] += " (\(report.presentInTrash) of them in the trash)" }
        parts += ["\(report.skipped) skipped", report.warningCount.of("warning")]
        try Terminal.print(parts.joined(separator: ", "))
    }

    /// How the file was understood: the options that would say the same.
    private static func tell(_ findings: ImportFindings) throws {
        var parts = ["--format \(findings.format.rawValue)"]
        if let encoding = findings.encoding { parts.append("--encoding \(encoding.rawValue)") }
        if let delimiter = findings.delimiter { parts.append("--delimiter \(delimiter.rawValue)") }
        if let hasHeader = findings.hasHeader { parts.append("--header \(hasHeader ? "yes" : "no")") }
        if let order = findings.dateOrder { parts.append("--dates \(order.rawValue)") }
        if !findings.columns.isEmpty { parts.append("--columns \(ColumnMap(findings.columns.map(\.field)).description)") }
        try Terminal.print("read as: " + parts.joined(separator: " "))
        for (number, column) in findings.columns.enumerated() {
            let example = column.examples.first { !$0.isEmpty } ?? ""
            try Terminal.print(
                "  column \(number + 1) \(column.name) is \(column.field.rawValue)\(example.isEmpty ? "" : ": " + example)")
        }
    }
}

/// Writes through a command's own connection, a transaction each. Right because one thread at a time uses it: who reads a file waits for who writes.
final class CommandWriter: Writing, @unchecked Sendable {
    private let connection: Connection
    private let file: DatabaseFile

    init(_ connection: Connection, _ file: DatabaseFile) { (self.connection, self.file) = (connection, file) }

    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws {
        WritersTurn.giveWay(file)
        try connection.transaction(.immediate) { try body(connection) }
    }

    var isAwaited: Bool { WritersTurn.isWanted(file) }
}
