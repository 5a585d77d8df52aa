// Escaping for the few places that make markup themselves: marked titles and Markdown. Over bytes, so that no combining mark hides a quote.

enum HTMLText {
    /// Appends text so that it stays text.
    static func escape(_ text: some Sequence<UInt8>, into output: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            case UInt8(ascii: "'"): output += "&#39;".utf8
            default: output.append(byte)
            }
        }
    }
}
