// Days and times in words, in the person's language and zone: `today 18:30`, `3 days late`, `Thu 24 Dec`, `12月24日 周四`.

/// Writes dates for people.
struct DateText {
    let strings: Strings
    let zone: Zone
    let now: Instant

    init(_ context: Context) {
        self.init(strings: context.strings, zone: context.zone, now: context.now)
    }

    init(strings: Strings, zone: Zone, now: Instant) {
        self.strings = strings
        self.zone = zone
        self.now = now
        today = zone.day(at: now)
    }

    private let today: Day

    /// A due date of an open task: near days by name, late ones by how late, others by date.
    ///
    /// - Parameter isLate: true where the row is marked as late, which the words have to say too: colour alone tells not everybody.
    func due(_ due: Due, isLate: Bool) -> String {
        let text = self.due(due)
        let saysIt = (-30..<0).contains(today.distance(to: due.day(in: zone)))
        return isLate && !saysIt ? strings("when.and_late", [("when", text)]) : text
    }

    /// The same for a day of which nobody is late.
    func due(_ due: Due) -> String {
        let day = due.day(in: zone)
        let distance = today.distance(to: day)
        let date: String
        switch distance {
        case 0: date = strings.dates.today
        case 1: date = strings.dates.tomorrow
        case -1: date = strings.dates.yesterday
        case -30 ..< -1: date = strings.count("when.late", -distance)
        default: date = self.day(day)
        }
        if case .moment(let instant) = due, distance > -2 { return withTime(date, instant) }
        return date
    }

    /// A due date as a date, for completed tasks and histories.
    func exact(_ due: Due) -> String {
        switch due {
        case .day(let day): self.day(day)
        case .moment(let instant): moment(instant)
        }
    }

    /// `Thu 24 Dec`, with the year where it is not this one.
    func day(_ day: Day) -> String {
        let words = strings.dates
        let date = day.date
        let pattern = date.year == today.year ? words.date : words.dateWithYear
        return pattern(
            words.weekdays[day.weekday.rawValue - 1], String(date.day), words.months[date.month - 1], String(date.year))
    }

    /// `18:30`, on the 24-hour clock in both languages.
    func time(_ instant: Instant) -> String {
        let seconds = zone.local(instant).secondsOfDay
        let (hour, minute) = (seconds / 3_600, seconds / 60 % 60)
        return (hour < 10 ? "0" : "") + String(hour) + (minute < 10 ? ":0" : ":") + String(minute)
    }

    /// Day and time.
    func moment(_ instant: Instant) -> String { withTime(day(zone.day(at: instant)), instant) }

    private func withTime(_ day: String, _ instant: Instant) -> String {
        strings.dates.withTime(day, time(instant))
    }
}
