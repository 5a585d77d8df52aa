// Tokens: shown once, kept as a digest, ended by their owner only.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("Tokens")
struct TokensPageTests {
    private func made(_ page: Page) -> String? {
        page.text.components(separatedBy: "<input readonly value=\"").dropFirst().first.map { String($0.prefix { $0 != "\"" }) }
    }

    @Test("A new token is shown once, works, is kept nowhere, and ends when it is revoked")
    func life() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let page = try ada.get("/settings/tokens").submit(
            "/settings/tokens", [("name", "NAS"), ("scope", "full"), ("form_id", "x")])
        #expect(page.status == 200)
        let token = try #require(made(page))
        #expect(token.utf8.count == 43)
        #expect(page.contains("not used yet"))
        #expect(made(try ada.get("/settings/tokens")) == nil)
        #expect(try test.database.scalar("SELECT count(*) FROM form_receipts") == 0)
        let script = test.stranger()
        script.token = token
        #expect(try script.send(.get, "/tasks", nil, accept: nil).status == 200)
        #expect(try ada.get("/settings/tokens").contains("last used today"))
        let list = try ada.get("/settings/tokens")
        let id = try #require(
            list.text.components(separatedBy: "name=\"revoke\" value=\"").dropFirst().first?.prefix { $0 != "\"" })
        #expect(try ada.post("/settings/tokens", [("revoke", String(id))]).contains("The token is revoked."))
        #expect(try script.send(.get, "/tasks", nil, accept: nil).status == 401)
    }

    @Test("The form that made one makes no second when it is sent again")
    func again() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let form = try ada.get("/settings/tokens")
        _ = try form.submit("/settings/tokens", [("name", "NAS")])
        let second = try form.submit("/settings/tokens", [("name", "NAS")])
        #expect(second.status == 422)
        #expect(second.contains("This name is taken."))
        #expect(try test.database.scalar("SELECT count(*) FROM tokens") == 1)
    }

    @Test(
        "What is wrong is told, in both languages", arguments: Language.allCases,
        [
            ("", "read", "30", "problem.name.empty"), ("  \u{200B} ", "read", "", "problem.name.empty"),
            ("NAS", "all", "", "problem.scope"),
            ("NAS", "", "", "problem.scope"), ("NAS", "add", "0", "problem.expires"), ("NAS", "add", "-1", "problem.expires"),
            ("NAS", "add", "99999999999999999999", "problem.expires"),
        ])
    func mistakes(_ language: Language, _ mistake: (name: String, scope: String, expires: String, key: String)) throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        let page = try ada.post(
            "/settings/tokens", [("name", mistake.name), ("scope", mistake.scope), ("expires", mistake.expires)])
        #expect(page.status == 422)
        #expect(page.contains(test.app.strings(language)[mistake.key]))
        #expect(try test.database.scalar("SELECT count(*) FROM tokens") == 0)
    }

    @Test("A name of 60 families fits, one of 61 letters does not")
    func names() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let user = try test.user("ada").id
        let tokens = TokenRepository(test.database)
        _ = try tokens.add(userID: user, name: String(repeating: "👨‍👩‍👧", count: 50), scope: .read, expiresAt: nil, now: test.now)
        #expect(throws: FormErrors.self) {
            try tokens.add(userID: user, name: String(repeating: "x", count: 61), scope: .read, expiresAt: nil, now: test.now)
        }
    }

    @Test("A token ends on its day")
    func ends() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let script = test.stranger()
        script.token = made(try ada.post("/settings/tokens", [("name", "month"), ("scope", "read"), ("expires", "30")]))
        test.now = test.now.adding(days: 29)
        #expect(try script.send(.get, "/tasks", nil, accept: nil).status == 200)
        test.now = test.now.adding(days: 2)
        #expect(try script.send(.get, "/tasks", nil, accept: nil).status == 401)
    }

    @Test("Another person's token is not found, and its name is free for others")
    func foreign() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let bob = try test.person("bob")
        let tokens = TokenRepository(test.database)
        _ = try tokens.add(userID: test.user("ada").id, name: "NAS", scope: .read, expiresAt: nil, now: test.now)
        _ = try tokens.add(userID: test.user("bob").id, name: "NAS", scope: .read, expiresAt: nil, now: test.now)
        let id = try #require(try tokens.list(userID: test.user("ada").id).first?.id)
        #expect(try bob.post("/settings/tokens", [("revoke", String(id))]).status == 404)
        #expect(try bob.post("/settings/tokens", [("revoke", "abc")]).status == 404)
        #expect(!(try bob.get("/settings/tokens").contains("value=\"\(id)\"")))
        #expect(try tokens.revoke(userID: test.user("bob").id, name: "NAS"))
        #expect(!(try tokens.revoke(userID: test.user("bob").id, name: "NAS")))
        #expect(try ada.get("/settings/tokens").contains("NAS"))
    }
}
