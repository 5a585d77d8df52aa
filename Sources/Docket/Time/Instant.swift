// A point on the line of time: milliseconds since 1970-01-01T00:00:00Z, without leap seconds, as SQLite columns that end in `_at` hold it.
// It has no zone; a Zone turns it into a day and a time. Text is ISO 8601 in UTC, years 0001 to 9999 and nothing beyond.

import Glibc

/// An instant, to the millisecond.
struct Instant: Hashable, Comparable, Sendable {
    var milliseconds: Int64

    static let earliest = Instant(milliseconds: -62_135_596_800_000)
    static let latest = Instant(milliseconds: 253_402_300_799_999)

    init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The instant of so many whole seconds since 1970; the end of the line when that does not fit.
    init(seconds: Int) {
        let (product, overflows) = Int64(seconds).multipliedReportingOverflow(by: 1_000)
        milliseconds = overflows ? (seconds < 0 ? .min : .max) : product
    }

    /// The clock of the machine.
    static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// `2026-12-24T17:30:00Z`, a space for the `T`, seconds left out, a fraction, or an offset such as `+01:00`, `+0100`, `+01`.
    /// Nil without `Z` or offset: a local time is no instant. Nil outside the years 0001 to 9999.
    init?(_ text: some StringProtocol) {
        var scanner = DateScanner(text)
        guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2), scanner.take("-"),
            let dayOfMonth = scanner.digits(2), scanner.take("T") || scanner.take("t") || scanner.take(" "),
            let time = scanner.timeOfDay(), let offset = scanner.offset(), scanner.isAtEnd,
            let day = Day(year: year, month: month, day: dayOfMonth)
        else { return nil }
        milliseconds = Int64((day.number * Gregorian.secondsPerDay - offset) * 1_000 + time)
        guard isWithinRange else { return nil }
    }

    /// Whether the instant lies in the years 0001 to 9999 of UTC, which text can say.
    var isWithinRange: Bool { self >= .earliest && self <= .latest }

    /// Whole seconds since 1970, rounded down.
    var seconds: Int { Gregorian.floorDivide(Int(milliseconds), 1_000).quotient }

    /// `2026-12-24T17:30:00Z`: what pages and scripts see.
    var iso8601: String {
        var bytes: [UInt8] = []
        bytes.append(self, withMilliseconds: false)
        return String(decoding: bytes, as: UTF8.self)
    }

    func adding(milliseconds count: Int64) -> Instant {
        let (sum, overflows) = milliseconds.addingReportingOverflow(count)
        return Instant(milliseconds: overflows ? (count < 0 ? .min : .max) : sum)
    }

    func adding(seconds count: Int) -> Instant {
        adding(milliseconds: Instant(seconds: count).milliseconds)
    }

    static func < (left: Instant, right: Instant) -> Bool { left.milliseconds < right.milliseconds }
}

extension [UInt8] {
    /// Appends `2026-12-24T17:30:00Z`, or `2026-12-24T17:30:00.250Z`. An instant beyond the range is written as the end of the range: a strange
    /// row must not stop a page.
    mutating func append(_ instant: Instant, withMilliseconds: Bool) {
        append(addingCapacity: 24) { output in
            let value = Int(Swift.min(Swift.max(instant, .earliest), .latest).milliseconds)
            let (day, ofDay) = Gregorian.floorDivide(value, Gregorian.secondsPerDay * 1_000)
            output.append(Day(clamping: day), separator: UInt8(ascii: "-"))
            output.append(UInt8(ascii: "T"))
            output.append(two: ofDay / 3_600_000)
            output.append(UInt8(ascii: ":"))
            output.append(two: ofDay / 60_000 % 60)
            output.append(UInt8(ascii: ":"))
            output.append(two: ofDay / 1_000 % 60)
            if withMilliseconds {
                output.append(UInt8(ascii: "."))
                output.append(UInt8(truncatingIfNeeded: 0x30 + ofDay / 100 % 10))
                output.append(two: ofDay % 100)
            }
            output.append(UInt8(ascii: "Z"))
        }
    }

    /// Appends `HH:MM`, and `:SS` unless it is left out.
    mutating func append(timeOfDay seconds: Int, withSeconds: Bool = true) {
        append(decimal: seconds / 3_600, width: 2)
        append(0x3A)
        append(decimal: seconds / 60 % 60, width: 2)
        guard withSeconds else { return }
        append(0x3A)
        append(decimal: seconds % 60, width: 2)
    }
}
