// Texts of foreign files as ours: line ends become LF, a title is one line, what cannot be shown goes with a warning, what is too long
// for a title stands at the top of the content. Nothing else is changed and nothing is lost silently.

enum ImportedText {
    /// A record larger than this is no task but an accident, or an attack.
    static let byteLimit = 1 << 20

    /// Title and content from what a file has.
    static func split(title: String, content: String, place: Int, _ context: ImportContext, _ report: inout ImportReport) -> (
        title: String, content: String
    ) {
        var line = clean(title, isLine: true, place, &report)
        if isAtEdge(line.utf8.first) || isAtEdge(line.utf8.last) { line = Characters.trim(line) }
        var text = content.isEmpty ? "" : clean(content, isLine: false, place, &report)
        if line.isEmpty || Characters.isInvisible(line) {
            report.warn(place, .untitled)
            return (context.untitled, text)
        }
        let limit = TaskDraft.titleLimit
        if line.utf8.count > limit {
            var head = String(line.prefix(limit))
            // Thousands of marks on a few letters: bytes are limited too.
            let bytes = limit * Characters.bytesPerCharacter
            if head.utf8.count > bytes {
                head = String(decoding: head.utf8.prefix(bytes).dropLastPartialCharacter(), as: UTF8.self)
            }
            if head.utf8.count < line.utf8.count {
                report.warn(place, .longTitle, ["limit": String(limit)])
                let rest = String(decoding: line.utf8.dropFirst(head.utf8.count), as: UTF8.self)
                text = text.isEmpty ? rest : rest + "\n" + text
                line = Characters.trim(head)
            }
        }
        if text.utf8.count > TaskDraft.contentLimit, text.count > TaskDraft.contentLimit {
            report.warn(place, .longContent, ["limit": String(TaskDraft.contentLimit)])
        }
        return (line, text)
    }

    /// Whether both are texts that Docket may hold, so that nothing has to be changed.
    static func isOurs(title: String, content: String) -> Bool {
        guard let line = try? Characters.line(title, limit: TaskDraft.titleLimit), line.utf8.elementsEqual(title.utf8) else {
            return false
        }
        return content.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || !Characters.isUnshowable($0.value) }
    }

    /// Adds a line at the end of a content: where what has no field of ours stays readable.
    static func append(_ line: String, to content: inout String) {
        if !content.isEmpty { content += "\n" }
        content += line
    }

    /// What stands in many tasks, the name of their list or of the task that they are part of, is no longer than this: a hostile one of a
    /// million bytes would fill the disk.
    static func label(_ text: String) -> String {
        let head = String(String.UnicodeScalarView(text.unicodeScalars.prefix(200)))
        return head.utf8.count < text.utf8.count ? head + "…" : text
    }

    /// Line ends become LF (or a space in a line of its own), controls are taken out.
    private static func clean(_ text: String, isLine: Bool, _ place: Int, _ report: inout ImportReport) -> String {
        guard text.utf8.contains(where: isSuspicious) else { return text }
        var result = String.UnicodeScalarView()
        var previous: Unicode.Scalar = " "
        var dropped = 0
        for scalar in text.unicodeScalars {
            defer { previous = scalar }
            switch scalar.value {
            case 0x0A where previous == "\r": continue
            case 0x0A, 0x0D: result.append(isLine ? " " : "\n")
            case 0x0B, 0x0C, 0x85, 0x2028, 0x2029: result.append(isLine ? " " : "\n")
            case 0x09: result.append(isLine ? " " : "\t")
            case 0xFEFF: continue  // a mark of joined files, not of the text
            case let value where Characters.isUnshowable(value): dropped += 1
            default: result.append(scalar)
            }
        }
        if dropped > 0 { report.warn(place, .controls, ["count": String(dropped)]) }
        return String(result)
    }

    /// A byte that a scalar of the list above may begin with; all other texts are left as they are.
    private static func isSuspicious(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || byte == 0xC2 || byte == 0xE2 || byte >= 0xEF
    }

    private static func isAtEdge(_ byte: UInt8?) -> Bool { byte.map { $0 == 0x20 || $0 >= 0x80 } ?? false }
}

extension Collection<UInt8> {
    /// Without a character of which only the first bytes are there.
    fileprivate func dropLastPartialCharacter() -> [UInt8] {
        var bytes = Array(self)
        var tail = 0
        while let last = bytes.last, last & 0xC0 == 0x80, tail < 3 {
            bytes.removeLast()
            tail += 1
        }
        if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        return bytes
    }
}
