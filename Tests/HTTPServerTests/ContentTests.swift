// Content of requests: framing, limits, waiting for 100, memory and file.

import Glibc
import HTTP
import Testing

@testable import HTTPServer

extension ServerTests {
    @Suite struct ContentTests {
        private static let echo: @Sendable (Request) -> Response = { request in
            .text("\(request.body.count) \(request.body.isSpooled ? "file" : "memory") \((try? request.body.text) ?? "")")
        }

        @Test func `chunked content arrives whole, and the next request behind it`() async throws {
            try await withSite(anyhow: Self.echo) { site in
                let client = try site.client()
                try client.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nada\r\n5;x=y\r\n bob \r\n4\r\ncleo\r\n0\r\nTrailer: t\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(try client.answer().content == "12 memory ada bob cleo")
                #expect(try client.answer().content == "0 memory ")
            }
        }

        @Test(arguments: [(100, 200), (101, 413)])
        func `content is limited to the byte when its length is known`(length: Int, status: Int) async throws {
            try await withSite(contentLimit: 100, anyhow: Self.echo) { site in
                let client = try site.client()
                try client.send(
                    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n" + String(repeating: "x", count: length))
                let answer = try client.answer()
                #expect(answer.status == status)
                #expect(answer.has("connection: close") == (status == 413))
            }
        }

        @Test(arguments: [(100, 200), (101, 413)])
        func `content is limited to the byte when it is chunked`(length: Int, status: Int) async throws {
            try await withSite(contentLimit: 100, anyhow: Self.echo) { site in
                let client = try site.client()
                let chunks = String(repeating: "1\r\nx\r\n", count: length) + "0\r\n\r\n"
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
                #expect(try client.answer().status == status)
            }
        }

        @Test func `too large content is refused before it is sent`() async throws {
            try await withSite(contentLimit: 100, anyhow: Self.echo) { site in
                let client = try site.client()
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
                #expect(try client.answer().status == 413)
                #expect(try client.isEnded())
            }
        }

        @Test func `a client that sends on after 413 receives the answer`() async throws {
            try await withSite(contentLimit: 100, anyhow: Self.echo) { site in
                let client = try site.client()
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n")
                // Only then does the client read, as browsers do.
                try client.send([UInt8](repeating: 120, count: 8_000_000))
                #expect(try client.answer().status == 413)
                #expect(try client.isEnded())
            }
        }

        @Test func `a client that waits for 100 hears it when the content is wanted`() async throws {
            try await withSite(anyhow: Self.echo) { site in
                let client = try site.client()
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
                #expect(try client.read(through: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
                try client.send("ada")
                #expect(try client.answer().content == "3 memory ada")
            }
        }

        @Test func `a client that waits for 100 hears 413 at once when the content is too large`() async throws {
            try await withSite(contentLimit: 2, anyhow: Self.echo) { site in
                let client = try site.client()
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
                #expect(try client.answer().status == 413)
            }
        }

        @Test func `no 100 is said to a client that sends its content without waiting`() async throws {
            try await withSite(anyhow: Self.echo) { site in
                let client = try site.client()
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nada")
                #expect(try client.answer().status == 200)
            }
        }

        @Test(arguments: [(1000, "memory"), (1001, "file")])
        func `content above the limit of memory lies in a file`(length: Int, place: String) async throws {
            try await withSite({ $0.contentInMemory = 1000 }, anyhow: Self.echo) { site in
                let client = try site.client()
                let text = String((0..<length).map { Character(Unicode.Scalar(UInt8(97 + $0 % 26))) })
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\r\n\(text)")
                #expect(try client.answer().content == "\(length) \(place) \(text)")
            }
        }

        @Test(arguments: [("/wanted", 100), ("/unwanted", 415)])
        func `who waits to hear whether the content is wanted hears where it is not`(path: String, status: Int) async throws {
            try await withSite(anyhow: Self.echo) { site in
                let client = try site.client()
                try client.send("POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
                #expect(try client.answer().status == status)
                if status != 100 { #expect(try client.isEnded()) }
            }
        }

        @Test func `content for which there is no room is refused with 507`() async throws {
            try await withSite({
                $0.contentInMemory = 10
                $0.spoolFolder = "/nowhere"
            }) { site in
                let client = try site.client()
                try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\nhello world")
                #expect(try client.answer().status == 507)
                #expect(try client.isEnded())
            }
        }
    }
}
