// What RFC 9110 and 9112 ask of every answer, over a socket; the rest of the table in Sources/HTTPServer/CONFORMANCE.md stands elsewhere.

import HTTP
import Testing

@testable import HTTPServer

extension ServerTests {
    @Suite struct ConformanceTests {
        @Test(arguments: [
            ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200), ("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n", 200),
            ("GET / HTTP/1.0\r\n\r\n", 200),
            ("GET /empty HTTP/1.1\r\nHost: a\r\n\r\n", 304), ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 200),
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n", 413), ("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
            ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505), ("POST / HTTP/1.1\r\nHost: a\r\nExpect: more\r\n\r\n", 417),
        ])
        func `every answer has a Date, whoever made it`(request: String, status: Int) async throws {
            try await withSite(contentLimit: 10, anyhow: { $0.head.path == "/empty" ? Response(Status(304)) : .text("hello") }) {
                site in
                let client = try site.client()
                try client.send(request)
                client.endSending()
                let answer = try client.answer(withoutContent: true)
                #expect(answer.status == status)
                #expect(answer.head.hasPrefix("HTTP/1.1 \(status) "))
                #expect(answer.head.split(separator: "\r\n").filter { $0.hasPrefix("Date: ") && $0.hasSuffix(" GMT") }.count == 1)
            }
        }

        @Test func `what the program notes on its answer comes back in the report, of a broken answer too`() async throws {
            let trace = Trace(id: "1", route: "/x", client: "192.0.2.1", subject: 7)
            let answer: @Sendable (Request) -> Response = { request in
                var response = Response.text("hello")
                response.trace = trace
                if request.head.path == "/bad" { response.fields.append(.location, "a\r\nb") }
                return response
            }
            try await withSite(anyhow: answer) { site in
                let client = try site.client()
                let (good, bad) = (try client.get("/"), try client.get("/bad"))
                #expect(good.status == 200 && bad.status == 500)
                let isReported = await eventually { site.reports.count == 2 }
                #expect(isReported)
                #expect(site.reports.compactMap { $0.trace } == [trace, trace])
            }
        }
    }
}
