// The audit log: what has happened to accounts is in it, once and in the transaction of what it tells of; what nobody may read is not.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("The audit log")
struct AuditTests {
    private let password = "seven green bicycles"
    private static let hash = Result { try Password.hash(Password.prepare("seven green bicycles")) }

    private func house(_ config: Config = Config()) throws -> (test: TestApp, ada: Visitor, bob: Visitor) {
        let test = try TestApp(config)
        let (ada, bob) = (try test.person("ada"), try test.person("bob"))
        for name in ["ada", "bob"] {
            try AccountRepository(database: test.database, now: test.now).setPassword(test.user(name).id, Self.hash.get())
        }
        return (test, ada, bob)
    }

    private func lines(_ test: TestApp) throws -> [String] {
        try test.database.rows(
            "SELECT event, coalesce(user_name, '-'), coalesce(actor_name, '-'), coalesce(address, 'command'), detail FROM audit ORDER BY id"
        ) { row in try (0..<5).map { try row.text($0) }.joined(separator: " ") }
    }

    @Test("An import is told with the number of its tasks, in words", arguments: Language.allCases)
    func imported(language: Language) throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        let file = try ada.upload("/import", "a.csv", "title\nMilk\nBread\n".utf8)
        try ada.post(try #require(file.location), [("action", "run")])
        test.doWork()
        #expect(try ada.get("/admin/audit").contains(" · " + test.app.strings(language).count("list.count", 2)))
    }

    @Test("Each thing that happens to an account is one line in it, and one in the server's log")
    func events() throws {
        var config = Config()
        config.registration = .invite
        let (test, ada, bob) = try house(config)
        let id = String(try test.user("bob").id)
        let typed = [("username", "bob"), ("password", password)]
        try test.stranger().post("/sign-in", [("username", "bob"), ("password", "wrong wrong")])
        try test.stranger().post("/sign-in", [("username", password), ("password", "wrong wrong")])
        try bob.post("/sign-in", typed)
        try bob.post("/settings/tokens", [("name", "My own words"), ("scope", "add"), ("expires", "")])
        try bob.post("/settings/tokens", [("revoke", "1")])
        try bob.post("/settings/sessions", [("end", "others")])
        try bob.post("/settings/password", [("current_password", "wrong wrong"), ("new_password", "eight red bicycles")])
        try bob.post("/settings/password", [("current_password", password), ("new_password", "eight red bicycles")])
        try bob.post("/sign-out")
        for action in ["promote", "demote", "disable", "enable", "end_sessions"] { try ada.post("/admin/users", [(action, id)]) }
        let invitation = try ada.post("/admin/users", [("invite", "1")])
        let link = try #require(invitation.text.split(separator: "invite=").last?.prefix { $0 != "\"" })
        let eve = test.stranger()
        try eve.post("/sign-up", [("username", "eve"), ("password", password), ("invite", String(link))])
        try eve.post("/settings/delete-account", [("current_password", password)])
        let wanted = [
            "sign_in_failed bob - 127.0.0.1 ", "sign_in_failed - - 127.0.0.1 ", "signed_in bob - 127.0.0.1 ",
            "token_made bob bob 127.0.0.1 add", "token_revoked bob bob 127.0.0.1 ", "sessions_ended bob bob 127.0.0.1 ",
            "password_check_failed bob bob 127.0.0.1 ", "password_changed bob bob 127.0.0.1 ", "signed_out bob - 127.0.0.1 ",
            "administrator_made bob ada 127.0.0.1 ", "administrator_unmade bob ada 127.0.0.1 ",
            "account_disabled bob ada 127.0.0.1 ", "account_enabled bob ada 127.0.0.1 ", "sessions_ended bob ada 127.0.0.1 ",
            "invitation_made ada ada 127.0.0.1 ", "signed_up eve - 127.0.0.1 invite", "account_deleted eve eve 127.0.0.1 ",
        ]
        #expect(try lines(test) == wanted)
        for line in wanted {
            let event = line.prefix { $0 != " " }
            #expect(test.log.text.contains(" \(event) user="), "\(event)")
        }
        for secret in [password, "wrong wrong", "My own words", String(link)] {
            #expect(try !lines(test).joined().contains(secret))
            #expect(!test.log.text.contains(secret))
        }
    }

