// Figures for a monitoring system, in the text format of Prometheus: how long requests took by route, what was answered, and whatever
// the program's other parts tell when they are asked. No address, no name and no text of anyone's is in them.

public import HTTP
import Synchronization

/// One figure of another part of the program.
public struct Sample: Sendable {
    /// `docket_` and its name; counters end in `_total`.
    public let name: String
    /// One line of what it is.
    public let help: String
    /// What it is about, by label.
    public let labels: [(name: String, value: String)]
    /// Its value now.
    public let value: Double

    /// Makes a sample.
    public init(_ name: String, _ help: String, _ value: some BinaryInteger, labels: [(name: String, value: String)] = []) {
        self.init(name, help, Double(value), labels: labels)
    }

    /// Makes a sample.
    public init(_ name: String, _ help: String, _ value: Double, labels: [(name: String, value: String)] = []) {
        (self.name, self.help, self.labels, self.value) = (name, help, labels, value)
    }
}

/// The figures of one process.
public final class Metrics: Sendable {
    private struct Key: Hashable {
        let method: String
        let route: String
    }

    private struct Histogram {
        var counts = [Int](repeating: 0, count: Metrics.bounds.count + 1)
        var nanoseconds: UInt64 = 0

        mutating func add(_ nanoseconds: UInt64, in bucket: Int) {
            counts[bucket] += 1
            self.nanoseconds &+= nanoseconds
        }
    }

    private struct State {
        var routes: [Key: Histogram] = [:]
        var statuses: [Int: Int] = [:]
        var sources: [@Sendable () -> [Sample]] = []
    }

    /// Upper ends of the buckets, in microseconds.
    private static let bounds: [UInt64] = [
        250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 5_000_000,
    ]

    private let state = Mutex(State())

    init() {}

    /// Counts an answer. `trace` is nil where the server refused by itself.
    public func count(_ method: HTTP.Method?, _ trace: Trace?, _ status: HTTP.Status, nanoseconds: UInt64) {
        let bucket = Self.bounds.firstIndex { nanoseconds <= $0 * 1_000 } ?? Self.bounds.count
        state.withLock { state in
            state.statuses[status.code, default: 0] += 1
            // Only routes of the site map, whose methods are known: nobody can make us keep names of their own.
            guard let method, let trace, trace.route != Job.noPattern else { return }
            let key = Key(method: method.name, route: trace.route)
            state.routes[key, default: Histogram()].add(nanoseconds, in: bucket)
        }
    }

    /// Another part that is asked each time.
    public func add(_ source: @escaping @Sendable () -> [Sample]) { state.withLock { $0.sources.append(source) } }

    /// Everything, as text.
    func text() -> String {
        let (routes, statuses, sources) = state.withLock { ($0.routes, $0.statuses, $0.sources) }
        var text = "# HELP docket_request_seconds From the first byte of a request to the last of its answer.\n"
        text += "# TYPE docket_request_seconds histogram\n"
        for (key, histogram) in routes.sorted(by: { ($0.key.route, $0.key.method) < ($1.key.route, $1.key.method) }) {
            let labels = "method=\"\(key.method)\",route=\"\(key.route)\""
            var sum = 0
            for (index, count) in histogram.counts.enumerated() {
                sum += count
                let bound = index < Self.bounds.count ? String(Double(Self.bounds[index]) / 1_000_000) : "+Inf"
                text += "docket_request_seconds_bucket{\(labels),le=\"\(bound)\"} \(sum)\n"
            }
            text += "docket_request_seconds_sum{\(labels)} \(Double(histogram.nanoseconds) / 1_000_000_000)\n"
            text += "docket_request_seconds_count{\(labels)} \(sum)\n"
        }
        var samples = statuses.sorted { $0.key < $1.key }.map {
            Sample("docket_answers_total", "Answers by status.", $0.value, labels: [("status", String($0.key))])
        }
        for source in sources { samples += source() }
        var last = ""
        for sample in samples {
            if sample.name != last {
                let kind = sample.name.utf8.suffix(6).elementsEqual("_total".utf8) ? "counter" : "gauge"
                text += "# HELP \(sample.name) \(sample.help)\n# TYPE \(sample.name) \(kind)\n"
                last = sample.name
            }
            let labels = sample.labels.map { "\($0.name)=\"\($0.value)\"" }.joined(separator: ",")
            let whole = sample.value == sample.value.rounded() && abs(sample.value) < 1e15
            text +=
                sample.name + (labels.isEmpty ? "" : "{\(labels)}") + " "
                + (whole ? String(Int(sample.value)) : "\(sample.value)") + "\n"
        }
        return text
    }
}

/// The page of the figures.
enum MetricsPage {
    /// GET /metrics: for this machine itself, and for who has the token.
    static func show(_ context: Context) throws -> Response {
        guard isAllowed(context) else { throw Refusal.notFound }
        var response = context.text(context.app.metrics.text())
        response.fields[.contentType] = "text/plain; version=0.0.4; charset=utf-8"
        return response
    }

    private static func isAllowed(_ context: Context) -> Bool {
        let head = context.request.head
        if let wanted = context.app.config.metricsToken, let token = Bearer.token(head) {
            // Digests are compared, so that the time tells nothing of the token.
            return SHA256.digest(token.utf8) == SHA256.digest(wanted.utf8)
        }
        return isThisMachine(context.request, context.app.config)
    }

    /// From loopback, to loopback, and by no proxy: one on this machine would make everybody look like it. A proxy is known by the options
    /// that name one, by its fields, by a Host that is someone else's name for us, or by HTTP/1.0, which nginx speaks unless told otherwise.
    private static func isThisMachine(_ request: Request, _ config: Config) -> Bool {
        guard config.publicURL == nil, !Origin.isProxy(request.peer, config), request.head.minorVersion > 0,
            !proxyFields.contains(where: { request.head.fields.contains($0) })
        else { return false }
        var host = request.head.authority[...]
        if let colon = host.utf8.lastIndex(of: UInt8(ascii: ":")), host.utf8.last != UInt8(ascii: "]") { host = host[..<colon] }
        let isHome = host.lowercased() == "localhost" || isLoopback(host.filter { $0 != "[" && $0 != "]" })
        return isHome && isLoopback(request.peer)
    }

    private static func isLoopback(_ address: String) -> Bool { loopback.contains { $0.contains(address) } }

    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }
    private static let proxyFields: [FieldName] =
        [.forwarded, .xForwardedFor, .xForwardedProto, .xForwardedHost] + ["via", "x-real-ip"].compactMap { FieldName($0) }
}
