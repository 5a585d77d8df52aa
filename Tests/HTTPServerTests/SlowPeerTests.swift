// Peers that take their time: small deadlines, and the server's patience with those who keep the minimum rate.

import HTTP
import Testing

@testable import HTTPServer

extension ServerTests {
    @Suite struct SlowPeerTests {
        @Test func `an idle connection is closed without a word`() async throws {
            try await withSite({ $0.idleTimeout = .milliseconds(50) }) { site in
                let fresh = try site.client()
                #expect(try fresh.isEnded())
                let used = try site.client()
                #expect(try used.get("/").status == 200)
                #expect(try used.isEnded())
                #expect(site.server.statistics.timeouts == 0)
            }
        }

        @Test(arguments: ["G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: a\r\n"])
        func `a head that does not end is answered with 408`(begin: String) async throws {
            try await withSite({ $0.headTimeout = .milliseconds(50) }) { site in
                let client = try site.client()
                try client.send(begin)
                #expect(try client.answer().status == 408)
                #expect(try client.isEnded())
                #expect(site.server.statistics.timeouts == 1)
            }
        }

        @Test func `content that stands still is answered with 408`() async throws {
            try await withSite({ $0.contentTimeout = .milliseconds(50) }) { site in
                let client = try site.client()
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nad")
                #expect(try client.answer().status == 408)
                #expect(try client.isEnded())
            }
        }

        @Test func `an answer that nobody takes is cut`() async throws {
            let large = Response(Status(200), content: .bytes([UInt8](repeating: 120, count: 30_000_000)))
            try await withSite({ $0.writeTimeout = .milliseconds(50) }, anyhow: { _ in large }) { site in
                let client = try Client(port: site.server.port, receiveBuffer: 262_144)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually { site.server.statistics.timeouts == 1 && site.server.statistics.openConnections == 0 })
                #expect(site.reports.map(\.isComplete) == [false])
            }
        }

        @Test func `a large answer reaches a client with a small buffer whole`() async throws {
            let content = (0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }
            let large = Response(Status(200), content: .bytes(content))
            try await withSite(anyhow: { _ in large }) { site in
                let client = try Client(port: site.server.port, receiveBuffer: 262_144)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.read(through: "\r\n\r\n").contains("Content-Length: 10000000"))
                // Compared outside the macro, which would take ten million bytes apart.
                let isSame = try client.read(count: content.count) == content
                #expect(isSame)
                try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.answer(withoutContent: true).status == 200)
            }
        }

        @Test func `patience is used up by standing still and won back by bytes`() {
            var pace = Pace(patience: .seconds(10), rate: 100)
            let second: UInt64 = 1_000_000_000
            #expect(pace.wait(from: 100 * second) == 110 * second)
            // Nine seconds for 100 bytes, which are worth one.
            pace.gained(100, at: 109 * second)
            #expect(pace.wait(from: 200 * second) == 202 * second)
            pace.gained(1, at: 202 * second)
            #expect(pace.wait(from: 300 * second) == 300 * second + second / 100)
            // What comes without waiting counts as well.
            pace.gained(0, at: 300 * second)
            pace.gained(1000, at: 300 * second)
            #expect(pace.wait(from: 400 * second) == 410 * second + second / 100)
        }
    }
}
