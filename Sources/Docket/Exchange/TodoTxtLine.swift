// One line of a todo.txt file, by the format's own rules (github.com/todotxt/todo.txt) and what people's tools write in practice: `x `, a
// letter, dates, `due:`. Everything else is text and stays in the title as it stands: projects, contexts, other keys, and dates
// that no calendar has.

/// What a line says. It never fails: what is not markup is text.
struct TodoTxtLine: Equatable {
    var isCompleted = false
    /// `A` to `Z`.
    var letter: UInt8?
    var completedOn: Day?
    var createdOn: Day?
    var due: Day?
    /// `pin:1`, as Docket's own export has it.
    var isPinned = false
    /// The rest, with its inner blanks, without those at its ends.
    var text = ""
    /// What looks like markup and is none, for warnings.
    var oddities: [Oddity] = []

    /// Markup that is none.
    struct Oddity: Equatable {
        let code: ImportReason.Code
        let value: String
    }

    init(_ line: String) {
        // A mark in mid-file, where files were joined, stands before markup and hides it.
        let bytes =
            line.utf8.contains(0xEF)
            ? Array(line.unicodeScalars.filter { $0.value != 0xFEFF }.map(String.init).joined().utf8) : Array(line.utf8)
        var rest = bytes[...]
        if rest.starts(with: "x ".utf8) {
            isCompleted = true
            rest = Self.skipBlanks(rest.dropFirst())
        }
        // `x (C) 2014-01-01 …` and `x 2014-01-02 (B) 2013-12-30 …` are against the rules and what tools write: both are taken.
        takeLetter(&rest)
        var first = takeDate(&rest)
        if isCompleted, first != nil {
            takeLetter(&rest)
            if let second = takeDate(&rest) {
                completedOn = first
                first = second
            } else {
                completedOn = first
                first = nil
            }
        }
        createdOn = first
        takeKeys(&rest)
        text = String(decoding: rest, as: UTF8.self)
    }

    /// `(A) ` in front.
    private mutating func takeLetter(_ rest: inout ArraySlice<UInt8>) {
        let head = Array(rest.prefix(4))
        guard letter == nil, head.count >= 3, head[0] == UInt8(ascii: "("), 0x41...0x5A ~= head[1], head[2] == UInt8(ascii: ")"),
            head.count == 3 || head[3] == 0x20
        else { return }
        letter = head[1]
        rest = Self.skipBlanks(rest.dropFirst(3))
    }

    /// `2014-01-02 ` in front; a date that does not exist stays as text.
    private mutating func takeDate(_ rest: inout ArraySlice<UInt8>) -> Day? {
        let word = rest.prefix { $0 != 0x20 }
        guard word.count == 10, word[word.startIndex + 4] == 0x2D, word[word.startIndex + 7] == 0x2D,
            word.filter({ 0x30...0x39 ~= $0 }).count == 8
        else { return nil }
        let text = String(decoding: word, as: UTF8.self)
        guard let day = Day(text) else {
            oddities.append(Oddity(code: .staysInTitle, value: text))
            return nil
        }
        rest = Self.skipBlanks(rest.dropFirst(10))
        return day
    }

    /// Takes `due:` with a real date out, `pin:1`, and `pri:A` of a completed task, and the blanks at both ends.
    private mutating func takeKeys(_ rest: inout ArraySlice<UInt8>) {
        var output: [UInt8] = []
        var index = rest.startIndex
        while index < rest.endIndex {
            let word = rest[index...].prefix { $0 != 0x20 }
            if take(word) {
                // One of the two blanks around it goes too.
                index = word.endIndex
                if index < rest.endIndex { index += 1 }
                continue
            }
            output += word
            let blanks = rest[word.endIndex...].prefix { $0 == 0x20 }
            output += blanks
            index = blanks.endIndex
        }
        while output.last == 0x20 || output.last == 0x09 { output.removeLast() }
        rest = output[...].drop { $0 == 0x20 || $0 == 0x09 }
    }

    private mutating func take(_ word: ArraySlice<UInt8>) -> Bool {
        if word.starts(with: "due:".utf8) {
            let value = String(decoding: word.dropFirst(4), as: UTF8.self)
            if due == nil, let day = Day(value), Due.years.contains(day.year) {
                due = day
                return true
            }
            oddities.append(Oddity(code: due == nil ? .staysInTitle : .secondDue, value: "due:" + value))
        }
        if word.elementsEqual("pin:1".utf8) {
            isPinned = true
            return true
        }
        if isCompleted, letter == nil, word.count == 5, word.starts(with: "pri:".utf8), let last = word.last, 0x41...0x5A ~= last
        {
            letter = last
            return true
        }
        return false
    }

    private static func skipBlanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> { bytes.drop { $0 == 0x20 } }

    /// Words that begin with `+` or `@` and go on: projects and contexts, without the sign.
    var tags: [String] {
        text.utf8.split(separator: 0x20).filter {
            $0.count > 1 && ($0.first == UInt8(ascii: "+") || $0.first == UInt8(ascii: "@"))
        }
        .map { String(decoding: $0.dropFirst(), as: UTF8.self) }
    }
}
