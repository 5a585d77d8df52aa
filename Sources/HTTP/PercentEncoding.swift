// Percent-encoding (RFC 3986 section 2.1) of paths and components, and the encoding of forms (WHATWG URL).
// Decoded text is UTF-8 without NUL, or there is none. Segments are texts to look up: never joined to a path of the file system.

/// Percent-encoding and -decoding.
public enum PercentEncoding {
    /// The decoded segments of a path in origin form. `/` has none, `/a/` has `a` and an empty one.
    ///
    /// A segment may hold a slash that was encoded, or be `.` or `..`: neither has a meaning here.
    /// Nil for a malformed escape, for what is not UTF-8 and for NUL.
    public static func segments(ofPath path: String) -> [String]? {
        let bytes = path.utf8.span
        guard !bytes.isEmpty, bytes[0] == Ascii.slash else { return nil }
        guard bytes.count > 1 else { return [] }
        var segments: [String] = []
        var start = 1
        while start <= bytes.count {
            let end = bytes.firstOffset(of: Ascii.slash, from: start) ?? bytes.count
            let segment = bytes.extracting(start..<end)
            // Nearly none holds an escape.
            let isPlain = segment.firstOffset(of: Ascii.percent) == nil && segment.firstOffset(of: 0) == nil
            guard let text = segment.text, let decoded = isPlain ? text : decode(text) else { return nil }
            segments.append(decoded)
            start = end + 1
        }
        return segments
    }

    /// The decoded text; nil for a malformed escape, for what is not UTF-8 and for NUL.
    public static func decode(_ text: some StringProtocol) -> String? { decode(text.utf8) }

    static func decode(_ text: some Collection<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = text.startIndex
        while index < text.endIndex {
            let byte = text[index]
            text.formIndex(after: &index)
            guard byte == Ascii.percent else {
                bytes.append(byte)
                continue
            }
            guard let decoded = escape(text, &index) else { return nil }
            bytes.append(decoded)
        }
        return valid(bytes)
    }

    /// The byte of the two hexadecimal digits at `index`, which then stands behind them; nil where they are none.
    @inline(__always)
    static func escape<Bytes: Collection<UInt8>>(_ text: Bytes, _ index: inout Bytes.Index) -> UInt8? {
        guard index < text.endIndex, let high = Grammar.hexValue(text[index]) else { return nil }
        let second = text.index(after: index)
        guard second < text.endIndex, let low = Grammar.hexValue(text[second]) else { return nil }
        index = text.index(after: second)
        return high << 4 | low
    }

    /// The bytes as text, nil where they are not UTF-8 or hold NUL.
    static func valid(_ bytes: [UInt8]) -> String? {
        guard !bytes.contains(0) else { return nil }
        return bytes.span.text
    }

    /// The text as one segment or component: all but unreserved characters is encoded.
    public static func encode(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if Grammar.isUnreserved(byte) { bytes.append(byte) } else { appendEscape(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
        bytes.append(Ascii.percent)
        bytes.append(digit(byte >> 4))
        bytes.append(digit(byte & 15))
    }
}
