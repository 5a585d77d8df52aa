// Signing in: one answer for all that is wrong, growing delays that survive a restart and never shut owners out, only own paths to go
// on to, and nothing lost that was typed.

import Argon2
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("Signing in")
struct SignInTests {
    private let password = "seven green bicycles"
    /// Made once for all tests of this suite.
    private static let hash = Result { try Password.hash(Password.prepare("seven green bicycles")) }

    private func house(_ config: Config = Config()) throws -> TestApp {
        let test = try TestApp(config)
        for name in ["ada", "bob"] {
            _ = try test.person(name)
            try AccountRepository(database: test.database, now: test.now).setPassword(
                test.user(name).id, Self.hash.get())
        }
        return test
    }

    @Test("A right password leads on; sessions are new at each sign-in, and the old one of the browser ends")
    func signsIn() throws {
        let test = try house()
        let ada = test.stranger()
        #expect(try ada.get("/sign-in").submit("/sign-in", [("username", "ADA"), ("password", password)]).address == "/tasks")
        let first = ada.cookies["docket"]
        try ada.post("/sign-in", [("username", "ada"), ("password", password)])
        #expect(ada.cookies["docket"] != first)
        let thief = test.stranger()
        thief.cookies["docket"] = first
        #expect(try thief.get("/tasks").contains("action=\"/sign-in\""))
    }

    @Test(
        "Unknown names, wrong passwords and closed accounts get the same answer", arguments: Language.allCases,
        [
            ("ada", "wrong wrong"), ("nobody", "wrong wrong"), ("bob", "seven green bicycles"), ("", ""), ("a b", "x"),
            ("ada", "x"),
        ])
    func refuses(_ language: Language, _ typed: (name: String, password: String)) throws {
        let test = try house()
        try AccountRepository(database: test.database, now: test.now).setDisabled(test.user("bob").id, true)
        let visitor = test.stranger()
        visitor.language = language.rawValue
        let page = try visitor.post("/sign-in", [("username", typed.name), ("password", typed.password)])
        #expect(page.status == 401)
        #expect(page.contains(test.app.strings(language)["sign_in.wrong"]))
        #expect(page.contains("value=\"\(typed.name)\""))
        #expect(visitor.cookies["docket"] == nil)
        let json = try visitor.post(
            "/sign-in", [("username", typed.name), ("password", typed.password)], accept: "application/json")
        #expect(json.status == 401)
        #expect(json.contains("\"code\":\"sign_in_failed\""))
    }