    @Test("A file of one's tasks is told in the log, and so is an address for calendars; a page that offers them is not")
    func exports() throws {
        let (test, ada, _) = try house()
        try ada.get("/export")
        #expect(!test.log.text.contains("tasks_exported"))
        try ada.get("/export?format=csv")
        #expect(test.log.text.contains("tasks_exported user=1 address=127.0.0.1 detail=csv"))
        try ada.post("/filters", [("name", "Late"), ("due", "overdue")])
        try ada.post("/filters/1/feed", [("action", "renew")])
        try ada.post("/filters/1/feed", [("action", "remove")])
        #expect(
            try lines(test)
                == [
                    "tasks_exported ada ada 127.0.0.1 csv", "feed_renewed ada ada 127.0.0.1 ", "feed_removed ada ada 127.0.0.1 ",
                ])
    }

    @Test("What is refused or fails leaves no line of having happened")
    func refused() throws {
        let (test, ada, _) = try house()
        try ada.post("/settings/tokens", [("name", ""), ("scope", "add"), ("expires", "")])
        try ada.post("/settings/tokens", [("name", String(repeating: "x", count: 61)), ("scope", "add"), ("expires", "")])
        try ada.post("/admin/users", [("disable", "999")])
        try ada.post("/settings/tokens", [("revoke", "999")])
        #expect(try lines(test) == [])
    }

    @Test("Commands of the operator are in it too")
    func commands() throws {
        let (test, _, _) = try house()
        let administration = Administration(test.database)
        try administration.add("eve", passwordHash: "none", isAdministrator: true, config: Config())
        try administration.setPassword(of: "eve", hash: "none")
        _ = try administration.setDisabled("eve", true)
        _ = try administration.setDisabled("eve", true)
        _ = try administration.setDisabled("eve", false)
        _ = try administration.addToken(of: "eve", called: "NAS", scope: "full", days: nil)
        try administration.revokeToken(of: "eve", called: "NAS")
        _ = try administration.delete("eve")
        #expect(
            try lines(test) == [
                "signed_up eve - command ", "administrator_made eve - command ", "password_changed eve - command ",
                "account_disabled eve - command ", "account_enabled eve - command ", "token_made eve - command full",
                "token_revoked eve - command ", "account_deleted eve - command ",
            ])
    }

    @Test(
        "Its page shows the newest first, by person and by event, page by page, and never a text of anyone's tasks",
        arguments: Language.allCases)
    func page(language: Language) throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        let bob = try test.person("bob")
        try bob.post("/tasks", [("title", "a secret plan")])
        let audit = Audit(command: test.now)
        for _ in 0..<60 { try audit.record(.tokenMade, of: test.user("bob").id, detail: "add", in: test.database) }
        try audit.record(.accountDisabled, of: test.user("ada").id, in: test.database)
        let page = try ada.get("/admin/audit")
        let strings = test.app.strings(language)
        #expect(page.status == 200)
        #expect(page.texts("strong").first == strings["audit.event.account_disabled"])
        #expect(page.texts("strong").count == 50)
        #expect(!page.contains("a secret plan"))
        #expect(try ada.get("/admin/audit?page=2").texts("strong").count == 11)
        #expect(try ada.get("/admin/audit?page=99").texts("strong").count == 11)
        #expect(try ada.get("/admin/audit?person=ada").texts("strong").count == 1)
        #expect(try ada.get("/admin/audit?person=bob&event=token_made&page=2").texts("strong").count == 10)
        #expect(try ada.get("/admin/audit?person=nobody").contains(strings["audit.empty"]))
        #expect(try ada.get("/admin/audit?event=odd").status == 400)
        #expect(try ada.get("/admin/audit?page=x").status == 400)
        #expect(try ada.get("/admin/audit?person=ada", accept: "application/json").contains("\"total\":1"))
        #expect(try ada.get("/admin/audit?person=ada", accept: "text/plain").contains("account_disabled ada"))
        #expect(try bob.get("/admin/audit").status == 403)
    }

    @Test("Every event has its words in every language", arguments: Language.allCases)
    func words(language: Language) throws {
        let strings = try TestApp().app.strings(language)
        for event in Audit.Event.allCases { #expect(strings.texts["audit.event." + event.rawValue] != nil, "\(event)") }
        for scope in Scope.allCases { #expect(strings.texts["audit.detail." + scope.rawValue] != nil) }
    }

    @Test("Lines are forgotten when their days are over")
    func housekeeping() throws {
        let (test, _, _) = try house()
        var config = Config()
        config.auditDays = 10
        try Audit(command: test.now.adding(days: -11)).record(.tokenMade, of: nil, in: test.database)
        try Audit(command: test.now.adding(days: -9)).record(.tokenRevoked, of: nil, in: test.database)
        while try Housekeeping(config).step(test.database, now: test.now) {}
        #expect(try lines(test) == ["token_revoked - - command "])
    }
}
