// A template found once and rendered many times.

/// A compiled template of a library.
public struct Template: Sendable {
    /// Its name.
    public let name: String
    let library: CompiledLibrary
    let program: Int

    /// Appends the template, rendered with a context. Where it throws, nothing has been appended.
    public func render(_ context: Value, into output: inout [UInt8]) throws(TemplateError) {
        try Renderer.render(library, program: program, context, into: &output)
    }
}
