// Dates of HTTP (RFC 9110 section 5.6.7): written as IMF-fixdate, read in all three formats, always UTC, to the second.
// Refused: days that do not exist, other zones, the wrong case; the name of the weekday must be one, but is not checked for truth.

/// An instant in HTTP's precision, in the years 1970 to 9999.
public struct HTTPDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00Z.
    public let unixSeconds: Int

    /// Makes a date; what lies outside 1970 to 9999 is moved to the nearest end.
    public init(unixSeconds: Int) { self.unixSeconds = min(max(unixSeconds, 0), 253_402_300_799) }

    /// Earlier or later.
    public static func < (one: Self, other: Self) -> Bool { one.unixSeconds < other.unixSeconds }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`.
    public var description: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the 29 bytes of IMF-fixdate.
    public func append(to bytes: inout [UInt8]) {
        let days = unixSeconds / 86400
        let second = unixSeconds % 86400
        let (year, month, day) = Self.civil(days)
        let weekday = (days + 4) % 7 * 3
        bytes.append(contentsOf: Self.shortWeekdays[weekday..<(weekday + 3)])
        bytes.append(Ascii.comma)
        bytes.append(Ascii.space)
        Self.append(day, to: &bytes)
        bytes.append(Ascii.space)
        bytes.append(contentsOf: Self.shortMonths[(month * 3 - 3)..<(month * 3)])
        bytes.append(Ascii.space)
        Self.append(year / 100, to: &bytes)
        Self.append(year % 100, to: &bytes)
        bytes.append(Ascii.space)
        Self.append(second / 3600, to: &bytes)
        bytes.append(Ascii.colon)
        Self.append(second / 60 % 60, to: &bytes)
        bytes.append(Ascii.colon)
        Self.append(second % 60, to: &bytes)
        bytes.append(contentsOf: " GMT".utf8)
    }

    /// Reads a date; `now` in Unix seconds tells the century of RFC 850 dates (none lies more than 50 years ahead).
    public init?(_ text: String, now: Int) {
        var reader = Reader(bytes: Array(text.utf8)[...])
        guard let date = reader.fixdate() ?? reader.rfc850(now: now) ?? reader.asctime() else { return nil }
        self = date
    }

    fileprivate static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    fileprivate static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    // In one piece, so that a name is a copy of three bytes.
    private static let shortWeekdays = weekdays.flatMap { $0.utf8.prefix(3) }
    private static let shortMonths = months.flatMap { $0.utf8 }

    private static func append(_ twoDigits: Int, to bytes: inout [UInt8]) {
        bytes.append(0x30 + UInt8(twoDigits / 10))
        bytes.append(0x30 + UInt8(twoDigits % 10))
    }

    /// Year, month and day of a number of days since 1970, in the Gregorian calendar: years counted from March, in eras of 400.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// The inverse of `civil`.
    fileprivate static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Nil where the day does not exist, or lies before 1970, which no validator of ours does.
    fileprivate static func make(_ year: Int, _ month: Int, _ day: Int, _ time: Int) -> HTTPDate? {
        guard year >= 1970, (1...31).contains(day) else { return nil }
        let number = days(year, month, day)
        guard civil(number) == (year, month, day) else { return nil }
        return HTTPDate(unixSeconds: number * 86400 + time)
    }
}

/// Reads the three formats; each attempt starts at the beginning and must reach the end.
private struct Reader {
    let bytes: ArraySlice<UInt8>
    var rest: ArraySlice<UInt8> = []

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    mutating func fixdate() -> HTTPDate? {
        rest = bytes
        guard name(HTTPDate.weekdays.map { String($0.prefix(3)) }) != nil, literal(", "), let day = number(2), literal(" "),
            let month = name(HTTPDate.months), literal(" "), let year = number(4), literal(" "), let time = time(),
            literal(" GMT"),
            rest.isEmpty
        else { return nil }
        return HTTPDate.make(year, month + 1, day, time)
    }

    /// `Sunday, 06-Nov-94 08:49:37 GMT`
    mutating func rfc850(now: Int) -> HTTPDate? {
        rest = bytes
        guard name(HTTPDate.weekdays) != nil, literal(", "), let day = number(2), literal("-"), let month = name(HTTPDate.months),
            literal("-"), let twoDigits = number(2), literal(" "), let time = time(), literal(" GMT"), rest.isEmpty
        else { return nil }
        let thisYear = 1970 + now / 31_556_952
        var year = thisYear / 100 * 100 + twoDigits
        if year > thisYear + 50 { year -= 100 }
        return HTTPDate.make(year, month + 1, day, time)
    }

    /// `Sun Nov  6 08:49:37 1994`
    mutating func asctime() -> HTTPDate? {
        rest = bytes
        guard name(HTTPDate.weekdays.map { String($0.prefix(3)) }) != nil, literal(" "), let month = name(HTTPDate.months),
            literal(" ")
        else { return nil }
        guard let day = literal(" ") ? number(1) : number(2), literal(" "), let time = time(), literal(" "), let year = number(4),
            rest.isEmpty
        else { return nil }
        return HTTPDate.make(year, month + 1, day, time)
    }

    private mutating func literal(_ text: String) -> Bool {
        guard rest.starts(with: text.utf8) else { return false }
        rest = rest.dropFirst(text.utf8.count)
        return true
    }

    private mutating func name(_ names: [String]) -> Int? {
        names.firstIndex { literal($0) }
    }

    private mutating func number(_ digits: Int) -> Int? {
        guard rest.count >= digits, let number = Grammar.decimal(rest.prefix(digits)) else { return nil }
        rest = rest.dropFirst(digits)
        return number
    }

    /// `08:49:37`; a leap second counts as the second before it.
    private mutating func time() -> Int? {
        guard let hour = number(2), hour < 24, literal(":"), let minute = number(2), minute < 60, literal(":"),
            let second = number(2),
            second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + min(second, 59)
    }
}
