// iCalendar (RFC 5545): a VTODO for each task, or for calendars that show no tasks a VEVENT for each one with a due date. Days are DATE
// values, moments instants of UTC, so no zone has to be defined. DTSTAMP is the time of the last change (section 3.8.7.2): the same tasks
// give the same bytes whenever they are asked for. What iCalendar has no property for stands in X-DOCKET-… .

/// Writes one calendar.
struct CalendarWriter: TaskWriter {
    let texts: CategoryTexts
    /// Of the calendar, where it is to have one.
    var name: String?
    var isForEvents = false

    func begin(_ output: inout [UInt8]) {
        output.append("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Docket//Docket//EN\r\nCALSCALE:GREGORIAN\r\n")
        guard let name else { return }
        let bytes = Array(name.utf8)
        bytes.withUnsafeBufferPointer { text("NAME:", $0, &output) }
        bytes.withUnsafeBufferPointer { text("X-WR-CALNAME:", $0, &output) }
    }

    func write(_ task: ExportedTask, isFirst: Bool, _ output: inout [UInt8]) {
        if isForEvents {
            if let due = task.due { event(task, due, &output) }
            return
        }
        output.append("BEGIN:VTODO\r\nUID:")
        output.append(task.id)
        common(task, &output)
        text("SUMMARY:", task.title, &output)
        switch task.due {
        case .day(let day):
            output.append("DUE;VALUE=DATE:")
            output.append(day, separator: nil)
            output.append("\r\n")
        case .moment(let instant): moment("DUE:", instant, &output)
        case nil: break
        }
        if task.isCompleted {
            output.append("STATUS:COMPLETED\r\nPERCENT-COMPLETE:100\r\n")
            if let completedAt = task.completedAt { moment("COMPLETED:", completedAt, &output) }
        } else {
            output.append("STATUS:NEEDS-ACTION\r\n")
        }
        if task.isPinned { output.append("X-DOCKET-PINNED:TRUE\r\n") }
        output.append("END:VTODO\r\n")
    }

    func end(_ output: inout [UInt8]) { output.append("END:VCALENDAR\r\n") }

    /// A day is an event that lasts until the next one; a moment is one without length. Neither makes its owner busy.
    private func event(_ task: ExportedTask, _ due: Due, _ output: inout [UInt8]) {
        output.append("BEGIN:VEVENT\r\nUID:event-")
        output.append(task.id)
        common(task, &output)
        switch due {
        case .day(let day):
            output.append("DTSTART;VALUE=DATE:")
            output.append(day, separator: nil)
            if day < .latest {
                output.append("\r\nDTEND;VALUE=DATE:")
                output.append(day.adding(days: 1), separator: nil)
            }
            output.append("\r\n")
        case .moment(let instant): moment("DTSTART:", instant, &output)
        }
        text(task.isCompleted ? "SUMMARY:\u{2713} " : "SUMMARY:", task.title, &output)
        output.append("TRANSP:TRANSPARENT\r\nEND:VEVENT\r\n")
    }

    /// What follows the identifier in both.
    private func common(_ task: ExportedTask, _ output: inout [UInt8]) {
        output.append("\r\n")
        moment("DTSTAMP:", task.updatedAt, &output)
        moment("CREATED:", task.createdAt, &output)
        moment("LAST-MODIFIED:", task.updatedAt, &output)
        output.append("SEQUENCE:")
        output.append(number: task.version)
        output.append(
            task.priority == .high
                ? "\r\nPRIORITY:1\r\n" : task.priority == .low ? "\r\nPRIORITY:9\r\n" : "\r\nPRIORITY:5\r\n")
        texts.name(task.categoryID).withUnsafeBufferPointer { if !$0.isEmpty { text("CATEGORIES:", $0, &output) } }
        if !task.content.isEmpty { text("DESCRIPTION:", task.content, &output) }
    }

    /// `20261224T173000Z`: iCalendar counts no milliseconds.
    private func moment(_ name: StaticString, _ instant: Instant, _ output: inout [UInt8]) {
        output.append(name)
        let (day, ofDay) = Gregorian.floorDivide(instant.seconds, Gregorian.secondsPerDay)
        output.append(addingCapacity: 18) { output in
            output.append(Day(clamping: day), separator: nil)
            output.append(UInt8(ascii: "T"))
            output.append(two: ofDay / 3_600)
            output.append(two: ofDay / 60 % 60)
            output.append(two: ofDay % 60)
        }
        output.append("Z\r\n")
    }

    /// A TEXT value (section 3.3.11), folded (section 3.1): no line longer than 75 bytes, and none that ends within a character or
    /// between a backslash and what it escapes.
    private func text(_ name: StaticString, _ value: UnsafeBufferPointer<UInt8>, _ output: inout [UInt8]) {
        output.append(name)
        var column = name.utf8CodeUnitCount
        func fold(_ count: Int) {
            if column + count > 75 {
                output.append("\r\n ")
                column = 1
            }
            column += count
        }
        var index = 0
        while index < value.count {
            let byte = value[index]
            switch byte {
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\\"):
                fold(2)
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x0A:
                fold(2)
                output.append("\\n")
            case 0x09, 0x20..<0x7F:
                fold(1)
                output.append(byte)
            case 0..<0x20, 0x7F:
                break  // no TEXT holds one, and no task of ours should
            default:
                var end = index + 1
                while end < value.count, value[end] & 0xC0 == 0x80 { end += 1 }
                fold(end - index)
                output.append(contentsOf: value[index..<end])
                index = end
                continue
            }
            index += 1
        }
        output.append("\r\n")
    }
}
