// Calendar days: real dates only, and arithmetic that never makes one up.

import Foundation
import Testing

@testable import Docket

private func day(_ text: String) throws -> Day { try #require(Day(text), "no such day: \(text)") }

@Suite struct DayTests {
    @Test(
        "A day is read and written as YYYY-MM-DD",
        arguments: ["0001-01-01", "1963-01-01", "2024-02-29", "2026-12-24", "9999-12-31"])
    func roundTrip(_ text: String) throws {
        #expect(try day(text).description == text)
    }

    @Test(
        "What is no day is refused",
        arguments: [
            "", "2026", "2026-2-3", "2026-13-01", "2026-00-01", "2026-02-30", "2025-02-29", "1900-02-29", "2026-04-31",
            "2026-01-00",
            "0000-01-01", "99999-01-01", "+026-01-01", "-026-01-01", "2026-01-01 ", " 2026-01-01", "2026-01-01\n", "2026/01/01",
            "２０２６-01-01", "2026-01-0²", "2026-01-01\0", "20260101",
        ])
    func refuses(_ text: String) {
        #expect(Day(text) == nil)
    }

    @Test("Numbers and dates agree with Foundation on every day of the years 1600 to 2400")
    func oracle() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var previous = (year: 1_599, month: 12, day: 31)
        for number in try day("1600-01-01").number...day("2400-12-31").number {
            let date = try #require(Day(number: number)).date
            let isNext =
                date.day == previous.day + 1 && date.month == previous.month && date.year == previous.year
                || date.day == 1 && previous.day == Gregorian.days(inMonth: previous.month, of: previous.year)
                    && date.year * 12 + date.month == previous.year * 12 + previous.month + 1
            guard isNext else {
                Issue.record("\(date) after \(previous)")
                break
            }
            previous = date
            if number.isMultiple(of: 97) {
                let moment = Date(timeIntervalSince1970: Double(number) * 86_400)
                let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: moment)
                #expect(parts.year == date.year && parts.month == date.month && parts.day == date.day)
                let weekday = try #require(parts.weekday)
                #expect(try #require(Day(number: number)).weekday.rawValue == (weekday == 1 ? 7 : weekday - 1))
            }
        }
    }

    @Test(
        "Months are added on the same day, or on the last day of a shorter month",
        arguments: [
            ("2026-01-31", 1, "2026-02-28"), ("2021-03-31", 1, "2021-04-30"), ("2024-01-31", 1, "2024-02-29"),
            ("2026-03-31", -1, "2026-02-28"), ("2026-12-24", 1, "2027-01-24"), ("2026-01-15", -1, "2025-12-15"),
            ("2024-02-29", 12, "2025-02-28"), ("2024-02-29", 48, "2028-02-29"), ("9999-12-01", 1, "9999-12-31"),
            ("0001-01-15", -1, "0001-01-01"),
        ])
    func months(_ from: String, _ count: Int, _ to: String) throws {
        #expect(try day(from).adding(months: count).description == to)
    }

    @Test("A monthly series from the 31st keeps its 31st, and a yearly 29 February comes back")
    func series() throws {
        let february = try day("2026-01-31").adding(months: 1, wanted: 31)
        #expect(february.description == "2026-02-28")
        #expect(february.adding(months: 1, wanted: 31).description == "2026-03-31")
        var yearly = try day("2024-02-29")
        for _ in 0..<4 { yearly = yearly.adding(months: 12, wanted: 29) }
        #expect(yearly.description == "2028-02-29")
    }

    @Test("Days are added and counted", arguments: [("2026-12-24", 8, "2027-01-01"), ("2024-03-01", -1, "2024-02-29")])
    func days(_ from: String, _ count: Int, _ to: String) throws {
        #expect(try day(from).adding(days: count).description == to)
        #expect(try day(from).distance(to: day(to)) == count)
    }

    @Test("Arithmetic stops at the first and last day instead of trapping")
    func clamping() {
        #expect(Day.latest.adding(days: .max) == .latest)
        #expect(Day.earliest.adding(days: .min) == .earliest)
        #expect(Day.latest.adding(months: .max) == .latest)
        #expect(Day.earliest.adding(months: .min) == .earliest)
    }

    @Test(
        "A week begins on the weekday that the person chose",
        arguments: [
            ("2026-12-24", Weekday.monday, "2026-12-21"), ("2026-12-24", .sunday, "2026-12-20"),
            ("2026-12-24", .saturday, "2026-12-19"), ("2026-12-20", .monday, "2026-12-14"), ("2026-12-20", .sunday, "2026-12-20"),
        ])
    func weeks(_ text: String, _ first: Weekday, _ start: String) throws {
        #expect(try day(text).startOfWeek(first: first).description == start)
    }

    @Test("The month of October 2025 and of November 2019 holds each date once")
    func eachDateOnce() throws {
        for (first, count) in [("2025-10-01", 31), ("2019-11-01", 30)] {
            let start = try day(first)
            #expect((0..<count).map { start.adding(days: $0).dayOfMonth } == Array(1...count))
        }
    }
}
