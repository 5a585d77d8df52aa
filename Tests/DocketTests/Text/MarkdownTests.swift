// Markdown: what it shows, and that nothing typed ever becomes a tag, an attribute or a long wait.

import Testing

@testable import Docket

private func html(_ text: String) -> String { String(decoding: Markdown.html(of: text), as: UTF8.self) }
private let rel = "rel=\"noopener noreferrer nofollow\""

/// Whether tags nest and all of them are ours: the check that a browser would make of us. Bytes, because `>` and a mark behind it
/// are one Character.
private func isWellFormed(_ html: String) -> Bool {
    let allowed: Set<String> = ["p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "pre", "code", "blockquote", "strong", "em", "a"]
    var open: [String] = []
    for part in html.utf8.split(separator: 0x3C, omittingEmptySubsequences: false).dropFirst() {
        guard let end = part.firstIndex(of: 0x3E) else { return false }
        let tag = String(decoding: part[..<end], as: UTF8.self)
        if tag == "br" || tag == "hr" { continue }
        if tag.hasPrefix("/") {
            guard open.popLast() == String(tag.dropFirst()) else { return false }
            continue
        }
        let name = String(tag.prefix { $0 != " " })
        let attributes = tag.dropFirst(name.count)
        guard allowed.contains(name) else { return false }
        switch name {
        case "a":
            guard attributes.hasSuffix("\" \(rel)"), attributes.utf8.count(where: { $0 == 0x22 }) == 4,
                ["https://", "http://", "mailto:"].contains(where: { attributes.lowercased().hasPrefix(" href=\"\($0)") })
            else { return false }
        case "li":
            guard ["", " class=\"box\"", " class=\"box done\""].contains(attributes) else { return false }
        case "ol":
            guard attributes.isEmpty || attributes.hasPrefix(" start=\"") else { return false }
        default:
            guard attributes.isEmpty else { return false }
        }
        open.append(name)
        if open.count > 100 { return false }
    }
    return open.isEmpty && !html.utf8.contains(0x27)
}

@Suite struct MarkdownTests {
    @Test(
        "Blocks are shown",
        arguments: [
            ("", ""), ("\n\n", ""), ("one\ntwo\n\nthree", "<p>one<br>\ntwo</p>\n<p>three</p>\n"),
            ("# A\n## B ##\n### C\n###### F", "<h3>A</h3>\n<h4>B</h4>\n<h5>C</h5>\n<h6>F</h6>\n"), ("# C#", "<h3>C#</h3>\n"),
            ("#1 rest of line", "<p>#1 rest of line</p>\n"), ("#", "<p>#</p>\n"), ("#work milk", "<p>#work milk</p>\n"),
            ("---", "<hr>\n"), ("* * *", "<hr>\n"), ("a\n***\nb", "<p>a</p>\n<hr>\n<p>b</p>\n"), ("--", "<p>--</p>\n"),
            ("- a\n- b", "<ul>\n<li>a\n</li>\n<li>b\n</li>\n</ul>\n"),
            ("3. a\n4. b", "<ol start=\"3\">\n<li>a\n</li>\n<li>b\n</li>\n</ol>\n"),
            ("1) a", "<ol>\n<li>a\n</li>\n</ol>\n"), ("- a\n\n- b", "<ul>\n<li>a\n</li>\n<li>b\n</li>\n</ul>\n"),
            ("- a\n  - b\n- c", "<ul>\n<li>a\n<ul>\n<li>b\n</li>\n</ul>\n</li>\n<li>c\n</li>\n</ul>\n"),
            ("- a\n    more\n\n  new", "<ul>\n<li>a<br>\nmore\n<p>new</p>\n</li>\n</ul>\n"),
            (
                "- [ ] a\n- [x] b\n- [y] c",
                "<ul>\n<li class=\"box\">☐ a\n</li>\n<li class=\"box done\">☑ b\n</li>\n<li>[y] c\n</li>\n</ul>\n"
            ),
            ("The year was\n2026. It snowed.", "<p>The year was<br>\n2026. It snowed.</p>\n"),
            ("买：\n- 牛奶", "<p>买：</p>\n<ul>\n<li>牛奶\n</li>\n</ul>\n"),
            ("> a\n> > b\n\nc", "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n<p>c</p>\n"),
            ("```swift\nlet a = 1 < 2\n\n*x*\n```\nb", "<pre><code>let a = 1 &lt; 2\n\n*x*\n</code></pre>\n<p>b</p>\n"),
            ("~~~\nopen", "<pre><code>open\n</code></pre>\n"), ("- a\n\nb", "<ul>\n<li>a\n</li>\n</ul>\n<p>b</p>\n"),
            ("-5 degrees", "<p>-5 degrees</p>\n"),
            ("    indented", "<p>indented</p>\n"), ("- a\n1. b", "<ul>\n<li>a\n</li>\n</ul>\n<ol>\n<li>b\n</li>\n</ol>\n"),
        ])
    func blocks(_ text: String, _ expected: String) {
        #expect(html(text) == expected)
        #expect(html(text.replacing("\n", with: "\r\n")) == expected, "as a form brings it")
    }

    @Test(
        "Emphasis and code are shown",
        arguments: [
            ("*a* _b_ **c** __d__", "<em>a</em> <em>b</em> <strong>c</strong> <strong>d</strong>"),
            ("***a***", "<em><strong>a</strong></em>"),
            ("**a *b* c**", "<strong>a <em>b</em> c</strong>"), ("**重要：**请看", "<strong>重要：</strong>请看"), ("2*3*4", "2*3*4"),
            ("some_file_name", "some_file_name"),
            ("a * b * c", "a * b * c"), ("*open", "*open"), ("**a*", "*<em>a</em>"), ("*a**", "<em>a</em>*"),
            ("a **** b", "a **** b"),
            ("\\*a\\*", "*a*"),
            ("`a*b*`", "<code>a*b*</code>"), ("`` ` ``", "<code>`</code>"), ("`open", "`open"),
            ("`<b>`", "<code>&lt;b&gt;</code>"), ("*a `b*` c*", "<em>a <code>b*</code> c</em>"),
            ("a\\", "a\\"), ("O'Neil & <x>", "O&#39;Neil &amp; &lt;x&gt;"), ("&amp;", "&amp;amp;"),
            ("*a _b* c_", "<em>a _b</em> c_"),
        ])
    func inline(_ text: String, _ expected: String) {
        #expect(html(text) == "<p>\(expected)</p>\n")
    }

    @Test(
        "Links lead to http, https and mailto",
        arguments: [
            ("[x](https://a.example/b?c=1&d=2)", "<a href=\"https://a.example/b?c=1&amp;d=2\" \(rel)>x</a>"),
            ("[a *b*](HTTP://a.example \"title\")", "<a href=\"HTTP://a.example\" \(rel)>a <em>b</em></a>"),
            ("[x](https://zh.example/牛奶_(x))", "<a href=\"https://zh.example/牛奶_(x)\" \(rel)>x</a>"),
            ("[x](mailto:ada@a.example)", "<a href=\"mailto:ada@a.example\" \(rel)>x</a>"),
            ("see https://a.example/x.", "see <a href=\"https://a.example/x\" \(rel)>https://a.example/x</a>."),
            ("(https://a.example/x_(y))", "(<a href=\"https://a.example/x_(y)\" \(rel)>https://a.example/x_(y)</a>)"),
            ("请看https://a.example/x，谢谢", "请看<a href=\"https://a.example/x\" \(rel)>https://a.example/x</a>，谢谢"),
            ("**https://a.example**", "<strong><a href=\"https://a.example\" \(rel)>https://a.example</a></strong>"),
            ("[https://b.example](https://a.example)", "<a href=\"https://a.example\" \(rel)>https://b.example</a>"),
            (
                "[a [b](https://b.example) c](https://a.example)",
                "[a <a href=\"https://b.example\" \(rel)>b</a> c](<a href=\"https://a.example\" \(rel)>https://a.example</a>)"
            ),
            ("xhttps://a.example", "xhttps://a.example"), ("https://", "https://"), ("mailto:ada", "mailto:ada"),
            ("[](https://a.example/x)", "[](<a href=\"https://a.example/x\" \(rel)>https://a.example/x</a>)"),
        ])
    func links(_ text: String, _ expected: String) {
        #expect(html(text) == "<p>\(expected)</p>\n")
    }

    @Test(
        "Nothing typed becomes a tag, an attribute or a link elsewhere",
        arguments: [
            "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "[x](JaVaScRiPt:alert(1))",
            "[x](data:text/html,x)",
            "[x](vbscript:x)", "[x](java\tscript:x)", "[x]( javascript:x)", "[x](//evil.example)", "[x](/tasks)",
            "[x](https:javascript)", "[x](&#106;avascript:x)",
            "[x](https://a.example\" onclick=\"x)", "[x](https://a.example'onclick='x)", "https://a.example\"onmouseover=x",
            "[\"><b>](https://a.example)",
            "![x](javascript:x)", "<https://a.example/<b>>", "`</code><b>`", "```</code><script>\n</code></pre><script>\n```",
            "# <h1>", "- <li>", "> </blockquote>",
            "\"\u{301}<b>", "[x](https://a.example/\u{301}\"x)", "javascript:alert(1)", "[x](https://)", "[x](mailto:)",
            "[a](https://a.example\u{202E}x)",
        ])
    func hostile(_ text: String) {
        let result = html(text)
        #expect(isWellFormed(result), "\(result)")
        #expect(
            !result.contains("href=\"java") && !result.contains("<script") && !result.contains("<img") && !result.contains("<b>"))
    }

    @Test("Random texts of every sign that means something are well formed")
    func noise() {
        let parts = [
            "*", "**", "_", "`", "``", "[", "]", "(", ")", "](https://a.example)", "https://a.example", "\n", "\n\n", "> ", "- ",
            "1. ", "  ", "# ", "```", "---", "a", "牛", "\\",
            "<b>", "'", "\"", "&", "- [ ] ", "mailto:a@b", " ", "\t",
        ]
        for _ in 0..<3_000 {
            let text = (0..<Int.random(in: 1...40)).compactMap { _ in parts.randomElement() }.joined()
            #expect(isWellFormed(html(text)), "\(text.debugDescription)")
        }
    }

    @Test(
        "Long rows of any sign end soon and nest no deeper than a browser likes", .timeLimit(.minutes(1)),
        arguments: [
            "[", "]", "*", "_", "`", ">", "> ", "- ", "#", "(", ")", "<", "\\", "[a](", "[a](http://a", "*a ", "a* ", "*a_b ",
            "_a *b ", "**a ", "`` ` ", "h", "http://", "mailto:", "1. ",
            "\n", "\n\n", "- a\n", "> a\n", "```\n", "[]", "![", "](https://a.example)", "[a](https://a.example \"", "- a\n  ",
            "\t", " ", "* * ",
        ])
    func hostileRows(_ part: String) {
        // Five times the limit of a content: what took time by the square would not end here.
        let text = String(repeating: part, count: 100_000 / part.utf8.count)
        #expect(isWellFormed(html(text)))
    }

    @Test(
        "Rising rows, in which each is a little longer than the one before", .timeLimit(.minutes(1)),
        arguments: ["`", "*", " ", ">", "- ", "["])
    func risingRows(_ part: String) {
        let text = (1...600).map { String(repeating: part, count: $0) + "a" }
        #expect(isWellFormed(html(text.joined(separator: "\n"))))
        #expect(isWellFormed(html(text.joined(separator: " "))))
    }
}
