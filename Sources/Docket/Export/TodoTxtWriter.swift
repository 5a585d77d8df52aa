// todo.txt: `(A) CREATED title @category due:DAY pin:1`, or `x COMPLETED CREATED title @category due:DAY pin:1 pri:A`. High is A, medium no
// letter, low is C. The date in front is always written, so that a title which looks like markup is none. It cannot carry notes, times
// of day, nor more of the other times than their day in the person's zone.

/// Writes a line a task.
struct TodoTxtWriter: TaskWriter {
    let texts: CategoryTexts
    let zone: Zone

    func begin(_ output: inout [UInt8]) {}

    func write(_ task: ExportedTask, isFirst: Bool, _ output: inout [UInt8]) {
        let created = zone.day(at: task.createdAt)
        let letter: StaticString? = task.priority == .high ? "A" : task.priority == .low ? "C" : nil
        if task.isCompleted {
            output.append("x ")
            // A date alone would be that of completion: where none is known, the other one stands for it.
            day(task.completedAt.map(zone.day(at:)) ?? created, &output)
        } else if let letter {
            output.append("(")
            output.append(letter)
            output.append(") ")
        }
        day(created, &output)
        output.append(contentsOf: task.title)
        let key = texts.key(task.categoryID)
        if !names(task.title, key) {
            output.append(" @")
            output += key
        }
        if let due = task.due {
            output.append(" due:")
            output.append(due.day(in: zone), separator: UInt8(ascii: "-"))
        }
        if task.isPinned { output.append(" pin:1") }
        if task.isCompleted, let letter {
            output.append(" pri:")
            output.append(letter)
        }
        output.append(UInt8(ascii: "\n"))
    }

    func end(_ output: inout [UInt8]) {}

    private func day(_ day: Day, _ output: inout [UInt8]) {
        output.append(day, separator: UInt8(ascii: "-"))
        output.append(UInt8(ascii: " "))
    }

    /// Whether a word of the title is the category's mark already, as where the task came from such a file.
    private func names(_ title: UnsafeBufferPointer<UInt8>, _ key: [UInt8]) -> Bool {
        guard title.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "+") }) else { return false }
        return title.split(separator: UInt8(ascii: " ")).contains { word in
            (word.first == UInt8(ascii: "@") || word.first == UInt8(ascii: "+")) && word.dropFirst().elementsEqual(key)
        }
    }
}
