// Every template of a program, parsed and compiled together before the first request: what is wrong with one of them
// stops the boot, with its place. Templates are the program's own; what they are rendered with need not be.

/// Compiled templates by name. Follows the Mustache specification with its inheritance module.
public struct Library: Sendable {
    private let compiled: CompiledLibrary
    private let indices: [String: Int]

    /// The names of the templates, in the order given.
    public var names: [String] { compiled.code.templates }

    /// Parses and compiles templates.
    ///
    /// - Parameters:
    ///   - sources: each template's name, by which partials and parents call it, and its UTF-8.
    ///   - constants: full names (`t.list.add`) whose tags are replaced by their text, escaped, while compiling.
    ///   - constantPrefixes: names that begin with one of these (`t.`) must be constants.
    ///   - strict: makes an error of what the specification renders as nothing: a partial or parent that does not exist,
    ///     a name found nowhere in the context, a list or an object written as text, an override of no block.
    /// - Throws: the first fault of a template, with its place.
    public init(
        _ sources: [(name: String, source: [UInt8])], constants: [String: String] = [:], constantPrefixes: [String] = [],
        strict: Bool = false
    ) throws(TemplateError) {
        var indices: [String: Int] = [:]
        var trees: [[Node]] = []
        for (index, source) in sources.enumerated() {
            if indices.updateValue(index, forKey: source.name) != nil {
                throw TemplateError(template: source.name, line: 0, column: 0, message: "there are two templates of this name")
            }
            trees.append(try Parser.parse(source.source, name: source.name, template: index))
        }
        let constants = Constants(texts: constants, prefixes: constantPrefixes)
        var compiler = Compiler(sources.map(\.name), trees, constants: constants, isStrict: strict)
        try compiler.compile()
        compiled = CompiledLibrary(compiler.code)
        self.indices = indices
    }

    /// A template to keep, which saves finding it at each rendering.
    public func template(_ name: String) -> Template? {
        indices[name].map { Template(name: name, library: compiled, program: $0) }
    }

    /// Appends a template, rendered with a context. Where it throws, nothing has been appended.
    public func render(_ name: String, _ context: Value, into output: inout [UInt8]) throws(TemplateError) {
        guard let template = template(name) else {
            throw TemplateError(template: name, line: 0, column: 0, message: "there is no such template")
        }
        try template.render(context, into: &output)
    }
}
