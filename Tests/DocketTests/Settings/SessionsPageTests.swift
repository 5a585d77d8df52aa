// Devices: told in words, ended on the server, and noted as seen without any page writing.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("Devices and their sessions")
struct SessionsPageTests {
    @Test(
        "A device is told by browser and system",
        arguments: [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
                "Chrome on Windows"
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
                "Edge on Windows"
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
                "Safari on iPhone"
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
                "Safari on Mac"
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36",
                "Samsung Internet on Android"
            ),
            (
                "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
                "Chrome on ChromeOS"
            ),
            ("curl/8.5.0", "Script (curl)"), ("python-requests/2.31.0", "Script (python-requests)"),
            ("Mozilla/5.0", "Unknown device"),
            ("", "Unknown device"), ("\u{202E}<script>", "Unknown device"), ("Mozilla/5.0 (Linux)", "Linux"),
        ])
    func devices(_ field: String, _ text: String) throws {
        let test = try TestApp()
        #expect(UserAgent(field).text(test.app.strings(.english)) == text)
    }

    private func second(_ test: TestApp, _ agent: String) throws -> Visitor {
        let visitor = test.stranger()
        visitor.cookies["docket"] = try SessionRepository(test.database).create(
            userID: test.user("ada").id, address: "192.168.1.31", userAgent: agent, now: test.now
        ).text
        return visitor
    }

    @Test("The page lists this device and the others, and ends one, or all others")
    func ends() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        _ = try test.person("bob")
        let phone = try second(test, "Mozilla/5.0 (iPhone) AppleWebKit/605 Version/18.1 Mobile Safari/604")
        let script = try second(test, "curl/8.5.0")
        let page = try ada.get("/settings/sessions")
        #expect(page.contains("Safari on iPhone"))
        #expect(page.contains("192.168.1.31"))
        #expect(page.texts("span class=\"hint\"").filter { $0 == "This device" }.count == 1)
        let id = try #require(
            page.text.components(separatedBy: "Safari on iPhone").dropFirst().first?.components(
                separatedBy: "name=\"end\" value=\""
            ).dropFirst()
                .first?.prefix { $0 != "\"" })
        #expect(try ada.post("/settings/sessions", [("end", String(id))]).contains("Signed out on that device."))
        #expect(try phone.get("/tasks").contains("action=\"/sign-in\""))
        #expect(try script.get("/tasks").address == "/tasks")
        #expect(try ada.post("/settings/sessions", [("end", "others")]).status == 200)
        #expect(try script.get("/tasks").contains("action=\"/sign-in\""))
        #expect(try ada.get("/tasks").address == "/tasks")
        #expect(try test.database.scalar("SELECT count(*) FROM sessions") == 2)  // Bob's is untouched
    }

    @Test("Another person's session, or none, is not found")
    func foreign() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let bob = try test.person("bob")
        let digest = try #require(Secret.digest(of: bob.cookies["docket"] ?? ""))
        #expect(try ada.post("/settings/sessions", [("end", Secret.base64URL(Array(digest.prefix(12))))]).status == 404)
        #expect(try ada.post("/settings/sessions", [("end", "x")]).status == 404)
        #expect(try ada.post("/settings/sessions").status == 422)
        #expect(try bob.get("/tasks").address == "/tasks")
    }

    @Test(
        "A use is noted when the last note is an hour old, and keeps the session alive; unused it ends, and after a year in any case"
    )
    func lifetimes() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        func seen() throws -> Int64? { try test.database.scalar("SELECT max(last_seen_at) FROM sessions") }
        let start = test.now
        test.now = start.adding(seconds: 3_000)
        try ada.get("/tasks")
        #expect(try seen() == start.milliseconds)
        test.now = start.adding(seconds: 3_700)
        try ada.get("/tasks")
        #expect(try seen() == test.now.milliseconds)
        for days in stride(from: 20, through: 360, by: 20) {
            test.now = start.adding(days: days)
            #expect(try ada.get("/tasks").address == "/tasks")
        }
        test.now = start.adding(days: 366)
        #expect(try ada.get("/tasks").contains("action=\"/sign-in\""))
        let bob = try test.person("bob")
        test.now = test.now.adding(days: 31)
        #expect(try bob.get("/tasks").contains("action=\"/sign-in\""))
    }
}
