// multipart/form-data: what browsers send, what nobody should, and bodies in files that are read in small pieces.

import HTTP
import Testing

@Suite struct MultipartFormTests {
    /// A body that gives at most so many bytes a read.
    struct Trickle: SpooledContent {
        let bytes: [UInt8]
        let most: Int
        var count: Int { bytes.count }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
            let count = min(buffer.count, most, max(0, bytes.count - offset))
            buffer.copyBytes(from: bytes[offset..<(offset + count)])
            return count
        }
    }

    struct Found: Equatable {
        var name: String
        var filename: String?
        var type: String?
        var content: [UInt8]
    }

    static func parse(_ bytes: [UInt8], boundary: String = "b", limits: MultipartForm.Limits = .init()) throws -> [Found] {
        let type = try #require(MediaType("multipart/form-data; boundary=\"\(boundary)\""))
        func found(_ body: Body) throws -> [Found] {
            let form = try MultipartForm(body, type: type, limits: limits)
            return try form.parts.map {
                Found(
                    name: $0.name, filename: $0.filename, type: $0.mediaType?.description,
                    content: try form.bytes(of: $0, limit: .max))
            }
        }
        let whole = Result { try found(.bytes(bytes)) }
        for most in [1, 2, 3, 7, 64, 65536] where bytes.count < 10_000 || most > 7 {
            let spooled = Result { try found(.spooled(Trickle(bytes: bytes, most: most))) }
            #expect((try? spooled.get()) == (try? whole.get()), "\(most) bytes a read")
        }
        return try whole.get()
    }

    static func parse(_ text: String, limits: MultipartForm.Limits = .init()) throws -> [Found] {
        try parse(Array(text.utf8), limits: limits)
    }

    @Test("A form as a browser sends it")
    func browser() throws {
        let text =
            "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n牛奶\r\n--b\r\n"
            + "Content-Disposition: form-data; name=\"file\"; filename=\"a%22\\b%0D%0A%41.txt\"\r\nContent-Type: text/plain\r\n\r\n"
            + "one\r\ntwo\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"empty\"; filename=\"\"\r\n\r\n\r\n--b--\r\n"
        #expect(
            try Self.parse(text) == [
                Found(name: "title", content: Array("牛奶".utf8)),
                Found(name: "file", filename: "a\"\\b\r\n%41.txt", type: "text/plain", content: Array("one\r\ntwo\r\n".utf8)),
                Found(name: "empty", filename: "", content: []),
            ])
    }

    @Test("Content that nearly holds the boundary is content")
    func nearly() throws {
        let content = "\r\n--\r\n-b\r--b\n--b\r\n-\r\r\n-- b\r\n"
        let text = "--b\r\nContent-Disposition: form-data; name=x\r\n\r\n\(content)\r\n--b--"
        #expect(try Self.parse(text).map(\.content) == [Array(content.utf8)])
    }

    @Test("A large file of every byte comes out exact")
    func large() throws {
        var content: [UInt8] = []
        for index in 0..<300_000 { content.append(UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 7)) }
        let boundary = "----WebKitFormBoundary0123456789abcdef"
        let bytes =
            Array("--\(boundary)\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n".utf8) + content
            + Array("\r\n--\(boundary)--\r\n".utf8)
        #expect(try Self.parse(bytes, boundary: boundary).map(\.content) == [content])
    }

    @Test("A form cut anywhere before its end is refused")
    func cut() throws {
        let text =
            "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n2\r\n--b--"
        let bytes = Array(text.utf8)
        #expect(try Self.parse(bytes).count == 2)
        for end in bytes.indices {
            #expect(throws: ParseError.self, "cut at \(end)") { try Self.parse(Array(bytes[..<end])) }
        }
    }

    @Test(
        "Malformed forms are refused",
        arguments: [
            "", "--b--x", "--b--\r\nx", "x\r\n--b--", "\r\n--b--", "--c--", "--b \r\n", "--b\n", "--bx\r\n", "--b-\r\n",
            "--b\r\n\r\nx\r\n--b--", "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data; filename=a\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=a; name=b\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=a b\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data name=a\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=a\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data;\r\n name=a\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=a\r\nContent-Disposition: form-data; name=b\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--bx\r\n",
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\n--b--",
            "--b\r\nContent-Disposition: form-data; name=\"a\0\"\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: form-data; name=a\r\n--b--",
        ])
    func malformed(text: String) {
        #expect { try Self.parse(text) } throws: { ($0 as? ParseError)?.status.code == 400 }
    }

    @Test("A form without parts is empty")
    func noParts() throws {
        #expect(try Self.parse("--b--\r\n").isEmpty)
    }

    @Test("Parts and their fields have limits")
    func limits() throws {
        let part = "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n"
        func form(_ count: Int) -> String { String(repeating: part, count: count) + "--b--" }
        #expect(try Self.parse(form(3), limits: .init(parts: 3)).count == 3)
        #expect(throws: ParseError.self) { try Self.parse(form(4), limits: .init(parts: 3)) }
        // 43 bytes of field line with its line end.
        #expect(try Self.parse(form(1), limits: .init(fieldSectionBytes: 44)).count == 1)
        #expect(throws: ParseError.self) { try Self.parse(form(1), limits: .init(fieldSectionBytes: 40)) }
        #expect(throws: ParseError.self) { try Self.parse("--b\r\nX: " + String(repeating: "a", count: 10_000) + "\r\n") }
    }

    @Test("The type must be multipart/form-data with a valid boundary")
    func type() throws {
        func status(_ text: String) throws -> Int? {
            let type = try #require(MediaType(text))
            do {
                _ = try MultipartForm(.bytes([]), type: type)
                return nil
            } catch {
                return (error as? ParseError)?.status.code
            }
        }
        #expect(try status("multipart/mixed; boundary=b") == 415)
        #expect(try status("multipart/form-data") == 400)
        #expect(try status("multipart/form-data; boundary=\"\"") == 400)
        #expect(try status("multipart/form-data; boundary=\"a \"") == 400)
        #expect(try status("multipart/form-data; boundary=" + String(repeating: "a", count: 71)) == 400)
    }

    @Test("A small part is read as text, a large one or one that is no text is not")
    func text() throws {
        let bytes = Array(
            "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nmilk\r\n--b\r\nContent-Disposition: form-data; name=b\r\n\r\n"
                .utf8)
        let type = try #require(MediaType("multipart/form-data; boundary=b"))
        for body in [
            Body.bytes(bytes + [0xFF] + Array("\r\n--b--".utf8)),
            .spooled(Trickle(bytes: bytes + [0xFF] + Array("\r\n--b--".utf8), most: 3)),
        ] {
            let form = try MultipartForm(body, type: type)
            let first = try #require(form.first("a"))
            #expect(try form.text(of: first, limit: 4) == "milk")
            #expect { try form.text(of: first, limit: 3) } throws: { ($0 as? ParseError)?.status.code == 413 }
            let second = try #require(form.first("b"))
            #expect { try form.text(of: second) } throws: { ($0 as? ParseError)?.status.code == 400 }
            #expect(form.first("c") == nil)
        }
    }
}
