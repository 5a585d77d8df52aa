// Makes a tree of nodes from the pieces of a source. The scanner has checked the nesting; here only names can be wrong.

struct Parser {
    private let scanner: Scanner
    private let template: Int32
    private var index = 0
    private let before: [Neighbours]
    private let after: [Neighbours]

    /// Parses a source.
    static func parse(_ source: [UInt8], name: String, template: Int) throws(TemplateError) -> [Node] {
        var scanner = Scanner(source, template: name)
        try scanner.scan()
        var parser = Parser(scanner, template: Int32(truncatingIfNeeded: template))
        return try parser.nodes()
    }

    private init(_ scanner: Scanner, template: Int32) {
        self.scanner = scanner
        self.template = template
        (before, after) = (scanner.before, scanner.after)
    }

    /// Reads up to the next closing tag, and over it.
    private mutating func nodes() throws(TemplateError) -> [Node] {
        var nodes: [Node] = []
        while index < scanner.pieces.count {
            let at = index
            index += 1
            switch scanner.pieces[at] {
            case .removed: break
            case .text(let range, let startsLine): nodes.append(.text(Array(scanner.source[range]), startsLine: startsLine))
            case .tag(let tag):
                if tag.kind == .close { return nodes }
                if let node = try node(tag, at) { nodes.append(node) }
            }
        }
        return nodes
    }

    private mutating func node(_ tag: Tag, _ at: Int) throws(TemplateError) -> Node? {
        let position = position(tag)
        switch tag.kind {
        case .comment, .delimiters, .close: return nil
        case .variable: return .variable(try name(tag), isEscaped: true, position)
        case .unescaped: return .variable(try name(tag), isEscaped: false, position)
        case .section, .inverted:
            let name = try name(tag)
            let isStandalone = indentation(at) != nil
            let children = try nodes()
            return .section(name, isInverted: tag.kind == .inverted, isStandalone: isStandalone, children, position)
        case .partial: return .partial(tag.name, indentation: indentation(at), position)
        case .parent:
            let arguments = try nodes().compactMap { if case .block(let block) = $0 { block } else { nil } }
            return .parent(tag.name, indentation: indentation(at), arguments: arguments, position)
        case .block:
            let isStandalone = before[at] != .content && after[at] == .blank
            let indentation = (isStandalone ? intrinsicIndentation(at) : nil) ?? indentation(at) ?? []
            let children = try nodes()
            return .block(
                Block(
                    name: tag.name, children: children, indentation: indentation, leads: before[at] == .blank,
                    isStandalone: isStandalone, position: position))
        }
    }

    /// The white space that the scanner has taken away in front of a tag; nil where the tag is not standalone.
    private func indentation(_ at: Int) -> [UInt8]? {
        guard before[at] == .blank, at > 0, case .removed(let range) = scanner.pieces[at - 1] else { return nil }
        return Array(scanner.source[range])
    }

    /// The white space that the first line of a block's content begins with; nil where the content is blank.
    private func intrinsicIndentation(_ at: Int) -> [UInt8]? {
        guard case .tag(let tag) = scanner.pieces[at] else { return nil }
        let end = scanner.pieces.indices.contains(tag.partner) ? tag.partner : at
        // The piece behind the tag is what is left of its own line.
        for piece in at + 2..<max(at + 2, end) {
            switch scanner.pieces[piece] {
            case .tag: return nil
            case .text(let range, _), .removed(let range):
                let space = scanner.source[range].prefix(while: isIndentation)
                let isBlankLine = scanner.isBlank(range)
                if !isBlankLine || (piece + 1 < end && space.count == range.count) { return Array(space) }
            }
        }
        return nil
    }

    private func name(_ tag: Tag) throws(TemplateError) -> Name {
        if tag.name == "." { return Name(text: tag.name, parts: [], isScoped: false) }
        let isScoped = tag.name.utf8.first == UInt8(ascii: ".")
        let parts = tag.name.utf8.dropFirst(isScoped ? 1 : 0)
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.contains(where: \.isEmpty) {
            throw scanner.error(at: tag.bytes.lowerBound, "\(tag.name) has an empty part")
        }
        return Name(text: tag.name, parts: parts.map { Key(utf8: Array($0)) }, isScoped: isScoped)
    }

    private func position(_ tag: Tag) -> Position {
        let (line, column) = scanner.place(tag.bytes.lowerBound)
        return Position(
            template: template, line: Int32(truncatingIfNeeded: line), column: Int32(truncatingIfNeeded: column))
    }
}
