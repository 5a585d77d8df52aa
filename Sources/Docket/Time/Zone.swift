// A time zone: turns instants into days and times on the wall and back. The only place that does so, which is why no setting of
// the process (TZ) can ever move a stored date. Zones come from zoneinfo files by a ZoneDatabase; UTC is always there.
// A wall time that a clock skips moves forward by the gap; one that it shows twice is the first (RFC 5545 section 3.3.5).

/// A time zone with a name of the IANA database.
struct Zone: Hashable, Sendable {
    /// The name as it was asked for and is stored, such as `Europe/Berlin`.
    let name: String
    private let file: ZoneFile

    static let utc = Zone(name: "UTC", file: ZoneFile(fixedOffset: 0))

    /// A zone of the machine's zoneinfo files.
    init(named name: String) throws(ZoneError) {
        self = try ZoneDatabase.system.zone(named: name)
    }

    init(name: String, file: ZoneFile) {
        self.name = name
        self.file = file
    }

    /// Seconds east of UTC at an instant.
    func offset(at instant: Instant) -> Int { file.offset(at: instant.seconds) }

    /// The day and the second of the day that the clock on the wall shows.
    func local(_ instant: Instant) -> (day: Day, secondsOfDay: Int) {
        let (day, seconds) = Gregorian.floorDivide(instant.seconds + offset(at: instant), Gregorian.secondsPerDay)
        return (Day(clamping: day), seconds)
    }

    func day(at instant: Instant) -> Day { local(instant).day }

    /// The instant at which the clock on the wall shows this.
    func instant(of day: Day, secondsOfDay: Int) -> Instant {
        Instant(seconds: resolve(wall: day.number * Gregorian.secondsPerDay + secondsOfDay).instant)
    }

    /// The first instant of a day: midnight, or the end of the gap where midnight does not exist.
    /// Where a whole day was skipped (Apia, 2011-12-30) it is the first instant of the next.
    func startOfDay(_ day: Day) -> Instant { startOfDay(number: day.number) }

    /// The first instant after a day.
    func endOfDay(_ day: Day) -> Instant { startOfDay(number: day.number + 1) }

    private func startOfDay(number: Int) -> Instant {
        let (instant, gap) = resolve(wall: number * Gregorian.secondsPerDay)
        return Instant(seconds: gap ?? instant)
    }

    /// The instant of a wall time, and the transition whose gap it fell into, all in seconds.
    private func resolve(wall: Int) -> (instant: Int, gap: Int?) {
        // No offset is as large as 26 hours, so only transitions this near can matter; nearly always there is none.
        var time = wall - 26 * 3_600
        var offset = file.offset(at: time)
        while let next = file.transition(after: time), next.at <= wall + 26 * 3_600 {
            if wall < next.at + offset { return (wall - offset, nil) }
            if wall < next.at + next.offset { return (wall - offset, next.at) }
            (time, offset) = next
        }
        return (wall - offset, nil)
    }

    static func == (left: Zone, right: Zone) -> Bool { left.name.utf8.elementsEqual(right.name.utf8) }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
