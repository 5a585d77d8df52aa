// The words of a line that someone typed, parted by white space of any script. What stands in quotation marks, from the beginning of a
// word to the end of one, is one piece with its spaces, also behind a sign: `-"exact words"`, `category:"Balcony garden"`.
// A quotation mark that nothing closes means itself.

/// One word, or one quotation.
struct Piece: Equatable, Sendable {
    /// As it was typed.
    let text: String
    /// What stands before the quotation mark; empty for a plain word.
    let lead: String
    /// What is quoted, nil for a plain word.
    let quoted: String?

    /// Takes a text apart. Its time grows with the square of the number of quotation marks that nothing closes: give it a line.
    static func all(_ text: String) -> [Piece] {
        let scalars = Array(text.unicodeScalars)
        func string(_ range: Range<Int>) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars[range])
            return String(view)
        }
        func isSpace(_ index: Int) -> Bool { index >= scalars.count || scalars[index].properties.isWhitespace }
        var pieces: [Piece] = []
        var start = 0
        while start < scalars.count {
            if isSpace(start) {
                start += 1
                continue
            }
            var end = start
            var quotation: Range<Int>?
            while !isSpace(end), quotation == nil {
                let isBehindSign =
                    end > start
                    && (scalars[end - 1] == ":" || scalars[end - 1] == "：" || (end == start + 1 && scalars[start] == "-"))
                if "\"“".unicodeScalars.contains(scalars[end]), end == start || isBehindSign,
                    let close = (end + 1..<max(end + 1, scalars.count)).first(where: {
                        "\"”".unicodeScalars.contains(scalars[$0]) && isSpace($0 + 1)
                    }), close > end + 1
                {
                    quotation = end + 1..<close
                    end = close + 1
                } else {
                    end += 1
                }
            }
            pieces.append(
                Piece(
                    text: string(start..<end), lead: quotation.map { string(start..<$0.lowerBound - 1) } ?? "",
                    quoted: quotation.map(string)))
            start = end
        }
        return pieces
    }
}
