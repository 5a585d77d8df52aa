// A field line (RFC 9112 section 5): field-name ":" OWS field-value OWS.
// Refused with 400: white space before the colon, line folding, control characters, a value that is not UTF-8.

enum FieldLine {
    static func parse(_ line: Span<UInt8>) throws(ParseError) -> Fields.Field {
        guard !Grammar.isBlank(line[0]) else { throw ParseError(400, "A field line is folded or begins with white space.") }
        var colon = 0
        while colon < line.count, Grammar.isToken(line[colon]) { colon &+= 1 }
        guard colon > 0, colon < line.count, line[colon] == Ascii.colon else {
            throw ParseError(400, "A field name is malformed.")
        }
        let value = line.extracting(line.trimmed((colon + 1)..<line.count))
        guard value.isFreeOfControls else { throw ParseError(400, "A field value holds a control character.") }
        guard let text = value.text else { throw ParseError(400, "A field value is not UTF-8.") }
        return Fields.Field(name: FieldName(token: line.extracting(..<colon)), value: text)
    }
}

extension FieldName {
    /// From the bytes of a token, in any case. Names of up to 15 bytes fit into a String without allocation,
    /// the usual longer ones are found in the table below.
    fileprivate init(token: Span<UInt8>) {
        if token.count > 15, let known = Self.known(token) {
            self = known
            return
        }
        let count = token.count
        // The buffer has room for `count` bytes, all of which are written.
        self.init(
            canonical: String(unsafeUninitializedCapacity: count) { buffer in
                for index in 0..<count { buffer[index] = Grammar.lowercased(token[index]) }
                return count
            })
    }

    private static func known(_ token: Span<UInt8>) -> FieldName? {
        guard token.count < longNames.count else { return nil }
        for candidate in longNames[token.count] {
            var index = 0
            for byte in candidate.canonical.utf8 {
                guard Grammar.lowercased(token[index]) == byte else { break }
                index &+= 1
            }
            if index == token.count { return candidate }
        }
        return nil
    }

    /// Names of more than 15 bytes that browsers and proxies send, by their length.
    private static let longNames: [[FieldName]] = {
        let names: [FieldName] = [
            .contentDisposition, .contentEncoding, .contentLanguage, .ifModifiedSince, .ifUnmodifiedSince, .transferEncoding,
            .xForwardedHost, .xForwardedProto, FieldName(canonical: "upgrade-insecure-requests"),
            FieldName(canonical: "sec-ch-ua-mobile"), FieldName(canonical: "sec-ch-ua-platform"),
        ]
        var table = [[FieldName]](repeating: [], count: 32)
        for name in names { table[name.canonical.utf8.count].append(name) }
        return table
    }()
}
