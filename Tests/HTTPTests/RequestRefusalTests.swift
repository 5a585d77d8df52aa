// Requests that must be refused, with their status, however they are cut.

import HTTP
import Testing

@Suite struct RequestRefusalTests {
    @Test(
        "A bad request line is refused",
        arguments: [
            ("GET / HTTP/1.1\n", 400), ("GET / HTTP/1.1\r\r\n", 400), ("GET /\r HTTP/1.1\r\n", 400), ("\n", 400),
            (" GET / HTTP/1.1\r\n", 400),
            ("GET / HTTP/1.1\r\n\nHost: h\r\n\r\n", 400),
            ("GET  / HTTP/1.1\r\n", 400), ("GET /  HTTP/1.1\r\n", 400), ("GET / HTTP/1.1 \r\n", 400),
            ("GET\t/ HTTP/1.1\r\n", 400),
            ("GET /\r\n", 400), ("GET\r\n", 400), ("GET HTTP/1.1\r\n", 400), ("G@T / HTTP/1.1\r\n", 400),
            ("GÉT / HTTP/1.1\r\n", 400),
            ("GET / http/1.1\r\n", 400), ("GET / HTTP/11.1\r\n", 400), ("GET / HTTP/1.\r\n", 400), ("GET / HTTP/1.1.1\r\n", 400),
            ("GET / HTTP/1,1\r\n", 400), ("GET / HTTPS/1.1\r\n", 400), ("GET / HTTP/+1.1\r\n", 400), ("GET / HTTP/1.¹\r\n", 400),
            ("GET / HTTP/2.0\r\n", 505), ("PRI * HTTP/2.0\r\n", 505), ("GET / HTTP/0.9\r\n", 505), ("GET / HTTP/3.0\r\n", 505),
            ("GET /#a HTTP/1.1\r\n", 400), ("GET /é HTTP/1.1\r\n", 400), ("GET /\u{1} HTTP/1.1\r\n", 400),
            ("GET /\u{7F} HTTP/1.1\r\n", 400),
            ("GET /\0 HTTP/1.1\r\n", 400), ("GET /a b HTTP/1.1\r\n", 400), ("GET tasks HTTP/1.1\r\n", 400),
            ("GET * HTTP/1.1\r\n", 400),
            ("OPTIONS *x HTTP/1.1\r\n", 400), ("GET ftp://h/ HTTP/1.1\r\n", 400), ("GET http:// HTTP/1.1\r\n", 400),
            ("GET http:///x HTTP/1.1\r\n", 400), ("GET http://ada@h/ HTTP/1.1\r\n", 400), ("GET http://h:x/ HTTP/1.1\r\n", 400),
            ("GET ?a HTTP/1.1\r\n", 400), ("GET h:80 HTTP/1.1\r\n", 400),
            ("CONNECT h:80 HTTP/1.1\r\n", 501), ("CONNECT / HTTP/1.1\r\n", 501),
            ("ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEFG / HTTP/1.1\r\n", 501), ("\u{16}\u{3}\u{1}", 400), ("{", 400),
        ])
    func requestLine(text: String, status: Int) {
        let transcript = Transcript.ofEveryCut(text)
        #expect(transcript.items.isEmpty)
        #expect(transcript.status == status)
    }

    @Test(
        "A bad field line is refused",
        arguments: [
            "X : a\r\n", " X: a\r\n", "X: a\r\n b\r\n", "X: a\r\n\tb\r\n", ": a\r\n", "X\r\n", "X a: b\r\n", "X(: a\r\n",
            "Xé: a\r\n",
            "X: a\n", "X: a\rb\r\n", "X: a\0\r\n", "X: a\u{1}\r\n", "X: a\u{7F}\r\n", "X: a\r\r\n", "X:\u{B}a\r\n",
            "X: 12345678901234567890\u{1B}23456789\r\n",
        ])
    func fieldLine(line: String) {
        #expect(Transcript.ofEveryCut("GET / HTTP/1.1\r\nHost: h\r\n\(line)\r\n").status == 400)
        #expect(Transcript.ofEveryCut("GET / HTTP/1.1\r\n\(line)Host: h\r\n\r\n").status == 400)
        let chunked = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(line)\r\n"
        #expect(Transcript.ofEveryCut(chunked).status == 400, "as a trailer")
    }

