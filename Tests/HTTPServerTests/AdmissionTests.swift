// Too many connections: who makes room, who is turned away, and that the count comes back.

import HTTP
import Testing

@testable import HTTPServer

extension ServerTests {
    @Suite struct AdmissionTests {
        @Test func `above the limit the connection idle longest makes room`() async throws {
            try await withSite({
                $0.connections = 3
                $0.eventLoops = 1
            }) { site in
                let clients = try (0..<3).map { _ in try site.client() }
                for client in clients { #expect(try client.get("/").status == 200) }
                #expect(await eventually { site.server.statistics.idleConnections == 3 })
                let fourth = try site.client()
                #expect(try fourth.get("/").status == 200)
                #expect(try clients[0].isEnded())
                #expect(try clients[1].get("/").status == 200)
                #expect(site.server.statistics.displacedConnections == 1)
                #expect(site.server.statistics.refusedConnections == 0)
            }
        }

        @Test func `who has sent a request is not displaced, though the loop has not seen it`() async throws {
            try await withSite({ $0.eventLoops = 1 }) { site in
                let (first, second, group) = (try site.client(), try site.client(), site.server.groups[0])
                for client in [first, second] { #expect(try client.get("/").status == 200) }
                // On the loop's own thread: it looks at no socket in between.
                group.loop.call {
                    try? first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                    group.displace(atMost: 1)
                }
                #expect(try first.answer().status == 200)
                #expect(try second.isEnded())
                #expect(site.server.statistics.openConnections == 1)
            }
        }

        @Test func `who is displaced before the first request is told why`() async throws {
            try await withSite({ $0.eventLoops = 1 }) { site in
                let client = try site.client()
                #expect(await eventually { site.server.statistics.idleConnections == 1 })
                let group = site.server.groups[0]
                group.loop.call { group.displace(atMost: 1) }
                let answer = try client.answer()
                #expect(answer.status == 503 && answer.has("retry-after: 1"))
                #expect(try client.isEnded())
            }
        }

        @Test func `above the limit, with none idle, a connection gets 503 and Retry-After`() async throws {
            let gate = Gate()
            try await withSite(
                { $0.connections = 2 },
                answer: { _ in
                    await gate.pass()
                    return .text("hello")
                }
            ) { site in
                let busy = try (0..<2).map { _ in try site.client() }
                for client in busy { try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
                #expect(await eventually { gate.arrived == 2 })
                let third = try site.client()
                try third.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                let answer = try third.answer()
                #expect(answer.status == 503)
                #expect(answer.has("retry-after: 1"))
                #expect(answer.has("connection: close"))
                #expect(try third.isEnded())
                gate.open()
                for client in busy { #expect(try client.answer().content == "hello") }
                #expect(site.server.statistics.refusedConnections == 1)
            }
        }

        @Test func `one address has its own limit, and a place that is left is free again`() async throws {
            try await withSite({ $0.connectionsPerAddress = 2 }) { site in
                var clients = try (0..<2).map { _ in try site.client() }
                for client in clients { #expect(try client.get("/").status == 200) }
                let third = try site.client()
                #expect(try third.answer().status == 503)
                third.endSending()
                clients.removeLast()
                #expect(await eventually { site.server.statistics.openConnections == 1 })
                #expect(try site.client().get("/").status == 200)
            }
        }

        @Test func `an address that stands for many people has no limit of its own`() async throws {
            try await withSite({
                $0.connectionsPerAddress = 1
                $0.isShared = { $0 == "127.0.0.1" }
            }) { site in
                let clients = try (0..<3).map { _ in try site.client() }
                for client in clients { #expect(try client.get("/").status == 200) }
            }
        }

        @Test func `a descriptor list keeps the order of arrival`() {
            var list = DescriptorList()
            for descriptor: Int32 in [5, 9, 7, 9] { list.append(descriptor) }
            #expect(list.count == 3)
            #expect(list.oldest == 5)
            list.remove(5)
            #expect(list.oldest == 9)
            list.append(5)
            list.remove(7)
            list.remove(7)
            list.remove(9)
            #expect(list.oldest == 5)
            list.remove(5)
            #expect(list.oldest == nil)
            #expect(list.count == 0)
        }

        @Test func `deadlines come in their order, moved and taken away ones too`() {
            var heap = DeadlineHeap()
            for descriptor in 0..<100 { heap.set(descriptor, UInt64(1000 + (descriptor * 37) % 100)) }
            heap.set(3, 5000)
            heap.set(4, 10)
            heap.set(5, DeadlineHeap.never)
            var order: [Int] = []
            while let descriptor = heap.popExpired(at: 1099) { order.append(descriptor) }
            let expected = (0..<100).filter { ![3, 4, 5].contains($0) }.sorted { ($0 * 37) % 100 < ($1 * 37) % 100 }
            #expect(order == [4] + expected)
            #expect(heap.next == 5000)
            #expect(heap.popExpired(at: 4999) == nil)
            #expect(heap.popExpired(at: 5000) == 3)
            #expect(heap.next == DeadlineHeap.never)
        }
    }
}
