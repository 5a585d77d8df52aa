// Content that is made while it is sent: framing, drain, failure, and the one call of cancel.

import HTTP
import Testing

@testable import HTTPServer

/// Gives some pieces, then waits at a gate, then ends, or fails.
final class PieceStream: ContentStream {
    struct Broken: Error {}

    private struct Contents {
        var pieces: [[UInt8]]
        var cancellations = 0
    }

    private let contents: Monitor<Contents>
    private let gate: Gate?
    private let fails: Bool

    init(_ pieces: [String], waitingAt gate: Gate? = nil, fails: Bool = false) {
        contents = Monitor(Contents(pieces: pieces.reversed().map { Array($0.utf8) }))
        self.gate = gate
        self.fails = fails
    }

    var cancellations: Int { contents.withLock { $0.cancellations } }
    var piecesLeft: Int { contents.withLock { $0.pieces.count } }

    func next() async throws -> [UInt8]? {
        if let piece = contents.withLock({ $0.pieces.popLast() }) { return piece }
        await gate?.pass()
        if fails { throw Broken() }
        return nil
    }

    func cancel() {
        contents.withLock { $0.cancellations += 1 }
        gate?.open()
    }
}

extension ServerTests {
    @Suite struct StreamTests {
        private func withStream(
            _ stream: PieceStream, _ change: (inout ServerOptions) -> Void = { _ in }, _ body: (Site) async throws -> Void
        ) async throws {
            try await withSite(change, answer: { _ in Response(Status(200), content: .stream(stream)) }, body)
        }

        @Test func `a stream is sent in chunks and the connection goes on`() async throws {
            let stream = PieceStream(["ada", "bob and cleo"])
            try await withStream(stream) { site in
                let client = try site.client()
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.read(through: "\r\n\r\n").contains("\r\nTransfer-Encoding: chunked\r\n"))
                #expect(try client.read(through: "0\r\n\r\n") == "3\r\nada\r\nc\r\nbob and cleo\r\n0\r\n\r\n")
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            }
            #expect(stream.cancellations == 0)
        }

        @Test func `HTTP/1.0 gets a stream until the end of the connection`() async throws {
            let stream = PieceStream(["ada", "bob"])
            try await withStream(stream) { site in
                let client = try site.client()
                try client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
                #expect(try client.rest().hasSuffix("\r\n\r\nadabob"))
            }
        }

        @Test func `a stream that fails leaves no last chunk`() async throws {
            let stream = PieceStream(["ada"], fails: true)
            try await withStream(stream) { site in
                let client = try site.client()
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.rest().hasSuffix("\r\n\r\n3\r\nada\r\n"))
                #expect(site.reports.map(\.isComplete) == [false])
                #expect(site.reports.first?.defect == "stream: Broken()")
            }
            #expect(stream.cancellations == 1)
        }

        @Test func `HEAD cancels the stream, and the connection goes on`() async throws {
            let stream = PieceStream(["ada"])
            try await withStream(stream) { site in
                let client = try site.client()
                try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.read(through: "\r\n\r\n").contains("chunked"))
                #expect(await eventually { stream.cancellations == 1 })
                try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.read(through: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            }
        }

        @Test(arguments: [true, false])
        func `a peer that goes away while the stream waits cancels it once`(withReset: Bool) async throws {
            let gate = Gate()
            let stream = PieceStream(["ada"], waitingAt: gate)
            try await withStream(stream, { $0.silentStreamPatience = .milliseconds(20) }) { site in
                let client = try site.client()
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.read(through: "ada\r\n")
                #expect(await eventually { gate.arrived == 1 })
                if withReset { client.reset() } else { client.endSending() }
                #expect(await eventually { site.server.statistics.openConnections == 0 })
                #expect(stream.cancellations == 1)
            }
            #expect(stream.cancellations == 1)
        }

        @Test func `a peer that has ended its side still gets a stream that flows`() async throws {
            let stream = PieceStream((0..<1000).map { "line \($0)\n" })
            try await withStream(stream, { $0.silentStreamPatience = .milliseconds(500) }) { site in
                let client = try site.client()
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                client.endSending()
                #expect(try client.rest().hasSuffix("line 999\n\r\n0\r\n\r\n"))
            }
            #expect(stream.cancellations == 0)
        }

        @Test func `a stream is pulled only as the peer takes it`() async throws {
            let stream = PieceStream([String](repeating: String(repeating: "x", count: 100_000), count: 400))
            try await withStream(stream) { site in
                let client = try Client(port: site.server.port, receiveBuffer: 65536)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                _ = try client.read(count: 100_000)
                #expect(stream.piecesLeft > 200)
                #expect(try client.rest().hasSuffix("\r\n0\r\n\r\n"))
                #expect(stream.piecesLeft == 0)
            }
        }

        @Test func `a peer that takes nothing of a stream is cut, and the stream cancelled once`() async throws {
            let stream = PieceStream([String](repeating: String(repeating: "x", count: 100_000), count: 400))
            try await withStream(stream, { $0.writeTimeout = .milliseconds(50) }) { site in
                let client = try Client(port: site.server.port, receiveBuffer: 65536)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually { site.server.statistics.openConnections == 0 && site.server.statistics.timeouts == 1 })
            }
            #expect(stream.cancellations == 1)
        }
    }
}
