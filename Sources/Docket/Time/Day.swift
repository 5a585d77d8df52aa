// A calendar day: a date without zone and without time, as people write it. Years 0001 to 9999, proleptic Gregorian.
// A Day that exists is a real date: 2026-02-30 cannot be made. It is stored as the text YYYY-MM-DD (columns that end in `_on`).
// What a day means as a span of time is the business of a Zone.

/// A day of the week, numbered as ISO 8601 does: Monday is 1, Sunday is 7.
enum Weekday: Int, CaseIterable, Sendable {
    case monday = 1
    case tuesday, wednesday, thursday, friday, saturday, sunday
}

/// A calendar day from 0001-01-01 to 9999-12-31.
struct Day: Hashable, Comparable, Sendable, LosslessStringConvertible {
    /// Days since 1970-01-01.
    let number: Int

    static let earliest = Day(clamping: -719_162)
    static let latest = Day(clamping: 2_932_896)
    private static let numbers = -719_162...2_932_896

    init?(number: Int) {
        guard Self.numbers.contains(number) else { return nil }
        self.number = number
    }

    /// The day of this number, or the first or last day that there is.
    init(clamping number: Int) {
        self.number = min(max(number, Self.numbers.lowerBound), Self.numbers.upperBound)
    }

    init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), day >= 1, day <= Gregorian.days(inMonth: month, of: year) else { return nil }
        number = Gregorian.dayNumber(year: year, month: month, day: day)
    }

    /// Exactly `YYYY-MM-DD`, ten bytes, a date that exists.
    init?(_ text: String) {
        var scanner = DateScanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let day = scanner.digits(2), scanner.isAtEnd
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    var date: (year: Int, month: Int, day: Int) { Gregorian.date(ofDayNumber: number) }
    var year: Int { date.year }
    var month: Int { date.month }
    /// The day of the month, 1 to 31.
    var dayOfMonth: Int { date.day }

    var weekday: Weekday {
        // Day 0 was a Thursday; the remainder is 0 to 6, so the raw value always exists.
        Weekday(rawValue: Gregorian.floorDivide(number + 3, 7).remainder + 1) ?? .monday
    }

    /// `YYYY-MM-DD`.
    var description: String {
        var bytes: [UInt8] = []
        bytes.append(self, separator: UInt8(ascii: "-"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The day so many days later; the first or last day that there is, when that lies beyond it.
    func adding(days: Int) -> Day {
        let (sum, overflows) = number.addingReportingOverflow(days)
        return Day(clamping: overflows ? (days < 0 ? Int.min : Int.max) : sum)
    }

    /// The day so many months later, on the same day of the month, or on the last day of a shorter month.
    ///
    /// A series keeps its day by naming it: from 2026-02-28 with `wanted: 31` the next is 2026-03-31, and a yearly
    /// 29 February (`months: 12, wanted: 29`) comes back in the next leap year.
    func adding(months: Int, wanted: Int? = nil) -> Day {
        let (year, month, day) = date
        // Ten thousand years of months in either direction: more is beyond every day that there is.
        let count = year * 12 + (month - 1) + min(max(months, -120_000), 120_000)
        let (newYear, newMonth) = Gregorian.floorDivide(count, 12)
        if newYear < 1 { return .earliest }
        if newYear > 9_999 { return .latest }
        let length = Gregorian.days(inMonth: newMonth + 1, of: newYear)
        let newDay = min(max(wanted ?? day, 1), length)
        return Day(clamping: Gregorian.dayNumber(year: newYear, month: newMonth + 1, day: newDay))
    }

    /// The first day of the week that holds this day, for people whose weeks begin on that weekday.
    func startOfWeek(first: Weekday) -> Day {
        adding(days: -((weekday.rawValue - first.rawValue + 7) % 7))
    }

    /// The days from this day to another one, negative when that one is earlier.
    func distance(to other: Day) -> Int { other.number - number }

    static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}

extension [UInt8] {
    /// Appends a number that is not negative, with zeros in front up to the width.
    mutating func append(decimal value: Int, width: Int) {
        var divisor = 1
        for _ in 1..<Swift.max(width, 1) { divisor *= 10 }
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(truncatingIfNeeded: 0x30 + value / divisor % 10))
            divisor /= 10
        }
    }
}

extension [UInt8] {
    /// Appends `2026-12-24`, or with another separator or none.
    mutating func append(_ day: Day, separator: UInt8?) {
        append(addingCapacity: 10) { $0.append(day, separator: separator) }
    }
}

/// What is written very often goes into room that was made once.
extension OutputSpan<UInt8> {
    mutating func append(_ day: Day, separator: UInt8?) {
        let (year, month, dayOfMonth) = day.date
        append(two: year / 100)
        append(two: year % 100)
        if let separator { append(separator) }
        append(two: month)
        if let separator { append(separator) }
        append(two: dayOfMonth)
    }

    /// A number from 0 to 99 in two digits.
    mutating func append(two value: Int) {
        append(UInt8(truncatingIfNeeded: 0x30 + value / 10))
        append(UInt8(truncatingIfNeeded: 0x30 + value % 10))
    }
}