    @Test("A field value that is not UTF-8 is refused")
    func notText() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80]] {
            let text = Array("GET / HTTP/1.1\r\nHost: h\r\nX: ".utf8) + bytes + Array("\r\n\r\n".utf8)
            #expect(Transcript.ofEveryCut(text).status == 400)
        }
    }

    @Test(
        "Host must be there once and be a host",
        arguments: [
            "", "Host:\r\n", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: a, b\r\n", "Host: a b\r\n",
            "Host: a/b\r\n",
            "Host: u@a\r\n", "Host: a:b\r\n", "Host: a:65536\r\n", "Host: a:-1\r\n", "Host: a:80:80\r\n", "Host: [::1\r\n",
            "Host: [::1]x\r\n", "Host: [1:2]\r\n", "Host: [:::]\r\n", "Host: [1::2::3]\r\n", "Host: [12345::]\r\n",
            "Host: [g::]\r\n",
            "Host: ::1\r\n", "Host: :80\r\n", "Host: a%2\r\n", "Host: a%zz\r\n", "Host: é\r\n", "Host: a?b\r\n", "Host: a#b\r\n",
            "Host: [1:2:3:4:5:6:7:8:9]\r\n", "Host: [::1.2.3]\r\n", "Host: [::1.2.3.256]\r\n", "Host: [:1::2]\r\n",
            "Host: a\\b\r\n",
        ])
    func host(lines: String) {
        #expect(Transcript.ofEveryCut("GET / HTTP/1.1\r\n\(lines)\r\n").status == 400)
        #expect(
            Transcript.ofEveryCut("GET http://h/ HTTP/1.1\r\n\(lines)\r\n").status == 400, "an absolute target does not heal it")
    }

    @Test(
        "A valid host is taken as it is",
        arguments: [
            "a", "A.example", "a:", "a:80", "a:65535", "127.0.0.1:1", "[::]", "[::1]:80", "[1::]", "[1:2:3:4:5:6:7:8]",
            "[1:2:3:4:5:6:1.2.3.4]",
            "[::ffff:1.2.3.4]", "[1::8]", "xn--a-b_c", "a%20b", "a.",
        ])
    func validHost(host: String) {
        let transcript = Transcript.ofEveryCut("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(transcript.items.first?.head.authority == host)
    }

    @Test(
        "Contradicting or malformed framing is refused",
        arguments: [
            ("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400),
            ("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", 400),
            ("Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", 400), ("Content-Length: 1\r\nContent-Length: 1\r\n", 400),
            ("Content-Length: 1\r\nContent-Length: 2\r\n", 400), ("Content-Length: 1, 1\r\n", 400),
            ("Content-Length: 1,2\r\n", 400),
            ("Content-Length: +1\r\n", 400), ("Content-Length: -1\r\n", 400), ("Content-Length: 1.0\r\n", 400),
            ("Content-Length: 0x1\r\n", 400),
            ("Content-Length:\r\n", 400), ("Content-Length: 1 1\r\n", 400), ("Content-Length: １\r\n", 400),
            ("Content-Length: 1;\r\n", 400),
            ("Content-Length: \"1\"\r\n", 400), ("Content-Length: 9999999999999999999\r\n", 413),
            ("Content-Length: 99999999999999999999999\r\n", 413),
            ("Transfer-Encoding: chunked, chunked\r\n", 400),
            ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400),
            ("Transfer-Encoding: chunked, gzip\r\n", 400), ("Transfer-Encoding: gzip\r\n", 400),
            ("Transfer-Encoding: identity\r\n", 400),
            ("Transfer-Encoding: gzip, chunked\r\n", 501), ("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", 501),
            ("Transfer-Encoding: identity, chunked\r\n", 501), ("Transfer-Encoding: chunked;a=b\r\n", 400),
            ("Transfer-Encoding:\r\n", 400),
            ("Transfer-Encoding: \"chunked\"\r\n", 400), ("Transfer-Encoding: xchunked\r\n", 400),
            ("Transfer-Encoding: chunked x\r\n", 400),
            ("Transfer-Encoding: ,\r\n", 400), ("Transfer-Encoding: chun\u{212A}ed\r\n", 400),
            ("Transfer-Encoding : chunked\r\n", 400),
            ("Transfer-Encoding:\u{B}chunked\r\n", 400), ("Expect: 200-ok\r\n", 417), ("Expect: 100-continue, x\r\n", 417),
        ])
    func framing(lines: String, status: Int) {
        let transcript = Transcript.ofEveryCut(
            "POST / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(transcript.items.isEmpty)
        #expect(transcript.status == status)
    }

    @Test("HTTP/1.0 with Transfer-Encoding is refused")
    func oldChunked() {
        #expect(Transcript.ofEveryCut("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n").status == 400)
    }

    @Test(
        "Malformed chunks are refused",
        arguments: [
            "+5\r\nhello\r\n0\r\n\r\n", "-5\r\nhello\r\n0\r\n\r\n", "0x5\r\nhello\r\n0\r\n\r\n", "5 \r\nhello\r\n0\r\n\r\n",
            " 5\r\nhello\r\n0\r\n\r\n", "\r\n", "g\r\n", "5\nhello\r\n0\r\n\r\n", "5\r\nhello\n0\r\n\r\n", "5\r\nhello0\r\n\r\n",
            "5\r\nhello!\r\n0\r\n\r\n", "5\r\nhello\r\r\n0\r\n\r\n", "0000000000000005\r\nhello\r\n0\r\n\r\n",
            "1000000000000000\r\n",
            "5;\r\nhello\r\n0\r\n\r\n", "5;a=\r\nhello\r\n0\r\n\r\n", "5;a=\"x\r\nhello\r\n0\r\n\r\n",
            "5;a b\r\nhello\r\n0\r\n\r\n",
            "5;a \r\nhello\r\n0\r\n\r\n", "5,a\r\nhello\r\n0\r\n\r\n", "5;a=\"x\"y\r\nhello\r\n0\r\n\r\n",
            "5;a\0\r\nhello\r\n0\r\n\r\n",
            "５\r\nhello\r\n0\r\n\r\n", "0\r\n \r\n\r\n", "0\r\nbad\r\n\r\n", "5;=x\r\nhello\r\n0\r\n\r\n",
        ])
    func chunks(content: String) {
        let transcript = Transcript.ofEveryCut("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + content)
        #expect(transcript.items.first?.isWhole == false)
        #expect(transcript.status == 400)
    }

    @Test(
        "A half-close inside a request is an error",
        arguments: [
            "G", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: h\r\n", "GET / HTTP/1.1\r\nHost: h\r\n\r", "\r",
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\na",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
            "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n",
        ])
    func cutOff(text: String) {
        let transcript = Transcript.ofEveryCut(text)
        #expect(!transcript.endsCleanly)
        #expect(transcript.status == 400)
        #expect(transcript.error?.reason == "The connection ended inside a request.")
    }

    @Test("The request line may be as long as its limit and no longer")
    func requestLineLimit() {
        let limits = RequestParser.Limits(requestLineBytes: 40)
        func text(_ count: Int) -> String {
            "GET /" + String(repeating: "a", count: count - 14) + " HTTP/1.1\r\nHost: h\r\n\r\n"
        }
        #expect(Transcript.ofEveryCut(text(40), limits: limits).endsCleanly)
        #expect(Transcript.ofEveryCut(text(41), limits: limits).status == 414)
        #expect(Transcript.ofEveryCut(text(42), limits: limits).status == 414)
        #expect(Transcript.ofEveryCut(String(repeating: "a", count: 100), limits: limits).status == 414)
        #expect(Transcript.ofEveryCut("GET /" + String(repeating: "a", count: 9000)).status == 414, "the default")
    }

    @Test("The field section may be as large as its limit and no larger")
    func fieldSectionLimit() {
        let limits = RequestParser.Limits(fieldSectionBytes: 50)
        func lines(_ count: Int) -> String { "Host: h\r\nX: " + String(repeating: "a", count: count - 14) + "\r\n" }
        #expect(Transcript.ofEveryCut("GET / HTTP/1.1\r\n\(lines(50))\r\n", limits: limits).endsCleanly)
        #expect(Transcript.ofEveryCut("GET / HTTP/1.1\r\n\(lines(51))\r\n", limits: limits).status == 431)
        #expect(Transcript.ofEveryCut("GET / HTTP/1.1\r\n\(lines(50))Y", limits: limits).status == 400)
        #expect(Transcript.ofEveryCut("GET / HTTP/1.1\r\n\(lines(50))Y:", limits: limits).status == 431)
        #expect(Transcript.ofEveryCut("GET / HTTP/1.1\r\n\(lines(52))", limits: limits).status == 431)
    }

    @Test("Trailers count against the limits of the field section")
    func trailerLimit() {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
        #expect(Transcript.ofEveryCut(head + "A: b\r\n\r\n", limits: .init(fieldSectionBytes: 43)).endsCleanly)
        #expect(Transcript.ofEveryCut(head + "A: b\r\n\r\n", limits: .init(fieldSectionBytes: 42)).status == 431)
        #expect(Transcript.ofEveryCut(head + "A: b\r\n\r\n", limits: .init(fieldCount: 3)).endsCleanly)
        #expect(Transcript.ofEveryCut(head + "A: b\r\nA: b\r\n\r\n", limits: .init(fieldCount: 3)).status == 431)
    }

    @Test("There may be as many fields as the limit says and no more")
    func fieldCountLimit() {
        func text(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: h\r\n" + String(repeating: "X: y\r\n", count: count - 1) + "\r\n"
        }
        #expect(Transcript.ofEveryCut(text(100)).endsCleanly)
        #expect(Transcript.ofEveryCut(text(101)).status == 431)
    }

    @Test("All chunk extensions of a request together have a limit")
    func extensionLimit() {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
        let limits = RequestParser.Limits(chunkExtensionBytes: 10)
        #expect(Transcript.ofEveryCut(head + "1;abcd\r\nx\r\n1;abcd\r\nx\r\n0\r\n\r\n", limits: limits).endsCleanly)
        #expect(Transcript.ofEveryCut(head + "1;abcd\r\nx\r\n1;abcde\r\nx\r\n0\r\n\r\n", limits: limits).status == 400)
        #expect(Transcript.ofEveryCut(head + "1;" + String(repeating: "a", count: 100), limits: limits).status == 400)
    }
}
