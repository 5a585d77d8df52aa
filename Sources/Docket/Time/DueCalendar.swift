// What "today", "this week" and "overdue" mean: one function of instant, zone and first weekday, so that lists, counts, feeds and mails
// can never disagree. Bounds are half-open ranges of instants, to be compared with `Due.key`.

/// The present of one person.
struct DueCalendar: Hashable, Sendable {
    let now: Instant
    let zone: Zone
    let firstWeekday: Weekday
    let today: Day

    init(now: Instant, zone: Zone, firstWeekday: Weekday) {
        self.now = now
        self.zone = zone
        self.firstWeekday = firstWeekday
        today = zone.day(at: now)
    }

    /// Keys of what is due today, overdue already or not.
    var todayBounds: Range<Instant> { bounds(from: today, through: today) }

    /// Keys of what is due in the week that holds today, from its first day to its last.
    var weekBounds: Range<Instant> {
        let start = today.startOfWeek(first: firstWeekday)
        return bounds(from: start, through: start.adding(days: 6))
    }

    /// Keys of what is overdue: everything before now.
    var overdueBounds: Range<Instant> { Instant(milliseconds: .min)..<now }

    /// Keys of what is due from one day through another, both included; an end left out is open.
    /// A range that ends before it begins is empty.
    func bounds(from first: Day?, through last: Day?) -> Range<Instant> {
        let start = first.map(zone.startOfDay) ?? Instant(milliseconds: .min)
        let end = last.map(zone.endOfDay) ?? Instant(milliseconds: .max)
        return start..<max(start, end)
    }

    func isOverdue(_ due: Due) -> Bool { due.isOverdue(at: now, in: zone) }

    /// Days from today to the due day: 0 today, negative in the past.
    func daysUntil(_ due: Due) -> Int { today.distance(to: due.day(in: zone)) }
}
