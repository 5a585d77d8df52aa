// Changing the password: with the current one only, by the one rule, and every other session ends.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("Changing the password")
struct PasswordPageTests {
    private let current = "seven green bicycles"
    /// Made once for all tests of this suite.
    private static let hash = Result { try Password.hash(Password.prepare("seven green bicycles")) }

    private func ada(_ language: Language = .english) throws -> (TestApp, Visitor) {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        try AccountRepository(database: test.database, now: test.now).setPassword(
            test.user("ada").id, Self.hash.get())
        return (test, ada)
    }

    @Test("A right one is taken: other sessions end, this one goes on under a new identifier, and the new password signs in")
    func changes() throws {
        let (test, ada) = try ada()
        let user = try test.user("ada").id
        let other = test.stranger()
        other.cookies["docket"] = try SessionRepository(test.database).create(
            userID: user, address: "::1", userAgent: "other", now: test.now
        ).text
        #expect(try other.get("/tasks").address == "/tasks")
        let before = ada.cookies["docket"]
        let page = try ada.get("/settings/password").submit(
            "/settings/password", [("current_password", current), ("new_password", "eight red bicycles")])
        #expect(page.contains("Password changed"))
        #expect(ada.cookies["docket"] != before)
        #expect(try ada.get("/tasks").address == "/tasks")
        #expect(try other.get("/tasks").contains("action=\"/sign-in\""))
        let again = test.stranger()
        #expect(try again.post("/sign-in", [("username", "ada"), ("password", current)]).status == 401)
        #expect(try again.post("/sign-in", [("username", "ada"), ("password", "eight red bicycles")]).address == "/tasks")
    }

    @Test(
        "What is wrong is told beside its field, in both languages", arguments: Language.allCases,
        [
            ("wrong wrong wrong", "eight red bicycles", "problem.password.wrong"),
            ("seven green bicycles", "short", "problem.password.short"),
            ("seven green bicycles", String(repeating: "x", count: 1_001), "problem.password.long"),
            ("seven green bicycles", "Password123", "problem.password.common"),
            ("", "eight red bicycles", "problem.password.wrong"),
        ])
    func mistakes(_ language: Language, _ mistake: (current: String, new: String, key: String)) throws {
        let (test, ada) = try ada(language)
        let before = try test.database.first("SELECT password_hash FROM users") { try $0.text(0) }
        let page = try ada.post("/settings/password", [("current_password", mistake.current), ("new_password", mistake.new)])
        #expect(page.status == 422)
        #expect(page.contains(test.app.strings(language)[mistake.key]))
        #expect(!page.contains(mistake.new))
        #expect(try test.database.first("SELECT password_hash FROM users") { try $0.text(0) } == before)
    }

    @Test(
        "Password managers know the fields, and nothing keeps people from pasting",
        arguments: [
            ("/sign-in", ["current-password"]), ("/sign-up", ["new-password"]),
            ("/settings/password", ["current-password", "new-password"]), ("/settings/delete-account", ["current-password"]),
        ])
    func fields(address: String, kinds: [String]) throws {
        let (test, ada) = try ada()
        let page = try (address.hasPrefix("/settings") ? ada : test.stranger()).get(address)
        let tags = HTMLCheck.tags(page.bytes).filter { $0.hasPrefix("input") }
        let passwords = tags.filter { $0.contains("password\"") && !$0.contains("type=\"hidden\"") }
        #expect(passwords.map { HTMLReader.attribute("autocomplete", $0) } == kinds)
        #expect(passwords.allSatisfy { HTMLReader.attribute("type", $0) == "password" })
        #expect(!passwords.contains { HTMLReader.has("maxlength", $0) || HTMLReader.has("readonly", $0) })
        // The name beside them, so that a manager knows whose password it is.
        #expect(tags.count { HTMLReader.attribute("autocomplete", $0) == "username" } == 1)
    }

    @Test("Guessing the current password is slowed, and does not keep its owner from signing in elsewhere")
    func throttled() throws {
        let (test, ada) = try ada()
        for _ in 0..<5 {
            #expect(
                try ada.post("/settings/password", [("current_password", "wrong wrong"), ("new_password", "eight red bicycles")])
                    .status == 422)
        }
        let slowed = try ada.post("/settings/password", [("current_password", current), ("new_password", "eight red bicycles")])
        #expect(slowed.status == 429)
        #expect(slowed.response.fields[.retryAfter] == "2")
        #expect(try test.stranger().post("/sign-in", [("username", "ada"), ("password", current)]).address == "/tasks")
        test.now = test.now.adding(seconds: 3)
        #expect(
            try ada.post("/settings/password", [("current_password", current), ("new_password", "eight red bicycles")]).status
                == 200)
    }

    @Test("Deleting an account asks for the password, and takes everything with it")
    func deletes() throws {
        let (test, ada) = try ada()
        let bob = try test.person("bob")
        try ada.post("/tasks", [("title", "mine")])
        try bob.post("/tasks", [("title", "Bob's")])
        #expect(try ada.get("/settings/delete-account").contains("1 task"))
        #expect(try ada.post("/settings/delete-account", [("current_password", "wrong wrong")]).status == 422)
        // The only administrator of others may not leave them alone.
        #expect(try ada.post("/settings/delete-account", [("current_password", current)]).contains("only administrator"))
        try ada.post("/admin/users", [("promote", String(test.user("bob").id))])
        let page = try ada.post("/settings/delete-account", [("current_password", current)])
        #expect(page.contains("Your account is deleted."))
        #expect(try test.database.scalar("SELECT count(*) FROM users") == 1)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 1)
        #expect(try test.database.foreignKeyCheck().isEmpty)
    }
}
