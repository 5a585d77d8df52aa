// When something was, in words: `just now`, `5 minutes ago`, `2 hours ago`, `yesterday`, else the date.

extension DateText {
    /// How long ago an instant was; one of the future (a clock that was set back) counts as now.
    func ago(_ instant: Instant) -> String {
        let minutes = max(0, now.seconds - instant.seconds) / 60
        switch minutes {
        case 0: return strings["when.just_now"]
        case 1..<60: return strings.count("when.minutes_ago", minutes)
        case 60..<24 * 60: return strings.count("when.hours_ago", minutes / 60)
        default: return past(zone.day(at: instant))
        }
    }

    /// A day before now, or today.
    func past(_ day: Day) -> String {
        switch day.distance(to: zone.day(at: now)) {
        case ...0: strings["when.today"]
        case 1: strings["when.yesterday"]
        case let days where days < 7: strings.count("when.days_ago", days)
        default: self.day(day)
        }
    }

    /// `today 08:12`, `Sun 22 Nov 08:12`.
    func since(_ instant: Instant) -> String {
        let day = zone.day(at: instant)
        let word = day == zone.day(at: now) ? strings["when.today"] : self.day(day)
        return strings("when.with_time", [("day", word), ("time", time(instant))])
    }
}
