// Answers as bytes: framing, persistence, and nothing that could be read as another field.

import HTTP
import Testing

@Suite struct ResponseSerializerTests {
    struct Empty: ContentStream {
        func next() async throws -> [UInt8]? { nil }
        func cancel() {}
    }

    static func head(
        _ response: Response, method: Method = .get, minor: Int = 1, connection: String? = nil, persists: Bool = true
    ) throws -> (text: String, written: ResponseSerializer.Written) {
        var fields = Fields()
        if let connection { fields.append(.connection, connection) }
        let request = RequestHead(method: method, path: "/", minorVersion: minor, fields: fields)
        var bytes: [UInt8] = []
        let written = try ResponseSerializer.appendHead(
            of: response, to: request, persists: persists, now: 784_111_777, into: &bytes)
        return (String(decoding: bytes, as: UTF8.self), written)
    }

    @Test("A head has status line, Date, Content-Length and the fields, in bytes that are known")
    func exact() throws {
        var fields = Fields()
        fields.append(.contentType, "text/plain")
        fields.append(.setCookie, "a=1")
        fields.append(.setCookie, "b=2")
        let (text, written) = try Self.head(Response(Status(200), fields: fields, content: .bytes(Array("hello".utf8))))
        #expect(
            text
                == "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 5\r\ncontent-type: text/plain\r\n"
                + "set-cookie: a=1\r\nset-cookie: b=2\r\n\r\n")
        #expect(written.framing == .length(5))
        #expect(written.persists)
    }

    @Test("HEAD gets the fields of GET and no content")
    func head() throws {
        let (text, written) = try Self.head(Response(Status(200), content: .bytes([1, 2, 3])), method: .head)
        #expect(text.utf8.elementsEqual(try Self.head(Response(Status(200), content: .bytes([1, 2, 3]))).text.utf8))
        #expect(written.framing == .none)
        let stream = try Self.head(Response(Status(200), content: .stream(Empty())), method: .head)
        #expect(stream.text.contains("Transfer-Encoding: chunked"))
        #expect(stream.written.framing == .none)
    }

    @Test("204 and 304 have neither content nor a length", arguments: [204, 304])
    func noContent(code: Int) throws {
        let (text, written) = try Self.head(Response(Status(code), content: .bytes([1])))
        #expect(!text.contains("Content-Length"))
        #expect(written.framing == .none)
    }

    @Test("An empty answer says that it is empty")
    func empty() throws {
        let (text, written) = try Self.head(Response(Status(303)))
        #expect(text.contains("\r\nContent-Length: 0\r\n"))
        #expect(written.framing == .none)
    }

    @Test("A stream is chunked for HTTP/1.1 and ends with the connection for HTTP/1.0")
    func stream() throws {
        let new = try Self.head(Response(Status(200), content: .stream(Empty())))
        #expect(new.written.framing == .chunked && new.written.persists)
        let old = try Self.head(Response(Status(200), content: .stream(Empty())), minor: 0, connection: "keep-alive")
        #expect(old.written.framing == .untilClose && !old.written.persists)
        #expect(old.text.contains("\r\nConnection: close\r\n"))
        #expect(!old.text.contains("Transfer-Encoding"))
    }

    @Test(
        "Persistence follows version, Connection options and the server's will",
        arguments: [
            (1, nil, true, true), (1, "close", true, false), (1, "keep-alive", true, true), (1, "x, CLOSE", true, false),
            (1, "upgrade", true, true),
            (1, nil, false, false), (0, nil, true, false), (0, "Keep-Alive", true, true), (0, "keep-alive, close", true, false),
            (0, "keep-alive", false, false), (1, "closed", true, true), (1, "\"close\"", true, true),
        ] as [(Int, String?, Bool, Bool)])
    func persistence(minor: Int, connection: String?, willing: Bool, expected: Bool) throws {
        let (text, written) = try Self.head(Response(Status(200)), minor: minor, connection: connection, persists: willing)
        #expect(written.persists == expected)
        #expect(text.contains("\r\nConnection: close\r\n") == !expected)
        #expect(text.contains("\r\nConnection: keep-alive\r\n") == (expected && minor == 0))
    }

    @Test("A response may end the connection, and one to no request does")
    func closes() throws {
        var response = Response(Status(400))
        var bytes: [UInt8] = []
        #expect(try !ResponseSerializer.appendHead(of: response, to: nil, persists: true, now: 0, into: &bytes).persists)
        response.closesConnection = true
        #expect(try !Self.head(response).written.persists)
    }

    @Test(
        "A value with a control character is refused and nothing is written",
        arguments: ["a\r\nX: b", "a\n", "\r", "a\0", "\u{1B}", "\u{7F}"])
    func injection(value: String) {
        var fields = Fields()
        fields.append(.location, value)
        var bytes: [UInt8] = []
        do throws(InvalidResponse) {
            _ = try ResponseSerializer.appendHead(
                of: Response(Status(303), fields: fields), to: nil, persists: true, now: 0, into: &bytes)
            Issue.record("written")
        } catch {
            #expect(bytes.isEmpty)
        }
    }

    @Test("Framing fields belong to the server", arguments: [FieldName.contentLength, .transferEncoding, .connection, .date])
    func framingFields(name: FieldName) {
        var fields = Fields()
        fields.append(name, "1")
        #expect(throws: (any Error).self) { try Self.head(Response(Status(200), fields: fields)) }
    }

    @Test("Chunks have their size in front, and an empty piece does not end the content")
    func chunks() {
        var bytes: [UInt8] = []
        ResponseSerializer.appendChunk([UInt8](repeating: 97, count: 26), into: &bytes)
        ResponseSerializer.appendChunk([], into: &bytes)
        ResponseSerializer.appendLastChunk(into: &bytes)
        #expect(bytes == Array("1a\r\naaaaaaaaaaaaaaaaaaaaaaaaaa\r\n0\r\n\r\n".utf8))
    }
}
