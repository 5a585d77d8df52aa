// Runs compiled code against a context. No value is copied on the way: the stack of contexts is one of pointers into the
// value that the caller lends, so that looking a name up and writing it counts no references.

struct Renderer: ~Copyable {
    /// How deep sections and calls may nest; data that goes deeper is an error, not the end of the thread's stack.
    static let deepest = 256

    // What makes the pointers right: they go into the library, or into the root context and the arrays that it owns.
    // `render` borrows both for longer than a renderer exists, and neither can change meanwhile.
    private let library: CompiledLibrary
    private let stack: UnsafeMutablePointer<UnsafePointer<Value>>
    private var top = 0
    private var depth = 0
    private var output: Output

    private init(_ library: CompiledLibrary, capacity: Int) {
        self.library = library
        stack = .allocate(capacity: Renderer.deepest + 1)
        output = Output(capacity: capacity)
    }

    deinit { stack.deallocate() }

    /// Renders a program, and appends what it wrote unless it failed.
    static func render(
        _ library: CompiledLibrary, program: Int, _ context: Value, into output: inout [UInt8]
    ) throws(TemplateError) {
        var renderer = Renderer(library, capacity: max(output.capacity - output.count, 4096))
        try withUnsafePointer(to: context) { root throws(TemplateError) in
            renderer.stack[0] = root
            renderer.top = 1
            let range = library.code.programs[program]
            try renderer.run(range.lowerBound, range.upperBound, indentation: [])
        }
        output.append(contentsOf: renderer.output.bytes)
    }

    private mutating func run(_ start: Int, _ end: Int, indentation: [UInt8]) throws(TemplateError) {
        var at = start
        while at < end {
            let instruction = at
            at &+= 1
            switch library.instructions[instruction] {
            case .literal(let start, let count):
                output.append(library.literals + Int(start), Int(count))
            case .escaped(let path):
                if let value = try find(path, instruction) { try write(value, isEscaped: true, instruction) }
            case .unescaped(let path):
                if let value = try find(path, instruction) { try write(value, isEscaped: false, instruction) }
            case .section(let path, let next):
                if let value = try find(path, instruction) {
                    try section(value, instruction, Int(next), indentation)
                }
                at = Int(next)
            case .inverted(let path, let next):
                if let value = try find(path, instruction), value.pointee.isTruthy { at = Int(next) }
            case .call(let program, let start, let count, let keeps):
                let added = UnsafeBufferPointer(start: library.literals + Int(start), count: Int(count))
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
        if let (elements, count) = value.elements {
            for index in 0..<count {
                stack[top &- 1] = elements + index
                try run(instruction &+ 1, end, indentation: indentation)
            }
        } else {
            stack[top &- 1] = value
            try run(instruction &+ 1, end, indentation: indentation)
        }
        top &-= 1
        depth &-= 1
    }

    /// Looks a name up; nil where it is nowhere.
    @inline(__always)
    private func find(_ index: Int32, _ instruction: Int) throws(TemplateError) -> UnsafePointer<Value>? {
        let path = library.paths[Int(index)]
        var level = top &- 1
        if path.count == 0 { return stack[level] }
        let key = library.keys + Int(path.first)
        let lowest = path.isScoped ? level : 0
        while level >= lowest {
            if let found = stack[level].find(key) {
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
    private func find(
        inside found: UnsafePointer<Value>, _ path: Path, _ instruction: Int
    ) throws(TemplateError) -> UnsafePointer<Value>? {
        var found = found
        for part in 1..<Int(path.count) {
            if case .null = found.pointee { return library.nothing }
            let key = library.keys + (Int(path.first) + part)
            guard let next = found.find(key) else {
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
        _ value: UnsafePointer<Value>, isEscaped: Bool, _ instruction: Int
    ) throws(TemplateError) {
        switch value.pointee {
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

// Pointers into arrays that a value owns: right for as long as the value exists and does not change, see `Renderer`.
extension UnsafePointer<Value> {
    /// The value of a name, if this is an object that has it.
    @inline(__always)
    fileprivate func find(_ key: UnsafePointer<Key>) -> UnsafePointer<Value>? {
        guard case .object(let object) = pointee else { return nil }
        return object.entries.withUnsafeBufferPointer { entries in
            guard let start = entries.baseAddress else { return nil }
            for index in 0..<entries.count where start[index].0 == key.pointee {
                return UnsafeRawPointer(start + index).advanced(by: valueOffset).assumingMemoryBound(to: Value.self)
            }
            return nil
        }
    }

    /// The elements of a list.
    fileprivate var elements: (UnsafePointer<Value>, Int)? {
        guard case .list(let list) = pointee else { return nil }
        return list.withUnsafeBufferPointer { elements in elements.baseAddress.map { ($0, elements.count) } }
    }
}

/// Where the value is in an entry of an object: tuples are laid out in order, each part aligned.
///
/// The standard library's `MemoryLayout.offset(of:)` says the same, but is not worked out when compiling.
@inline(__always)
var valueOffset: Int {
    let alignment = MemoryLayout<Value>.alignment
    return (MemoryLayout<Key>.size + alignment - 1) / alignment * alignment
}
