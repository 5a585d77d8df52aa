// The text of HTML that another program's editor has made: paragraphs and list items become lines, ticked boxes steps, everything else of
// the markup goes. It reads no page: what is no markup stays as it is.

enum HTMLText {
    /// Plain text, or the text itself where it holds no markup.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(0x3C),
            ["<p", "<br", "<ul", "<ol", "<li", "<h1", "<h2", "<h3", "<div", "<a ", "<strong", "<em"].contains(
                where: text.contains)
        else { return text }
        var output = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "<") {
            output += entities(rest[..<open])
            guard let close = rest[open...].firstIndex(of: ">") else {
                output += rest[open...]
                rest = rest[rest.endIndex...]
                break
            }
            let tag = rest[rest.index(after: open)..<close].lowercased()
            let name = tag.prefix { $0 != " " && $0 != "/" || $0 == "/" && tag.first == "/" }
            switch name {
            case "br", "/p", "/div", "/h1", "/h2", "/h3", "/li", "/tr":
                if !output.hasSuffix("\n"), !output.isEmpty { output += "\n" }
            case "li":
                if !output.isEmpty, !output.hasSuffix("\n") { output += "\n" }
                output += tag.contains("data-checked=\"true\"") ? "- [x] " : tag.contains("data-checked") ? "- [ ] " : "- "
            case "a":
                // The address would be lost with the tag.
                if let start = rest[open...close].firstRange(of: "href=\"")?.upperBound, start < close,
                    let end = rest[start..<close].firstIndex(of: "\"")
                {
                    output += "<" + entities(rest[start..<end]) + "> "
                }
            default: break
            }
            rest = rest[rest.index(after: close)...]
        }
        output += entities(rest)
        while output.hasSuffix("\n") { output.removeLast() }
        return output
    }

    private static let named: [String: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}"]

    private static func entities(_ text: Substring) -> String {
        var output = ""
        var rest = text
        while let open = rest.firstIndex(of: "&") {
            output += rest[..<open]
            rest = rest[open...]
            guard let close = rest.prefix(12).firstIndex(of: ";") else {
                output += "&"
                rest = rest.dropFirst()
                continue
            }
            let name = rest[rest.index(after: open)..<close]
            let digits = name.dropFirst()
            let value = name.hasPrefix("#x") ? UInt32(digits.dropFirst(), radix: 16) : name.hasPrefix("#") ? UInt32(digits) : nil
            if let found = named[String(name)] ?? value.flatMap(Unicode.Scalar.init).map({ String(Character($0)) }) {
                output += found
                rest = rest[rest.index(after: close)...]
            } else {
                output += "&"
                rest = rest.dropFirst()
            }
        }
        return output + rest
    }
}
