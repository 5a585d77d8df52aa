// What a text that someone typed must be before it is stored: trimmed, counted in the characters that people see, free of what
// cannot be shown. A NUL is refused, because SQLite's functions stop at it; other control characters are left out, line ends become LF.
// Nothing is escaped and nothing is normalized here: texts are stored as they were meant and escaped when shown.

/// Why a text is refused. The cases carry what the message beside the field says.
enum TextError: Error, Hashable {
    case empty
    case tooShort(minimum: Int, actual: Int)
    case tooLong(limit: Int, actual: Int)
    /// Few characters but far too many bytes: thousands of marks on one letter.
    case tooManyBytes(limit: Int, actual: Int)
    /// A NUL, or another control character where none is let through: the scalar.
    case control(UInt32)
}

enum Characters {
    /// An emoji of a family takes 25 bytes, a letter with all the marks that a language knows 12: 32 a character is more than any
    /// real text has, and bounds what a hostile one can take.
    static let bytesPerCharacter = 32

    /// A text of one line: line ends and tabs become spaces, the ends are trimmed, 1 to `limit` characters remain.
    static func line(_ text: String, limit: Int) throws(TextError) -> String {
        try checkBytes(text, limit: limit)
        let line = trim(try clean(text) { $0 == 0x0A || $0 == 0x09 ? 0x20 : $0 })
        if isInvisible(line) { throw .empty }
        try check(line, limit: limit)
        return line
    }

    /// A text of many lines, perhaps empty: line ends become LF, tabs stay, white space at the end goes.
    static func lines(_ text: String, limit: Int) throws(TextError) -> String {
        try checkBytes(text, limit: limit)
        let cleaned = try clean(text) { $0 }
        if isInvisible(cleaned) { return "" }
        var lines = cleaned.unicodeScalars[...]
        while let last = lines.last, isTrimmed(last) { lines.removeLast() }
        let result = String(lines)
        try check(result, limit: limit)
        return result
    }

    /// Refuses what has more characters than the limit, or more bytes than so many characters can need.
    static func check(_ text: String, limit: Int, minimum: Int = 0) throws(TextError) {
        try checkBytes(text, limit: limit)
        let count = text.count
        if count > limit { throw .tooLong(limit: limit, actual: count) }
        if count < minimum { throw .tooShort(minimum: minimum, actual: count) }
    }

    /// Bytes first, before anything walks the text: this bounds the walk.
    private static func checkBytes(_ text: String, limit: Int) throws(TextError) {
        let byteLimit = limit * bytesPerCharacter
        let bytes = text.utf8.count
        guard bytes > byteLimit else { return }
        // Counting stops as soon as the limit is passed; the exact number is told for texts of a size that people type.
        let counted = text.prefix(limit + 1).count
        if counted > limit { throw .tooLong(limit: limit, actual: bytes <= 1 << 20 ? text.count : counted) }
        throw .tooManyBytes(limit: byteLimit, actual: bytes)
    }

    /// Without white space of any script at both ends, nor the invisible signs that copying brings along (zero-width space, BOM).
    static func trim(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, isTrimmed(first) { scalars.removeFirst() }
        while let last = scalars.last, isTrimmed(last) { scalars.removeLast() }
        return String(scalars)
    }

    /// Whether nothing of it can be seen: only white space, joiners, fillers and the like.
    static func isInvisible(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { isTrimmed($0) || $0.properties.isDefaultIgnorableCodePoint || $0.value == 0x2800 }
    }

    /// CRLF, CR and the other line ends become LF, then each LF and TAB what `replacement` says; other controls go, a NUL is refused.
    private static func clean(_ text: String, _ replacement: (UInt8) -> UInt8) throws(TextError) -> String {
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar.value {
            case 0:
                throw .control(0)
            case 0x0A where previous == "\r":
                continue
            case 0x0A...0x0D, 0x85, 0x2028, 0x2029:
                result.append(Unicode.Scalar(replacement(0x0A)))
            case 0x09:
                result.append(Unicode.Scalar(replacement(0x09)))
            case let value where isUnshowable(value):
                continue
            default:
                result.append(scalar)
            }
        }
        return String(result)
    }

    /// Control characters, and the code points that Unicode and HTML keep out of text for ever.
    static func isUnshowable(_ scalar: UInt32) -> Bool {
        scalar < 0x20 || 0x7F...0x9F ~= scalar || 0xFDD0...0xFDEF ~= scalar || scalar & 0xFFFE == 0xFFFE
    }

    private static func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || [0x200B, 0x2060, 0xFEFF].contains(scalar.value)
    }
}
