// docket serve: opens the database, starts the threads, listens, and ends well when it is told to.

import Docket
import Glibc
import HTTP
import HTTPServer
import SQLite
import Synchronization

enum Serve {
    static func run(_ arguments: [String]) async throws {
        let (config, rest) = try Config.read(arguments: arguments, environment: Environment.all)
        guard rest.isEmpty else { throw Usage("serve takes no argument: \(rest[0])") }
        try Signals.claim()
        let logger = Logger(format: config.log) { Terminal.write($0, to: STDERR_FILENO) }
        let resources = try Resources.find(config.resources, program: programPath)
        let app = try App(config: config, resources: resources, logger: logger)
        let file = DatabaseFile(config.database)
        let threads = try Threads(file, app.events)
        try AtStart.tidy(file, threads)
        let service = DocketService(app: app, threads: threads)

        var options = ServerOptions()
        options.connections = config.maximumConnections
        options.connectionsPerAddress = config.maximumConnectionsPerAddress
        // The same variable that SQLite follows: an image whose root is read-only names its volume.
        if let folder = Environment.all["TMPDIR"], !folder.isEmpty { options.spoolFolder = folder }
        let inherited = Listen.inherited()
        let place: Listen =
            config.host.utf8.first == UInt8(ascii: "/")
            ? .unix(path: config.host) : .tcp(host: config.host == "0.0.0.0" ? "*" : config.host, port: UInt16(config.port))
        let server = try Server(inherited.isEmpty ? [place] : inherited, options: options, service: service)
        server.start()
        let address = config.host.utf8.first == UInt8(ascii: "/") ? config.host : "http://\(shown(config.host)):\(server.port)"
        Terminal.print("Docket \(Version.text) at \(address), data in \(config.database)")

        let housekeeping = Task { await threads.keepHouse(Housekeeping(config), logger) }
        let indexing = Task { await threads.keepIndex(logger) }
        let beating = Task { await threads.keepStreams(app.events) }
        _ = await Signals.wait()
        for task in [housekeeping, indexing, beating] { task.cancel() }
        await server.stop(grace: .seconds(10))
        threads.stop()
    }

    /// Where the program lies; its files lie beside it. The first argument is only a name where a shell found it by PATH.
    private static var programPath: String {
        guard let path = realpath("/proc/self/exe", nil) else { return CommandLine.arguments[0] }
        defer { free(path) }
        return String(cString: path)
    }

    private static func shown(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "*", "::": "127.0.0.1"
        default: host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        }
    }
}

/// The process's environment.
enum Environment {
    static var all: [String: String] {
        var result: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let pair = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { result[String(pair[0])] = String(pair[1]) }
            entry += 1
        }
        return result
    }
}

/// The threads that may block: readers with a connection each, the one writer, and the hashers.
final class Threads: Writing {
    let readers: Workers<Connection>
    let hashers: Workers<Connection>
    let writer: BatchWorker<Connection>

    init(_ file: DatabaseFile, _ events: EventHub) throws {
        // The writer opens first: it makes and migrates the file before anyone else looks at it.
        writer = try BatchWorker(
            queueLimit: 10_000,
            makeState: {
                let connection = try file.openMigrated()
                try NewsWatch.begin(connection)
                return connection
            },
            begin: { try $0.begin(.immediate) },
            commit: { connection in
                do {
                    let news = try NewsWatch.take(try Self.whole(connection))
                    try connection.commit()
                    events.tell(news)
                } catch {
                    try? connection.rollback()
                    throw error
                }
            })
        readers = try Workers(count: 2, queueLimit: 10_000, name: "reader") { try file.openForReading() }
        hashers = try Workers(count: 2, queueLimit: 64, name: "hasher") { try file.openForReading() }
    }

    /// The connection, if its transaction is still what it was. SQLite ends it by itself where the disk is full or fails, and what came
    /// behind would then be kept alone, while everybody of the batch is told that nothing was.
    static func whole(_ connection: Connection) throws -> Connection {
        guard connection.isInTransaction else { throw TransactionLost() }
        return connection
    }

    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws {
        try writer.runBlocking { connection in
            let connection = try Self.whole(connection)
            try connection.savepoint { try body(connection) }
        }
    }

    func note(_ body: @escaping @Sendable (Connection) throws -> Void) {
        let writer = writer
        Task {
            try? await writer.run { connection in
                let connection = try Self.whole(connection)
                try connection.savepoint { try body(connection) }
            }
        }
    }

    private func change(_ body: @escaping @Sendable (Connection) throws -> Bool) async throws -> Bool {
        try await writer.run { connection in
            let connection = try Self.whole(connection)
            return try connection.savepoint { try body(connection) }
        }
    }

    /// Removes what is over, once an hour, step by step, until it is cancelled.
    func keepHouse(_ housekeeping: Housekeeping, _ logger: Logger) async {
        while !Task.isCancelled {
            do {
                while try await change({ try housekeeping.step($0) }), !Task.isCancelled {
                    try await Task.sleep(for: .milliseconds(100))
                }
            } catch {
                logger.event("housekeeping_failed", [("detail", String(describing: error))])
            }
            try? await Task.sleep(for: .seconds(3_600))
        }
    }

    /// Takes new tasks into the search index, step by step, until it is cancelled.
    func keepIndex(_ logger: Logger) async {
        while !Task.isCancelled {
            do {
                while try await change({ try SearchIndex($0).step() }), !Task.isCancelled {
                    try await Task.sleep(for: .milliseconds(20))
                }
            } catch {
                logger.event("indexing_failed", [("detail", String(describing: error))])
            }
            try? await Task.sleep(for: .seconds(60))
        }
    }

    /// Keeps event streams alive, and looks whether another process has changed the file, until it is cancelled.
    func keepStreams(_ events: EventHub) async {
        var seen: Int64?
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(25))
            if events.isEmpty { continue }
            events.beat()
            // On the writer's connection this number moves only with the changes of others.
            guard let version = try? await writer.run({ try $0.dataVersion }) else { continue }
            if let seen, seen != version { events.tellEveryone() }
            seen = version
        }
    }

    func stop() {
        hashers.stop()
        readers.stop()
        writer.stop()
    }
}

/// SQLite has rolled the batch back: nothing of it is kept.
struct TransactionLost: Error {}

/// Joins the application to the server: each request goes to the thread that its route asks for.
struct DocketService: Service {
    let app: App
    let threads: Threads

    func contentLimit(for head: RequestHead) -> Int { app.contentLimit(head) }

    func respond(to request: Request) async -> Response {
        let job: Job
        switch app.plan(request) {
        case .answer(let response): return response
        case .job(let found): job = found
        }
        let threads = threads
        do {
            if job.changes {
                return try await threads.writer.run { job.respond(database: try Threads.whole($0), writer: threads) }
            }
            return try await (job.hashes ? threads.hashers : threads.readers).run { job.respond(database: $0, writer: threads) }
        } catch {
            return app.trouble(request, error)
        }
    }

    func finished(_ report: RequestReport) {
        app.logger.event(
            "request",
            [
                ("peer", report.peer), ("method", report.head?.method.name ?? "-"), ("path", report.head?.path ?? "-"),
                ("status", String(report.status.code)), ("bytes", String(report.bytesSent)),
                ("microseconds", String(report.nanoseconds / 1_000)),
            ])
    }
}
