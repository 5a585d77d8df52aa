// Our own JSON: one object, in which each task stands on a line of its own, so that both ends can go through it line by line.

/// Writes one object with all tasks.
struct JSONWriter: TaskWriter {
    let texts: CategoryTexts

    func begin(_ output: inout [UInt8]) {
        output.append("{\"docket\":1,\"categories\":[")
        for (index, entry) in texts.entries.enumerated() {
            output.append(index == 0 ? "\n{\"key\":" : ",\n{\"key\":")
            string(entry.key, &output)
            output.append(",\"name\":")
            // A first category that was never renamed has its name from the language of who looks at it.
            if entry.category.ownName == nil { output.append("null") } else { string(entry.name, &output) }
            output.append(",\"icon\":")
            string(Array(entry.category.icon.utf8), &output)
            output.append(",\"color\":")
            output.append(number: entry.category.color)
            output.append(",\"position\":")
            output.append(number: index + 1)
            output.append("}")
        }
        output.append("\n],\"tasks\":[")
    }

    func write(_ task: ExportedTask, isFirst: Bool, _ output: inout [UInt8]) {
        output.append(isFirst ? "\n{\"id\":\"" : ",\n{\"id\":\"")
        output.append(task.id)
        output.append("\",\"title\":")
        string(task.title, &output)
        output.append(",\"content\":")
        string(task.content, &output)
        output.append(",\"priority\":\"")
        output.append(contentsOf: task.priority.word.utf8)
        output.append(task.isCompleted ? "\",\"status\":\"completed\",\"category\":" : "\",\"status\":\"pending\",\"category\":")
        string(texts.key(task.categoryID), &output)
        output.append(",\"due\":")
        quoted(task.due, &output) { $1.append($0) }
        output.append(task.isPinned ? ",\"pinned\":true,\"version\":" : ",\"pinned\":false,\"version\":")
        output.append(number: task.version)
        output.append(",\"created_at\":\"")
        output.append(task.createdAt)
        output.append("\",\"updated_at\":\"")
        output.append(task.updatedAt)
        output.append("\",\"completed_at\":")
        quoted(task.completedAt, &output) { $1.append($0) }
        output.append("}")
    }

    func end(_ output: inout [UInt8]) { output.append("\n]}\n") }

    private func quoted<Value>(_ value: Value?, _ output: inout [UInt8], _ write: (Value, inout [UInt8]) -> Void) {
        guard let value else { return output.append("null") }
        output.append(UInt8(ascii: "\""))
        write(value, &output)
        output.append(UInt8(ascii: "\""))
    }

    private func string(_ bytes: [UInt8], _ output: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { string($0, &output) }
    }

    /// A string of JSON (RFC 8259 section 7): quotation mark, backslash and controls escaped, everything else as it is.
    private func string(_ text: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var start = 0
        for (index, byte) in text.enumerated()
        where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
            output.append(contentsOf: text[start..<index])
            start = index + 1
            switch byte {
            case 0x0A: output.append("\\n")
            case 0x0D: output.append("\\r")
            case 0x09: output.append("\\t")
            case 0x00..<0x20:
                output.append("\\u00")
                output.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
                let digit = byte & 0x0F
                output.append(digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a"))
            default:
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            }
        }
        output.append(contentsOf: text[start...])
        output.append(UInt8(ascii: "\""))
    }
}
