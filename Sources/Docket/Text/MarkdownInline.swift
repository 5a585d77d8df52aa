// The inside of a Markdown paragraph: code, emphasis, links, bare addresses and line breaks. One pass cuts the text into pieces and
// pairs delimiters as they close; a second writes. At most 32 delimiters wait for their partner, so hostile rows of them cost no more
// than other text, and tags are never nested deeper than that. Only pairs write tags, so the HTML is always well formed.

struct MarkdownInline {
    private static let maximumWaiting = 32

    private enum Kind { case text, code, lineBreak, address }

    /// A part of the text, with the tags that stand before and behind it.
    private struct Piece {
        var kind: Kind
        var range: Range<Int>
        var before: [UInt8] = []
        var behind: [UInt8] = []
    }

    /// A delimiter that has no partner yet: `*`, `_` or `[`, and how many of them.
    private struct Waiting {
        let byte: UInt8
        let piece: Int
        var count: Int
    }

    private let text: ArraySlice<UInt8>
    private var pieces: [Piece] = []
    private var waiting: [Waiting] = []
    private var textStart: Int
    /// For each length of a row of backquotes, where the last such row begins.
    private var lastBackquotes: [Int]?

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        textStart = text.startIndex
        parse()
    }

    func write(into output: inout [UInt8]) {
        for piece in pieces {
            output.append(contentsOf: piece.before)
            switch piece.kind {
            case .text:
                Markdown.escape(text[piece.range], into: &output)
            case .lineBreak:
                output.append(contentsOf: "<br>\n".utf8)
            case .code:
                output.append(contentsOf: "<code>".utf8)
                Markdown.escape(text[piece.range], into: &output)
                output.append(contentsOf: "</code>".utf8)
            case .address:
                output.append(contentsOf: Self.openLink(text[piece.range]))
                Markdown.escape(text[piece.range], into: &output)
                output.append(contentsOf: "</a>".utf8)
            }
            output.append(contentsOf: piece.behind)
        }
    }

    private static func openLink(_ address: ArraySlice<UInt8>) -> [UInt8] {
        var tag = Array("<a href=\"".utf8)
        Markdown.escape(address, into: &tag)
        tag.append(contentsOf: "\" rel=\"noopener noreferrer nofollow\">".utf8)
        return tag
    }

    private mutating func parse() {
        var index = text.startIndex
        while index < text.endIndex {
            switch text[index] {
            case 0x0A:
                flush(until: index)
                pieces.append(Piece(kind: .lineBreak, range: index..<index))
                index = skip(to: index + 1)
            case 0x5C where index + 1 < text.endIndex && Self.isPunctuation(text[index + 1]):
                flush(until: index)
                textStart = index + 1
                index += 2
            case 0x60:
                index = code(at: index)
            case 0x2A, 0x5F:
                index = emphasis(at: index)
            case 0x5B:
                flush(until: index)
                wait(Waiting(byte: 0x5B, piece: pieces.count, count: 1))
                pieces.append(Piece(kind: .text, range: index..<index + 1))
                index = skip(to: index + 1)
            case 0x5D:
                index = closeBracket(at: index)
            case 0x48, 0x4D, 0x68, 0x6D:
                index = address(at: index)
            default:
                index += 1
            }
        }
        flush(until: text.endIndex)
    }

    /// Makes a piece of the plain text before a place.
    private mutating func flush(until index: Int) {
        if textStart < index { pieces.append(Piece(kind: .text, range: textStart..<index)) }
        textStart = index
    }

    /// Plain text goes on at a place.
    private mutating func skip(to index: Int) -> Int {
        textStart = index
        return index
    }

    private mutating func wait(_ delimiter: Waiting) {
        if waiting.count == Self.maximumWaiting { waiting.removeFirst() }
        waiting.append(delimiter)
    }

    // MARK: Code

    private mutating func code(at start: Int) -> Int {
        let count = text[start...].prefix { $0 == 0x60 }.count
        let content = start + count
        guard count <= 32, rowsOfBackquotes()[count] > start else { return content }
        // A closing row exists, so what is read here is taken, and nothing is read twice.
        var index = content
        while index < text.endIndex {
            if text[index] != 0x60 {
                index += 1
                continue
            }
            let row = text[index...].prefix { $0 == 0x60 }.count
            if row == count { break }
            index += row
        }
        flush(until: start)
        var range = content..<index
        // One space at both ends parts the code from its backquotes: `` ` ``.
        if range.count > 2, text[range.lowerBound] == 0x20, text[range.upperBound - 1] == 0x20 {
            range = range.lowerBound + 1..<range.upperBound - 1
        }
        pieces.append(Piece(kind: .code, range: range))
        return skip(to: index + count)
    }

    private mutating func rowsOfBackquotes() -> [Int] {
        if let lastBackquotes { return lastBackquotes }
        var last = [Int](repeating: -1, count: 33)
        var index = text.startIndex
        while index < text.endIndex {
            let row = text[index...].prefix { $0 == 0x60 }.count
            if (1...32).contains(row) { last[row] = index }
            index += max(row, 1)
        }
        lastBackquotes = last
        return last
    }

    // MARK: Emphasis

    private mutating func emphasis(at start: Int) -> Int {
        let byte = text[start]
        let row = text[start...].prefix { $0 == byte }.count
        let end = start + row
        // Four and more are decoration.
        guard row <= 3 else { return end }
        let before = start > text.startIndex ? text[start - 1] : nil
        let behind = end < text.endIndex ? text[end] : nil
        var canOpen = behind.map { !Self.isSpace($0) } ?? false
        var canClose = before.map { !Self.isSpace($0) } ?? false
        let isBetweenWords = before.map(Self.isWordByte) == true && behind.map(Self.isWordByte) == true
        if byte == 0x5F {
            // Names with lines in them stay whole: `some_file_name`.
            canOpen = canOpen && before.map(Self.isWordByte) != true
            canClose = canClose && behind.map(Self.isWordByte) != true
        } else if isBetweenWords, before.map(Self.isDigit) == true, behind.map(Self.isDigit) == true {
            return end
        }
        flush(until: start)
        var piece = Piece(kind: .text, range: start..<end)
        if canClose {
            while !piece.range.isEmpty, let place = waiting.lastIndex(where: { $0.byte == byte }) {
                // Whatever waits in between would overlap: it stays plain text.
                waiting.removeLast(waiting.count - place - 1)
                let count = min(waiting[place].count, piece.range.count, 2)
                let opener = waiting[place].piece
                // The pair found last is the outer one, so its tag stands before the tags that are there.
                pieces[opener].behind.insert(contentsOf: (count == 2 ? "<strong>" : "<em>").utf8, at: 0)
                pieces[opener].range = pieces[opener].range.dropLast(count)
                piece.before.append(contentsOf: (count == 2 ? "</strong>" : "</em>").utf8)
                piece.range = piece.range.dropLast(count)
                waiting[place].count -= count
                if waiting[place].count == 0 { waiting.removeLast() }
            }
        }
        if canOpen, !piece.range.isEmpty { wait(Waiting(byte: byte, piece: pieces.count, count: piece.range.count)) }
        pieces.append(piece)
        return skip(to: end)
    }

    // MARK: Links

    private mutating func closeBracket(at index: Int) -> Int {
        guard let place = waiting.lastIndex(where: { $0.byte == 0x5B }) else { return index + 1 }
        let opener = waiting[place].piece
        let content = pieces[opener].range.upperBound..<index
        guard index + 1 < text.endIndex, text[index + 1] == 0x28, !text[content].allSatisfy(Self.isSpace),
            let (address, end) = MarkdownLink.destination(text[(index + 2)...])
        else {
            waiting.remove(at: place)
            return index + 1
        }
        flush(until: index)
        // No link stands in another: brackets that wait further out are text, and so are addresses in between.
        waiting.removeLast(waiting.count - place)
        waiting.removeAll { $0.byte == 0x5B }
        for inner in opener..<pieces.count where pieces[inner].kind == .address { pieces[inner].kind = .text }
        pieces[opener].range = pieces[opener].range.dropLast(1)
        pieces[opener].behind = Self.openLink(text[address])
        pieces.append(Piece(kind: .text, range: index..<index, before: Array("</a>".utf8)))
        return skip(to: end)
    }

    private mutating func address(at index: Int) -> Int {
        // In the middle of a word no address begins.
        if index > text.startIndex, MarkdownLink.isAlphanumeric(text[index - 1]) { return index + 1 }
        guard let range = MarkdownLink.bareAddress(text[index...]) else { return index + 1 }
        flush(until: index)
        pieces.append(Piece(kind: .address, range: range))
        return skip(to: range.upperBound)
    }

    // MARK: Bytes

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isWordByte(_ byte: UInt8) -> Bool { byte >= 0x80 || MarkdownLink.isAlphanumeric(byte) }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
            || (0x7B...0x7E).contains(byte)
    }
}
