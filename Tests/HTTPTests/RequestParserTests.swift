// Requests from raw bytes: what is accepted and what it means. Refusals are in RequestRefusalTests.

import HTTP
import Testing

@Suite struct RequestParserTests {
    @Test("A request without content is a head and an end")
    func simple() throws {
        let transcript = Transcript.ofEveryCut(
            "GET /tasks?q=milk&x=?y HTTP/1.1\r\nHost: example.org:8080\r\nAccept:\t text/html \r\n\r\n")
        #expect(transcript.endsCleanly)
        let item = try #require(transcript.items.first)
        #expect(item.isWhole && item.kind == .none && item.content.isEmpty)
        #expect(item.head.method == .get)
        #expect(item.head.path == "/tasks")
        #expect(item.head.query == "q=milk&x=?y")
        #expect(item.head.authority == "example.org:8080")
        #expect(item.head.minorVersion == 1)
        #expect(item.head.fields[.accept] == "text/html")
    }

    @Test(
        "Each form of the target gives its path, query and authority",
        arguments: [
            ("GET / ", "/", nil, "h"), ("GET /? ", "/", "", "h"), ("GET //evil/x ", "//evil/x", nil, "h"),
            ("GET /a%2Fb/../c ", "/a%2Fb/../c", nil, "h"), ("GET http://a.example ", "/", nil, "a.example"),
            ("GET HTTPS://a.example:1/x?y ", "/x", "y", "a.example:1"), ("GET http://a.example?y ", "/", "y", "a.example"),
            ("OPTIONS * ", "*", nil, "h"), ("OPTIONS http://a.example ", "*", nil, "a.example"),
            ("OPTIONS http://a.example/ ", "/", nil, "a.example"),
            ("GET http://[2001:db8::1]:80/ ", "/", nil, "[2001:db8::1]:80"),
            ("M-SEARCH /x ", "/x", nil, "h"), ("get /x ", "/x", nil, "h"), ("GET /a|b\"<>\\^`{} ", "/a|b\"<>\\^`{}", nil, "h"),
        ] as [(String, String, String?, String)])
    func targets(line: String, path: String, query: String?, authority: String) throws {
        let transcript = Transcript.ofEveryCut(line + "HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(transcript.error == nil)
        let head = try #require(transcript.items.first).head
        #expect(head.path == path)
        #expect(head.query == query)
        #expect(head.authority == authority)
    }

    @Test("HTTP/1.0 needs no Host, and a higher minor version is served as 1.1")
    func versions() throws {
        let old = Transcript.ofEveryCut("GET / HTTP/1.0\r\n\r\n")
        #expect(old.error == nil)
        #expect(old.items.first?.head.minorVersion == 0)
        #expect(old.items.first?.head.authority == "")
        #expect(Transcript.ofEveryCut("GET / HTTP/1.7\r\nHost: h\r\n\r\n").items.first?.head.minorVersion == 1)
    }

    @Test("Up to two empty lines before a request line are passed over")
    func emptyLines() {
        #expect(Transcript.ofEveryCut("\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n").items.count == 1)
        let behind = Transcript.ofEveryCut("GET /1 HTTP/1.1\r\nHost: h\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\n\r\n\r\n")
        #expect(behind.items.map(\.head.path) == ["/1", "/2"])
        #expect(behind.endsCleanly)
        #expect(Transcript.ofEveryCut("\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n").status == 400)
    }

    @Test("Field names lose their case, values keep theirs, order and doubles are kept")
    func fields() throws {
        let transcript = Transcript.ofEveryCut(
            "GET / HTTP/1.1\r\nhOsT: h\r\nX-A: One\r\nUpgrade-Insecure-Requests:1\r\nx-a:\r\nIF-MODIFIED-SINCE: x\r\n"
                + "Accept-Encodings-Of-Another-Kind: b\r\nX-Text: 牛奶 \u{85}\r\n\r\n")
        let fields = try #require(transcript.items.first).head.fields
        #expect(
            fields.lines.map(\.name.canonical) == [
                "host", "x-a", "upgrade-insecure-requests", "x-a", "if-modified-since", "accept-encodings-of-another-kind",
                "x-text",
            ])
        #expect(fields.lines.map(\.value) == ["h", "One", "1", "", "x", "b", "牛奶 \u{85}"])
        #expect(fields[.ifModifiedSince] == "x")
    }

