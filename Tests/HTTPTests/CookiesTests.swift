// Cookies in, cookies out.

import HTTP
import Testing

@Suite struct CookiesTests {
    static func cookies(_ lines: String...) -> [String] {
        var fields = Fields()
        for line in lines { fields.append(.cookie, line) }
        return Cookies(fields).list.flatMap { [$0.name, $0.value] }
    }

    @Test("Cookies are read leniently, in order")
    func read() {
        #expect(Self.cookies() == [])
        #expect(Self.cookies("a=1; b=2") == ["a", "1", "b", "2"])
        #expect(Self.cookies("a=1;b=2;", "c=3") == ["a", "1", "b", "2", "c", "3"])
        #expect(Self.cookies("a=\"1\"; b==; c; =d; ;; e=; a=2") == ["a", "1", "b", "=", "e", "", "a", "2"])
        #expect(Self.cookies("a=\"; b=牛 奶") == ["a", "\"", "b", "牛 奶"])
        #expect(Self.cookies("", ";", "=", "\"\"") == [])
    }

    @Test("The first of doubles is found, by bytes")
    func first() {
        var fields = Fields()
        fields.append(.cookie, "a=1; a=2; e\u{301}=3")
        let cookies = Cookies(fields)
        #expect(cookies["a"] == "1")
        #expect(cookies["A"] == nil)
        #expect(cookies["\u{E9}"] == nil)
    }

    @Test("A cookie is written with all that it promises")
    func write() throws {
        let session = try #require(SetCookie(name: "__Host-session", value: "abc", isSecure: true, maxAge: 60))
        #expect(session.description == "__Host-session=abc; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Lax")
        var theme = try #require(SetCookie(name: "theme", value: "", path: "/docket", isSecure: false))
        theme.isHTTPOnly = false
        theme.sameSite = .strict
        #expect(theme.description == "theme=; Path=/docket; SameSite=Strict")
    }

    @Test(
        "A cookie that could be read as something else does not exist",
        arguments: [
            ("", "a", "/"), ("a b", "c", "/"), ("a=", "c", "/"), ("a;", "c", "/"), ("a", "b;c", "/"), ("a", "b\r\n", "/"),
            ("a", "b c", "/"), ("a", "b,c", "/"),
            ("a", "\"b\"", "/"), ("a", "é", "/"), ("a", "b", ""), ("a", "b", "x"), ("a", "b", "/; Secure"), ("a", "b", "/\n"),
            ("__Host-a", "b", "/"),
            ("__secure-a", "b", "/"),
        ])
    func invalid(name: String, value: String, path: String) {
        #expect(SetCookie(name: name, value: value, path: path, isSecure: false) == nil)
    }

    @Test("A __Host- cookie has the path /, and no cookie a negative lifetime")
    func prefixes() {
        #expect(SetCookie(name: "__Host-a", value: "b", path: "/x", isSecure: true) == nil)
        #expect(SetCookie(name: "a", value: "b", isSecure: true, maxAge: -1) == nil)
    }
}
