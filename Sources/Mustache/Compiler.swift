// Turns parsed templates into code: partials, parents and blocks are resolved here and put in place, constants become part
// of the text around them. What can reach itself through partials or parents becomes a program of its own that is called.
//
// A block's override belongs to the template that wrote it: blocks inside it are resolved there (lexically), while names
// are looked up where it ends up. Of two overrides of a block the one further from the parent wins.

/// A block's override, with what overrides the blocks in it.
struct Override {
    var block: Block
    var environment: Int
}

/// How the indentation of a source's lines is turned into that of the output.
private struct Indentation {
    /// Put in front of each line.
    var added: [UInt8] = []
    /// Taken off each line first, as far as the line begins with it.
    var removed: [UInt8] = []
    /// Whether the caller of the program adds more.
    var isCalled = false

    func applied(to line: some Collection<UInt8>) -> [UInt8] {
        var common = 0
        for (left, right) in zip(line, removed) {
            guard left == right else { break }
            common += 1
        }
        return added + line.dropFirst(common)
    }
}

struct Compiler {
    /// How many nodes and bytes all templates may come to once put together: far beyond any site, and an end for
    /// templates that double at each level.
    private static let (mostNodes, mostBytes) = (1 << 18, 1 << 26)

    private(set) var code: Code
    private let trees: [[Node]]
    private let indices: [String: Int]
    private let constants: Constants
    private var reachesItself: [Bool] = []
    /// Overrides by block name; the first environment has none.
    private var environments: [[String: Override]] = [[:]]
    private var programs: [ProgramKey: Int] = [:]
    private var waiting: [ProgramKey] = []
    private var paths: [[UInt8]: Int32] = [:]
    private var used: Set<ObjectIdentifier> = []
    private var declared: [Block] = []
    /// Whether the last instruction is a literal that may grow.
    private var canExtend = false
    /// How many nodes have been compiled.
    private var visited = 0

    private struct ProgramKey: Hashable {
        var template: Int
        var environment: Int
    }

    init(_ names: [String], _ trees: [[Node]], constants: Constants, isStrict: Bool) {
        self.trees = trees
        self.constants = constants
        indices = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        code = Code()
        code.templates = names
        code.isStrict = isStrict
        reachesItself = References(trees, indices).reachingThemselves
    }

    /// Compiles every template; the first programs are theirs, in order.
    mutating func compile() throws(TemplateError) {
        for template in trees.indices { _ = program(template, 0) }
        var next = 0
        while next < waiting.count {
            let key = waiting[next]
            next += 1
            let start = code.instructions.count
            canExtend = false
            let indentation = Indentation(isCalled: reachesItself[key.template])
            try compile(trees[key.template], indentation, key.environment)
            code.programs.append(start..<code.instructions.count)
        }
        if code.isStrict, let block = declared.first(where: { !used.contains(ObjectIdentifier($0)) }) {
            throw code.error(block.position, "no block \(block.name) is there to be overridden")
        }
    }

    private mutating func program(_ template: Int, _ environment: Int) -> Int {
        let key = ProgramKey(template: template, environment: environment)
        if let known = programs[key] { return known }
        waiting.append(key)
        programs[key] = waiting.count - 1
        return waiting.count - 1
    }

    private mutating func compile(
        _ nodes: [Node], _ indentation: Indentation, _ environment: Int
    ) throws(TemplateError) {
        for node in nodes {
            visited += 1
            switch node {
            case .text(let bytes, let startsLine):
                if startsLine { startLine(bytes, indentation) } else { literal(bytes) }
            case .variable(let name, let isEscaped, let position):
                if let text = try constants.text(name, isEscaped: isEscaped, { code.error(position, $0) }) {
                    literal(text)
                } else {
                    emit(isEscaped ? escaped(path(name)) : .unescaped(path(name)), position)
                }
            case .section(let name, let isInverted, _, let children, let position):
                if constants.isConstant(name.text) { throw code.error(position, "a constant cannot be a section") }
                let path = path(name)
                let start = code.instructions.count
                emit(.inverted(path, end: 0), position)
                try compile(children, indentation, environment)
                let end = Int32(code.instructions.count)
                code.instructions[start] = isInverted ? .inverted(path, end: end) : .section(path, end: end)
                canExtend = false
            case .partial(let name, let own, let position):
                try include(name, own, indentation, environment, position)
            case .parent(let name, let own, let arguments, let position):
                let inner = self.environment(environment, adding: arguments)
                try include(name, own, indentation, inner, position)
            case .block(let block):
                try expand(block, indentation, environment)
            }
        }
    }