    @Test("Content of a known length is given whole and then ended")
    func knownLength() throws {
        let transcript = Transcript.ofEveryCut("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0011\r\n\r\nhello\r\nworl")
        let item = try #require(transcript.items.first)
        #expect(item.kind == .length(11) && item.isWhole && item.content == Array("hello\r\nworl".utf8))
        let empty = Transcript.ofEveryCut("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
        #expect(empty.items.first?.kind == .length(0) && empty.endsCleanly)
    }

    @Test("Chunks are joined, extensions and trailers are passed over")
    func chunked() throws {
        let transcript = Transcript.ofEveryCut(
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
                + "5\r\nhello\r\n00A;a ; b=c\t; d = \"x;\\\"y\"\r\n0123456789\r\n0;last\r\nX-Sum: 1\r\nContent-Length: 3\r\nHost: x\r\n\r\n"
                + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n")
        let item = try #require(transcript.items.first)
        #expect(item.kind == .chunked && item.isWhole && item.content == Array("hello0123456789".utf8))
        #expect(item.head.fields.lines.count == 2)
        #expect(transcript.items.last?.head.path == "/next")
    }

    @Test("Pipelined requests come out in order, with their own content")
    func pipeline() {
        let bytes = (0..<50).map { number in
            number % 2 == 0
                ? "GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n"
                : "POST /\(number) HTTP/1.1\r\nHost: h\r\nContent-Length: \(String(number).utf8.count)\r\n\r\n\(number)"
        }
        let transcript = Transcript.ofEveryCut(bytes.joined())
        for (number, item) in transcript.items.enumerated() {
            #expect(item.head.path == "/\(number)")
            #expect(item.content == (number % 2 == 0 ? [] : Array("\(number)".utf8)))
        }
        #expect(transcript.items.count == 50)
        #expect(transcript.endsCleanly)
    }

    @Test("What stands before an error is still given")
    func errorBehindGood() {
        let transcript = Transcript.ofEveryCut("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\n\r\n")
        #expect(transcript.items.map(\.head.path) == ["/1"])
        #expect(transcript.items.first?.isWhole == true)
        #expect(transcript.status == 400)
    }

    @Test("An error stays: nothing behind it is read")
    func errorStays() {
        var parser = RequestParser()
        parser.append(Array("BAD\r\n".utf8))
        #expect(parser.refusal?.status.code == 400)
        parser.append(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        #expect(parser.refusal?.status.code == 400)
        #expect(throws: ParseError.self) { try parser.end() }
    }

    @Test("100 Continue is expected until the first byte of the content is there")
    func expectContinue() throws {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
        var parser = RequestParser()
        parser.append(Array(head.utf8))
        #expect(!parser.expectsContinue)
        _ = try parser.next()
        #expect(parser.expectsContinue)
        #expect(try parser.next() == nil)
        parser.append(Array("a".utf8))
        #expect(!parser.expectsContinue)
        _ = try parser.next()
        #expect(!parser.expectsContinue)

        for text in [
            head + "a", "GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n",
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
        ] {
            var other = RequestParser()
            other.append(Array(text.utf8))
            _ = try other.next()
            #expect(!other.expectsContinue)
        }
    }

    @Test("A parser between requests is idle and holds nothing")
    func idle() throws {
        var parser = RequestParser()
        #expect(parser.isIdle)
        parser.append(Array("G".utf8))
        #expect(!parser.isIdle)
        #expect(try parser.next() == nil)
        parser.append(Array("ET / HTTP/1.1\r\nHost: h\r\n\r\nP".utf8))
        _ = try parser.next()
        #expect(!parser.isIdle)
        #expect(try parser.next() == .end)
        #expect(!parser.isIdle && parser.bufferedCount == 1)
        parser.append(Array("UT / HTTP/1.1\r\nHost: h\r\n\r\n\r\n".utf8))
        _ = try parser.next()
        #expect(try parser.next() == .end)
        #expect(try parser.next() == nil)
        #expect(parser.isIdle && parser.bufferedCount == 0)
        try parser.end()
    }

    @Test("An accepted request, written and parsed again, is the same request", arguments: Self.accepted)
    func roundTrip(text: String) throws {
        let first = Transcript.ofEveryCut(text)
        let item = try #require(first.items.first)
        let head = item.head
        var target = head.path + (head.query.map { "?" + $0 } ?? "")
        // The authority of an absolute-form target is not kept in the Host field.
        if !head.fields.values(.host).contains(head.authority), !head.authority.isEmpty, head.path != "*" {
            target = "http://" + head.authority + target
        }
        var bytes = Array("\(head.method) \(target) HTTP/1.\(head.minorVersion)\r\n".utf8)
        for line in head.fields.lines { bytes += Array("\(line.name): \(line.value)\r\n".utf8) }
        bytes += Array("\r\n".utf8)
        if item.kind == .chunked {
            ResponseSerializer.appendChunk(item.content, into: &bytes)
            ResponseSerializer.appendLastChunk(into: &bytes)
        } else {
            bytes += item.content
        }
        #expect(Transcript.ofEveryCut(bytes).items == [item])
    }

    static let accepted = [
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET http://other/x?y?z HTTP/1.1\r\nHost: h\r\nX:\t a b\t\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /? HTTP/1.0\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\n\r\n\0",
        "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nab\r\n1\r\nc\r\n0\r\nT: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::ffff:1.2.3.4]:\r\nCookie: a=\"b\"\r\nCookie: c=é\r\n\r\n",
    ]
}
