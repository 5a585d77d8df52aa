// Media types, Accept and Accept-Language.

import HTTP
import Testing

@Suite struct NegotiationTests {
    @Test(
        "A media type is read and written",
        arguments: [
            ("text/html", "text/html"), ("TEXT/HTML;Charset=UTF-8", "text/html; charset=UTF-8"),
            ("text/html ; a=b;", "text/html; a=b"),
            ("a/b; c=\"d;e\\\"f\"", "a/b; c=\"d;e\\\"f\""), ("a/b; c=\"d\"", "a/b; c=d"), ("a/b;c=\"\"", "a/b; c=\"\""),
        ])
    func mediaType(text: String, expected: String) {
        #expect(MediaType(text)?.description == expected)
    }

    @Test(
        "A malformed media type is none",
        arguments: [
            "", "text", "text/", "/html", "text/html/x", "text /html", "text/ html", "a/b; c", "a/b; c=", "a/b; =d", "a/b; c =d",
            "a/b; c=\"d",
            "a/b; c=d; C=e", "a/b, c/d", ";a=b", "a/b; c=d e", "é/b",
        ])
    func badMediaType(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test(
        "The best of HTML, JSON and plain text",
        arguments: [
            (nil, "text/html"), ("*/*", "text/html"), ("", "text/html"), ("application/json", "application/json"),
            ("text/plain, */*;q=0.1", "text/plain"),
            ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"),
            ("application/json, text/html;q=0.9", "application/json"),
            ("text/*;q=0.5, application/json;q=0.4", "text/html"), ("text/*, text/html;q=0", "text/plain"),
            ("text/html;q=0.3, */*;q=0.2", "text/html"),
            ("*/*, text/html;q=0.5, application/json;q=0.6", "text/plain"), ("image/png", nil), ("text/html;q=0", nil),
            ("*/*;q=0", nil),
            ("TEXT/PLAIN;Q=1", "text/plain"), ("text/html;q=2, application/json;q=0.1", "application/json"),
            ("text/plain;q=0.0001, text/html;q=0.2", "text/html"),
            ("text/plain;charset=utf-8", "text/plain"), ("text/plain;charset=latin1, application/json;q=0.1", "application/json"),
            ("*/html", nil),
            ("nonsense", "text/html"), ("text/html;q=.5, text/plain;q=0.1", "text/plain"), ("text/plain;q=1.000", "text/plain"),
            ("text/plain;q=1.001, application/json;q=0.1", "application/json"),
        ] as [(String?, String?)])
    func accept(text: String?, expected: String?) throws {
        let offered = try ["text/html; charset=utf-8", "application/json", "text/plain; charset=utf-8"].map {
            try #require(MediaType($0))
        }
        #expect(Accept(text).preferred(among: offered)?.essence == expected)
    }

    @Test(
        "The language that a browser asks for",
        arguments: [
            (nil, nil), ("", nil), ("en", "en"), ("en-GB", "en"), ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"),
            ("ZH-cn,zh;q=0.9,en;q=0.8", "zh-Hans"),
            ("zh-Hans-CN", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-TW", nil), ("zh-TW, en;q=0.5", "en"),
            ("zh-Hant-HK, zh;q=0.9", "zh-Hans"),
            ("de, en;q=0.3, zh;q=0.5", "zh-Hans"), ("de", nil), ("de, *;q=0.1", "en"), ("*", "en"),
            ("en;q=0, zh;q=0.1", "zh-Hans"), ("en;q=x, zh", "zh-Hans"),
            ("fr;q=0.5, en;q=0.5, zh;q=0.5", "en"), ("english-speaking-please, zh", "zh-Hans"), ("en_US, zh", "zh-Hans"),
            ("-, zh", "zh-Hans"),
            ("zh-x-private", "zh-Hans"), ("en-x-abc", "en"),
        ] as [(String?, String?)])
    func language(text: String?, expected: String?) {
        #expect(AcceptLanguage(text).preferred(among: ["en", "zh-Hans"]) == expected)
    }

    @Test("Traditional Chinese is found where it is offered")
    func traditional() {
        #expect(AcceptLanguage("zh-TW").preferred(among: ["zh-Hans", "zh-Hant"]) == "zh-Hant")
        #expect(AcceptLanguage("zh").preferred(among: ["zh-Hant", "zh-Hans"]) == "zh-Hans")
    }
}
