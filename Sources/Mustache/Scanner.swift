// Cuts a source into texts and tags, checks that sections are closed in order, and decides which tags are standalone.
// Works on bytes: a delimiter or a name is never found in the middle of a character, since both are whole UTF-8.

/// A tag of a source.
struct Tag {
    enum Kind: Equatable {
        case variable, unescaped, section, inverted, parent, block, close, partial, comment, delimiters
    }

    var kind: Kind
    var name: String
    /// Where it stands in the source.
    var bytes: Range<Int>
    /// What a closing tag closes, else its own kind.
    var opened: Kind
    /// The opening tag of a closing one, and the other way round: an index into the pieces.
    var partner = 0

    /// Whether it opens or closes a parent or a block.
    var isInheritance: Bool { opened == .parent || opened == .block }
}

/// A piece of a source. Texts never go over the end of a line, and a line always starts with a text, even an empty one.
enum Piece {
    case text(Range<Int>, startsLine: Bool)
    case tag(Tag)
    /// A text that a standalone tag has taken away.
    case removed(Range<Int>)
}

/// What a line has on one side of a tag.
enum Neighbours: Int {
    case blank, inheritance, content
}

struct Scanner {
    /// How deep sections, parents and blocks may nest in one source.
    static let deepest = 100

    let source: [UInt8]
    let template: String
    private(set) var pieces: [Piece] = []
    /// What is in front of each tag on its line, by index of the piece.
    private(set) var before: [Neighbours] = []
    /// What is behind each tag on its line.
    private(set) var after: [Neighbours] = []
    private var opening: [UInt8] = Array("{{".utf8)
    private var closing: [UInt8] = Array("}}".utf8)
    private var open: [Int] = []

    init(_ source: [UInt8], template: String) {
        self.source = source
        self.template = template
    }

    /// Cuts the source.
    mutating func scan() throws(TemplateError) {
        var start = 0
        while let at = find(opening, from: start) {
            appendText(start..<at)
            if at == 0 || source[at - 1] == newline { pieces.append(.text(at..<at, startsLine: true)) }
            start = try scanTag(at)
        }
        appendText(start..<source.count)
        if let index = open.last, case .tag(let tag) = pieces[index] {
            throw error(at: tag.bytes.lowerBound, "\(tag.name) is never closed")
        }
        removeStandalone()
    }

    private mutating func appendText(_ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            let end = source[start..<range.upperBound].firstIndex(of: newline).map { $0 + 1 } ?? range.upperBound
            pieces.append(.text(start..<end, startsLine: start == 0 || source[start - 1] == newline))
            start = end
        }
    }

    private func find(_ pattern: [UInt8], from start: Int) -> Int? {
        guard start + pattern.count <= source.count else { return nil }
        return (start...source.count - pattern.count).first { source[$0...].starts(with: pattern) }
    }

    /// Reads the tag that opens at an offset; returns the offset behind it.
    private mutating func scanTag(_ at: Int) throws(TemplateError) -> Int {
        var inside = source[(at + opening.count)...].firstIndex { !isSpace($0) } ?? source.count
        var kind = Tag.Kind.variable
        var end = closing
        if inside < source.count {
            switch source[inside] {
            case UInt8(ascii: "!"): kind = .comment
            case UInt8(ascii: "#"): kind = .section
            case UInt8(ascii: "^"): kind = .inverted
            case UInt8(ascii: "/"): kind = .close
            case UInt8(ascii: ">"): kind = .partial
            case UInt8(ascii: "<"): kind = .parent
            case UInt8(ascii: "$"): kind = .block
            case UInt8(ascii: "&"): kind = .unescaped
            case UInt8(ascii: "="):
                kind = .delimiters
                end = [UInt8(ascii: "=")] + closing
            case UInt8(ascii: "{"):
                kind = .unescaped
                end = [UInt8(ascii: "}")] + closing
            default: break
            }
            if kind != .variable { inside += 1 }
        }
        guard let stop = find(end, from: inside) else {
            throw error(at: at, "the tag is never closed: \(text(end)) is missing")
        }
        let after = stop + end.count
        let content = trimmed(inside..<stop)
        switch kind {
        case .comment: break
        case .delimiters: try setDelimiters(content, at: at)
        default:
            if content.isEmpty { throw error(at: at, "the tag has no name") }
            if source[content].contains(where: isSpace) { throw error(at: at, "a name cannot contain white space") }
        }
        let name = kind == .comment || kind == .delimiters ? "" : text(source[content])
        var tag = Tag(kind: kind, name: name, bytes: at..<after, opened: kind)
        try nest(&tag)
        pieces.append(.tag(tag))
        return after
    }

    private mutating func setDelimiters(_ content: Range<Int>, at: Int) throws(TemplateError) {
        let words = source[content].split(whereSeparator: isSpace)
        guard words.count == 2, !words.contains(where: { $0.contains(UInt8(ascii: "=")) }) else {
            throw error(at: at, "delimiters are two words without an equals sign")
        }
        (opening, closing) = (Array(words[0]), Array(words[1]))
    }

    /// Pairs a tag with its partner.
    private mutating func nest(_ tag: inout Tag) throws(TemplateError) {
        switch tag.kind {
        case .section, .inverted, .parent, .block:
            if open.count == Scanner.deepest { throw error(at: tag.bytes.lowerBound, "nested too deep") }
            open.append(pieces.count)
        case .close:
            guard let index = open.popLast(), case .tag(var partner) = pieces[index] else {
                throw error(at: tag.bytes.lowerBound, "\(tag.name) is closed but not open")
            }
            guard Array(partner.name.utf8) == Array(tag.name.utf8) else {
                throw error(at: tag.bytes.lowerBound, "\(tag.name) is closed while \(partner.name) is open")
            }
            tag.opened = partner.kind
            tag.partner = index
            partner.partner = pieces.count
            pieces[index] = .tag(partner)
        default: break
        }
    }
}

