// Which addresses a content may link to: http, https and mailto, nothing else, and nothing that hides in one (spaces, controls).

enum MarkdownLink {
    static let maximumLength = 2_000

    /// Whether a link may lead there.
    static func isAllowed(_ address: ArraySlice<UInt8>) -> Bool {
        guard address.count <= maximumLength, let scheme = schemeLength(address) else { return false }
        let rest = address.dropFirst(scheme)
        guard let first = rest.first, rest.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != 0x3C && $0 != 0x3E && $0 != 0x22 })
        else { return false }
        // An address of the web begins with a name, a number or an IPv6 address in brackets.
        return address[address.startIndex + scheme - 1] == 0x3A
            ? rest.contains(0x40) : isAlphanumeric(first) || first >= 0x80 || first == 0x5B
    }

    /// The address that stands at the beginning of a text, without the punctuation of the sentence around it; nil if none does.
    /// It ends at the first byte that an address cannot have, Chinese included, because nothing parts it from the words behind it.
    static func bareAddress(_ text: ArraySlice<UInt8>) -> Range<Int>? {
        guard let scheme = schemeLength(text), let first = text.dropFirst(scheme).first, isAlphanumeric(first) else { return nil }
        var end = text.startIndex + scheme
        var open = 0
        var closed = 0
        // A colon ends a mail address, so that a row of `mailto:` is not read again from each of them.
        let isMail = text[end - 1] == 0x3A
        while end < text.endIndex, end - text.startIndex < maximumLength, isAddressByte(text[end]), !isMail || text[end] != 0x3A {
            if text[end] == 0x28 { open += 1 }
            if text[end] == 0x29 { closed += 1 }
            end += 1
        }
        while end > text.startIndex + scheme {
            let last = text[end - 1]
            if last == 0x29, closed > open {
                closed -= 1
            } else if !"?!.,:;*_~'&".utf8.contains(last) {
                break
            }
            end -= 1
        }
        let range = text.startIndex..<end
        return isAllowed(text[range]) ? range : nil
    }

    /// The address behind `](`, with an optional title, which is left out; and where the text goes on behind `)`.
    static func destination(_ text: ArraySlice<UInt8>) -> (address: Range<Int>, end: Int)? {
        var index = text.startIndex
        while index < text.endIndex, text[index] == 0x20, index - text.startIndex < 8 { index += 1 }
        let start = index
        var depth = 0
        while index < text.endIndex, index - start < maximumLength, text[index] > 0x20 {
            if text[index] == 0x28 { depth += 1 }
            if text[index] == 0x29 {
                if depth == 0 { break }
                depth -= 1
            }
            // Deeper brackets are no address; the limit keeps a row of half links from being read again and again.
            if depth > 4 { return nil }
            index += 1
        }
        let address = start..<index
        while index < text.endIndex, text[index] == 0x20, index - address.upperBound < 8 { index += 1 }
        if index < text.endIndex, index > address.upperBound, text[index] == 0x22 {
            let title = text[(index + 1)...].prefix(200).prefix { $0 != 0x22 && $0 != 0x0A }
            index = title.endIndex + 1
            while index < text.endIndex, text[index] == 0x20, index - title.endIndex < 8 { index += 1 }
        }
        guard index < text.endIndex, text[index] == 0x29, isAllowed(text[address]) else { return nil }
        return (address, index + 1)
    }

    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    private static func schemeLength(_ text: ArraySlice<UInt8>) -> Int? {
        let head = text.prefix(8).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        for scheme in ["https://", "http://", "mailto:"] where head.starts(with: scheme.utf8) { return scheme.utf8.count }
        return nil
    }

    /// RFC 3986, without the square brackets that only IPv6 addresses have.
    private static func isAddressByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~:/?#@!$&'()*+,;=%".utf8.contains(byte)
    }
}
