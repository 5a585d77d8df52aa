// The form of an answer: `?format=`, else Accept, among those that the address has; and who asks for it. Where nothing fits the answer
// is 406, and before anything is changed. Errors come in the form that was asked for, whatever the address has.

import HTTP

extension Format {
    /// The form of an answer among those that the address offers.
    ///
    /// - Throws: `Refusal` for a format that there is not, or that this address does not have.
    init(_ head: RequestHead, _ query: FormFields, offered: [Format]) throws(Refusal) {
        if let word = query.first("format"), !word.isEmpty {
            guard let format = Format(rawValue: word) else {
                throw .badRequest(offered.contains(.csv) ? "error.unknown_format_of_tasks" : "error.unknown_format")
            }
            guard offered.contains(format) else { throw .notAcceptable(offered) }
            self = format
            return
        }
        guard let format = Self.preferred(head, among: offered) else { throw .notAcceptable(offered) }
        self = format
    }

    /// The form of an error. Never fails: what is unknown counts as a browser's, and what else stands in the query may be nonsense.
    init(ofErrors head: RequestHead) {
        let name = "format="
        let word = head.query?.split(separator: "&").first { $0.utf8.starts(with: name.utf8) }?.dropFirst(name.count)
        self =
            word.flatMap { Format(rawValue: String($0)) } ?? Self.preferred(head, among: Self.allCases)
            ?? (Bearer.isPresent(head) ? .text : .html)
    }

    /// What the request would rather have, nil where nothing fits.
    private static func preferred(_ head: RequestHead, among offered: [Format]) -> Format? {
        let accept = head.fields.combined(.accept)
        // An empty list asks for nothing in particular (RFC 9110 section 12.5.1).
        if accept.map({ ["", "*/*"].contains(Characters.trim($0)) }) ?? true {
            // A token that takes anything gets plain text; who sends JSON reads it; everyone else may be a browser.
            let standard: Format = Bearer.isPresent(head) ? .text : head.hasJSON ? .json : .html
            if offered.contains(standard) { return standard }
            // Where there are only files, what is no browser gets the first of them, and no page.
            return offered.first { standard == .html || $0 != .html } ?? offered.first
        }
        // Nothing is wanted more than what stands first without a weight: so ask browsers.
        if accept?.utf8.starts(with: "text/html,".utf8) == true, offered.contains(.html) { return .html }
        return Accept(accept).preferred(among: offered.compactMap { types[$0] }).flatMap { type in
            offered.first { types[$0] == type }
        }
    }

    /// Read once: reading a media type costs more than choosing among them.
    private static let types: [Format: MediaType] = Dictionary(
        uniqueKeysWithValues: allCases.compactMap { format in format.mediaType.flatMap { MediaType($0) }.map { (format, $0) } })
}

extension RequestHead {
    /// Path and query as one text.
    var address: String { query.map { path + "?" + $0 } ?? path }

    /// True where the content is said to be JSON.
    var hasJSON: Bool { fields[.contentType].flatMap { MediaType($0) }?.essence == Format.json.mediaType }
}

/// The bearer token of a request (RFC 6750 section 2.1).
enum Bearer {
    static func isPresent(_ head: RequestHead) -> Bool { head.fields.contains(.authorization) }

    /// The token, nil where the field is none of that scheme.
    static func token(_ head: RequestHead) -> String? {
        guard let value = head.fields[.authorization], value.utf8.count > 7, value.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return Characters.trim(String(value.dropFirst(7)))
    }
}
