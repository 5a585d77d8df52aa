// Requests one after the other on one connection, and how it ends.

import HTTP
import Testing

@testable import HTTPServer

extension ServerTests {
    @Suite struct PersistentConnectionTests {
        @Test func `a connection carries one request after the other`() async throws {
            try await withSite(anyhow: { .text($0.head.path) }) { site in
                let client = try site.client()
                for path in ["/a", "/b", "/c"] {
                    let answer = try client.get(path)
                    #expect(answer.status == 200)
                    #expect(answer.content == path)
                    #expect(answer.head.contains("\r\nDate: "))
                    #expect(!answer.has("connection: close"))
                }
                #expect(site.server.statistics.acceptedConnections == 1)
                #expect(await eventually { site.reports.count == 3 })
                #expect(site.reports.allSatisfy { $0.isComplete && $0.bytesSent > 2 && $0.peer == "127.0.0.1" })
            }
        }

        @Test func `pipelined requests are answered in order`() async throws {
            try await withSite(anyhow: { .text($0.head.path) }) { site in
                let client = try site.client()
                let paths = (0..<300).map { "/\($0)" }
                try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
                for path in paths { #expect(try client.answer().content == path) }
            }
        }

        @Test func `a request that was sent before the last answer came is marked`() async throws {
            try await withSite(anyhow: { .text("\($0.isFollowing)") }) { site in
                let client = try site.client()
                try client.send(String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 3))
                let answers = [try client.answer().content, try client.answer().content, try client.answer().content]
                #expect(answers == ["false", "true", "true"])
                #expect(await eventually { site.server.statistics.idleConnections == 1 })
                #expect(try client.get("/").content == "false")
            }
        }

        @Test func `a request may come byte by byte`() async throws {
            try await withSite(anyhow: { .text((try? $0.body.text) ?? "") }) { site in
                let client = try site.client()
                for byte in "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nada".utf8 { try client.send([byte]) }
                #expect(try client.answer().content == "ada")
            }
        }

        @Test func `HEAD has the fields of GET and no content`() async throws {
            try await withSite { site in
                let client = try site.client()
                try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
                let head = try client.answer(withoutContent: true)
                #expect(head.has("content-length: 5"))
                // The next answer follows at once: nothing stood between.
                #expect(try client.get("/").content == "hello")
            }
        }

        @Test func `a client that has ended its side still gets its answers`() async throws {
            try await withSite(anyhow: { .text($0.head.path) }) { site in
                let client = try site.client()
                try client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
                client.endSending()
                #expect(try client.answer().content == "/1")
                #expect(try client.answer().content == "/2")
                #expect(try client.isEnded())
            }
        }

        @Test(arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", true),
            ("GET / HTTP/1.0\r\n\r\n", true),
            ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false),
            ("GET / HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", false),
        ])
        func `the client decides whether the connection goes on`(request: String, ends: Bool) async throws {
            try await withSite { site in
                let client = try site.client()
                try client.send(request)
                let answer = try client.answer()
                #expect(answer.content == "hello")
                #expect(answer.has("connection: close") == ends)
                if ends { #expect(try client.isEnded()) } else { #expect(try client.get("/").status == 200) }
            }
        }

        @Test func `the last request that a connection may carry says close`() async throws {
            try await withSite({ $0.requestsPerConnection = 2 }) { site in
                let client = try site.client()
                #expect(try !client.get("/").has("connection: close"))
                #expect(try client.get("/").has("connection: close"))
                #expect(try client.isEnded())
            }
        }

        @Test(arguments: [
            ("NONSENSE\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
            ("GET /" + String(repeating: "x", count: 70_000) + " HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: a\r\nA: " + String(repeating: "x", count: 300_000) + "\r\n\r\n", 431),
        ])
        func `what breaks the protocol is told so, and the connection ends`(bytes: String, status: Int) async throws {
            try await withSite { site in
                let client = try site.client()
                // The client goes on sending after the offence; the answer must reach it all the same.
                try client.send(bytes + String(repeating: "more", count: 1000))
                let answer = try client.answer()
                #expect(answer.status == status)
                #expect(answer.has("connection: close"))
                #expect(answer.content.hasSuffix(".\n"))
                #expect(try client.isEnded())
                client.endSending()
                #expect(await eventually { site.server.statistics.protocolErrors == 1 })
                #expect(site.reports.map(\.status.code) == [status])
            }
        }

        @Test func `a request that the client cuts off is refused`() async throws {
            try await withSite { site in
                let client = try site.client()
                try client.send("GET / HTTP/1.1\r\nHo")
                client.endSending()
                #expect(try client.answer().status == 400)
                #expect(try client.isEnded())
            }
        }

        @Test func `an answer that must not be sent becomes 500 and ends the connection`() async throws {
            try await withSite(anyhow: { _ in
                var response = Response.text("secret")
                response.fields.append(.location, "/a\r\nSet-Cookie: b")
                return response
            }) { site in
                let client = try site.client()
                let answer = try client.get("/")
                #expect(answer.status == 500)
                #expect(!answer.head.contains("Set-Cookie"))
                #expect(await eventually { site.reports.first?.defect?.contains("location") == true })
                #expect(try client.isEnded())
            }
        }

        @Test func `a response may end the connection`() async throws {
            try await withSite(anyhow: { _ in
                var response = Response.text("bye")
                response.closesConnection = true
                return response
            }) { site in
                let client = try site.client()
                #expect(try client.get("/").has("connection: close"))
                #expect(try client.isEnded())
            }
        }

        @Test func `many clients at once are all served`() async throws {
            try await withSite(answer: { request in
                await Task.yield()
                return .text(request.head.path)
            }) { site in
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            let clients = try (0..<40).map { _ in try site.client() }
                            for round in 0..<5 {
                                for client in clients { try client.send("GET /\(number)-\(round) HTTP/1.1\r\nHost: a\r\n\r\n") }
                                for client in clients { #expect(try client.answer().content == "/\(number)-\(round)") }
                            }
                            return clients.count
                        }
                    }
                    for try await count in group { #expect(count == 40) }
                }
                #expect(site.server.statistics.requests == 1600)
                #expect(await eventually { site.server.statistics.openConnections == 0 })
            }
        }
    }
}
