// CSV by RFC 4180: comma, CRLF behind each record, quotation marks doubled, line feeds inside cells as they are. UTF-8.
// For scripts it is exact. For spreadsheets it begins with a byte-order mark, and a cell that a spreadsheet could take for a formula gets
// one apostrophe in front. So does one that begins with an apostrophe before such a sign, and therefore taking one away from each cell
// that begins with an apostrophe before such a sign gives back what was there.

/// Writes records.
struct CSVWriter: TaskWriter {
    let texts: CategoryTexts
    let isForSpreadsheets: Bool

    static let header: StaticString =
        "id,title,content,priority,status,category,due,pinned,version,created_at,updated_at,completed_at\r\n"

    func begin(_ output: inout [UInt8]) {
        if isForSpreadsheets { output += [0xEF, 0xBB, 0xBF] }
        output.append(Self.header)
    }

    func write(_ task: ExportedTask, isFirst: Bool, _ output: inout [UInt8]) {
        let comma = UInt8(ascii: ",")
        output.append(task.id)
        output.append(comma)
        cell(task.title, &output)
        output.append(comma)
        cell(task.content, &output)
        output.append(comma)
        output.append(contentsOf: task.priority.word.utf8)
        output.append(task.isCompleted ? ",completed," : ",pending,")
        texts.key(task.categoryID).withUnsafeBufferPointer { cell($0, &output) }
        output.append(comma)
        if let due = task.due { output.append(due) }
        output.append(task.isPinned ? ",true," : ",false,")
        output.append(number: task.version)
        output.append(comma)
        output.append(task.createdAt)
        output.append(comma)
        output.append(task.updatedAt)
        output.append(comma)
        if let completedAt = task.completedAt { output.append(completedAt) }
        output.append("\r\n")
    }

    func end(_ output: inout [UInt8]) {}

    private func cell(_ text: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        let isGuarded = isForSpreadsheets && Self.isFormula(text)
        var isQuoted = false
        for byte in text where byte < 0x2D {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte == 0x0A || byte == 0x0D {
                isQuoted = true
                break
            }
        }
        // Blanks at the ends are part of a cell, and some readers take those of a bare one away.
        if let first = text.first, let last = text.last, first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09 {
            isQuoted = true
        }
        guard isQuoted else {
            if isGuarded { output.append(UInt8(ascii: "'")) }
            output.append(contentsOf: text)
            return
        }
        output.append(UInt8(ascii: "\""))
        if isGuarded { output.append(UInt8(ascii: "'")) }
        var start = 0
        for (index, byte) in text.enumerated() where byte == UInt8(ascii: "\"") {
            output.append(contentsOf: text[start...index])
            start = index  // once more
        }
        output.append(contentsOf: text[start...])
        output.append(UInt8(ascii: "\""))
    }

    /// Whether a cell begins as a formula does, or with an apostrophe in front of that or of another one.
    static func isFormula(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first else { return false }
        if first != UInt8(ascii: "'") { return isDangerous(text) }
        return text.dropFirst().first == first || isDangerous(text.dropFirst())
    }

    /// Whether a spreadsheet could take a text for a formula by its first sign: OWASP's list, the full-width signs of East Asia included.
    static func isDangerous(_ text: some Collection<UInt8>) -> Bool {
        switch text.first {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: true
        case 0xEF: ["＝", "＋", "－", "＠"].contains { text.starts(with: $0.utf8) }
        default: false
        }
    }
}
