// Percent-encoding and urlencoded forms.

import HTTP
import Testing

@Suite struct FormFieldsTests {
    @Test(
        "A path is cut into decoded segments",
        arguments: [
            ("/", []), ("/a", ["a"]), ("/a/", ["a", ""]), ("//", ["", ""]), ("/a//b", ["a", "", "b"]), ("/a%2Fb", ["a/b"]),
            ("/%2e%2E/..", ["..", ".."]),
            ("/%E7%89%9B", ["牛"]), ("/a+b", ["a+b"]), ("/%25", ["%"]), ("/%", nil), ("/%2", nil), ("/%zz", nil), ("/%+1", nil),
            ("/%00", nil),
            ("/%FF", nil), ("/%C0%AF", nil), ("/%ED%A0%80", nil), ("a", nil), ("", nil), ("*", nil),
        ] as [(String, [String]?)])
    func segments(path: String, expected: [String]?) {
        #expect(PercentEncoding.segments(ofPath: path) == expected)
    }

    @Test("Every character comes back from its encoding")
    func encode() {
        #expect(PercentEncoding.encode("a/b c~é%") == "a%2Fb%20c~%C3%A9%25")
        let all = String(String.UnicodeScalarView((1...0x2FF).compactMap { Unicode.Scalar($0) }))
        #expect(PercentEncoding.decode(PercentEncoding.encode(all))?.utf8.elementsEqual(all.utf8) == true)
    }

    @Test(
        "A form is decoded as WHATWG URL says",
        arguments: [
            ("", []), ("a=b", ["a", "b"]), ("a", ["a", ""]), ("a=", ["a", ""]), ("=b", ["", "b"]), ("a=b=c", ["a", "b=c"]),
            ("&&a=b&", ["a", "b"]),
            ("a+b=c+d", ["a b", "c d"]), ("a=%2B", ["a", "+"]), ("a=%", ["a", "%"]), ("a=%2", ["a", "%2"]),
            ("a=%zz", ["a", "%zz"]),
            ("a=%+1", ["a", "% 1"]), ("a=%%41", ["a", "%A"]), ("a=1&a=2&b=3", ["a", "1", "a", "2", "b", "3"]),
            ("%61=%E7%89%9B", ["a", "牛"]),
            ("a=%26%3D&b=;", ["a", "&=", "b", ";"]), ("a=\r\n", ["a", "\r\n"]), ("a=牛", ["a", "牛"]),
        ])
    func decode(text: String, expected: [String]) throws {
        let form = try FormFields(urlEncoded: text.utf8)
        #expect(form.flatMap { [$0.name, $0.value] } == expected)
    }

    @Test("What is not text is refused", arguments: ["a=%00", "%00=a", "a=%FF", "%C3=a", "a=%C0%80", "a=\0"])
    func notText(text: String) {
        #expect { try FormFields(urlEncoded: text.utf8) } throws: { ($0 as? ParseError)?.status.code == 400 }
    }

    @Test("There may be as many fields as the limit says and no more")
    func limit() throws {
        func form(_ count: Int) -> String { Array(repeating: "id=1", count: count).joined(separator: "&") }
        #expect(try FormFields(urlEncoded: form(2000).utf8).count == 2000)
        #expect { try FormFields(urlEncoded: form(2001).utf8) } throws: { ($0 as? ParseError)?.status.code == 400 }
        #expect(try FormFields(urlEncoded: form(100_000).utf8, count: 100_000).all("id").count == 100_000)
    }

    @Test("Names are found by their bytes, the first of doubles first")
    func lookUp() throws {
        let form = try FormFields(query: "a=1&b=2&a=3&e%CC%81=4")
        #expect(form.first("a") == "1")
        #expect(form.all("a") == ["1", "3"])
        #expect(form.first("\u{E9}") == nil, "canonically equivalent, but another name")
        #expect(form.first("e\u{301}") == "4")
        #expect(form.first("c") == nil && form.all("c").isEmpty)
        #expect(try FormFields(query: nil).isEmpty)
    }

    @Test("What is encoded decodes to the same")
    func encoded() throws {
        let form: FormFields = ["a b": "c&d=e", "牛": "100 % ~*-._", "": "", "a b": "\r\n+"]
        #expect(form.encoded == "a+b=c%26d%3De&%E7%89%9B=100+%25+%7E*-._&=&a+b=%0D%0A%2B")
        #expect(try FormFields(urlEncoded: form.encoded.utf8) == form)
    }
}