// Which tags are standalone: those that have their line to themselves, or share it only with tags of parents and blocks.
extension Scanner {
    private mutating func findNeighbours() {
        before = [Neighbours](repeating: .content, count: pieces.count)
        after = before
        var state = Neighbours.blank
        for index in pieces.indices {
            switch pieces[index] {
            case .text(let range, let startsLine):
                if startsLine { state = .blank }
                if !isBlank(range) { state = .content }
            case .tag(let tag):
                before[index] = state
                state = state.and(tag)
            case .removed: break
            }
        }
        state = .blank
        for index in pieces.indices.reversed() {
            switch pieces[index] {
            case .text(let range, _):
                if range.upperBound > range.lowerBound, source[range.upperBound - 1] == newline { state = .blank }
                if !isBlank(range) { state = .content }
            case .tag(let tag):
                after[index] = state
                state = state.and(tag)
            case .removed: break
            }
        }
    }

    /// Takes away the white space and line ends around standalone tags.
    private mutating func removeStandalone() {
        findNeighbours()
        for index in pieces.indices {
            guard case .tag(let tag) = pieces[index] else { continue }
            let isPair = tag.isInheritance && line(index) == line(tag.partner)
            switch (tag.kind, tag.opened) {
            case (.variable, _), (.unescaped, _): break
            case (.parent, _):
                // The whole of the parent is the unit: it must start its line and end one.
                if before[index] == .blank, after[tag.partner] == .blank { remove(index - 1) }
            case (.close, .parent):
                let starts = before[tag.partner] == .blank || before[index] != .content
                if starts, after[index] == .blank { remove(index + 1) }
            case (.block, _):
                // White space in front of a block belongs to it, whether the line ends behind the tag or not.
                if before[index] == .blank { remove(index - 1) }
                if before[index] != .content, after[index] == .blank { remove(index + 1) }
            case (.close, .block):
                guard !isPair, before[index] != .content, after[index] != .content else { break }
                if before[index] == .blank { remove(index - 1) }
                if after[index] == .blank { remove(index + 1) }
            default:
                guard before[index] == .blank, after[index] == .blank else { break }
                remove(index - 1)
                remove(index + 1)
            }
        }
    }

    private mutating func remove(_ index: Int) {
        if index >= 0, index < pieces.count, case .text(let range, _) = pieces[index] { pieces[index] = .removed(range) }
    }

    /// The start of the line that a tag stands on.
    private func line(_ index: Int) -> Int {
        guard case .tag(let tag) = pieces[index] else { return 0 }
        return source[..<tag.bytes.lowerBound].lastIndex(of: newline) ?? -1
    }

    /// Whether there is only white space, or a line end behind it.
    func isBlank(_ range: Range<Int>) -> Bool {
        var range = range
        if let last = source[range].last, last == newline {
            range = range.lowerBound..<range.upperBound - 1
            if source[range].last == UInt8(ascii: "\r") { range = range.lowerBound..<range.upperBound - 1 }
        }
        return source[range].allSatisfy(isIndentation)
    }
}

extension Scanner {
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isSpace(source[start]) { start += 1 }
        while start < end, isSpace(source[end - 1]) { end -= 1 }
        return start..<end
    }

    func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

    /// Line and column of an offset, both from 1.
    func place(_ offset: Int) -> (line: Int, column: Int) {
        let before = source[..<offset]
        let line = before.reduce(1) { $0 + ($1 == newline ? 1 : 0) }
        let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
        let column = source[start..<offset].reduce(1) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        return (line, column)
    }

    func error(at offset: Int, _ message: String) -> TemplateError {
        let (line, column) = place(offset)
        return TemplateError(template: template, line: line, column: column, message: message)
    }
}

extension Neighbours {
    /// What a line has on one side once a tag is added.
    fileprivate func and(_ tag: Tag) -> Neighbours {
        tag.isInheritance && self != .content ? .inheritance : .content
    }
}

let newline = UInt8(ascii: "\n")

/// White space that may stand in front of a standalone tag.
func isIndentation(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

/// White space in a tag.
func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte) }
