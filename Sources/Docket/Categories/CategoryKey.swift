// The key of a new category: what forms, addresses and scripts call it. Made once from its name and never changed by renaming, so that
// bookmarks, filters and scripts go on working.

enum CategoryKey {
    static let limit = 32

    /// `Balcony garden` is `balcony-garden`, `Büro` is `buro`; a name that ASCII cannot say is `c1`, `c2` and so on.
    static func make(for name: String, taken: Set<String>) -> String {
        let word = word(name)
        var number = 1
        while true {
            let key = word.map { number == 1 ? $0 : "\($0)-\(number)" } ?? "c\(number)"
            if !taken.contains(key) { return key }
            number += 1
        }
    }

    /// Whether a file's key can be one of ours; those of other makers may be longer than we make them.
    static func isOne(_ text: String) -> Bool {
        1...40 ~= text.utf8.count && text.utf8.allSatisfy { 0x61...0x7A ~= $0 || 0x30...0x39 ~= $0 || $0 == 0x2D }
    }

    /// Letters and digits, other signs as one hyphen between them; nil where a letter would be lost.
    private static func word(_ name: String) -> String? {
        var bytes: [UInt8] = []
        for byte in Folding.fold(name) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): bytes.append(byte)
            case 0x80...: return nil
            default: if let last = bytes.last, last != UInt8(ascii: "-") { bytes.append(UInt8(ascii: "-")) }
            }
        }
        bytes = Array(bytes.prefix(limit))
        while bytes.last == UInt8(ascii: "-") { bytes.removeLast() }
        return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
}
