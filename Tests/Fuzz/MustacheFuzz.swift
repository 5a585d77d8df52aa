// What libFuzzer throws at the template engine: any bytes are a template or are refused, and what is rendered escapes what people wrote.
// Compiled with the sources of the module by `Tests/Fuzz/run`.

private let context: Value = [
    "a": "<&\"'>", "b": true, "c": ["x", "<y>"], "d": ["e": "deep", "f": [1, 2]], "n": .null, "empty": .list([]),
]

/// What libFuzzer calls. The pointer holds for the call only; the bytes are copied. A line feed of its own divides template and partial.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    let sources = [("page", parts[0]), ("p", parts.count > 1 ? parts[1] : [])]
    for strict in [true, false] {
        guard let library = try? Library(sources, constants: ["t.x": "<text>"], constantPrefixes: ["t."], strict: strict) else {
            continue
        }
        var output: [UInt8] = []
        let isRendered = (try? library.render("page", context, into: &output)) != nil
        precondition(isRendered || output.isEmpty, "an error after something was written")
    }
    return 0
}
