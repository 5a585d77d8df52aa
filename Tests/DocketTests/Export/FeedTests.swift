// Calendar feeds: who may read one, from when until when, and what a calendar program is told.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct FeedTests {
    private let house: Household
    private var test: TestApp { house.test }

    init() throws {
        house = try Household()
        try house.ada.post("/tasks", [("title", "Call"), ("due", "2026-12-01T18:30"), ("priority", "high")])
        try house.ada.post("/tasks", [("title", "Some day")])
        try house.ada.post("/filters", [("name", "All, of \"mine\""), ("status", "all")])
    }

    /// Gives Ada's filter an address, as the page does.
    private func address(_ filter: Int = 3) throws -> String {
        let page = try house.ada.get("/filters/\(filter)/edit").submit("/filters/\(filter)/feed", [("action", "renew")])
        #expect(page.status == 200)
        let url = try #require(page.text.firstMatch(of: /value="http:\/\/docket\.test(\/feeds\/[\w-]{43}\.ics)"/))
        return String(url.output.1)
    }

    @Test func `A filter has no address until one is made; then it is shown masked, and whole on demand`() throws {
        let before = try house.ada.get("/filters/3/edit")
        #expect(!before.contains("/feeds/"))
        let address = try address()
        let page = try house.ada.get("/filters/3/edit")
        let secret = String(address.dropFirst(7).dropLast(4))
        #expect(page.contains("<code>http://docket.test/feeds/\u{2026}\(secret.suffix(4)).ics</code>"))
        #expect(page.contains("?events=1\""))
        #expect(try house.bob.get("/filters/3/edit").status == 404)
        #expect(try house.bob.post("/filters/3/feed", [("action", "renew")]).status == 404)
        #expect(try test.stranger().get(address).status == 200)
        #expect(try house.ada.post("/filters/3/feed", [("action", "explode")]).status == 422)
    }

    @Test func `Whoever has the address reads what the filter shows, and nothing else`() throws {
        let address = try address()
        let feed = try test.stranger().get(address, accept: "text/calendar")
        #expect(feed.status == 200 && feed.response.fields[.contentType] == "text/calendar; charset=utf-8")
        #expect(CalendarText.values(feed.text, ["NAME", "X-WR-CALNAME"]) == ["All, of \"mine\"", "All, of \"mine\""])
        #expect(Set(CalendarText.values(feed.text, ["SUMMARY"])) == ["Water the plants of ada", "Call", "Some day"])
        #expect(feed.response.fields.values(.setCookie).isEmpty)
        #expect(try test.stranger().get(address, accept: nil).text.hasPrefix("BEGIN:VCALENDAR"))
        #expect(try test.stranger().get(address, accept: "text/html").text.hasPrefix("BEGIN:VCALENDAR"))
        // A cookie of someone else, or a bad token, does not matter.
        #expect(try house.bob.get(address).text.contains("plants of ada"))
        house.bob.token = "nonsense"
        #expect(try house.bob.get(address).status == 200)
        #expect(try test.stranger().post(address, []).status == 405)
    }

    @Test func `As events it has each task with a due date, a day as a day, a moment as a moment`() throws {
        let text = try test.stranger().get(try address() + "?events=1").text
        #expect(CalendarText.values(text, ["SUMMARY"]) == ["Water the plants of ada", "Call"])
        #expect(text.contains("DTSTART;VALUE=DATE:20261224\r\nDTEND;VALUE=DATE:20261225\r\n"))
        #expect(text.contains("DTSTART:20261201T173000Z\r\nSUMMARY:Call\r\nTRANSP:TRANSPARENT\r\n"))
        #expect(!text.contains("VTODO") && text.contains("PRIORITY:1\r\n"))
        #expect(try test.stranger().get(try address() + "?events=2").status == 400)
    }

    private static let ends: [(String, @Sendable (Household) throws -> Void)] = [
        ("renewed", { _ = try $0.ada.post("/filters/3/feed", [("action", "renew")]) }),
        ("removed", { _ = try $0.ada.post("/filters/3/feed", [("action", "remove")]) }),
        ("the filter removed", { _ = try $0.ada.post("/filters/3/trash") }),
        ("the person shut out", { try $0.test.database.execute("UPDATE users SET is_disabled = 1 WHERE name = 'ada'") }),
        (
            "the person gone",
            { try AccountRepository(database: $0.test.database, now: $0.test.now).delete($0.test.user("ada").id) }
        ),
    ]

    @Test("The address leads nowhere once it is", arguments: ends.indices)
    func gone(index: Int) throws {
        let address = try address()
        let (what, end) = Self.ends[index]
        try end(house)
        for accept in ["text/calendar", "text/html", nil] {
            let answer = try test.stranger().get(address, accept: accept)
            #expect(answer.status == 404 && answer.location == nil && !answer.contains("Call"), "\(what)")
        }
    }

    @Test func `A filter that names a category which is gone has no feed, rather than everything`() throws {
        try house.ada.post("/filters", [("name", "Health"), ("category", "health")])
        let address = try address(4)
        #expect(try test.stranger().get(address).status == 200)
        let id = try #require(
            try test.database.scalar(
                "SELECT id FROM categories WHERE key = 'health' AND user_id = \(try test.user("ada").id)"))
        try house.ada.post("/categories/\(id)/trash", [("to", "life")])
        #expect(try test.stranger().get(address).status == 404)
    }

    @Test(
        "What is no secret is not found",
        arguments: ["", "a", String(repeating: "A", count: 43), String(repeating: "A", count: 4_000), "%00", "..", "a/b"])
    func guessed(secret: String) throws {
        _ = try address()
        #expect(try test.stranger().get("/feeds/\(secret).ics").status == 404)
        #expect(try test.stranger().get("/feeds/\(secret)").status == 404)
    }

    @Test func `Neither the log nor the trace knows the secret`() throws {
        let address = try address()
        let answer = try test.stranger().get(address)
        #expect(answer.response.trace?.route == "/feeds/{secret}.ics")
        let secret = String(address.dropFirst(7).dropLast(4))
        #expect(!test.log.text.contains(secret) && test.log.text.contains("feed_renewed"))
        #expect(!String(describing: answer.response.trace).contains(secret))
    }

    @Test func `An unchanged feed is told in a few bytes, a changed one is sent again`() throws {
        let address = try address()
        let visitor = test.stranger()
        func tag() throws -> String { try #require(try visitor.get(address).response.fields[.entityTag]) }
        let first = try tag()
        func isUnchanged(_ tag: String) throws -> Bool {
            visitor.fields = [(.ifNoneMatch, tag)]
            defer { visitor.fields = [] }
            let answer = try visitor.get(address)
            #expect(answer.status == 304 || answer.status == 200)
            #expect(answer.response.fields[.entityTag] != nil && answer.response.fields[.cacheControl] == "private, no-cache")
            return answer.status == 304
        }
        #expect(try isUnchanged(first))
        test.now = test.now.adding(days: 20)
        #expect(try isUnchanged(first))
        let bytes = try visitor.get(address).text
        try house.bob.post("/tasks", [("title", "Bob's")])
        #expect(try isUnchanged(first) && visitor.get(address).text == bytes)
        try house.ada.post("/tasks", [("title", "New")])
        #expect(try !isUnchanged(first))
        #expect(try tag() != visitor.get(address + "?events=1").response.fields[.entityTag])
        try house.ada.post("/filters/3", [("name", "Other"), ("status", "pending")])
        #expect(try visitor.get(address).contains("NAME:Other"))
    }

    @Test func `One that depends on the clock changes with it`() throws {
        let late = try address(1)
        let visitor = test.stranger()
        let before = try #require(try visitor.get(late).response.fields[.entityTag])
        #expect(try CalendarText.values(visitor.get(late).text, ["SUMMARY"]).isEmpty)
        test.now = test.now.adding(days: 2)  // past the call
        visitor.fields = [(.ifNoneMatch, before)]
        let answer = try visitor.get(late)
        #expect(answer.status == 200 && CalendarText.values(answer.text, ["SUMMARY"]) == ["Call"])
    }

    @Test func `Its sequence goes up with each change, and its identity stays`() throws {
        let address = try address()
        func values(_ names: [String]) throws -> [String] {
            CalendarText.values(try test.stranger().get(address).text, names)
        }
        let (uids, sequence) = (try values(["UID"]), try values(["SEQUENCE"]))
        test.now = test.now.adding(seconds: 60)
        try house.ada.post("/tasks/\(uids[0])/completion", [("completed", "1")])
        #expect(try values(["UID"]) == uids)
        #expect(try values(["SEQUENCE"])[0] == String(try #require(Int(sequence[0])) + 1))
        #expect(try values(["COMPLETED"]) == ["20261130T090100Z"])
        #expect(try values(["LAST-MODIFIED"])[0] == "20261130T090100Z")
        #expect(try values(["CREATED"])[0] == "20261130T090000Z")
    }

    @Test func `Categories are named in the language of the person`() throws {
        let address = try address()
        try test.database.execute("UPDATE users SET language = 'zh-Hans'")
        #expect(Set(CalendarText.values(try test.stranger().get(address).text, ["CATEGORIES"])) == ["工作"])
    }
}
