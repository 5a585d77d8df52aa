// The templates of one language: parsed once, with that language's texts and the addresses of static files folded into their literal
// parts, so that a rendered page only fills in what is a person's own.

import Mustache

/// All pages in one language.
struct Pages: Sendable {
    private let library: Library

    init(templates: [(name: String, source: [UInt8])], strings: Strings, assets: Assets, basePath: String) throws {
        var constants: [String: String] = [:]
        for (key, text) in strings.texts { constants["t." + key] = text }
        for (name, address) in assets.addresses { constants["asset." + name] = address }
        library = try Library(
            templates.map { ($0.name, Self.moved($0.source, below: basePath)) }, constants: constants,
            constantPrefixes: ["t.", "asset."], strict: true)
    }

    func render(_ name: String, _ view: Object, into output: inout [UInt8]) throws {
        try library.render(name, .object(view), into: &output)
    }

    /// A template whose addresses begin below a base path: behind a proxy that gives Docket a folder of a host. An address that a page
    /// fills in is a path of ours, too; those of static files know the base path already.
    private static func moved(_ source: [UInt8], below basePath: String) -> [UInt8] {
        guard !basePath.isEmpty else { return source }
        let openings = ["href=\"", "action=\""].map { Array($0.utf8) }  // formaction ends like action
        let starts = ["/", "{{"].map { Array($0.utf8) }
        // Where a proxy signs people out is no address of ours.
        let made = ["{{asset.", "{{sign_out_url"].map { Array($0.utf8) }
        var output: [UInt8] = []
        for (index, byte) in source.enumerated() {
            output.append(byte)
            guard byte == UInt8(ascii: "\""), openings.contains(where: { output.suffix($0.count).elementsEqual($0) }) else {
                continue
            }
            let rest = source[(index + 1)...]
            if starts.contains(where: { rest.starts(with: $0) }), !made.contains(where: { rest.starts(with: $0) }) {
                output += basePath.utf8
            }
        }
        return output
    }
}
