// Runs compiled code against a context. No value is copied on the way: the stack of contexts is one of pointers into the
// value that the caller lends, so that looking a name up and writing it counts no references.

struct Renderer: ~Copyable {
    /// How deep sections and calls may nest; data that goes deeper is an error, not the end of the thread's stack.
    static let deepest = 256

    // What makes the pointers right: they go into the library, or into the root context and the arrays that it owns.
    // `render` borrows both for longer than a renderer exists, and neither can change meanwhile.
    private let library: CompiledLibrary
    private let stack: UnsafeMutablePointer<Frame>
    /// Where in its object each path's first name was found last: the rows of a list are alike.
    private let hints: UnsafeMutablePointer<Int>
    private var top = 0
    private var depth = 0
    private var output: Output

    private init(_ library: CompiledLibrary, capacity: Int) {
        self.library = library
        stack = .allocate(capacity: Renderer.deepest + 1)
        hints = .allocate(capacity: library.code.paths.count)
        hints.initialize(repeating: 0, count: library.code.paths.count)
        output = Output(capacity: capacity)
    }

    deinit {
        stack.deallocate()
        hints.deallocate()
    }

    /// Renders a program, and appends what it wrote unless it failed.
    static func render(
        _ library: CompiledLibrary, program: Int, _ context: Value, into output: inout [UInt8]
    ) throws(TemplateError) {
        var renderer = Renderer(library, capacity: max(output.capacity - output.count, 4096))
        try withUnsafePointer(to: context) { root throws(TemplateError) in
            renderer.stack[0] = Frame(root)
            renderer.top = 1
            let range = library.code.programs[program]
            try renderer.run(range.lowerBound, range.upperBound, indentation: [])
        }
        output.append(contentsOf: renderer.output.bytes)
    }

    private mutating func run(_ start: Int, _ end: Int, indentation: [UInt8]) throws(TemplateError) {
        let instructions = library.instructions
        let literals = library.literals
        var at = start
        while at < end {
            let instruction = at
            at &+= 1
            switch instructions[instruction] {
            case .literal(let start, let count):
                output.append(literals + Int(start), Int(count))
            case .escaped(let path, let start, let count):
                output.append(literals + Int(start), Int(count))
                if let value = try find(path, instruction) { try write(value.pointee, isEscaped: true, instruction) }
            case .unescaped(let path):
                if let value = try find(path, instruction) { try write(value.pointee, isEscaped: false, instruction) }
            case .section(let path, let next):
                if let value = try find(path, instruction) {
                    try section(value, instruction, Int(next), indentation)
                }
                at = Int(next)
            case .inverted(let path, let next):
                if let value = try find(path, instruction), value.pointee.isTruthy { at = Int(next) }
            case .call(let program, let start, let count, let keeps):
                let added = UnsafeBufferPointer(start: literals + Int(start), count: Int(count))
                let range = library.code.programs[Int(program)]
                try enter(instruction)
                try run(range.lowerBound, range.upperBound, indentation: (keeps ? indentation : []) + added)
                depth &-= 1
            case .indentation:
                output.append(indentation)
            }
        }
    }

    private mutating func enter(_ instruction: Int) throws(TemplateError) {
        depth &+= 1
        if depth >= Renderer.deepest { throw library.code.error(instruction, "the recursion is too deep") }
    }

    private mutating func section(
        _ value: UnsafePointer<Value>, _ instruction: Int, _ end: Int, _ indentation: [UInt8]
    ) throws(TemplateError) {
        guard value.pointee.isTruthy else { return }
        try enter(instruction)
        top &+= 1
        if let (elements, count) = Frame.elements(of: value) {
            for index in 0..<count {
                stack[top &- 1] = Frame(elements + index)
                try run(instruction &+ 1, end, indentation: indentation)
            }
        } else {
            stack[top &- 1] = Frame(value)
            try run(instruction &+ 1, end, indentation: indentation)
        }
        top &-= 1
        depth &-= 1
    }

    /// Looks a name up; nil where it is nowhere. `mutating`, or else the whole renderer would be copied for each call.
    @inline(__always)
    private mutating func find(_ index: Int32, _ instruction: Int) throws(TemplateError) -> UnsafePointer<Value>? {
        let path = library.paths[Int(index)]
        var level = top &- 1
        if path.count == 0 { return stack[level].value }
        let key = library.keys + Int(path.first)
        let lowest = path.isScoped ? level : 0
        while level >= lowest {
            if let found = stack[level].find(key, hints + Int(index)) {
                return path.count == 1 ? found : try find(inside: found, path, instruction)
            }
            level &-= 1
        }
        if library.code.isStrict {
            throw library.code.error(instruction, "\(library.code.names[Int(index)]) is not in the context")
        }
        return nil
    }

    /// Looks the further parts of a dotted name up, each in what the one before has led to.
    private mutating func find(
        inside found: UnsafePointer<Value>, _ path: Path, _ instruction: Int
    ) throws(TemplateError) -> UnsafePointer<Value>? {
        var found = found
        for part in 1..<Int(path.count) {
            if case .null = found.pointee { return library.nothing }
            let key = library.keys + (Int(path.first) + part)
            var hint = 0
            guard let next = Frame(found).find(key, &hint) else {
                if library.code.isStrict {
                    throw library.code.error(instruction, "\(key.pointee) is not in \(library.keys[Int(path.first) + part - 1])")
                }
                return nil
            }
            found = next
        }
        return found
    }

    @inline(__always)
    private mutating func write(
        _ value: borrowing Value, isEscaped: Bool, _ instruction: Int
    ) throws(TemplateError) {
        switch value {
        case .text(let text): isEscaped ? output.appendEscaped(text) : output.append(text)
        case .bytes(let bytes): isEscaped ? output.appendEscaped(bytes) : output.append(bytes)
        case .html(let bytes): output.append(bytes)
        case .int(let number): output.append(number)
        case .null: break
        case .bool(let value): output.append(value ? "true" : "false")
        case .double(let number): output.append(number)
        case .list, .object:
            if library.code.isStrict { throw library.code.error(instruction, "a list or an object cannot be written") }
        }
    }
}
