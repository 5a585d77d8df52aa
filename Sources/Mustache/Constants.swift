// Names whose text is known when templates are compiled: translations, addresses of assets. Their tags cost nothing later.

struct Constants: Sendable {
    var texts: [String: String]
    /// Names that begin so must be constants.
    var prefixes: [String]

    func isConstant(_ name: String) -> Bool {
        texts[name] != nil || prefixes.contains { name.utf8.starts(with: $0.utf8) }
    }

    /// The text of a constant as it is written; nil for other names.
    func text(
        _ name: Name, isEscaped: Bool, _ error: (String) -> TemplateError
    ) throws(TemplateError) -> [UInt8]? {
        guard isConstant(name.text) else { return nil }
        guard let text = texts[name.text] else { throw error("there is no constant \(name.text)") }
        guard isEscaped else { return Array(text.utf8) }
        var output = Output(capacity: text.utf8.count)
        output.appendEscaped(text)
        return output.take()
    }
}
