// Making an account: one rule for names and passwords, one account for names that look alike, and one for a form that is sent twice.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("Signing up")
struct SignUpTests {
    private let password = "seven green bicycles"

    @Test("The first account is the administrator's, the second is not; both are signed in at once")
    func first() throws {
        let test = try TestApp()
        let ada = test.stranger()
        let page = try ada.get("/sign-up").submit(
            "/sign-up", [("username", "ada"), ("password", password), ("time_zone", "Asia/Tokyo")])
        #expect(page.address == "/tasks")
        try test.stranger().post("/sign-up", [("username", "bob"), ("password", password), ("language", "zh-Hans")])
        #expect(try test.user("ada").isAdmin)
        #expect(try test.user("ada").zone.name == "Asia/Tokyo")
        #expect(try !test.user("bob").isAdmin)
        #expect(try test.user("bob").language == .chinese)
    }

    @Test(
        "What is wrong is told beside its field, in both languages, and what was typed stays but for the password",
        arguments: Language.allCases,
        [
            ("username", "", "problem.username.empty"), ("username", ".ada", "problem.username.edge"),
            ("username", "a\u{200B}da", nil),
            ("username", "a b", nil), ("username", "\u{430}da", "problem.username.mixed"),
            ("username", String(repeating: "x", count: 41), nil),
            ("username", "A\u{44F}", "problem.username.mixed"), ("password", "1234567", "problem.password.short"),
            ("password", "12345678", "problem.password.trivial"), ("password", "PASSWORD1", "problem.password.common"),
            ("password", "bicyclist", "problem.password.name"), ("password", "Bicyclist", "problem.password.name"),
            ("password", "abc\u{1}defghijk", "problem.control"), ("time_zone", "Mars/Olympus", "problem.time_zone"),
            ("language", "fr", "problem.language"), ("username", "Cleo", "problem.username.taken"),
            ("username", "ＣＬＥＯ", "problem.username.taken"),
        ])
    func mistakes(_ language: Language, _ mistake: (field: String, value: String, key: String?)) throws {
        let test = try TestApp()
        _ = try test.person("cleo")
        let visitor = test.stranger()
        visitor.language = language.rawValue
        var form = ["username": "bicyclist", "password": password]
        form[mistake.field] = mistake.value
        let page = try visitor.post("/sign-up", form.map { ($0.key, $0.value) })
        #expect(page.status == 422)
        if let key = mistake.key { #expect(page.contains(test.app.strings(language)[key])) }
        #expect(!page.contains("value=\"\(password)\""))
        #expect(try test.database.scalar("SELECT count(*) FROM users") == 1)
    }

    @Test("One limit of length for passwords on every way in", arguments: [8, 40, 64, 128, 1_000])
    func lengths(_ length: Int) throws {
        let test = try TestApp()
        let long = String(String(repeating: "长 password ", count: 100).prefix(length))
        let ada = test.stranger()
        #expect(try ada.post("/sign-up", [("username", "ada"), ("password", long)]).address == "/tasks")
        let other = String(long.reversed())
        #expect(try ada.post("/settings/password", [("current_password", long), ("new_password", other)]).status == 200)
        #expect(try test.stranger().post("/sign-in", [("username", "ada"), ("password", other)]).address == "/tasks")
    }

    @Test("A password of a megabyte is refused before anything is hashed")
    func huge() throws {
        let test = try TestApp()
        let page = try test.stranger().post(
            "/sign-up", [("username", "ada"), ("password", String(repeating: "x", count: 1 << 20))])
        #expect(page.status == 422)
    }

    @Test("The form that is sent twice makes one account and signs in; with another password, or by another form, it does not")
    func twice() throws {
        let test = try TestApp()
        let ada = test.stranger()
        let form = try ada.get("/sign-up")
        let typed: [(String, String?)] = [("username", "ada"), ("password", password)]
        #expect(try form.submit("/sign-up", typed).address == "/tasks")
        #expect(try form.submit("/sign-up", typed).address == "/tasks")
        #expect(try form.submit("/sign-up", [("username", "ada"), ("password", "another long one")]).status == 422)
        #expect(try test.stranger().get("/sign-up").submit("/sign-up", typed).status == 422)
        #expect(try test.database.scalar("SELECT count(*) FROM users") == 1)
    }

    @Test("Asking for many names that are taken is slowed")
    func names() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let stranger = test.stranger()
        for _ in 0..<20 { #expect(try stranger.post("/sign-up", [("username", "ada"), ("password", password)]).status == 422) }
        #expect(try stranger.post("/sign-up", [("username", "ada"), ("password", password)]).status == 429)
    }

    @Test("Where signing up is closed, only the first account can be made")
    func closed() throws {
        var config = Config()
        config.registration = .closed
        let test = try TestApp(config)
        #expect(try test.stranger().post("/sign-up", [("username", "ada"), ("password", password)]).address == "/tasks")
        #expect(try test.stranger().get("/sign-up").status == 403)
        #expect(try test.stranger().post("/sign-up", [("username", "bob"), ("password", password)]).status == 403)
        #expect(!(try test.stranger().get("/sign-in").contains("/sign-up")))
    }

    @Test("An invitation lets one person sign up, once, within a week")
    func invitation() throws {
        var config = Config()
        config.registration = .invite
        let test = try TestApp(config)
        let ada = try test.person("ada")
        func invite() throws -> String {
            let page = try ada.post("/admin/users", [("invite", "1")])
            let link = try #require(
                page.text.components(separatedBy: "<input readonly value=\"").dropFirst().first?.prefix { $0 != "\"" })
            #expect(link.hasPrefix("http://docket.test/sign-up?invite="))
            return String(link.dropFirst("http://docket.test".count))
        }
        #expect(try test.stranger().get("/sign-up").status == 403)
        let address = try invite()
        let form = try test.stranger().get(address)
        #expect(
            try form.submit("/sign-up", [("username", "bob"), ("password", "1234567")]).submit(
                "/sign-up", [("password", password)]
            ).address == "/tasks")
        #expect(try test.stranger().get(address).status == 403)
        #expect(try form.submit("/sign-up", [("username", "cleo"), ("password", password)]).status == 403)
        let late = try invite()
        test.now = test.now.adding(days: 8)
        #expect(try test.stranger().get(late).status == 403)
    }
}
