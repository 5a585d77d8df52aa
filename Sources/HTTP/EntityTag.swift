// Entity-tags (RFC 9110 section 8.8.3) and the lists of them in If-Match and If-None-Match.
// Refused: tags without quotes, `w/`, lists with a malformed member.

/// An entity-tag. One that exists is valid.
public struct EntityTag: Hashable, Sendable, CustomStringConvertible {
    /// What stands between the quotes.
    public let opaque: String
    /// True for `W/"…"`: equivalent, not equal byte by byte.
    public let isWeak: Bool

    /// From the text between the quotes; nil where it holds a quote, a space or a control character.
    public init?(opaque: String, isWeak: Bool = false) {
        guard opaque.utf8.allSatisfy({ $0 > 0x20 && $0 != Ascii.quote && $0 != 0x7F }) else { return nil }
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// From the form in which it is sent, `"…"` or `W/"…"`.
    public init?(_ text: String) {
        let isWeak = text.utf8.starts(with: "W/".utf8)
        let quoted = text.utf8.dropFirst(isWeak ? 2 : 0)
        guard quoted.count >= 2, quoted.first == Ascii.quote, quoted.last == Ascii.quote else { return nil }
        self.init(opaque: String(Substring(quoted.dropFirst().dropLast())), isWeak: isWeak)
    }

    /// The form in which it is sent.
    public var description: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// Strong comparison: the same, and neither weak.
    public func matchesStrongly(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && matchesWeakly(other) }

    /// Weak comparison: the same but for weakness.
    public func matchesWeakly(_ other: EntityTag) -> Bool { opaque.utf8.elementsEqual(other.opaque.utf8) }

    /// The value of If-Match or If-None-Match.
    public enum List: Sendable, Equatable {
        /// `*`: any representation.
        case any
        /// One or more tags.
        case tags([EntityTag])

        /// Nil where a member is not a tag, or there is none.
        public init?(_ text: String) {
            if Grammar.trimmed(text[...]) == "*" {
                self = .any
                return
            }
            var tags: [EntityTag] = []
            var rest = text.utf8[...]
            // A backslash is plain in a tag, so Grammar.list, which reads quoted strings, would not do.
            while true {
                while let first = rest.first, Grammar.isBlank(first) || first == Ascii.comma { rest.removeFirst() }
                guard !rest.isEmpty else { break }
                guard let open = rest.firstIndex(of: Ascii.quote),
                    let close = rest[rest.index(after: open)...].firstIndex(of: Ascii.quote),
                    let tag = EntityTag(String(Substring(rest[...close])))
                else { return nil }
                tags.append(tag)
                rest = rest[rest.index(after: close)...]
                while let first = rest.first, Grammar.isBlank(first) { rest.removeFirst() }
                guard rest.isEmpty || rest.first == Ascii.comma else { return nil }
            }
            guard !tags.isEmpty else { return nil }
            self = .tags(tags)
        }
    }
}
