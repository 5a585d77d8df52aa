// The end of the server: running requests finish, idle connections close, the grace time bounds it all.

import HTTP
import Testing

@testable import HTTPServer

extension ServerTests {
    @Suite struct StopTests {
        @Test func `running requests finish and idle connections close`() async throws {
            let gate = Gate()
            try await withSite(answer: { request in
                if request.head.path == "/slow" { await gate.pass() }
                return .text("done")
            }) { site in
                let idle = try site.client()
                #expect(try idle.get("/").status == 200)
                let busy = try site.client()
                try busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually { gate.arrived == 1 })
                async let stopped: Void = site.server.stop(grace: .seconds(10))
                #expect(try idle.isEnded())
                #expect(throws: Client.Failure.self) { try site.client() }
                gate.open()
                let answer = try busy.answer()
                #expect(answer.content == "done")
                #expect(answer.has("connection: close"))
                #expect(try busy.isEnded())
                await stopped
                #expect(site.server.statistics.openConnections == 0)
            }
        }

        @Test func `a request that has come to an idle connection is answered, though the loop has not seen it`() async throws {
            let gate = Gate()
            try await withSite(
                { $0.eventLoops = 1 },
                answer: { request in
                    if request.head.path == "/slow" { await gate.pass() }
                    return .text("done")
                }
            ) { site in
                let (idle, busy, group) = (try site.client(), try site.client(), site.server.groups[0])
                #expect(try idle.get("/").status == 200)
                try busy.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually { gate.arrived == 1 })
                // On the loop's own thread: it looks at no socket in between.
                group.loop.call {
                    try? idle.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    group.drain(grace: .seconds(10))
                }
                let answer = try idle.answer()
                #expect(answer.content == "done" && answer.has("connection: close"))
                async let stopped: Void = site.server.stop(grace: .seconds(10))
                #expect(await eventually { (try? site.client()) == nil })
                gate.open()
                #expect(try busy.answer().content == "done")
                await stopped
            }
        }

        @Test func `after the grace time what is left is cut`() async throws {
            let large = Response(Status(200), content: .bytes([UInt8](repeating: 120, count: 30_000_000)))
            try await withSite(anyhow: { _ in large }) { site in
                let client = try Client(port: site.server.port, receiveBuffer: 65536)
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.read(count: 1000)
                await site.server.stop(grace: .milliseconds(50))
                #expect(site.server.statistics.openConnections == 0)
                #expect(site.reports.map(\.isComplete) == [false])
            }
        }

        @Test func `a handler that never returns does not keep the server`() async throws {
            let gate = Gate()
            try await withSite(answer: { _ in
                await gate.pass()
                return .text("late")
            }) { site in
                let client = try site.client()
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually { gate.arrived == 1 })
                await site.server.stop(grace: .milliseconds(20))
                gate.open()
            }
        }

        @Test func `a stream that waits is cancelled soon`() async throws {
            let gate = Gate()
            let stream = PieceStream(["ada"], waitingAt: gate)
            try await withSite(
                { $0.silentStreamPatience = .milliseconds(20) },
                answer: { _ in
                    Response(Status(200), content: .stream(stream))
                }
            ) { site in
                let client = try site.client()
                try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(await eventually { gate.arrived == 1 })
                await site.server.stop(grace: .seconds(60))
                #expect(stream.cancellations == 1)
            }
        }

        @Test func `of a server that has stopped nothing is left, neither loops nor connections`() async throws {
            weak var loop: EventLoop?
            weak var group: ConnectionGroup?
            do {
                let service = ClosureService(limit: 0) { _ in .now(.text("hello")) }
                let server = try Server([.tcp(host: "127.0.0.1", port: 0)], service: service)
                group = server.groups.first
                loop = group?.loop
                server.start()
                let (idle, broken) = (try Client(port: server.port), try Client(port: server.port))
                #expect(try idle.get("/").status == 200)
                try broken.send("GET / HTTP/1.1\r\n")
                #expect(await eventually { server.statistics.openConnections == 2 })
                #expect(loop != nil)
                await server.stop(grace: .milliseconds(50))
            }
            #expect(await eventually { loop == nil && group == nil })
        }

        @Test func `stopping twice, or before the start, is no harm`() async throws {
            let service = ClosureService(limit: 0) { _ in .now(.text("")) }
            let server = try Server([.tcp(host: "127.0.0.1", port: 0)], service: service)
            await server.stop(grace: .seconds(1))
            server.start()
            await server.stop(grace: .seconds(1))
            await server.stop(grace: .seconds(1))
        }
    }
}