    @Test("The same password typed on two devices, composed and decomposed, is one")
    func normalized() throws {
        let test = try house()
        try AccountRepository(database: test.database, now: test.now).setPassword(
            test.user("ada").id, Password.hash(Password.prepare("caf\u{E9} au lait")))
        #expect(
            try test.stranger().post("/sign-in", [("username", "ada"), ("password", "cafe\u{301} au lait")]).address == "/tasks")
    }

    @Test(
        "Delays grow after five failures, whether or not the name exists, stand in the database, and end",
        arguments: ["ada", "nobody"])
    func throttles(_ name: String) throws {
        let test = try house()
        let stranger = test.stranger()
        for _ in 0..<5 {
            #expect(try stranger.post("/sign-in", [("username", name), ("password", "wrong wrong")]).status == 401)
        }
        let slowed = try stranger.post("/sign-in", [("username", name), ("password", password)])
        #expect(slowed.status == 429)
        #expect(slowed.response.fields[.retryAfter] == "2")
        #expect(slowed.contains("2 seconds"))
        test.now = test.now.adding(seconds: 3)
        #expect(try stranger.post("/sign-in", [("username", name), ("password", "wrong wrong")]).status == 401)
        #expect(try stranger.post("/sign-in", [("username", name), ("password", password)]).response.fields[.retryAfter] == "4")
        #expect(try test.database.scalar("SELECT failures FROM sign_in_failures WHERE subject LIKE 'account:%'") == 6)
        test.now = test.now.adding(days: 2)
        #expect(try stranger.post("/sign-in", [("username", name), ("password", "wrong wrong")]).status == 401)
        #expect(try test.database.scalar("SELECT failures FROM sign_in_failures WHERE subject LIKE 'account:%'") == 1)
    }

    @Test("A stranger's guessing never keeps people from their own device")
    func knownDevice() throws {
        let test = try house()
        let ada = test.stranger()
        try ada.post("/sign-in", [("username", "ada"), ("password", password)])
        try ada.post("/sign-out")
        #expect(try ada.get("/tasks").contains("action=\"/sign-in\""))
        let stranger = test.stranger()
        for _ in 0..<5 { try stranger.post("/sign-in", [("username", "ada"), ("password", "wrong wrong")]) }
        #expect(try stranger.post("/sign-in", [("username", "ada"), ("password", password)]).status == 429)
        #expect(try ada.post("/sign-in", [("username", "ada"), ("password", password)]).address == "/tasks")
        // The cookie opens nothing, counts for this account only, and its own failures count.
        ada.cookies["docket"] = nil
        #expect(try ada.get("/tasks").contains("action=\"/sign-in\""))
        for _ in 0..<5 { #expect(try ada.post("/sign-in", [("username", "ada"), ("password", "wrong wrong")]).status == 401) }
        #expect(try ada.post("/sign-in", [("username", "ada"), ("password", password)]).status == 429)
    }

    @Test("Failures of an address add up over names, and an IPv6 network is one address")
    func byAddress() throws {
        let test = try house()
        let now = test.now
        for number in 0..<20 {
            try Throttle(account: "name \(number)", address: "2001:db8::\(number)", now: now).failed(test.database)
        }
        #expect(try Throttle(account: "other", address: "2001:db8::ffff", now: now).wait(test.database) == 2)
        #expect(try Throttle(account: "other", address: "2001:db8:0:1::1", now: now).wait(test.database) == nil)
    }

    @Test(
        "Only own paths are gone on to",
        arguments: [
            ("/tasks?due=today", "/tasks?due=today"), ("//evil.example", "/tasks"), ("/\\evil.example", "/tasks"),
            ("javascript:alert(1)", "/tasks"),
            ("https://evil.example/", "/tasks"), ("/\t/evil.example", "/tasks"), ("/%0d%0aSet-Cookie: x", "/tasks"),
            ("", "/tasks"),
        ])
    func next(_ typed: String, _ leads: String) throws {
        let test = try house()
        let visitor = test.stranger()
        let page = try visitor.send(
            .post, "/sign-in", FormFields.encode([("username", "ada"), ("password", password), ("next", typed)]))
        #expect(page.location == leads)
    }

    @Test("A page leads through sign-in and back")
    func back() throws {
        let test = try house()
        let visitor = test.stranger()
        let page = try visitor.get("/tasks?due=today")
        #expect(try page.submit("/sign-in", [("username", "ada"), ("password", password)]).address == "/tasks?due=today")
    }

    @Test("A form whose session has ended goes on after signing in, through a wrong password too, with nothing lost")
    func heldForm() throws {
        let test = try house()
        let ada = test.stranger()
        try ada.post("/sign-in", [("username", "ada"), ("password", password)])
        let editor = try ada.get("/tasks/new")
        try test.database.execute("DELETE FROM sessions")
        let title = "Brot & \"Milch\" <b>牛奶</b> 100% +1"
        let content = "first line\r\nsecond line\r\n\r\nlast"
        let held = try editor.submit("/tasks", [("title", title), ("content", content)])
        #expect(held.status == 401)
        #expect(held.contains("Your session has ended"))
        let wrong = try held.submit("/sign-in", [("username", "ada"), ("password", "wrong wrong")])
        #expect(wrong.status == 401)
        let on = try wrong.submit("/sign-in", [("username", "ada"), ("password", password)])
        #expect(on.status == 200)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 0)
        #expect(try on.submit("/tasks").status == 200)
        let task = try #require(try test.database.first("SELECT title, content FROM tasks") { (try $0.text(0), try $0.text(1)) })
        #expect(task.0 == title)
        #expect(task.1 == "first line\nsecond line\n\nlast")
    }

    @Test("A password is never carried along, and no form is carried to another site")
    func heldPassword() throws {
        let test = try house()
        let page = try test.stranger().post(
            "/settings/password", [("current_password", "secret one"), ("new_password", "secret two")])
        #expect(page.status == 401)
        #expect(!page.contains("secret"))
        let forged = try test.stranger().post(
            "/sign-in", [("username", "ada"), ("password", password), ("held_path", "//evil.example/"), ("held_form", "a=b")])
        #expect(!forged.contains("evil"))
    }

    @Test("Signing out ends the session on the server, by POST only")
    func signOut() throws {
        let test = try house()
        let ada = test.stranger()
        try ada.post("/sign-in", [("username", "ada"), ("password", password)])
        let copy = test.stranger()
        copy.cookies = ada.cookies
        #expect(try ada.get("/sign-out").status == 405)
        #expect(try ada.get("/tasks").submit("/sign-out").contains("You are signed out."))
        #expect(try copy.get("/tasks").contains("action=\"/sign-in\""))
        #expect(try ada.post("/sign-out").status == 200)
    }

    @Test("Scripts get a line or an object, and the cookie")
    func scripts() throws {
        let test = try house()
        let script = test.stranger()
        let form = FormFields.encode([("username", "ada"), ("password", password)])
        #expect(try script.send(.post, "/sign-in", form, accept: "text/plain").text == "signed in\n")
        #expect(script.cookies["docket"] != nil)
        #expect(try script.send(.post, "/sign-in", form, accept: "application/json").text == "{\"signed_in\":true}\n")
        let wrong = FormFields.encode([("username", "ada"), ("password", "wrong wrong")])
        #expect(try script.send(.post, "/sign-in", wrong, accept: "text/plain").text == "User name and password do not match.\n")
    }

    @Test("Over https the cookies have names of their own, and are secure")
    func schemes() throws {
        var config = Config()
        config.publicURL = PublicURL("https://docket.test")
        let test = try house(config)
        let page = try test.stranger().send(.post, "/sign-in", FormFields.encode([("username", "ada"), ("password", password)]))
        let cookies = page.response.fields.values(.setCookie)
        #expect(cookies.count == 2)
        for cookie in cookies {
            #expect(cookie.hasPrefix("__Host-docket"))
            #expect(cookie.contains("Secure"))
            #expect(cookie.contains("HttpOnly"))
            #expect(cookie.contains("SameSite=Lax"))
        }
    }

    @Test("A hash with lower costs is made anew at sign-in")
    func rehash() throws {
        let test = try house()
        let weak = try PasswordHash.hash(
            password: Password.prepare(password), salt: Secret.salt(), PasswordHash.Parameters(memoryKiB: 64, iterations: 1))
        try AccountRepository(database: test.database, now: test.now).setPassword(test.user("ada").id, weak)
        #expect(try test.stranger().post("/sign-in", [("username", "ada"), ("password", password)]).address == "/tasks")
        let hash = try #require(try test.database.first("SELECT password_hash FROM users WHERE name = 'ada'") { try $0.text(0) })
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    }
}
