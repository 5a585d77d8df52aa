import Mustache
import Testing

@Suite("Escaping goes by bytes")
struct EscapingTests {
    /// Escapes byte by byte, as plainly as can be.
    private func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "&"): Array("&amp;".utf8)
            case UInt8(ascii: "<"): Array("&lt;".utf8)
            case UInt8(ascii: ">"): Array("&gt;".utf8)
            case UInt8(ascii: "\""): Array("&quot;".utf8)
            case UInt8(ascii: "'"): Array("&#39;".utf8)
            default: [byte]
            }
        }
    }

    @Test("A special character is escaped whatever combines with it", arguments: ["&", "<", ">", "\"", "'"])
    func combining(_ special: String) throws {
        for mark in ["\u{301}", "\u{338}", "\u{200D}", "\u{FE0F}", "\u{20DD}"] {
            let output = try render("{{x}}", ["x": .text("a" + special + mark + "b")])
            #expect(Array(output.utf8) == escaped(Array(("a" + special + mark + "b").utf8)))
            #expect(!output.utf8.contains(UInt8(ascii: "\"")) && !output.utf8.contains(UInt8(ascii: "<")))
        }
    }

    @Test("Every byte, at every place of a word, is escaped or kept")
    func everyByte() throws {
        let library = try Library([("page", Array("{{x}}".utf8))])
        for byte in UInt8.min...UInt8.max {
            for length in 1...17 {
                for place in 0..<length {
                    var bytes = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                    bytes[place] = byte
                    // What a borrow could take for a special byte stands behind it.
                    if place + 1 < length { bytes[place + 1] = byte ^ 1 }
                    var output: [UInt8] = []
                    try library.render("page", ["x": .bytes(bytes)], into: &output)
                    try #require(output == escaped(bytes), "byte \(byte) at \(place) of \(length)")
                }
            }
        }
    }

    @Test("Nothing but special characters, far beyond what was reserved", arguments: [1, 511, 512, 513, 4096, 100_000])
    func growing(_ count: Int) throws {
        let text = String(repeating: "\"", count: count)
        #expect(try render("{{x}}", ["x": .text(text)]) == String(repeating: "&quot;", count: count))
        #expect(try render("{{{x}}}", ["x": .text(text)]) == text)
    }

    @Test(
        "Hostile text stays text",
        arguments: [
            "\"><script>alert(1)</script>", "' onmouseover='x", "&lt;b&gt;", "\u{0}<\u{0}>", "{{x}}", "{{{x}}}", "\u{202E}<b>",
            "e\u{301}<", "👩‍👩‍👧\"",
        ])
    func hostile(_ text: String) throws {
        #expect(
            Array(try render("<a title=\"{{x}}\">", ["x": .text(text), "y": 1]).utf8)
                == Array("<a title=\"".utf8) + escaped(Array(text.utf8)) + Array("\">".utf8))
    }

    @Test("What is not UTF-8 goes through unchanged, and escaped")
    func notUTF8() throws {
        let library = try Library([("page", Array("{{x}}".utf8))])
        var output: [UInt8] = []
        try library.render("page", ["x": .bytes([0xC3, 0x22, 0xFF, 0x3C])], into: &output)
        #expect(output == [0xC3] + Array("&quot;".utf8) + [0xFF] + Array("&lt;".utf8))
    }
}
