// The footer of a zoneinfo file: the POSIX TZ rule that holds after the file's last transition (RFC 9636 section 3.3),
// such as `CET-1CEST,M3.5.0,M10.5.0/3`. Hours of a time may go from -167 to 167, summer time may be negative (Dublin),
// and it may last all year. A text that is not a rule gives nil.

/// A yearly repeating rule of offsets.
struct PosixRule: Hashable, Sendable {
    /// Seconds east of UTC in standard time.
    let standardOffset: Int
    let summer: Summer?

    struct Summer: Hashable, Sendable {
        let offset: Int
        let start: Change
        let end: Change
    }

    /// A day of the year and a local time on it, which may be before or after that day.
    struct Change: Hashable, Sendable {
        let date: Date
        let seconds: Int

        enum Date: Hashable, Sendable {
            /// `Jn`: 1 to 365, 29 February is never counted.
            case julian(Int)
            /// `n`: 0 to 365, 29 February is counted.
            case dayOfYear(Int)
            /// `Mm.w.d`: weekday 0 is Sunday, week 5 is the last.
            case weekday(month: Int, week: Int, weekday: Int)
        }
    }

    init?(_ text: [UInt8]) {
        var scanner = DateScanner(bytes: text)
        guard scanner.skipZoneAbbreviation(), let west = scanner.signedTime(maximumHours: 24) else { return nil }
        standardOffset = -west
        guard !scanner.isAtEnd else {
            summer = nil
            return
        }
        guard scanner.skipZoneAbbreviation() else { return nil }
        var offset = standardOffset + 3_600
        if scanner.next != 0x2C {
            guard let west = scanner.signedTime(maximumHours: 24) else { return nil }
            offset = -west
        }
        guard scanner.take(","), let start = scanner.change(), scanner.take(","), let end = scanner.change(), scanner.isAtEnd
        else { return nil }
        summer = Summer(offset: offset, start: start, end: end)
    }

    /// The offset at an instant, in seconds since 1970.
    func offset(at seconds: Int) -> Int {
        guard let summer else { return standardOffset }
        // A rule gives two changes a year, and one may fall into the neighbouring year: the last change before wins.
        return changes(around: seconds, summer).last { $0.at <= seconds }?.offset ?? standardOffset
    }

    /// The first change of offset after an instant.
    func change(after seconds: Int) -> (at: Int, offset: Int)? {
        guard let summer else { return nil }
        return changes(around: seconds, summer).first { $0.at > seconds }
    }

    private func changes(around seconds: Int, _ summer: Summer) -> [(at: Int, offset: Int)] {
        let year = Gregorian.date(ofDayNumber: Gregorian.floorDivide(seconds, Gregorian.secondsPerDay).quotient).year
        var changes: [(at: Int, offset: Int)] = []
        changes.reserveCapacity(8)
        for year in year - 2...year + 2 {
            let start = (at: summer.start.localSeconds(in: year) - standardOffset, offset: summer.offset)
            let end = (at: summer.end.localSeconds(in: year) - summer.offset, offset: standardOffset)
            changes += start.at < end.at ? [start, end] : [end, start]
        }
        // Where one summer ends as the next begins (all year long), the beginning stands last and wins.
        return changes.enumerated().sorted {
            ($0.element.at, $0.element.offset == summer.offset ? 1 : 0) < (
                $1.element.at, $1.element.offset == summer.offset ? 1 : 0
            )
        }.map(\.element)
    }
}

extension PosixRule.Change {
    /// The change in a year as seconds since 1970 on the wall clock.
    func localSeconds(in year: Int) -> Int {
        let day: Int
        switch date {
        case .julian(let count):
            let leapDay = Gregorian.isLeap(year) && count >= 60 ? 1 : 0
            day = Gregorian.dayNumber(year: year, month: 1, day: 1) + count - 1 + leapDay
        case .dayOfYear(let count):
            day = Gregorian.dayNumber(year: year, month: 1, day: 1) + count
        case .weekday(let month, let week, let weekday):
            let first = Gregorian.dayNumber(year: year, month: month, day: 1)
            // Day 0 was a Thursday, the fourth day of a week that starts with Sunday as 0.
            let firstWeekday = Gregorian.floorDivide(first + 4, 7).remainder
            var ofMonth = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            if ofMonth >= Gregorian.days(inMonth: month, of: year) { ofMonth -= 7 }
            day = first + ofMonth
        }
        return day * Gregorian.secondsPerDay + seconds
    }
}

extension DateScanner {
    /// `CET` or `<+0330>`: at least three characters.
    fileprivate mutating func skipZoneAbbreviation() -> Bool {
        var count = 0
        if take("<") {
            while let byte = takeAny() {
                if byte == 0x3E { return count >= 3 }
                count += 1
            }
            return false
        }
        while let byte = next, (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) {
            _ = takeAny()
            count += 1
        }
        return count >= 3
    }

    /// `[+-]h[h[h]][:mm[:ss]]` as seconds.
    fileprivate mutating func signedTime(maximumHours: Int) -> Int? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number(), hours.value <= maximumHours else { return nil }
        var seconds = hours.value * 3_600
        for unit in [60, 1] {
            guard take(":") else { break }
            guard let value = digits(2), value < 60 else { return nil }
            seconds += value * unit
        }
        return isNegative ? -seconds : seconds
    }

    fileprivate mutating func change() -> PosixRule.Change? {
        let date: PosixRule.Change.Date
        if take("M") {
            guard let month = number()?.value, (1...12).contains(month), take("."), let week = number()?.value,
                (1...5).contains(week),
                take("."), let weekday = number()?.value, (0...6).contains(weekday)
            else { return nil }
            date = .weekday(month: month, week: week, weekday: weekday)
        } else if take("J") {
            guard let count = number()?.value, (1...365).contains(count) else { return nil }
            date = .julian(count)
        } else {
            guard let count = number()?.value, (0...365).contains(count) else { return nil }
            date = .dayOfYear(count)
        }
        var seconds = 7_200
        if take("/") {
            guard let time = signedTime(maximumHours: 167) else { return nil }
            seconds = time
        }
        return PosixRule.Change(date: date, seconds: seconds)
    }
}
