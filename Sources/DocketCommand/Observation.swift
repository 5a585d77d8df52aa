// What the server and its threads tell for `/metrics`, and the options that become the server's limits.

import Docket
import Glibc
import HTTP
import HTTPServer

enum Observation {
    /// Lets `/metrics` ask the server, the threads and the files.
    static func add(to app: App, _ server: Server, _ threads: Threads, _ config: Config) {
        let disk = app.disk
        app.metrics.add { samples(server.statistics) }
        app.metrics.add {
            queues([
                ("readers", threads.readers.statistics), ("writer", threads.writer.statistics),
                ("hashers", threads.hashers.statistics), ("long", threads.long.statistics),
                ("importers", threads.importers.statistics),
            ])
        }
        app.metrics.add {
            let writer = threads.writer.statistics
            var samples = [
                Sample("docket_commit_batches_total", "Transactions of the writer.", writer.batches),
                Sample(
                    "docket_commit_changes_total", "Changes in them; divided by the batches, the size of a batch.", writer.begun),
                Sample("docket_commit_failures_total", "Transactions that could not begin or commit.", disk.failures),
                Sample(
                    "docket_storage_trouble", "1 after a commit that failed, until one succeeds.", disk.trouble == nil ? 0 : 1),
            ]
            if config.database != ":memory:" {
                samples.append(Sample("docket_database_bytes", "Size of the database file.", size(config.database)))
                samples.append(Sample("docket_wal_bytes", "Size of its write-ahead log.", size(config.database + "-wal")))
            }
            samples.append(Sample("process_resident_memory_bytes", "Memory of this process.", residentBytes()))
            return samples
        }
    }

    private static func samples(_ now: ServerStatistics) -> [Sample] {
        [
            Sample("docket_connections_open", "Connections open now.", now.openConnections),
            Sample("docket_connections_idle", "Those of them without a request.", now.idleConnections),
            Sample("docket_connections_accepted_total", "Connections accepted.", now.acceptedConnections),
            Sample("docket_connections_refused_total", "Connections answered with 503.", now.refusedConnections),
            Sample("docket_connections_displaced_total", "Idle connections closed to make room.", now.displacedConnections),
            Sample("docket_accept_pauses_total", "Times that descriptors or memory were used up.", now.acceptPauses),
            Sample("docket_requests_total", "Answers sent.", now.requests),
            Sample("docket_protocol_errors_total", "Requests refused by the server itself.", now.protocolErrors),
            Sample("docket_timeouts_total", "Peers that were too slow.", now.timeouts),
            Sample("docket_received_bytes_total", "Bytes received.", now.bytesReceived),
            Sample("docket_sent_bytes_total", "Bytes sent.", now.bytesSent),
        ]
    }

    private static func queues(_ queues: [(name: String, statistics: QueueStatistics)]) -> [Sample] {
        func each(_ name: String, _ help: String, _ value: (QueueStatistics) -> Double) -> [Sample] {
            queues.map { Sample(name, help, value($0.statistics), labels: [("queue", $0.name)]) }
        }
        return each("docket_queue_waiting", "Jobs that wait for a thread.") { Double($0.queued) }
            + each("docket_queue_begun_total", "Jobs that a thread has begun.") { Double($0.begun) }
            + each("docket_queue_refused_total", "Jobs refused because the queue was full.") { Double($0.refused) }
            + each("docket_queue_wait_seconds_total", "Time that jobs have waited.") {
                Double($0.waitedNanoseconds) / 1_000_000_000
            }
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The second number of `statm`, in pages.
    private static func residentBytes() -> Int {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 128)
        let count = max(0, read(descriptor, &buffer, buffer.count))
        let numbers = buffer[..<count].split(separator: UInt8(ascii: " "))
        let pages = numbers.count > 1 ? numbers[1].reduce(0) { $0 * 10 + Int($1) - 48 } : 0
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}

extension ServerOptions {
    /// The limits of a configuration.
    init(_ config: Config) throws {
        self.init()
        let limits = config.limits
        connections = limits.connections
        connectionsPerAddress = limits.connectionsPerAddress
        let proxies = config.trustedProxies
        isShared = { address in proxies.contains { $0.contains(address) } }
        requestsPerConnection = limits.requestsPerConnection
        head = RequestParser.Limits(
            requestLineBytes: limits.requestLineBytes, fieldSectionBytes: limits.fieldBytes, fieldCount: limits.fieldCount)
        contentInMemory = limits.contentInMemory
        headTimeout = .seconds(limits.headSeconds)
        contentTimeout = .seconds(limits.contentSeconds)
        writeTimeout = .seconds(limits.writeSeconds)
        idleTimeout = .seconds(limits.idleSeconds)
        minimumRate = limits.minimumRate
        spoolFolder = try Self.spoolFolder(config)
    }

    /// Beside the database, where there is room for what may become part of it; an image whose root is read-only has a volume there.
    private static func spoolFolder(_ config: Config) throws -> String {
        let inherited = Environment.all["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let slash = config.database.lastIndex(of: "/")
        let beside = slash.map { String(config.database[...$0]) } ?? "."
        let folder = config.spoolFolder ?? (config.database == ":memory:" ? inherited : beside)
        guard access(folder, W_OK | X_OK) == 0 else {
            throw StartFailure("the folder \(folder) for large content: \(String(cString: strerror(errno)))")
        }
        return folder
    }
}
