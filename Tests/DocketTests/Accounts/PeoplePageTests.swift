// The administrators' page: who is there, and what can be done to accounts; never to oneself, never by others.

import HTTP
import Testing

@testable import Docket

@Suite("People")
struct PeoplePageTests {
    private func house() throws -> (test: TestApp, ada: Visitor, bob: Visitor) {
        let test = try TestApp()
        return (test, try test.person("ada"), try test.person("bob"))
    }

    @Test("Accounts are listed with their number of tasks, and no task is shown")
    func list() throws {
        let (_, ada, bob) = try house()
        try bob.post("/tasks", [("title", "a secret plan")])
        let page = try ada.get("/admin/users")
        #expect(page.contains("bob"))
        #expect(page.contains("1 task"))
        #expect(!page.contains("a secret plan"))
    }

    @Test("Only administrators come in, and no token does")
    func access() throws {
        let (test, _, bob) = try house()
        #expect(try bob.get("/admin/users").status == 403)
        #expect(try bob.post("/admin/users", [("promote", String(test.user("bob").id))]).status == 403)
        let script = test.stranger()
        script.token = try test.token("ada")
        #expect(try script.send(.get, "/admin/users", nil, accept: nil).status == 403)
        #expect(!(try bob.get("/settings").contains("/admin/users")))
    }

    @Test("A closed account is signed out and its tokens stop; opened again it goes on")
    func disable() throws {
        let (test, ada, bob) = try house()
        let script = test.stranger()
        script.token = try test.token("bob")
        let id = try String(test.user("bob").id)
        #expect(try ada.post("/admin/users", [("disable", id)]).status == 200)
        #expect(try bob.get("/tasks").contains("action=\"/sign-in\""))
        #expect(try script.send(.get, "/tasks", nil, accept: nil).status == 401)
        #expect(try ada.post("/admin/users", [("enable", id)]).status == 200)
        #expect(try script.send(.get, "/tasks", nil, accept: nil).status == 200)
    }

    @Test("Rights are given and taken with a new sign-in, and one's own stay")
    func rights() throws {
        let (test, ada, bob) = try house()
        let (mine, theirs) = (String(try test.user("ada").id), String(try test.user("bob").id))
        try ada.post("/admin/users", [("promote", theirs)])
        #expect(try test.user("bob").isAdmin)
        #expect(try bob.get("/tasks").contains("action=\"/sign-in\""))
        #expect(try ada.post("/admin/users", [("demote", mine)]).status == 403)
        #expect(try ada.post("/admin/users", [("disable", mine)]).status == 403)
        try ada.post("/admin/users", [("demote", theirs)])
        #expect(try !test.user("bob").isAdmin)
        #expect(try ada.post("/admin/users", [("end_sessions", mine)]).address == "/admin/users")
    }

    @Test("What is no account or no action is refused", arguments: [("disable", "999"), ("disable", "abc"), ("promote", "-1")])
    func refusals(_ field: (String, String)) throws {
        let (_, ada, _) = try house()
        #expect(try ada.post("/admin/users", [field]).status == 404)
        #expect(try ada.post("/admin/users", [("explode", "1")]).status == 422)
        #expect(try ada.post("/admin/users", [("invite", "1")]).status == 403)
    }
}
