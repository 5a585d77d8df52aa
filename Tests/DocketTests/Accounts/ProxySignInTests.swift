// Sign-in by a proxy: its word counts with each request, anybody else's never, and no account is reached by a name that only looks alike.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("Signing in by a proxy")
struct ProxySignInTests {
    private static let field = FieldName("remote-user") ?? .origin

    private func house(accounts: Config.Switch = .off, signOut: String = "") throws -> TestApp {
        let options = [
            "--proxy-user-header", "Remote-User", "--trusted-proxies", "10.0.0.0/24", "--proxy-accounts", accounts.rawValue,
        ]
        var config = try Config.read(arguments: options, environment: [:]).0
        config.proxySignOutURL = signOut
        let test = try TestApp(config)
        for name in ["ada", "bob"] { try #require(try test.person(name).get("/tasks").status == 200) }
        return test
    }

    /// Someone behind the proxy, who is named so.
    private func visitor(_ test: TestApp, _ names: String..., peer: String = "10.0.0.7") -> Visitor {
        let visitor = test.stranger()
        visitor.peer = peer
        visitor.fields = names.map { (Self.field, $0) }
        return visitor
    }

    @Test(
        "Whom a listed proxy names is signed in, without a session, and can do everything; case does not matter",
        arguments: ["ada", "ADA"])
    func signsIn(name: String) throws {
        let test = try house()
        let sessions = try test.database.scalar("SELECT count(*) FROM sessions")
        let ada = visitor(test, name)
        #expect(try ada.send(.get, "/", nil).location == "/tasks")
        #expect(try ada.send(.get, "/sign-in?next=/dashboard", nil).location == "/dashboard")
        let page = try ada.get("/tasks").submit("/tasks", [("title", "Bread")])
        #expect(page.contains("Bread") && page.contains(">ada<"))
        #expect(try ada.get("/admin/users").status == 200)
        #expect(ada.cookies["docket"] == nil)
        #expect(try test.database.scalar("SELECT count(*) FROM sessions") == sessions)
        #expect(try ada.get("/settings/sessions").status == 200)
    }

    @Test("From anyone else the field counts for nothing", arguments: ["127.0.0.1", "10.0.1.7", "::1", "::ffff:10.0.1.7", ""])
    func spoofed(peer: String) throws {
        let test = try house(accounts: .on)
        let mallory = visitor(test, "ada", peer: peer)
        #expect(try mallory.get("/tasks").contains("action=\"/sign-in\""))
        #expect(try mallory.send(.get, "/tasks", nil, accept: "application/json").status == 401)
        mallory.fields += [(.xForwardedFor, "10.0.0.7"), (.forwarded, "for=10.0.0.7")]
        #expect(try mallory.get("/tasks").contains("action=\"/sign-in\""))
        mallory.fields = [(Self.field, "eve"), (Self.field, "eve")]
        #expect(try mallory.get("/tasks").contains("action=\"/sign-in\""))
        #expect(try test.database.scalar("SELECT count(*) FROM users") == 2)
    }

    @Test("Without the option the field counts from nobody, a listed proxy neither")
    func withoutOption() throws {
        var config = Config()
        config.trustedProxies = ["10.0.0.7"].compactMap { AddressRange($0) }
        let test = try TestApp(config)
        _ = try test.person("ada")
        #expect(try visitor(test, "ada").get("/tasks").contains("action=\"/sign-in\""))
    }

    @Test("An absent or empty field signs nobody in; one that comes twice is refused, whatever it says")
    func absentAndDoubled() throws {
        let test = try house(accounts: .on)
        for names in [[], [""], ["  "]] {
            let visitor = visitor(test)
            visitor.fields = names.map { (Self.field, $0) }
            #expect(try visitor.get("/tasks").contains("action=\"/sign-in\""))
        }
        for names in [["ada", "ada"], ["ada", ""], ["", "ada"], ["bob", "ada"]] {
            let visitor = visitor(test)
            visitor.fields = names.map { (Self.field, $0) }
            #expect(try visitor.send(.get, "/tasks", nil).status == 400)
        }
        // A list of names is one name, which nobody has.
        #expect(try visitor(test, "ada, bob").send(.get, "/tasks", nil).status == 403)
    }

    @Test(
        "Who has no open account stays out, and no account is made where none is to be",
        arguments: ["eve", "ada@example.org", ".ada", "a\u{200B}da", "\u{430}d\u{430}", "ａｄａ", "ada "] as [String])
    func unknown(name: String) throws {
        let test = try house()
        let page = try visitor(test, name).send(.get, "/tasks", nil)
        // White space at the edges is no part of a field's value.
        #expect(page.status == (name == "ada " ? 200 : 403), "\(name)")
        #expect(try test.database.scalar("SELECT count(*) FROM users") == 2)
    }

    @Test("A name that only looks like another one's reaches neither that account nor a new one")
    func confusable() throws {
        let test = try house(accounts: .on)
        _ = try test.person("ace")
        // Three Cyrillic letters.
        let answer = try visitor(test, "\u{430}\u{441}\u{435}").send(.get, "/tasks", nil, accept: "application/json")
        #expect(answer.status == 403 && answer.contains("\"no_account\""))
        #expect(try visitor(test, "Ace").get("/tasks").status == 200)
        #expect(try test.database.scalar("SELECT count(*) FROM users") == 3)
    }

    @Test("A closed account stays out, at once")
    func disabled() throws {
        let test = try house(accounts: .on)
        let bob = visitor(test, "bob")
        #expect(try bob.get("/tasks").status == 200)
        try visitor(test, "ada").post("/admin/users", [("disable", String(test.user("bob").id))])
        #expect(try bob.get("/tasks").status == 403)
        #expect(try bob.get("/tasks").contains("no open account"))
    }

    @Test("An account is made for who comes for the first time, on whatever lane, once; the first of all is the administrator's")
    func makes() throws {
        let config = try Config.read(
            arguments: ["--proxy-user-header=Remote-User", "--trusted-proxies=10.0.0.7", "--proxy-accounts=on"], environment: [:]
        ).0
        let test = try TestApp(config)
        let ada = visitor(test, "Ada")
        ada.language = "zh-Hans"
        #expect(try ada.get("/tasks").contains("还没有任务"))
        #expect(try ada.get("/tasks").status == 200)
        #expect(try test.user("ada").isAdmin)
        #expect(try visitor(test, "bob").post("/tasks", [("title", "Bread")]).status == 200)
        #expect(try visitor(test, "cleo").post("/settings/tokens", [("name", "NAS"), ("scope", "add")]).status == 200)
        #expect(try test.database.scalar("SELECT count(*) FROM users") == 3)
        #expect(try test.database.scalar("SELECT count(*) FROM users WHERE password_hash IS NULL AND proxy_seen_at > 0") == 3)
        #expect(try test.database.scalar("SELECT count(*) FROM audit WHERE event = 'signed_up' AND detail = 'proxy'") == 3)
        #expect(try !test.user("bob").isAdmin)
    }

    @Test("When the proxy names another person, the session of the one before ends")
    func otherPerson() throws {
        let test = try house()
        let browser = try test.person("cleo")
        browser.peer = "10.0.0.7"
        let cookies = browser.cookies
        browser.fields = [(Self.field, "bob")]
        #expect(try browser.get("/tasks").contains(">bob<"))
        browser.fields = []
        browser.cookies = cookies
        #expect(try browser.get("/tasks").contains("action=\"/sign-in\""))
    }

    @Test("A token goes on to work, with the proxy's field and without; a password for the proxy is not taken for one")
    func tokens() throws {
        let test = try house()
        let script = visitor(test)
        script.token = try test.token("ada")
        #expect(try script.send(.post, "/tasks", "title=Bread", accept: nil).status == 201)
        script.fields = [(Self.field, "bob")]
        #expect(try script.send(.get, "/tasks?format=text", nil, accept: nil).contains("Bread"))
        script.token = "nonsense"
        #expect(try script.send(.get, "/tasks", nil, accept: nil).status == 401)
        let basic = visitor(test, "ada")
        basic.fields.append((.authorization, "Basic YWRhOmFkYQ=="))
        #expect(try basic.get("/tasks").contains("Bread"))
    }

    @Test("A form of another site is refused as ever")
    func crossSite() throws {
        let test = try house()
        let ada = visitor(test, "ada")
        ada.fields.append((.origin, "https://evil.example"))
        #expect(try ada.post("/tasks", [("title", "x")]).status == 403)
    }

    @Test(
        "Signing out leads to the proxy's own address, and is not offered where there is none",
        arguments: ["", "https://auth.example/logout"])
    func signOut(url: String) throws {
        let test = try house(signOut: url)
        let page = try visitor(test, "ada").get("/tasks")
        #expect(page.form("/sign-out") == nil)
        #expect(page.contains("href=\"https://auth.example/logout\"") == !url.isEmpty)
        #expect(try test.person("cleo").get("/tasks").form("/sign-out") != nil)
    }

    @Test("An account without a password is told so, and is deleted after its name was typed")
    func withoutPassword() throws {
        let test = try house(accounts: .on)
        let eve = visitor(test, "eve")
        let page = try eve.get("/settings/password")
        #expect(page.form("/settings/password") == nil && page.contains("signed in by the proxy"))
        #expect(
            try eve.post("/settings/password", [("current_password", ""), ("new_password", "eight red bicycles")]).status == 422)
        #expect(
            try eve.get("/settings/delete-account").submit("/settings/delete-account", [("confirm_name", "bob")]).status == 422)
        _ = try eve.send(.post, "/settings/delete-account", "confirm_name=eve")
        #expect(try test.database.scalar("SELECT count(*) FROM users WHERE name = 'eve'") == 0)
    }

    @Test("The people's page says when someone behind the proxy was last seen")
    func seen() throws {
        let test = try house()
        try visitor(test, "bob").get("/tasks")
        try test.database.execute("DELETE FROM sessions")
        #expect(try !visitor(test, "ada").get("/admin/users").contains("not signed in"))
    }

    @Test(
        "Options that would do nothing, or something else, stop the start",
        arguments: [
            ["--proxy-user-header=Remote-User"], ["--proxy-user-header=Cookie", "--trusted-proxies=::1"],
            ["--proxy-user-header=a b", "--trusted-proxies=::1"], ["--proxy-accounts=yes"], ["--proxy-accounts=on"],
            ["--metrics-token=too short"], ["--proxy-sign-out-url=javascript:1"],
        ])
    func options(arguments: [String]) {
        let mistake = #expect(throws: Config.Mistake.self) { try Config.read(arguments: arguments, environment: [:]) }
        #expect(mistake?.description.contains("too short") == false, "a secret is not shown")
    }

    @Test("Whom a proxy names may get an account or lose a session by asking, so the connection's own thread never answers them")
    func neverAtOnce() throws {
        let test = try house()
        let address = "/tasks"
        for names in [[], ["bob"]] {
            var head = RequestHead(method: .get, path: address, query: nil, authority: "docket.test")
            for name in names { head.fields.append(Self.field, name) }
            guard case .job(let job) = test.app.plan(Request(head: head, body: .bytes([]), peer: "10.0.0.7")) else {
                Issue.record("no job")
                continue
            }
            // Somebody's page of this address is kept: the house was looked at.
            #expect((job.answerAtOnce != nil) == names.isEmpty)
        }
    }
}
