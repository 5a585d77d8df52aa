// A real server on a port of the system's choice, for the length of one test, with what it has reported.

import Glibc
import HTTP
import Testing

@testable import HTTPServer

/// A service made of one closure.
struct ClosureService: Service {
    let limit: Int
    let answer: @Sendable (Request) -> Answer
    let reports = Monitor<[RequestReport]>([])

    init(limit: Int, _ answer: @escaping @Sendable (Request) -> Answer) {
        self.limit = limit
        self.answer = answer
    }

    func contentTerms(for head: RequestHead, from peer: String, length: Int?, isAwaited: Bool) -> ContentTerms {
        guard isAwaited, head.path == "/unwanted" else { return .limit(limit) }
        return .answer(Response(Status(415), content: .bytes(Array("no".utf8))))
    }
    func answer(to request: Request) -> Answer { answer(request) }
    func finished(_ report: RequestReport) { reports.withLock { $0.append(report) } }
}

/// A running server.
struct Site: Sendable {
    let server: Server
    let service: ClosureService

    func client() throws -> Client { try Client(port: server.port) }
    var reports: [RequestReport] { service.reports.withLock { $0 } }
}

/// Runs a server around `body` whose answers are waited for, and stops it afterwards.
func withSite(
    _ change: (inout ServerOptions) -> Void = { _ in }, contentLimit: Int = 1 << 20,
    answer: @escaping @Sendable (Request) async -> Response, _ body: (Site) async throws -> Void
) async throws {
    try await withService(change, ClosureService(limit: contentLimit) { request in .later { await answer(request) } }, body)
}

/// Runs `body` twice: with a server that gives these answers on the spot, and with one whose answers are waited for.
func withSite(
    _ change: (inout ServerOptions) -> Void = { _ in }, contentLimit: Int = 1 << 20,
    anyhow answer: @escaping @Sendable (Request) -> Response = { _ in .text("hello") }, _ body: (Site) async throws -> Void
) async throws {
    try await withService(change, ClosureService(limit: contentLimit) { .now(answer($0)) }, body)
    try await withSite(change, contentLimit: contentLimit, answer: answer, body)
}

private func withService(
    _ change: (inout ServerOptions) -> Void, _ service: ClosureService, _ body: (Site) async throws -> Void
) async throws {
    var options = ServerOptions()
    options.connectionsPerAddress = 0
    options.lingerTimeout = .milliseconds(200)
    change(&options)
    let server = try Server([.tcp(host: "127.0.0.1", port: 0)], options: options, service: service)
    server.start()
    do { try await body(Site(server: server, service: service)) } catch {
        await server.stop(grace: .seconds(10))
        throw error
    }
    await server.stop(grace: .seconds(10))
}

extension Response {
    static func text(_ text: String) -> Response { Response(Status(200), content: .bytes(Array(text.utf8))) }
}

extension Body {
    /// All of it, wherever it lies.
    var text: String {
        get throws {
            switch self {
            case .bytes(let bytes): return String(decoding: bytes, as: UTF8.self)
            case .spooled(let content):
                var bytes = [UInt8](repeating: 0, count: content.count)
                var offset = 0
                while offset < bytes.count {
                    let count = try bytes.withUnsafeMutableBytes { buffer in
                        try content.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[offset...]), at: offset)
                    }
                    guard count > 0 else { break }
                    offset += count
                }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    var isSpooled: Bool { if case .spooled = self { true } else { false } }
}

/// Waits for a state, at most ten seconds; false where it does not come.
func eventually(_ claim: () -> Bool) async -> Bool {
    let end = Clock.monotonic() + 10_000_000_000
    while !claim() {
        if Clock.monotonic() > end { return false }
        await Task.yield()
        poll(nil, 0, 1)
    }
    return true
}

/// A door that a test opens: who comes before waits.
final class Gate: Sendable {
    private struct Contents {
        var isOpen = false
        var waiting: [UnsafeContinuation<Void, Never>] = []
        var arrived = 0
    }

    private let contents = Monitor(Contents())

    var arrived: Int { contents.withLock { $0.arrived } }

    func pass() async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let isOpen = contents.withLock { contents in
                contents.arrived += 1
                if !contents.isOpen { contents.waiting.append(continuation) }
                return contents.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// The same for a thread.
    func passBlocking() {
        contents.withLock { $0.arrived += 1 }
        contents.wait { $0.isOpen ? () : nil }
    }

    func open() {
        let waiting = contents.withLock { contents in
            contents.isOpen = true
            defer { contents.waiting = [] }
            return contents.waiting
        }
        contents.broadcast()
        for continuation in waiting { continuation.resume() }
    }
}