    private mutating func include(
        _ name: String, _ own: [UInt8]?, _ outer: Indentation, _ environment: Int, _ position: Position
    ) throws(TemplateError) {
        try limit(position)
        guard let template = indices[name] else {
            if code.isStrict { throw code.error(position, "there is no template \(name)") }
            return
        }
        var indentation = Indentation()
        if let own { indentation = Indentation(added: outer.applied(to: own), isCalled: outer.isCalled) }
        guard reachesItself[template] else { return try compile(trees[template], indentation, environment) }
        let start = Int32(code.literals.count)
        code.literals += indentation.added
        canExtend = false
        let call = Instruction.call(
            Int32(program(template, environment)), start: start, count: Int32(indentation.added.count),
            keepsIndentation: indentation.isCalled)
        emit(call, position)
    }

    /// Puts a block's override, or else its own content, in its place.
    private mutating func expand(
        _ block: Block, _ outer: Indentation, _ environment: Int
    ) throws(TemplateError) {
        guard let override = environments[environment][block.name] else {
            if block.leads, !block.isStandalone { startLine(block.indentation, outer) }
            return try compile(block.children, outer, environment)
        }
        try limit(block.position)
        used.insert(ObjectIdentifier(override.block))
        let inner = Indentation(
            added: outer.applied(to: block.indentation), removed: override.block.indentation, isCalled: outer.isCalled)
        var content = override.block.children[...]
        let bringsIndentation = content.first?.startsLine ?? block.isStandalone
        if block.leads || block.isStandalone {
            if !bringsIndentation { startLine([], inner) }
        } else if case .text(let bytes, startsLine: true) = content.first {
            // In the middle of a line: the first line of the override goes on with it.
            literal(Array(Indentation(removed: inner.removed).applied(to: bytes)))
            content = content.dropFirst()
        }
        try compile(Array(content), inner, override.environment)
    }

    /// The environment inside a parent: what overrides it already goes before its own arguments.
    private mutating func environment(_ outer: Int, adding arguments: [Block]) -> Int {
        if arguments.isEmpty { return outer }
        var inner = environments[outer]
        for block in arguments where inner[block.name] == nil {
            inner[block.name] = Override(block: block, environment: outer)
        }
        if outer == 0 { declared += arguments }
        if let known = environments.firstIndex(where: { same($0, inner) }) { return known }
        environments.append(inner)
        return environments.count - 1
    }

    private func same(_ left: [String: Override], _ right: [String: Override]) -> Bool {
        left.count == right.count
            && left.allSatisfy { name, override in
                right[name].map { $0.block === override.block && $0.environment == override.environment } ?? false
            }
    }
}

extension Compiler {
    private mutating func startLine(_ bytes: [UInt8], _ indentation: Indentation) {
        if indentation.isCalled {
            code.instructions.append(.indentation)
            code.positions.append(Position(template: 0, line: 0, column: 0))
            canExtend = false
        }
        literal(indentation.applied(to: bytes))
    }

    private mutating func literal(_ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        let start = code.literals.count
        code.literals += bytes
        if canExtend, case .literal(let first, let count)? = code.instructions.last {
            code.instructions[code.instructions.count - 1] = .literal(start: first, count: count + Int32(bytes.count))
        } else {
            code.instructions.append(.literal(start: Int32(start), count: Int32(bytes.count)))
            code.positions.append(Position(template: 0, line: 0, column: 0))
            canExtend = true
        }
    }

    /// The instruction for an escaped value, with the literal in front of it.
    private mutating func escaped(_ path: Int32) -> Instruction {
        guard canExtend, case .literal(let start, let count)? = code.instructions.last else {
            return .escaped(path, start: 0, count: 0)
        }
        code.instructions.removeLast()
        code.positions.removeLast()
        return .escaped(path, start: start, count: count)
    }

    /// Asked wherever nodes are compiled again: between two such places only what was written once can be added.
    private func limit(_ position: Position) throws(TemplateError) {
        if visited > Compiler.mostNodes || code.literals.count > Compiler.mostBytes {
            throw code.error(position, "the templates are too large once put together")
        }
    }

    private mutating func emit(_ instruction: Instruction, _ position: Position) {
        code.instructions.append(instruction)
        code.positions.append(position)
        canExtend = false
    }

    private mutating func path(_ name: Name) -> Int32 {
        let bytes = Array(name.text.utf8)
        if let known = paths[bytes] { return known }
        let path = Path(first: Int32(code.keys.count), count: Int32(name.parts.count), isScoped: name.isScoped)
        code.keys += name.parts
        code.paths.append(path)
        code.names.append(name.text)
        paths[bytes] = Int32(code.paths.count - 1)
        return Int32(code.paths.count - 1)
    }
}
