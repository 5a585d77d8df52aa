// docket serve: opens the database, starts the threads, listens, and ends well when it is told to.

import CLinux
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
        let lines = LineWriter(STDERR_FILENO) { Logger.line("log_lines_lost", [("count", String($0))], config.log) }
        defer { lines.close() }
        let logger = Logger(format: config.log) { lines.write($0) }
        let resources = try Resources.find(config.resources, program: programPath)
        let app = try App(config: config, resources: resources, logger: logger)
        let options = try ServerOptions(config)
        // Before the file, which is made where there is none: a start that fails leaves nothing behind.
        let inherited = Listen.inherited()
        let place: Listen =
            config.host.utf8.first == UInt8(ascii: "/")
            ? .unix(path: config.host) : .tcp(host: config.host, port: UInt16(config.port))
        let sockets = try Sockets(inherited.isEmpty ? [place] : inherited)
        let file = DatabaseFile(config.database)
        func say(_ event: String, _ line: String) {
            if config.log == .json { logger.event(event, [("detail", line)]) } else { Terminal.error("docket: \(line)") }
        }
        let lock = try ServerLock.take(file) { say("waits_for_server", $0) }
        defer { lock?.release() }
        let threads = try Threads(file, app.events, app.disk, config, eventLoops: options.eventLoops)
        try AtStart.tidy(file, threads, say)
        app.imports.open(file, writer: threads) { work in
            Task { try? await threads.importers.run { work($0) } }
        }
        let service = DocketService(app: app, threads: threads)
        let server = try Server(sockets, options: options, service: service)
        Observation.add(to: app, server, threads, config)
        server.start()
        let address = config.host.utf8.first == UInt8(ascii: "/") ? config.host : "http://\(shown(config.host)):\(server.port)"
        try? Terminal.print("Docket \(Version.text) at \(address), data in \(config.database)")

        let housekeeping = Task { await threads.keepHouse(Housekeeping(config), logger) }
        let indexing = Task { await threads.keepIndex(logger) }
        let beating = Task { await threads.keepStreams(app.events) }
        let watch = Task { await threads.watch(server) }
        let sweeping = Task { await threads.sweep(app.imports) }
        _ = await Signals.wait()
        for task in [housekeeping, indexing, beating, watch, sweeping] { task.cancel() }
        await server.stop(grace: .seconds(config.limits.graceSeconds))
        app.imports.stop()
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

/// The threads that may block: readers with a connection each, the one writer, the hashers, those for what takes long, and those on which
/// files are imported.
final class Threads: Writing, Reading {
    let readers: Workers<Connection>
    let hashers: Workers<Connection>
    let long: Workers<Connection>
    let importers: Workers<Connection>
    let writer: BatchWorker<Connection>
    /// For what needs only a short look at the database, on event loops.
    let spare: Spares<Connection>
    private let disk: DiskState
    private let wish: WritersWish

    init(_ file: DatabaseFile, _ events: EventHub, _ disk: DiskState, _ config: Config, eventLoops: Int) throws {
        let limits = config.limits
        self.disk = disk
        let identity = Mutex<FileIdentity?>(nil)
        let wish = WritersWish(file)
        self.wish = wish
        // The writer opens first: it makes and migrates the file before anyone else looks at it.
        writer = try BatchWorker(
            queueLimit: limits.waitingChanges,
            makeState: {
                let connection = try file.openMigrated()
                identity.withLock { $0 = FileIdentity(file) }
                try connection.checkpoint(afterPages: config.checkpointPages)
                try NewsWatch.begin(connection)
                return connection
            },
            begin: { connection in
                do {
                    try identity.withLock { $0 }?.check()
                    try wish.hold { try connection.begin(.immediate) }
                } catch {
                    disk.failed(error, changes: connection.totalChanges)
                    throw error
                }
            },
            commit: { connection in
                do {
                    guard connection.isInTransaction else { throw FileAccess(file.path).lostTransaction }
                    let news = try NewsWatch.take(connection)
                    try connection.commit()
                    events.tell(news)
                    disk.succeeded(changes: connection.totalChanges)
                } catch {
                    disk.failed(error, changes: connection.totalChanges)
                    try? connection.rollback()
                    throw error
                }
            })
        // Two that work beside each other, and one more: the last free one is kept for whoever has none.
        readers = try Workers(count: 3, queueLimit: limits.waitingPages, isOneKept: true, name: "reader") {
            try file.openForReading()
        }
        // One for each event loop.
        spare = try Spares(count: eventLoops) { try file.openForReading(waits: false) }
        hashers = try Workers(count: 2, queueLimit: limits.waitingPasswords, name: "hasher") { try file.openForReading() }
        long = try Workers(count: 3, queueLimit: limits.waitingChanges, name: "long") { try file.openForReading() }
        importers = try Workers(count: 2, queueLimit: 64, name: "importer") {
            // Of this thread only: whoever waits for a page goes first.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 5)
            return try file.openForReading()
        }
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

    /// Behind the pages that someone waits for. An answer that has begun is not cut off because all threads are taken for a while.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        var patience = 300
        while true {
            do {
                return try await readers.run(mayWait: true) { connection in
                    Result { try connection.transaction(.deferred) { try body(connection) } }
                }.get()
            } catch is Overloaded where patience > 0 {
                patience -= 1
                try await Task.sleep(for: .milliseconds(100))
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
            } catch is CancellationError {
                // The program ends.
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
            } catch is CancellationError {
                // The program ends.
            } catch {
                logger.event("indexing_failed", [("detail", String(describing: error))])
            }
            try? await Task.sleep(for: .seconds(60))
        }
    }

