// The templates of one language: parsed once, with that language's texts and the addresses of static files folded into their literal
// parts, so that a rendered page only fills in what is a person's own.

import Mustache

/// All pages in one language.
struct Pages: Sendable {
    private let library: Library

    init(templates: [(name: String, source: [UInt8])], strings: Strings, assets: Assets) throws {
        var constants: [String: String] = [:]
        for (key, text) in strings.texts { constants["t." + key] = text }
        for (name, address) in assets.addresses { constants["asset." + name] = address }
        library = try Library(templates, constants: constants, constantPrefixes: ["t.", "asset."], strict: true)
    }

    func render(_ name: String, _ view: Object, into output: inout [UInt8]) throws {
        try library.render(name, .object(view), into: &output)
    }
}
