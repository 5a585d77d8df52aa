// What holds for every route, those not yet written too: routes are data.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct SiteMapTests {
    @Test func `A stranger is sent to sign in, and a form that was typed is kept`() throws {
        let house = try Household()
        let before = try house.test.database.contents()
        for route in Routes.all where !route.isForEveryone {
            guard let address = try house.address(route.pattern, of: "ada") else { continue }
            if route.method == .get {
                let page = try house.test.stranger().send(.get, address, nil)
                #expect(page.status == 303, "\(route)")
                let location = try #require(page.location, "\(route)")
                let next = address == "/tasks" ? "/sign-in" : "/sign-in?" + FormFields.encode([("next", address)])
                #expect(location == next, "\(route)")
            } else {
                // What is secret is never carried.
                let form = FormFields.encode(Household.form.filter { $0.0 != "password" })
                let page = try house.test.stranger().send(.post, address, form)
                #expect(page.status == 401, "\(route)")
                let kept = try #require(page.form("/sign-in")?.fields, "\(route)")
                #expect(kept.contains { $0.0 == "held_form" && $0.1.contains("Typed+by+hand") }, "\(route)")
            }
            let script = try house.test.stranger().send(
                route.method, address, route.method == .get ? nil : "title=a", accept: "application/json")
            #expect(script.status == 401 && script.contains("\"sign_in_first\""), "\(route)")
            #expect(script.response.fields[.wwwAuthenticate] != nil, "\(route)")
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test(
        "A form that another site sends changes nothing",
        arguments: [
            [("sec-fetch-site", "cross-site")], [("sec-fetch-site", "same-site")], [("origin", "null")],
            [("origin", "http://evil.test")],
            [("origin", "http://docket.test.evil.test")], [("origin", "http://docket.test:81")], [("origin", "")],
            [("sec-fetch-site", "cross-site"), ("origin", "http://docket.test")],
            [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "none")],
        ])
    func crossOrigin(fields: [(String, String)]) throws {
        let house = try Household()
        let before = try house.test.database.contents()
        house.ada.fields = fields.compactMap { name, value in FieldName(name).map { ($0, value) } }
        for route in Routes.all where route.method != .get {
            guard let address = try house.address(route.pattern, of: "ada") else { continue }
            let page = try house.ada.send(route.method, address, FormFields.encode(Household.form))
            #expect(page.status == 403, "\(route)")
            #expect(page.contains("public-url"), "\(route)")
            let script = try house.ada.send(route.method, address, FormFields.encode(Household.form), accept: "application/json")
            #expect(script.status == 403 && script.contains("\"foreign_origin\""), "\(route)")
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test func `What is not there, or another person's, is not found and not changed`() throws {
        let house = try Household()
        let before = try house.test.database.contents()
        let never = [
            "0", "-1", "abc", "999999999999999999999999999999", "0190f5fe-7c00-7a00-8000-0123456789ab", "%00", "%FF", "1%20",
            "+1", "1;2",
            "０", "..", "%2e%2e", "1%2F2",
        ]
        for route in Routes.all where route.pattern.contains("{") {
            var addresses = never.map {
                route.pattern.replacing(/\{[a-z]+\}/, with: PercentEncoding.isAscii($0) ? $0 : PercentEncoding.encode($0))
            }
            if let theirs = try house.address(route.pattern, of: "bob") { addresses.append(theirs) }
            for address in addresses {
                let page = try house.ada.send(
                    route.method, address, route.method == .get ? nil : FormFields.encode(Household.form))
                #expect(page.status == 404, "\(route.method) \(address)")
                #expect(!page.contains("plants of bob"), "\(route.method) \(address)")
            }
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test func `HEAD answers as GET does`() throws {
        let house = try Household()
        for route in Routes.all where route.method == .get {
            guard let address = try house.address(route.pattern, of: "ada") else { continue }
            let get = try house.ada.send(.get, address, nil)
            let head = try house.ada.send(.head, address, nil)
            #expect(head.status == get.status, "\(route)")
            // Each request has a name of its own.
            var (some, others) = (head.response.fields, get.response.fields)
            (some[.xRequestID], others[.xRequestID]) = (nil, nil)
            #expect(some == others, "\(route)")
        }
    }

    @Test func `A method that an address does not take is told which it takes`() throws {
        let house = try Household()
        let before = try house.test.database.contents()
        let router = Router(Routes.all)
        for route in Routes.all {
            guard let address = try house.address(route.pattern, of: "ada") else { continue }
            let segments = address.dropFirst().split(separator: "/").map(String.init)
            // The nearest pattern counts: /tasks/new is no task.
            let matching = Routes.all.filter { $0.match(segments) != nil }
            let fewest = matching.map { $0.segments.filter { $0.hasPrefix("{") }.count }.min()
            let taken = Set(
                matching.filter { $0.segments.filter { $0.hasPrefix("{") }.count == fewest }.map(\.method.name))
            for name in ["GET", "POST", "OPTIONS", "PUT", "DELETE", "PATCH", "PROPFIND", "get"] where !taken.contains(name) {
                let method = HTTP.Method(name)
                if case .route = router.find(method, segments) { continue }
                let page = try house.ada.send(method, address, nil)
                #expect(page.status == 405, "\(method) \(address)")
                let allowed = Set(
                    (page.response.fields[.allow] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
                #expect(allowed == taken.union(taken.contains("GET") ? ["HEAD"] : []), "\(method) \(address)")
            }
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test("A token may do exactly what its scope says", arguments: Scope.allCases)
    func scopes(scope: Scope) throws {
        let house = try Household()
        let script = house.test.stranger()
        script.token = try house.test.token("ada", scope: scope)
        for route in Routes.all where !route.isForEveryone {
            guard let address = try house.address(route.pattern, of: "ada") else { continue }
            let before = try house.test.database.contents()
            let form =
                route.method == .get ? nil : FormFields.encode([("title", "From cron"), ("completed", "1"), ("pinned", "1")])
            let answer = try script.send(route.method, address, form, accept: "application/json")
            if route.takes(scope) {
                #expect(![401, 403].contains(answer.status), "\(route)")
            } else {
                #expect(answer.status == 403 && answer.contains("\"scope_too_narrow\""), "\(route)")
                #expect(try house.test.database.contents() == before, "\(route)")
            }
        }
    }

    @Test(
        "A bad token is told so and never led to a page",
        arguments: ["Bearer nonsense", "Bearer ", "Basic YWRhOmFkYQ==", "Bearer\t", ""])
    func badToken(authorization: String) throws {
        let house = try Household()
        let before = try house.test.database.contents()
        let script = house.ada  // The cookie does not help: who sends a token means it.
        script.fields = [(.authorization, authorization)]
        for route in Routes.all where !route.isForEveryone {
            guard let address = try house.address(route.pattern, of: "ada") else { continue }
            for accept in ["*/*", "text/html", "application/json", nil] {
                let answer = try script.send(route.method, address, route.method == .get ? nil : "title=a", accept: accept)
                #expect(answer.status == 401, "\(route) \(accept ?? "-")")
                #expect(
                    answer.location == nil && answer.response.fields[.wwwAuthenticate]?.contains("invalid_token") == true,
                    "\(route)")
            }
        }
        #expect(try house.test.database.contents() == before)
    }
}

extension Route: CustomStringConvertible {
    var description: String { "\(method) \(pattern)" }

    var isForEveryone: Bool {
        switch access {
        case .everyone, .machine: true
        default: false
        }
    }

    var isForAdministrators: Bool { if case .administrator = access { true } else { false } }

    /// Whether a token of a scope may come in.
    func takes(_ scope: Scope) -> Bool {
        if case .person(let wanted, _) = access { scope == .full || scope == wanted } else { false }
    }
}

extension PercentEncoding {
    static func isAscii(_ text: String) -> Bool { text.utf8.allSatisfy { $0 < 0x80 } }
}
