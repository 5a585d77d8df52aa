// One context of the stack, taken apart once when it is entered, so that looking names up in it is a walk over memory.

/// A context while it is being rendered.
///
/// Its pointers go into arrays that the value owns: right for as long as the value exists and does not change, which
/// `Renderer` sees to.
struct Frame {
    let value: UnsafePointer<Value>
    private let entries: UnsafePointer<(Key, Value)>?
    private let count: Int

    init(_ value: UnsafePointer<Value>) {
        self.value = value
        if case .object(let object) = value.pointee {
            (entries, count) = object.entries.withUnsafeBufferPointer { ($0.baseAddress, $0.count) }
        } else {
            (entries, count) = (nil, 0)
        }
    }

    /// The value of a name, if this is an object that has it; looks where the hint says first, and updates it.
    @inline(__always)
    func find(_ key: UnsafePointer<Key>, _ hint: UnsafeMutablePointer<Int>) -> UnsafePointer<Value>? {
        guard let entries else { return nil }
        let likely = hint.pointee
        if likely < count, entries[likely].0 == key.pointee { return Frame.value(of: entries + likely) }
        for index in 0..<count where entries[index].0 == key.pointee {
            hint.pointee = index
            return Frame.value(of: entries + index)
        }
        return nil
    }

    /// The elements of a list.
    static func elements(of value: UnsafePointer<Value>) -> (UnsafePointer<Value>, Int)? {
        guard case .list(let list) = value.pointee else { return nil }
        return list.withUnsafeBufferPointer { elements in elements.baseAddress.map { ($0, elements.count) } }
    }

    /// Where the value of an entry is: tuples are laid out in order, each part aligned.
    ///
    /// The standard library's `MemoryLayout.offset(of:)` says the same, but is not worked out when compiling.
    @inline(__always)
    private static func value(of entry: UnsafePointer<(Key, Value)>) -> UnsafePointer<Value> {
        let alignment = MemoryLayout<Value>.alignment
        let offset = (MemoryLayout<Key>.size + alignment - 1) / alignment * alignment
        return (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: Value.self)
    }
}
