// Compiled code laid out for rendering: plain memory, so that a step reads it without counting references or checking
// bounds that the compiler has already checked.

/// The code that all templates of a library share.
///
/// `@unchecked`: the memory is written in `init` only and freed in `deinit`; in between it is only read, by any thread.
final class CompiledLibrary: @unchecked Sendable {
    let code: Code
    let instructions: UnsafePointer<Instruction>
    let literals: UnsafePointer<UInt8>
    let paths: UnsafePointer<Path>
    let keys: UnsafePointer<Key>
    /// What a name inside `null` is.
    let nothing: UnsafePointer<Value>

    init(_ code: Code) {
        self.code = code
        instructions = CompiledLibrary.memory(code.instructions)
        literals = CompiledLibrary.memory(code.literals)
        paths = CompiledLibrary.memory(code.paths)
        keys = CompiledLibrary.memory(code.keys)
        nothing = CompiledLibrary.memory([.null])
    }

    deinit {
        CompiledLibrary.free(instructions, code.instructions.count)
        CompiledLibrary.free(literals, code.literals.count)
        CompiledLibrary.free(paths, code.paths.count)
        CompiledLibrary.free(keys, code.keys.count)
        CompiledLibrary.free(nothing, 1)
    }

    private static func memory<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
        for (index, element) in elements.enumerated() { (memory + index).initialize(to: element) }
        return UnsafePointer(memory)
    }

    private static func free<Element>(_ start: UnsafePointer<Element>, _ count: Int) {
        let memory = UnsafeMutablePointer(mutating: start)
        memory.deinitialize(count: count)
        memory.deallocate()
    }
}