    /// Keeps event streams alive, and looks whether another process has changed the file, until it is cancelled.
    func keepStreams(_ events: EventHub) async {
        var seen = try? await writer.run { try $0.dataVersion }
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

    /// Every few seconds: gives memory back that the allocator would keep (19 MiB of a hash, the answers of a thousand connections), where
    /// there was work since, and what SQLite keeps of the file, where there has been none; and, while the disk has trouble, tries whether
    /// the file can be written again, so that the trouble does not outlast its cause where nobody changes anything.
    func watch(_ server: Server) async {
        // How long there has been no request, in looks.
        var (answered, rest) = (0, 3)
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(5))
            let now = server.statistics.requests
            rest = now == answered ? min(rest + 1, 3) : 0
            answered = now
            if rest == 1 {
                for workers in [readers, hashers, long, importers] { workers.onEach { $0.releaseMemory() } }
            }
            // The last time for what that has given back.
            if rest < 3 { CLinux_return_memory() }
            guard disk.mayRecover else { continue }
            // The same value once more: the file is written all the same.
            let kept: Void? = try? await writer.run { connection in
                let version = try connection.userVersion
                try connection.executeScript("PRAGMA user_version = \(version)")
            }
            if kept != nil { disk.recovered() }
        }
    }

    /// Forgets files that nobody has asked for in an hour.
    func sweep(_ imports: ImportDesk) async {
        while !Task.isCancelled {
            try? await Task.sleep(for: .seconds(300))
            imports.sweep()
        }
    }

    func stop() {
        importers.stop()
        hashers.stop()
        long.stop()
        readers.stop()
        // The writer's connection is the last one: SQLite then takes the log into the file and removes it, and the file is all there is.
        spare.removeAll()
        writer.stop()
        wish.end()
    }
}

/// SQLite has rolled the batch back: nothing of it is kept.
struct TransactionLost: Error {}

/// Joins the application to the server: each request goes to the thread that its route asks for.
struct DocketService: Service {
    let app: App
    let threads: Threads

    func contentTerms(for head: RequestHead, from peer: String, length: Int?, isAwaited: Bool) -> ContentTerms {
        let (limit, objection) = app.contentTerms(head, length: length, isAwaited: isAwaited) {
            // Where the database can't be asked just now, whatever stands against the request is said when its content has come.
            guard case .job(let job) = app.plan(Request(head: head, body: .bytes([]), peer: peer)) else { return nil }
            return threads.spare.lend { job.objection(database: $0, writer: threads) }
        }
        return objection.map(ContentTerms.answer) ?? .limit(limit)
    }

    func answer(to request: Request) -> Answer {
        let job: Job
        switch app.plan(request) {
        case .answer(let response): return .now(response)
        case .job(let found): job = found
        }
        let threads = threads
        if let look = job.answerAtOnce, let response = threads.spare.lend({ look($0, threads, nil) }) { return .now(response) }
        return .later { await respond(to: request, by: job) }
    }

    /// The answer of a thread.
    private func respond(to request: Request, by job: Job) async -> Response {
        let threads = threads
        let client = Client(address: job.client, credential: job.credential)
        do {
            if job.changes {
                return try await threads.writer.run(for: client) { job.respond(database: try Threads.whole($0), writer: threads) }
            }
            let workers = job.hashes ? threads.hashers : job.takesLong ? threads.long : threads.readers
            return try await workers.run(for: client, mayWait: request.isFollowing) { job.respond(database: $0, writer: threads) }
        } catch {
            var response = app.trouble(request, error)
            response.trace = job.trace()
            return response
        }
    }

    func declined(_ head: RequestHead, from peer: String, _ reason: ContentRefusal) -> Response {
        switch reason {
        case .tooLarge(let limit): app.tooLarge(head, limit: limit)
        case .noRoom: app.noRoom(head)
        }
    }

    /// One line a request, in which the address that was asked for is its route's pattern: addresses may hold what is private.
    func finished(_ report: RequestReport) {
        let trace = report.trace
        app.metrics.count(report.head?.method, trace, report.status, nanoseconds: report.nanoseconds)
        app.logger.event("request") { line in
            line.add("id", trace?.id ?? "-")
            line.add("client", trace?.client ?? report.peer)
            line.add("method", report.head?.method.name ?? "-")
            line.add("route", trace?.route ?? "-")
            line.add("status", report.status.code)
            line.add("bytes", report.bytesSent)
            line.add("microseconds", Int(report.nanoseconds / 1_000))
            if let user = trace?.subject { line.add("user", user) } else { line.add("user", "-") }
            if !report.isComplete { line.add("complete", "no") }
        }
        if let defect = report.defect { app.logger.event("answer_broken", [("id", trace?.id ?? "-"), ("detail", defect)]) }
    }
}
