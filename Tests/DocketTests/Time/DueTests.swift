// Due dates: what forms and scripts may say, and what overdue, today and this week mean, through the known faults on dates (D01 to D25, S12, S14).

import Testing

@testable import Docket

private func instant(_ text: String) throws -> Instant { try #require(Instant(text), "no such instant: \(text)") }
private func day(_ text: String) throws -> Day { try #require(Day(text), "no such day: \(text)") }
private func zone(_ name: String) throws -> Zone { try Zone(named: name) }

/// A Tuesday.
private let now = "2026-11-24T09:00:00Z"

@Suite struct DueFormTests {
    @Test(
        "A day or a day and time is read and written back the same",
        arguments: [
            "2026-12-24", "1963-01-01", "1900-01-01", "9999-12-31", "2026-12-24T18:30", "2026-12-24T00:00", "2026-12-24T23:59:59",
            "2026-12-24T18:30:15.250", "2026-01-11T12:00",
        ])
    func roundTrip(_ text: String) throws {
        for name in ["UTC", "Europe/Berlin", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kathmandu"] {
            let zone = try zone(name)
            let due = try #require(try Due(form: text, zone: zone, now: instant(now)))
            #expect(due.formText(in: zone) == text)
        }
    }

    @Test(
        "Other spellings of a day and time",
        arguments: [
            ("2026-12-24 18:30", "2026-12-24T18:30"), (" 2026-12-24 ", "2026-12-24"), ("2026-12-24t18:30:00", "2026-12-24T18:30"),
            ("2026-12-24T17:30:00Z", "2026-12-24T18:30"), ("2026-12-24T18:30+01:00", "2026-12-24T18:30"),
            ("2026-12-24T09:30-0800", "2026-12-24T18:30"),
        ])
    func spellings(_ text: String, _ expected: String) throws {
        let berlin = try zone("Europe/Berlin")
        #expect(try Due(form: text, zone: berlin, now: instant(now))?.formText(in: berlin) == expected)
    }

    @Test("A blank text is no due date", arguments: ["", " ", "\u{3000}"])
    func blank(_ text: String) throws {
        #expect(try Due(form: text, zone: .utc, now: instant(now)) == nil)
    }

    @Test(
        "What is no date is refused with its reason",
        arguments: [
            ("no", DueError.unreadable), ("stuff", .unreadable), ("2026", .unreadable), ("2026-12", .unreadable),
            ("2026-12-2", .unreadable), ("24.12.2026", .unreadable),
            ("2026-12-24T", .unreadable), ("2026-12-24x", .unreadable), ("2026-12-24T18:30 ?", .unreadable),
            ("2026-12-245", .unreadable), ("12月", .unreadable), ("周", .unreadable),
            ("下", .unreadable), ("+", .unreadable), ("+3", .unreadable), ("+3q", .unreadable), ("3d", .unreadable),
            ("fridays", .unreadable), ("monitor", .unreadable),
            ("today today", .unreadable), ("tomorrow 8", .unreadable), ("mod", .unreadable), ("2 months", .unreadable),
            ("\0", .unreadable),
            ("2026-02-30", .noSuchDay), ("2025-02-29", .noSuchDay), ("2026-13-01", .noSuchDay), ("2026-00-10", .noSuchDay),
            ("2026年2月30日", .noSuchDay), ("2月30日", .noSuchDay),
            ("2026-12-24T24:00", .noSuchTime), ("2026-12-24T18:60", .noSuchTime), ("2026-12-24T18", .noSuchTime),
            ("tomorrow 25:00", .noSuchTime), ("明天8点70分", .noSuchTime),
            ("今晚12点", .noSuchTime), ("tomorrow 13pm", .noSuchTime),
            ("0000-01-01", .outOfRange), ("0001-01-01", .outOfRange), ("1899-12-31", .outOfRange), ("99999-01-01", .outOfRange),
            ("-2026-01-01", .outOfRange),
            ("10000年1月1日", .outOfRange), ("1899-12-31T23:59", .outOfRange), ("+100000y", .outOfRange),
        ])
    func refused(_ text: String, _ error: DueError) throws {
        #expect(throws: error) { try Due(form: text, zone: zone("Europe/Berlin"), now: instant(now)) }
    }

    @Test("A moment that only one end of the world may name is refused where UTC leaves the range")
    func extremes() throws {
        #expect(throws: DueError.outOfRange) {
            try Due(form: "9999-12-31T23:30", zone: zone("America/Los_Angeles"), now: instant(now))
        }
        let due = try #require(try Due(form: "9999-12-31", zone: zone("Pacific/Auckland"), now: instant(now)))
        #expect(due.key(in: try zone("Pacific/Auckland")) < Instant.latest.milliseconds)
        #expect(due.key(in: try zone("America/Los_Angeles")) > Instant.latest.milliseconds)
    }

    @Test(
        "Words are days counted from today in the person's zone",
        arguments: [
            ("today", "2026-11-24"), ("Tomorrow", "2026-11-25"), ("TODAY", "2026-11-24"), ("yesterday", "2026-11-23"),
            ("day after tomorrow", "2026-11-26"),
            ("+3d", "2026-11-27"), ("+2w", "2026-12-08"), ("+1m", "2026-12-24"), ("+1y", "2027-11-24"), ("+0d", "2026-11-24"),
            ("+3 days", "2026-11-27"),
            ("tue", "2026-12-01"), ("wed", "2026-11-25"), ("fri", "2026-11-27"), ("friday", "2026-11-27"), ("mon", "2026-11-30"),
            ("next friday", "2026-12-04"),
            ("next week", "2026-11-30"), ("this fri", "2026-11-27"), ("今天", "2026-11-24"), ("明天", "2026-11-25"),
            ("后天", "2026-11-26"), ("大后天", "2026-11-27"), ("後天", "2026-11-26"),
            ("周五", "2026-11-27"), ("星期五", "2026-11-27"), ("礼拜天", "2026-11-29"), ("周二", "2026-12-01"), ("下周一", "2026-11-30"),
            ("下周日", "2026-12-06"), ("下周", "2026-11-30"),
            ("下下周一", "2026-12-07"), ("下个星期三", "2026-12-02"), ("本周五", "2026-11-27"), ("这周一", "2026-11-23"), ("3天后", "2026-11-27"),
            ("三天后", "2026-11-27"),
            ("十二天后", "2026-12-06"), ("两周后", "2026-12-08"), ("1个月后", "2026-12-24"), ("12月24日", "2026-12-24"),
            ("1月5号", "2027-01-05"), ("11月24日", "2026-11-24"),
            ("2月29日", "2028-02-29"), ("2027年3月1日", "2027-03-01"), ("十二月二十四日", "2026-12-24"), ("１２月２４日", "2026-12-24"),
            ("tomorrow 18:30", "2026-11-25T18:30"), ("tomorrow at 6pm", "2026-11-25T18:00"), ("fri 9:05am", "2026-11-27T09:05"),
            ("today 12am", "2026-11-24T00:00"),
            ("tonight 8pm", "2026-11-24T20:00"), ("tonight", "2026-11-24"), ("今晚8点", "2026-11-24T20:00"),
            ("今晚八点半", "2026-11-24T20:30"), ("明早7点", "2026-11-25T07:00"),
            ("明天下午3点20分", "2026-11-25T15:20"), ("明天 18：30", "2026-11-25T18:30"), ("后天中午12点", "2026-11-26T12:00"),
            ("周五上午十点", "2026-11-27T10:00"),
            ("12月24日 20:00", "2026-12-24T20:00"), ("明天凌晨12点", "2026-11-25T00:00"), ("今天晚上9点", "2026-11-24T21:00"),
        ])
    func words(_ text: String, _ expected: String) throws {
        let shanghai = try zone("Asia/Shanghai")
        #expect(try Due(form: text, zone: shanghai, now: instant(now))?.formText(in: shanghai) == expected)
    }

    @Test("Today is the day on the person's wall, not the server's")
    func todayInZone() throws {
        let late = try instant("2026-11-24T23:30:00Z")
        #expect(try Due(form: "today", zone: zone("Asia/Shanghai"), now: late) == .day(day("2026-11-25")))
        #expect(try Due(form: "today", zone: zone("America/Los_Angeles"), now: late) == .day(day("2026-11-24")))
    }

    @Test("Saving a form without touching it never moves a moment, the second 02:30 of an autumn night included")
    func unchanged() throws {
        let berlin = try zone("Europe/Berlin")
        let second = Due.moment(try instant("2026-10-25T01:30:00Z"))
        #expect(second.formText(in: berlin) == "2026-10-25T02:30")
        #expect(try Due(form: "2026-10-25T02:30", zone: berlin, now: instant(now), current: second) == second)
        #expect(try Due(form: "2026-10-25T02:30", zone: berlin, now: instant(now)) == .moment(instant("2026-10-25T00:30:00Z")))
    }

    @Test("A time that the clock skips moves forward")
    func gap() throws {
        let berlin = try zone("Europe/Berlin")
        let due = try #require(try Due(form: "2026-03-29T02:30", zone: berlin, now: instant(now)))
        #expect(due.formText(in: berlin) == "2026-03-29T03:30")
    }

    @Test("Random texts from the words' own letters never trap")
    func noise() throws {
        let letters = Array("0123456789+-:T年月日号周下今明晚点半十一天后 amptodayfri")
        let berlin = try zone("Europe/Berlin")
        let now = try instant(now)
        for _ in 0..<3_000 {
            let text = String((0..<Int.random(in: 1...9)).compactMap { _ in letters.randomElement() })
            guard let due = try? Due(form: text, zone: berlin, now: now) else { continue }
            #expect(Due.years.contains(due.day(in: berlin).year), "\(text)")
        }
    }
}

@Suite struct DueCalendarTests {
    private func calendar(_ at: String, _ name: String, _ first: Weekday = .monday) throws -> DueCalendar {
        DueCalendar(now: try instant(at), zone: try zone(name), firstWeekday: first)
    }

    @Test(
        "A day is overdue when the next day begins in the person's zone, not a second earlier",
        arguments: [
            ("Europe/Berlin", "2026-11-24T22:59:59.999Z", false), ("Europe/Berlin", "2026-11-24T23:00:00Z", true),
            ("America/Los_Angeles", "2026-11-25T07:59:59.999Z", false), ("America/Los_Angeles", "2026-11-25T08:00:00Z", true),
            ("Asia/Shanghai", "2026-11-24T15:59:59.999Z", false), ("Asia/Shanghai", "2026-11-24T16:00:00Z", true),
        ])
    func overdueDay(_ name: String, _ at: String, _ isOverdue: Bool) throws {
        let due = Due.day(try day("2026-11-24"))
        let calendar = try calendar(at, name)
        #expect(calendar.isOverdue(due) == isOverdue)
        #expect(calendar.overdueBounds.contains(Instant(milliseconds: due.key(in: calendar.zone))) == isOverdue)
    }

    @Test("A moment is overdue once it has passed")
    func overdueMoment() throws {
        let due = Due.moment(try instant("2026-11-24T12:00:00Z"))
        #expect(try !calendar("2026-11-24T12:00:00Z", "UTC").isOverdue(due))
        #expect(try calendar("2026-11-24T12:00:00.001Z", "UTC").isOverdue(due))
    }

    @Test(
        "Due today is today's rows, near midnight and on days of 23 and 25 hours too",
        arguments: [
            ("America/Los_Angeles", "2026-11-25T07:30:00Z", "2026-11-24"),
            ("America/Los_Angeles", "2026-11-25T08:30:00Z", "2026-11-25"),
            ("Europe/Berlin", "2026-03-29T21:59:00Z", "2026-03-29"), ("Europe/Berlin", "2026-10-25T22:59:00Z", "2026-10-25"),
            ("Pacific/Auckland", "2022-09-24T11:30:00Z", "2022-09-24"),
            ("Australia/Sydney", "2023-09-30T13:59:00Z", "2023-09-30"),
            ("America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04"), ("Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-31"),
        ])
    func today(_ name: String, _ at: String, _ expected: String) throws {
        let calendar = try calendar(at, name)
        #expect(calendar.today.description == expected)
        for (offset, isToday) in [(-1, false), (0, true), (1, false)] {
            let key = Due.day(calendar.today.adding(days: offset)).key(in: calendar.zone)
            // Apia has no 30 December 2011: that day ends where it begins, with the day before.
            #expect(calendar.todayBounds.contains(Instant(milliseconds: key)) == isToday)
        }
        #expect(calendar.todayBounds.contains(calendar.now))
    }

    @Test(
        "This week holds today, from the weekday that the person's weeks begin on",
        arguments: [
            (Weekday.monday, "2026-11-23", "2026-11-29"), (.sunday, "2026-11-22", "2026-11-28"),
            (.saturday, "2026-11-21", "2026-11-27"),
        ])
    func week(_ first: Weekday, _ start: String, _ end: String) throws {
        let calendar = try calendar(now, "Europe/Berlin", first)
        func contains(_ text: String, _ offset: Int) throws -> Bool {
            calendar.weekBounds.contains(
                Instant(milliseconds: Due.day(try day(text).adding(days: offset)).key(in: calendar.zone)))
        }
        #expect(try contains(start, 0) && contains(end, 0))
        #expect(try !contains(start, -1) && !contains(end, 1))
    }

    @Test("Ranges of days may be open, include both ends, and are empty when turned around")
    func ranges() throws {
        let calendar = try calendar(now, "Asia/Shanghai")
        let (first, last) = (try day("2026-12-01"), try day("2026-12-24"))
        let key = { Instant(milliseconds: Due.day($0).key(in: calendar.zone)) }
        #expect(calendar.bounds(from: first, through: last).contains(key(first)))
        #expect(calendar.bounds(from: first, through: last).contains(key(last)))
        #expect(!calendar.bounds(from: first, through: last).contains(key(last.adding(days: 1))))
        #expect(calendar.bounds(from: nil, through: last).contains(key(.earliest)))
        #expect(calendar.bounds(from: first, through: nil).contains(key(.latest)))
        #expect(calendar.bounds(from: last, through: first).isEmpty)
    }

    @Test(
        "An all-day task due tomorrow is one day away, wherever its owner is",
        arguments: ["Pacific/Apia", "America/Los_Angeles", "UTC"])
    func tomorrow(_ name: String) throws {
        let calendar = try calendar(now, name)
        #expect(calendar.daysUntil(.day(calendar.today.adding(days: 1))) == 1)
        #expect(calendar.daysUntil(.moment(calendar.now)) == 0)
    }

    @Test("Keys of days and moments sort as time goes")
    func order() throws {
        let berlin = try zone("Europe/Berlin")
        let moment = Due.moment(try instant("2026-11-24T22:00:00Z"))
        let next = Due.moment(try instant("2026-11-24T23:00:00Z"))
        let whole = Due.day(try day("2026-11-24"))
        #expect(moment.key(in: berlin) < whole.key(in: berlin))
        #expect(whole.key(in: berlin) < next.key(in: berlin))
    }

    @Test("A series of days crosses the change of clocks one date at a time")
    func series() throws {
        for (name, start, next) in [
            ("Pacific/Auckland", "2022-09-24", "2022-09-25"), ("Australia/Sydney", "2023-09-30", "2023-10-01"),
        ] {
            #expect(try day(start).adding(days: 1).description == next)
            let zone = try zone(name)
            #expect(try zone.endOfDay(day(start)) == zone.startOfDay(day(next)))
        }
    }
}
