// The dashboard: exact figures by the person's days, links that lead to just what was counted, and indexes for all of it.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct DashboardTests {
    private func instant(_ day: String, _ seconds: Int, milliseconds: Int64 = 0) throws -> Instant {
        Zone.utc.instant(of: try #require(Day(day)), secondsOfDay: seconds).adding(milliseconds: milliseconds)
    }

    private struct Figures: Decodable {
        struct DayCount: Decodable {
            let day: String
            let completed: Int
        }

        struct Age: Decodable {
            let age: String
            let overdue: Int
        }

        let today: String
        let open: Int
        let dueToday: Int
        let overdue: Int
        let completedThisWeek: Int
        let days: [DayCount]
        let ages: [Age]
    }

    private func figures(_ visitor: Visitor) throws -> Figures {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Figures.self, from: Data(try visitor.get("/dashboard", accept: "application/json").text.utf8))
    }

    @Test func `Completions count on the person's own days, the one of 25 hours too`() throws {
        // In Berlin 2026-10-25 goes from 22:00 UTC of the day before to 23:00 UTC.
        let test = try TestApp(now: try instant("2026-10-20", 0))
        let ada = try test.person("ada")
        for (moment, title) in [
            (try instant("2026-10-24", 79_199, milliseconds: 999), "24th"), (try instant("2026-10-24", 79_200), "25th"),
            (try instant("2026-10-25", 3_600), "25th"), (try instant("2026-10-25", 82_799, milliseconds: 999), "25th"),
            (try instant("2026-10-25", 82_800), "26th"),
        ] {
            test.now = moment
            try ada.post("/tasks", [("title", title), ("status", "completed")])
        }
        test.now = try instant("2026-10-31", 43_200)
        let figures = try figures(ada)
        #expect(figures.days.count == 30 && figures.days.first?.day == "2026-10-02" && figures.days.last?.day == "2026-10-31")
        #expect(
            figures.days.filter { $0.completed > 0 }.map { "\($0.day) \($0.completed)" } == [
                "2026-10-24 1", "2026-10-25 3", "2026-10-26 1",
            ])
        // Monday the 26th begins the week.
        #expect(figures.completedThisWeek == 1)
        #expect(figures.days.last?.day == figures.today)
    }

    @Test func `Each figure leads to a list of just as many`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for due in [
            "", "2026-11-30", "2026-11-30T08:00", "2026-11-29", "2026-11-28", "2026-11-23", "2026-11-22", "2026-10-31",
            "2026-10-30", "2020-02-29",
        ] {
            try ada.post("/tasks", [("title", "due \(due)"), ("due", due)])
        }
        for _ in 1...3 { try ada.post("/tasks", [("title", "done"), ("status", "completed")]) }
        let figures = try figures(ada)
        #expect(figures.open == 10 && figures.dueToday == 2 && figures.overdue == 8 && figures.completedThisWeek == 3)
        #expect(figures.ages.map { "\($0.age) \($0.overdue)" } == ["today 1", "day 1", "week 2", "month 2", "older 2"])

        let page = try ada.get("/dashboard")
        let links = page.text.components(separatedBy: "<a href=\"").dropFirst().compactMap {
            piece -> (url: String, count: Int)? in
            // <li><a href="…"><strong>8</strong>Overdue</a>   <th><a href="…">1 day</a></th><td><span>1</span>
            guard let number = piece.firstMatch(of: /^[^"]*"(?:><strong[^>]*>|>[^<]*<\/a><\/th><td>(?:<span>)?)(\d+)</) else {
                return nil
            }
            return (HTMLReader.decode(String(piece.prefix { $0 != "\"" })), Int(number.1) ?? -1)
        }
        #expect(links.count == 4 + 30 + 4 + 4)
        for link in links {
            let json = try ada.get(link.url + (link.url.contains("?") ? "&" : "?") + "format=json", accept: nil).text
            #expect(json.contains("\"total\":\(link.count)}"), "\(link.url)")
        }
    }

    @Test func `One task has a bar beside hundreds`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for lines in [Array(repeating: "Task", count: 200), Array(repeating: "Task", count: 200), ["Run #health"]] {
            try ada.post("/tasks/lines", [("lines", lines.joined(separator: "\n")), ("confirm", "1")])
        }
        let page = try ada.get("/dashboard")
        #expect(page.contains("<rect width=\"100\"") && page.contains("<rect width=\"1\"") && page.contains("<rect width=\"0\""))
    }

    @Test func `An empty account has a page too, and one person's figures are nobody else's`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let bob = try test.person("bob")
        try ada.post("/tasks", [("title", "Late"), ("due", "2026-11-01")])
        try ada.post("/tasks", [("title", "Done"), ("status", "completed")])
        let figures = try figures(bob)
        #expect(figures.open == 0 && figures.overdue == 0 && figures.completedThisWeek == 0)
        let page = try bob.get("/dashboard")
        #expect(
            page.status == 200 && page.contains("Nothing is overdue.") && page.contains("No task was completed")
                && !page.contains("NaN"))
        #expect(try test.stranger().get("/dashboard", accept: "application/json").status == 401)
    }

    @Test func `Figures follow a change at once`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/tasks", [("title", "Report"), ("due", "2026-11-29")])
        #expect(try figures(ada).overdue == 1)
        try ada.post("/tasks/bulk", [("all", "1"), ("action", "complete")])
        let after = try figures(ada)
        #expect(after.overdue == 0 && after.open == 0 && after.completedThisWeek == 1 && after.days.last?.completed == 1)
        // What lies in the trash is not counted.
        try ada.post("/tasks/trash-completed")
        #expect(try figures(ada).completedThisWeek == 0)
    }

    @Test func `No figure scans the table`() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let repository = TaskRepository(test.database, owner: try test.user("ada"), now: test.now)
        let day = try #require(Day("2026-11-30"))
        var statements: [SQL] = [repository.completedCountSQL(day, day)]
        let dues: [DueCondition] = [.overdue, .today, .range(nil, day), .range(day, day)]
        for due in dues {
            var filter = TaskFilter()
            filter.due = due
            statements.append("SELECT count(*) FROM tasks WHERE \(repository.condition(filter))")
        }
        for statement in statements {
            let plan = try test.database.explain(statement)
            #expect(!plan.isEmpty && plan.allSatisfy { $0.hasPrefix("SEARCH tasks USING ") }, "\(plan)")
        }
    }

    @Test func `The page speaks Chinese`() throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: .chinese)
        let page = try ada.get("/dashboard")
        #expect(page.heading == "概览" && page.contains("近 30 天完成情况") && page.contains("11月30日"))
    }
}
