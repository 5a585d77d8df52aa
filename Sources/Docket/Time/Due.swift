// When a task is due: a calendar day, which has no zone, or a moment, which is an instant. The two stay different things for ever:
// a day is the same day wherever its owner is, a moment is the same moment. Accepted are the years 1900 to 9999.
// Form text is a day `2026-12-24` or a day and a time `2026-12-24T18:30` of the person's zone.

/// A due day or a due moment.
enum Due: Hashable, Sendable {
    case day(Day)
    case moment(Instant)
}

/// Why a text is no due date. The raw value is the end of the key of the message that people read.
enum DueError: String, Error, CaseIterable {
    /// Neither a date nor words for one.
    case unreadable
    /// The 30th of February.
    case noSuchDay = "no_such_day"
    /// 25:00.
    case noSuchTime = "no_such_time"
    /// A time without a day.
    case timeOnly = "time_only"
    /// A year before 1900 or after 9999.
    case outOfRange = "out_of_range"
}

extension Due {
    static let years = 1_900...9_999

    /// What someone typed or a script sent: `2026-12-24`, `2026-12-24T18:30`, the same with a space, seconds, `Z` or an offset,
    /// or words for a day (`DueWords`). Nil for a blank text.
    ///
    /// `current` is what the form was filled with: its unchanged text gives it back, so that saving a form never moves a moment
    /// that its text cannot say (the second 02:30 of the night on which clocks go back).
    init?(form text: String, zone: Zone, now: Instant, current: Due? = nil) throws(DueError) {
        // Sent unescaped, as curl's -d does, the sign of `+3d` comes as a space.
        let wasSigned = text.utf8.first == 0x20 && text.utf8.dropFirst().first.map { (0x30...0x39).contains($0) } == true
        let text = Characters.trim(text)
        guard !text.isEmpty else { return nil }
        if let current, text.utf8.elementsEqual(current.formText(in: zone).utf8) {
            self = current
            return
        }
        if let due = try Self.readISO(text, zone: zone) {
            self = due
        } else {
            let words = DueWords(today: zone.day(at: now))
            do throws(DueError) {
                self = try words.read(text, zone: zone)
            } catch {
                guard wasSigned else { throw error }
                self = try words.read("+" + text, zone: zone)
            }
        }
    }

    /// What the form field holds: `2026-12-24` or `2026-12-24T18:30`; with seconds only if there are any.
    func formText(in zone: Zone) -> String {
        switch self {
        case .day(let day):
            return day.description
        case .moment(let instant):
            let (day, seconds) = zone.local(instant)
            let fraction = Int(instant.milliseconds) - instant.seconds * 1_000
            var bytes = Array(day.description.utf8)
            bytes.append(0x54)
            bytes.append(timeOfDay: seconds, withSeconds: seconds % 60 != 0 || fraction != 0)
            if fraction != 0 {
                bytes.append(0x2E)
                bytes.append(decimal: fraction, width: 3)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// The last millisecond at which this is not overdue, for sorting and comparing: overdue is `key < now`.
    /// A day lasts until the next one begins in the zone. Whoever changes zone gets new keys for their days.
    func key(in zone: Zone) -> Int64 {
        switch self {
        case .day(let day): zone.endOfDay(day).milliseconds - 1
        case .moment(let instant): instant.milliseconds
        }
    }

    func isOverdue(at now: Instant, in zone: Zone) -> Bool { key(in: zone) < now.milliseconds }

    /// The day that the due date falls on, for a calendar or a group heading.
    func day(in zone: Zone) -> Day {
        switch self {
        case .day(let day): day
        case .moment(let instant): zone.day(at: instant)
        }
    }

    /// A time on a day; refused where its UTC form would leave the years that text can say.
    static func moment(on day: Day, millisecondsOfDay: Int, zone: Zone) throws(DueError) -> Due {
        let instant = zone.instant(of: day, secondsOfDay: millisecondsOfDay / 1_000)
        return try moment(instant.adding(milliseconds: Int64(millisecondsOfDay % 1_000)), in: zone)
    }

    private static func moment(_ instant: Instant, in zone: Zone) throws(DueError) -> Due {
        guard instant.isWithinRange, years.contains(zone.day(at: instant).year) else { throw .outOfRange }
        return .moment(instant)
    }

    /// Nil when the text does not begin as a date of this form does; then it may be words.
    private static func readISO(_ text: String, zone: Zone) throws(DueError) -> Due? {
        var scanner = DateScanner(text)
        _ = scanner.take("-")
        guard let year = scanner.number(), year.count >= 4, scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let dayOfMonth = scanner.digits(2)
        else { return nil }
        guard year.count == 4, text.utf8.first != 0x2D, years.contains(year.value) else { throw .outOfRange }
        guard let day = Day(year: year.value, month: month, day: dayOfMonth) else {
            throw scanner.next.map { (0x30...0x39).contains($0) } == true ? .unreadable : .noSuchDay
        }
        if scanner.isAtEnd { return .day(day) }
        guard scanner.take("T") || scanner.take("t") || scanner.take(" ") else { throw .unreadable }
        guard let next = scanner.next, (0x30...0x39).contains(next) else { throw .unreadable }
        guard let time = scanner.timeOfDay() else { throw .noSuchTime }
        if scanner.isAtEnd { return try moment(on: day, millisecondsOfDay: time, zone: zone) }
        guard let offset = scanner.offset(), scanner.isAtEnd else { throw .unreadable }
        let local = day.number * Gregorian.secondsPerDay - offset
        return try moment(Instant(milliseconds: Int64(local * 1_000 + time)), in: zone)
    }
}
