// Times of iCalendar (RFC 5545 sections 3.3.4, 3.3.5, 3.3.6): days, moments of UTC, of a named zone, or of no zone, which are the person's;
// and spans from a start. Names of zones are those of the time-zone database, also behind a maker's prefix, or Windows'.

extension ForeignDate {
    /// `20261224`, `20261224T183000`, `20261224T183000Z`, also with the signs between that some programs put there. Nil for anything else.
    init?(basic text: String) {
        var scanner = DateScanner(text)
        guard let year = scanner.digits(4) else { return nil }
        let isExtended = scanner.take("-")
        guard let month = scanner.digits(2), !isExtended || scanner.take("-"), let dayOfMonth = scanner.digits(2),
            let day = Day(year: year, month: month, day: dayOfMonth)
        else { return nil }
        if scanner.isAtEnd {
            self = .day(day)
            return
        }
        guard scanner.take("T") || scanner.take("t"), let hour = scanner.digits(2), hour < 24 else { return nil }
        let hasColons = scanner.take(":")
        guard let minute = scanner.digits(2), minute < 60, !hasColons || scanner.take(":"), let second = scanner.digits(2),
            second <= 60
        else { return nil }
        // A leap second is the last one before it.
        let seconds = hour * 3_600 + minute * 60 + min(second, 59)
        if scanner.isAtEnd {
            self = .local(day, milliseconds: seconds * 1_000)
            return
        }
        guard scanner.take("Z") || scanner.take("z"), scanner.isAtEnd else { return nil }
        let instant = Instant(seconds: day.number * Gregorian.secondsPerDay + seconds)
        guard instant.isWithinRange else { return nil }
        self = .instant(instant)
    }

    /// The same date as many seconds later as a span says; days in it are days of the calendar.
    func adding(span: (days: Int, seconds: Int), _ zone: Zone) -> ForeignDate? {
        switch self {
        case .day(let day):
            return span.seconds == 0
                ? .day(day.adding(days: span.days))
                : .local(day.adding(days: span.days), milliseconds: 0)
                    .adding(span: (0, span.seconds), zone)
        case .local(let day, let milliseconds):
            if span.seconds == 0 { return .local(day.adding(days: span.days), milliseconds: milliseconds) }
            let start = ForeignDate.local(day.adding(days: span.days), milliseconds: milliseconds).instant(zone)
            return .instant(start.adding(seconds: span.seconds))
        case .instant(let instant):
            let moved = instant.adding(seconds: span.days * Gregorian.secondsPerDay + span.seconds)
            return moved.isWithinRange ? .instant(moved) : nil
        }
    }
}

enum CalendarTime {
    /// `P15DT5H0M20S`, `P7W`, `PT24H`: days and seconds, negative with a minus in front. Nil for anything else.
    static func span(_ text: String) -> (days: Int, seconds: Int)? {
        var scanner = DateScanner(text.uppercased())
        let isNegative = scanner.take("-")
        if !isNegative { _ = scanner.take("+") }
        guard scanner.take("P") else { return nil }
        var (days, seconds, isTime, isAny) = (0, 0, false, false)
        while !scanner.isAtEnd {
            if !isTime, scanner.take("T") {
                isTime = true
                continue
            }
            guard let number = scanner.number(), number.value < 100_000_000, let unit = scanner.takeAny() else { return nil }
            isAny = true
            switch (unit, isTime) {
            case (UInt8(ascii: "W"), false): days += number.value * 7
            case (UInt8(ascii: "D"), false): days += number.value
            case (UInt8(ascii: "H"), true): seconds += number.value * 3_600
            case (UInt8(ascii: "M"), true): seconds += number.value * 60
            case (UInt8(ascii: "S"), true): seconds += number.value
            default: return nil
            }
        }
        guard isAny else { return nil }
        return isNegative ? (-days, -seconds) : (days, seconds)
    }

    /// The zone of a TZID; nil for one that is not known.
    static func zone(_ name: String) -> Zone? {
        if let zone = try? Zone(named: name) { return zone }
        if let zone = windows[name].flatMap({ try? Zone(named: $0) }) { return zone }
        // `/freeassociation.sourceforge.net/Europe/Vienna`, `/mozilla.org/20050126_1/Europe/Berlin`
        let parts = name.split(separator: "/")
        for count in [3, 2, 1] where parts.count > count {
            if let zone = try? Zone(named: parts.suffix(count).joined(separator: "/")) { return zone }
        }
        return nil
    }

    /// Names of Windows, as Outlook and Exchange write them (Unicode CLDR, windowsZones).
    private static let windows: [String: String] = [
        "Dateline Standard Time": "Etc/GMT+12", "Hawaiian Standard Time": "Pacific/Honolulu",
        "Alaskan Standard Time": "America/Anchorage",
        "Pacific Standard Time": "America/Los_Angeles", "US Mountain Standard Time": "America/Phoenix",
        "Mountain Standard Time": "America/Denver", "Central Standard Time": "America/Chicago",
        "Central America Standard Time": "America/Guatemala", "Eastern Standard Time": "America/New_York",
        "US Eastern Standard Time": "America/Indianapolis", "SA Pacific Standard Time": "America/Bogota",
        "Atlantic Standard Time": "America/Halifax", "Newfoundland Standard Time": "America/St_Johns",
        "E. South America Standard Time": "America/Sao_Paulo", "Argentina Standard Time": "America/Buenos_Aires",
        "GMT Standard Time": "Europe/London", "Greenwich Standard Time": "Atlantic/Reykjavik",
        "W. Europe Standard Time": "Europe/Berlin",
        "Central Europe Standard Time": "Europe/Budapest", "Romance Standard Time": "Europe/Paris",
        "Central European Standard Time": "Europe/Warsaw", "W. Central Africa Standard Time": "Africa/Lagos",
        "GTB Standard Time": "Europe/Bucharest", "FLE Standard Time": "Europe/Kiev", "Israel Standard Time": "Asia/Jerusalem",
        "Egypt Standard Time": "Africa/Cairo", "South Africa Standard Time": "Africa/Johannesburg",
        "Turkey Standard Time": "Europe/Istanbul",
        "Russian Standard Time": "Europe/Moscow", "Arab Standard Time": "Asia/Riyadh",
        "E. Africa Standard Time": "Africa/Nairobi",
        "Iran Standard Time": "Asia/Tehran", "Arabian Standard Time": "Asia/Dubai", "Pakistan Standard Time": "Asia/Karachi",
        "India Standard Time": "Asia/Calcutta", "Nepal Standard Time": "Asia/Katmandu", "Bangladesh Standard Time": "Asia/Dhaka",
        "SE Asia Standard Time": "Asia/Bangkok", "China Standard Time": "Asia/Shanghai",
        "Singapore Standard Time": "Asia/Singapore",
        "Taipei Standard Time": "Asia/Taipei", "W. Australia Standard Time": "Australia/Perth",
        "Tokyo Standard Time": "Asia/Tokyo",
        "Korea Standard Time": "Asia/Seoul", "Cen. Australia Standard Time": "Australia/Adelaide",
        "AUS Eastern Standard Time": "Australia/Sydney", "E. Australia Standard Time": "Australia/Brisbane",
        "New Zealand Standard Time": "Pacific/Auckland",
    ]
}
