// The safe subset of Markdown in which contents are shown: paragraphs, line breaks, headings, lists and boxes to tick, quotes, code, rules,
// emphasis and links. The only tags in the answer are those written here; everything typed is escaped, raw HTML included.
// Time is linear in the length of the text, and nesting ends at a fixed depth, so no text can stop a page.
// Unlike CommonMark: a line end is a line break (people write notes that way), no raw HTML, no images, no indented code, no references.

enum Markdown {
    /// The HTML of a text in UTF-8, to be put into a page as it is.
    static func html(of text: String) -> [UInt8] {
        var renderer = MarkdownRenderer()
        renderer.output.reserveCapacity(text.utf8.count * 2)
        // A text that a form has just brought, and that is only looked at, has the line ends of forms.
        let lines = Array(text.utf8).split(separator: 0x0A, omittingEmptySubsequences: false).map {
            $0.last == 0x0D ? $0.dropLast() : $0
        }
        renderer.blocks(lines, depth: 0)
        return renderer.output
    }

    /// Appends text to HTML, fit for an element's content and for an attribute in double quotes.
    static func escape(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) {
        for byte in bytes {
            switch byte {
            case 0x26: output.append(contentsOf: "&amp;".utf8)
            case 0x3C: output.append(contentsOf: "&lt;".utf8)
            case 0x3E: output.append(contentsOf: "&gt;".utf8)
            case 0x22: output.append(contentsOf: "&quot;".utf8)
            case 0x27: output.append(contentsOf: "&#39;".utf8)
            default: output.append(byte)
            }
        }
    }
}

/// Writes blocks. Each level of nesting passes once over its lines.
private struct MarkdownRenderer {
    var output: [UInt8] = []

    /// `isItem`: the first paragraph of a list item stands in it without a tag of its own.
    mutating func blocks(_ lines: [ArraySlice<UInt8>], depth: Int, isItem: Bool = false) {
        var isBare = isItem
        var index = 0
        while index < lines.count {
            let line = MarkdownLine(lines[index])
            switch line.start(depth: depth) {
            case .blank:
                index += 1
                continue
            case .fence(let fence):
                code(lines, fence, indent: line.indent, &index)
            case .heading(let level, let text):
                let tag = "h\(min(level + 2, 6))"
                write("<\(tag)>")
                MarkdownInline(text).write(into: &output)
                write("</\(tag)>\n")
                index += 1
            case .rule:
                write("<hr>\n")
                index += 1
            case .quote:
                quote(lines, depth: depth, &index)
            case .item(let marker):
                list(lines, first: marker, depth: depth, &index)
            case .text:
                paragraph(lines, depth: depth, isBare: isBare, &index)
            }
            isBare = false
        }
    }

    private mutating func paragraph(_ lines: [ArraySlice<UInt8>], depth: Int, isBare: Bool, _ index: inout Int) {
        var text = Array(MarkdownLine(lines[index]).content)
        index += 1
        while index < lines.count {
            let line = MarkdownLine(lines[index])
            guard line.continuesParagraph(depth: depth) else { break }
            text.append(0x0A)
            text.append(contentsOf: line.content)
            index += 1
        }
        if !isBare { write("<p>") }
        MarkdownInline(text[...]).write(into: &output)
        write(isBare ? "\n" : "</p>\n")
    }

    private mutating func code(_ lines: [ArraySlice<UInt8>], _ fence: MarkdownLine.Fence, indent: Int, _ index: inout Int) {
        write("<pre><code>")
        index += 1
        while index < lines.count {
            let line = MarkdownLine(lines[index])
            if line.closes(fence) {
                index += 1
                break
            }
            Markdown.escape(line.dropping(columns: indent), into: &output)
            output.append(0x0A)
            index += 1
        }
        write("</code></pre>\n")
    }

    private mutating func quote(_ lines: [ArraySlice<UInt8>], depth: Int, _ index: inout Int) {
        var inner: [ArraySlice<UInt8>] = []
        while index < lines.count, let text = MarkdownLine(lines[index]).quoted {
            inner.append(text)
            index += 1
        }
        write("<blockquote>\n")
        blocks(inner, depth: depth + 1)
        write("</blockquote>\n")
    }

    private mutating func list(_ lines: [ArraySlice<UInt8>], first: MarkdownLine.Marker, depth: Int, _ index: inout Int) {
        let indent = MarkdownLine(lines[index]).indent
        switch first.number {
        case nil: write("<ul>\n")
        case 1: write("<ol>\n")
        case let number?: write("<ol start=\"\(number)\">\n")
        }
        while index < lines.count {
            let line = MarkdownLine(lines[index])
            guard line.indent <= indent + 1, line.indent >= indent, case .item(let marker) = line.start(depth: depth),
                (marker.number == nil) == (first.number == nil)
            else { break }
            item(lines, marker, indent: line.indent, depth: depth, &index)
        }
        write(first.number == nil ? "</ul>\n" : "</ol>\n")
    }

    private mutating func item(
        _ lines: [ArraySlice<UInt8>], _ marker: MarkdownLine.Marker, indent: Int, depth: Int, _ index: inout Int
    ) {
        var inner = [marker.text]
        if let isDone = marker.takeBox(from: &inner[0]) {
            // A sign, not a form control: it changes nothing, and a control would want a label.
            write(isDone ? "<li class=\"box done\">☑ " : "<li class=\"box\">☐ ")
        } else {
            write("<li>")
        }
        index += 1
        while index < lines.count {
            // Blank lines belong to the item if what follows them does.
            var next = index
            while next < lines.count, MarkdownLine(lines[next]).isBlank { next += 1 }
            guard next < lines.count, MarkdownLine(lines[next]).indent >= indent + 2 else {
                index = next
                break
            }
            inner.append(contentsOf: repeatElement([], count: next - index))
            inner.append(MarkdownLine(lines[next]).dropping(columns: indent + marker.width))
            index = next + 1
        }
        blocks(inner, depth: depth + 1, isItem: true)
        write("</li>\n")
    }

    private mutating func write(_ html: String) { output.append(contentsOf: html.utf8) }
}
