// Range and If-Range (RFC 9110 section 14): one range of bytes is served; several, other units and malformed values get the whole.

/// The part of a representation that a request asks for.
public enum ByteRange: Sendable, Equatable {
    /// 200 with all of it.
    case whole
    /// 206 with these bytes, not empty.
    case part(Range<Int>)
    /// 416 with `Content-Range: bytes */size`.
    case unsatisfiable

    /// Evaluates Range and If-Range against a representation of `size` bytes. `now` is in Unix seconds.
    public init(method: Method, fields: Fields, size: Int, validators: Validators, now: Int) {
        self = .whole
        guard method == .get, let text = fields[.range], Self.isCurrent(fields, validators, now) else { return }
        let unit = "bytes="
        guard text.utf8.count > unit.utf8.count, Grammar.equalsIgnoringCase(text.utf8.prefix(unit.utf8.count), unit) else {
            return
        }
        let ranges = text.utf8.dropFirst(unit.utf8.count)
        guard !ranges.contains(Ascii.comma) else { return }
        let range = Grammar.trimmed(Substring(ranges)).utf8
        guard let hyphen = range.firstIndex(of: Ascii.hyphen) else { return }
        let first = range[..<hyphen]
        let last = range[range.index(after: hyphen)...]
        guard first.allSatisfy(Grammar.isDigit), last.allSatisfy(Grammar.isDigit), !first.isEmpty || !last.isEmpty else { return }
        // A number of more than 18 digits lies behind every end.
        func number(_ digits: Substring.UTF8View) -> Int { Grammar.decimal(digits) ?? Int.max - 1 }
        if first.isEmpty {
            let suffix = min(number(last), size)
            self = suffix == 0 ? .unsatisfiable : .part((size - suffix)..<size)
            return
        }
        let lower = number(first)
        let upper = last.isEmpty ? size - 1 : min(number(last), size - 1)
        guard last.isEmpty || lower <= number(last) else { return }
        self = lower < size ? .part(lower..<(upper + 1)) : .unsatisfiable
    }

    /// The value of Content-Range for this part of a representation of `size` bytes, nil for the whole.
    public func contentRange(size: Int) -> String? {
        switch self {
        case .whole: nil
        case .part(let range): "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)"
        case .unsatisfiable: "bytes */\(size)"
        }
    }

    /// RFC 9110 section 13.1.5: strong comparison of the tag, or exactly the date; a weak tag never matches.
    private static func isCurrent(_ fields: Fields, _ validators: Validators, _ now: Int) -> Bool {
        guard fields.contains(.ifRange) else { return true }
        guard let text = fields[.ifRange] else { return false }
        if let tag = EntityTag(text) { return validators.entityTag.map(tag.matchesStrongly) ?? false }
        guard let date = HTTPDate(text, now: now) else { return false }
        return validators.lastModified == date
    }
}
