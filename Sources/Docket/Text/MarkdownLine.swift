// What a line of Markdown begins: the block structure is decided line by line, from its first bytes.

/// One line without its line end.
struct MarkdownLine {
    enum Start {
        case blank
        case fence(Fence)
        case heading(level: Int, text: ArraySlice<UInt8>)
        case rule
        case quote
        case item(Marker)
        case text
    }

    struct Fence: Equatable {
        let byte: UInt8
        let count: Int
    }

    /// What a list item begins with.
    struct Marker {
        /// Nil for a bullet.
        let number: Int?
        /// Columns of the marker and its space.
        let width: Int
        let text: ArraySlice<UInt8>

        /// Takes `[ ] ` or `[x] ` from a text: whether it is ticked; nil if there is no box.
        func takeBox(from text: inout ArraySlice<UInt8>) -> Bool? {
            let head = Array(text.prefix(4))
            guard head.count == 4, head[0] == 0x5B, head[2] == 0x5D, head[3] == 0x20, [0x20, 0x58, 0x78].contains(head[1]) else {
                return nil
            }
            text = text.dropFirst(4)
            return head[1] != 0x20
        }
    }

    /// How deep quotes and lists may stand in each other.
    static let maximumDepth = 8

    let bytes: ArraySlice<UInt8>
    /// Columns of white space in front; a tab goes to the next multiple of four.
    let indent: Int
    /// Without white space at both ends.
    let content: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        var columns = 0
        var start = bytes.startIndex
        while start < bytes.endIndex, bytes[start] == 0x20 || bytes[start] == 0x09 {
            columns = bytes[start] == 0x20 ? columns + 1 : (columns / 4 + 1) * 4
            start += 1
        }
        var end = bytes.endIndex
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        indent = columns
        content = bytes[start..<end]
    }

    var isBlank: Bool { content.isEmpty }

    /// Below the greatest depth quotes and lists are plain text.
    func start(depth: Int) -> Start {
        guard let first = content.first else { return .blank }
        if let fence { return .fence(fence) }
        if first == 0x23, let (level, text) = heading { return .heading(level: level, text: text) }
        if isRule { return .rule }
        guard depth < Self.maximumDepth else { return .text }
        if first == 0x3E { return .quote }
        if let marker { return .item(marker) }
        return .text
    }

    /// Whether the line goes on with the paragraph above it. A number other than 1 does not begin a list in the middle of a text:
    /// `The year was` / `2026. It snowed.`
    func continuesParagraph(depth: Int) -> Bool {
        switch start(depth: depth) {
        case .text: true
        case .item(let marker): marker.number.map { $0 != 1 } ?? false
        case .blank, .fence, .heading, .rule, .quote: false
        }
    }

    /// The line without so many columns of white space in front, or as many as there are.
    func dropping(columns: Int) -> ArraySlice<UInt8> {
        var rest = bytes
        var column = 0
        while column < columns, let byte = rest.first, byte == 0x20 || byte == 0x09 {
            column = byte == 0x20 ? column + 1 : (column / 4 + 1) * 4
            rest = rest.dropFirst()
        }
        return rest
    }

    func closes(_ fence: Fence) -> Bool {
        content.count >= fence.count && content.allSatisfy { $0 == fence.byte }
    }

    /// The text behind `>`; nil if the line is not quoted.
    var quoted: ArraySlice<UInt8>? {
        guard content.first == 0x3E else { return nil }
        let rest = content.dropFirst()
        return rest.first == 0x20 ? rest.dropFirst() : rest
    }

    private var fence: Fence? {
        guard let byte = content.first, byte == 0x60 || byte == 0x7E else { return nil }
        let count = content.prefix { $0 == byte }.count
        guard count >= 3, byte == 0x7E || !content.dropFirst(count).contains(0x60) else { return nil }
        return Fence(byte: byte, count: count)
    }

    /// `# text`. Without the space it is a word such as `#1`, and without text there is nothing to head.
    private var heading: (level: Int, text: ArraySlice<UInt8>)? {
        let level = content.prefix { $0 == 0x23 }.count
        guard level <= 6, let space = content.dropFirst(level).first, space == 0x20 || space == 0x09 else { return nil }
        var text = MarkdownLine(content.dropFirst(level)).content
        // Closing signs are left out when a space stands before them: `# C#` keeps its own.
        let open = text.reversed().drop { $0 == 0x23 }
        if let last = open.first, last == 0x20 || last == 0x09 {
            text = MarkdownLine(text.prefix(open.count)).content
        }
        return text.isEmpty || text.allSatisfy { $0 == 0x23 } ? nil : (level, text)
    }

    private var isRule: Bool {
        guard let byte = content.first, byte == 0x2D || byte == 0x2A || byte == 0x5F else { return false }
        var count = 0
        for other in content {
            if other == byte { count += 1 } else if other != 0x20, other != 0x09 { return false }
        }
        return count >= 3
    }

    private var marker: Marker? {
        var number: Int?
        var rest = content
        if let byte = rest.first, byte == 0x2D || byte == 0x2A || byte == 0x2B {
            rest = rest.dropFirst()
        } else {
            let digits = rest.prefix(10).prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            guard (1...9).contains(digits.count), rest.first == 0x2E || rest.first == 0x29 else { return nil }
            number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            rest = rest.dropFirst()
        }
        guard let space = rest.first, space == 0x20 || space == 0x09 else { return nil }
        let text = MarkdownLine(rest).content
        return Marker(number: number, width: rest.startIndex - content.startIndex + 1, text: text)
    }
}
