// Media types (RFC 9110 section 8.3.1). Type, subtype and parameter names are compared without case.

/// A media type with its parameters. One that exists is valid.
public struct MediaType: Sendable, Hashable, CustomStringConvertible {
    /// The type in lower case: `text`.
    public let type: String
    /// The subtype in lower case: `html`.
    public let subtype: String
    /// Names in lower case, and values, in order.
    public let parameters: [Parameter]

    /// One parameter.
    public struct Parameter: Sendable, Hashable {
        /// Its name in lower case.
        public let name: String
        /// Its value, unquoted.
        public let value: String
    }

    /// Reads `type/subtype; name=value; name="quoted"`; nil where it is malformed or a name stands twice.
    public init?(_ text: some StringProtocol) {
        let parts = Grammar.list(Substring(text), separator: Ascii.semicolon)
        guard let first = parts.first, text.utf8.first(where: { !Grammar.isBlank($0) }) != Ascii.semicolon else { return nil }
        let names = first.utf8.split(separator: Ascii.slash, omittingEmptySubsequences: false)
        guard names.count == 2, names.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Grammar.isToken) }) else { return nil }
        type = Grammar.lowercased(String(Substring(names[0])))
        subtype = Grammar.lowercased(String(Substring(names[1])))
        var parameters: [Parameter] = []
        for part in parts.dropFirst() {
            guard let parameter = Parameter(part), !parameters.contains(where: { $0.name == parameter.name }) else { return nil }
            parameters.append(parameter)
        }
        self.parameters = parameters
    }

    /// The value of a parameter, by its name in lower case.
    public subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// `type/subtype` in lower case, without parameters.
    public var essence: String { type + "/" + subtype }

    /// The form in which it is sent; values that are no token are quoted.
    public var description: String {
        parameters.reduce(essence) { text, parameter in
            text + "; " + parameter.name + "="
                + (Grammar.isToken(parameter.value) ? parameter.value : Grammar.quoted(parameter.value))
        }
    }
}

extension MediaType.Parameter {
    /// `name=value` without white space around the mark; the value a token or a quoted string.
    init?(_ text: Substring) {
        guard let equals = text.utf8.firstIndex(of: Ascii.equals) else { return nil }
        let name = String(text[..<equals])
        let rest = text[text.utf8.index(after: equals)...]
        guard Grammar.isToken(name) else { return nil }
        if let unquoted = Grammar.unquoted(rest) {
            value = unquoted
        } else if Grammar.isToken(String(rest)) {
            value = String(rest)
        } else {
            return nil
        }
        self.name = Grammar.lowercased(name)
    }
}
