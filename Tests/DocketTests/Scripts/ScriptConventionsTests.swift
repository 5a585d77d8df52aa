// The conventions of the script interface: entity-tags, links, idempotency keys, due words, and the document that describes it.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct ScriptConventionsTests {
    private let test: TestApp
    private let script: Visitor

    init() throws {
        test = try TestApp()
        _ = try test.person("ada")
        script = test.stranger()
        script.token = try test.token("ada")
    }

    private func tag(_ address: String, accept: String = "application/json") throws -> String {
        try #require(try script.get(address, accept: accept).response.fields[.entityTag], "\(address)")
    }

    private func asked(_ address: String, having tag: String, accept: String = "application/json") throws -> Page {
        script.fields = [(.ifNoneMatch, tag)]
        defer { script.fields = [] }
        return try script.send(.get, address, nil, accept: accept)
    }

    // MARK: Entity-tags

    @Test func `What is unchanged is 304 without content, and any change gives another tag`() throws {
        let made = try #require(try script.post("/tasks", [("title", "a"), ("due", "2026-12-01")], accept: "*/*").location)
        let addresses = [
            "/tasks", made, "/tasks?due=today", "/categories", "/filters", "/dashboard", "/trash", made + "/history",
        ]
        for address in addresses {
            let tag = try tag(address)
            let same = try asked(address, having: tag)
            #expect(same.status == 304 && same.text.isEmpty && same.response.fields[.entityTag] == tag, "\(address)")
            #expect(same.response.fields[.contentType] == nil && same.response.fields[.vary]?.contains("Accept") == true)
            for list in ["*", "W/\(tag)", "\"x\", \(tag)"] { #expect(try asked(address, having: list).status == 304, "\(list)") }
            for list in ["\"x\"", "", "nonsense"] { #expect(try asked(address, having: list).status == 200, "\(list)") }
            #expect(try asked(address, having: tag, accept: "text/plain").status == 200, "\(address)")
        }
        let before = try addresses.map { try tag($0) }
        try script.post(made, [("title", "b")], accept: "*/*")
        #expect(try asked("/tasks", having: before[0]).status == 200)
        #expect(try asked(made, having: before[1]).status == 200)
        #expect(try asked(made + "/history", having: before[7]).status == 200)
    }

    @Test func `Midnight and the moment of being due give another tag, though nothing was changed`() throws {
        try script.post("/tasks", [("title", "a"), ("due", "tomorrow")], accept: "*/*")
        try script.post("/tasks", [("title", "b"), ("due", "2026-11-30T12:00")], accept: "*/*")
        let (today, overdue, figures) = (try tag("/tasks?due=today"), try tag("/tasks?due=overdue"), try tag("/dashboard"))
        test.now = test.now.adding(seconds: 7_200)  // 12:00 in Berlin
        #expect(try asked("/tasks?due=overdue", having: overdue).status == 304)
        test.now = test.now.adding(milliseconds: 1)
        #expect(try asked("/tasks?due=overdue", having: overdue).status == 200)
        #expect(try asked("/tasks?due=today", having: today).status == 304)
        #expect(try asked("/dashboard", having: figures).status == 200)
        test.now = test.now.adding(seconds: 12 * 3_600)
        let next = try asked("/tasks?due=today", having: today)
        #expect(next.status == 200 && next.contains("\"title\":\"a\""))
    }

    @Test func `Pages carry no tag, and a condition that cannot hold is 412`() throws {
        script.token = nil
        let ada = try test.person("bob")
        #expect(try ada.get("/tasks").response.fields[.entityTag] == nil)
        ada.fields = [(.ifMatch, "\"x\"")]
        let answer = try ada.get("/tasks", accept: "application/json")
        #expect(answer.status == 412 && answer.contains("precondition_failed"))
    }

    @Test func `The language of a person is in the tag`() throws {
        let tag = try tag("/categories")
        try test.database.execute("UPDATE users SET language = 'zh-Hans', revision = revision + 1")
        let answer = try asked("/categories", having: tag)
        #expect(answer.status == 200 && answer.contains("工作"))
    }

    // MARK: Links

    @Test func `Links lead to all pages in the same form, of lists, filters and the trash`() throws {
        try script.post("/filters", [("name", "All"), ("status", "all")], accept: "*/*")
        for number in 0..<25 { try script.post("/tasks", [("title", "Task \(number)")], accept: "*/*") }
        try script.post("/tasks", [("title", "Thrown away")], accept: "*/*")
        for (address, count) in [("/tasks?format=json&per_page=10&q=task", 25), ("/filters/1?format=json&per_page=10", 26)] {
            let first = try script.get(address, accept: "*/*")
            let links = try Self.links(first)
            #expect(Set(links.keys) == ["first", "last", "next"], "\(address)")
            let middle = try script.get(try #require(links["next"]), accept: "*/*")
            #expect(middle.response.fields[.contentType] == "application/json")
            #expect(Set(try Self.links(middle).keys) == ["first", "prev", "next", "last"])
            let last = try script.get(try #require(links["last"]), accept: "*/*").json()
            #expect((last["tasks"] as? [Any])?.count == count - 20 && last["page"] as? Int == 3)
            #expect(try Self.links(middle)["prev"] == links["first"])
        }
        try script.post("/tasks/bulk", [("all", "1"), ("action", "trash")], accept: "*/*")
        let trash = try script.get("/trash?per_page=10&format=json", accept: "*/*")
        let next = try script.get(try #require(try Self.links(trash)["next"]), accept: "*/*").json()
        #expect(next["page"] as? Int == 2 && next["total"] as? Int == 26)
    }

    private static func links(_ page: Page) throws -> [String: String] {
        let field = page.response.fields[.link] ?? ""
        return Dictionary(
            uniqueKeysWithValues: field.matches(of: /<([^>]+)>; rel="([a-z]+)"/).map {
                (String($0.output.2), String($0.output.1))
            })
    }

    @Test(
        "A parameter that there is not is told, and shows nothing",
        arguments: [
            "/tasks?stauts=all", "/tasks?due=today&x=", "/filters/1?q=a", "/filters/1?statuss=a", "/trash?q=a",
            "/tasks?count=some",
        ])
    func parameters(address: String) throws {
        try script.post("/filters", [("name", "All")], accept: "*/*")
        let answer = try script.get(address, accept: "application/json")
        let fields = (try answer.json()["error"] as? [String: Any])?["fields"] as? [String: String]
        #expect(answer.status == 400 && fields?.count == 1)
        #expect(try test.person("bob").get("/tasks?stauts=all").status == 400)
    }

    // MARK: Idempotency keys

    @Test func `A form_id gives the first answer again, with its status and its location`() throws {
        for (address, form) in [
            ("/tasks", [("title", "a"), ("form_id", "k")]), ("/tasks/lines", [("lines", "a\nb"), ("form_id", "k")]),
            ("/categories", [("name", "Garden"), ("form_id", "k")]), ("/filters", [("name", "Soon"), ("form_id", "k")]),
            ("/tasks/bulk", [("all", "1"), ("action", "pin"), ("form_id", "k")]), ("/trash/empty", [("form_id", "k")]),
        ] {
            let first = try script.post(address, form, accept: "application/json")
            let before = try test.database.contents()
            let again = try script.postJSON(address, try Self.json(form))
            #expect(first.status < 300 && again.status == first.status && again.text == first.text, "\(address)")
            #expect(again.location == first.location, "\(address)")
            #expect(again.response.fields[.contentType] == first.response.fields[.contentType])
            #expect(try test.database.contents() == before, "\(address)")
        }
    }

    private static func json(_ form: [(String, String)]) throws -> String {
        let members = form.map { name, value in
            "\"\(name)\":" + (name == "all" ? "true" : "\"\(value.replacing("\n", with: "\\n"))\"")
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    @Test func `A form_id with another form is refused, and changes nothing`() throws {
        try script.post("/tasks", [("title", "a"), ("form_id", "k")], accept: "*/*")
        let other = try script.post("/tasks", [("title", "b"), ("form_id", "k")], accept: "application/json")
        #expect(other.status == 422 && other.contains("\"form_id\":"))
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 1)
    }

    @Test func `No answer that was made for a browser or another token is given to a token`() throws {
        let bob = try test.person("bob")
        let (adder, reader) = (test.stranger(), test.stranger())
        adder.token = try test.token("bob", scope: .add)
        reader.token = try test.token("bob", scope: .full)
        let form = [("title", "a"), ("form_id", "k")]
        #expect(try bob.send(.post, "/tasks", FormFields.encode(form)).status == 303)
        let ids = try [adder, reader].map { visitor in
            let answer = try visitor.send(.post, "/tasks", FormFields.encode(form), accept: "*/*")
            #expect(answer.status == 201 && answer.location?.hasPrefix("/tasks/") == true)
            return answer.text
        }
        #expect(ids[0] != ids[1])
        #expect(try bob.send(.post, "/tasks", FormFields.encode(form)).status == 303)
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 3)
    }

    // MARK: Due dates

    @Test(
        "Scripts say due dates in words",
        arguments: [
            ("today", "2026-11-30"), ("tomorrow", "2026-12-01"), ("+3d", "2026-12-03"), ("fri", "2026-12-04"),
            ("2026-12-24 18:30", "2026-12-24T18:30"), ("今天", "2026-11-30"), ("明天", "2026-12-01"),
            ("tomorrow 18:30", "2026-12-01T18:30"),
            // The clocks skip this: the same time after the jump.
            ("2027-03-28T02:30", "2027-03-28T03:30"),
        ])
    func words(text: String, due: String) throws {
        let made = try script.postJSON("/tasks", "{\"title\":\"a\",\"due\":\"\(text)\"}")
        #expect(made.status == 201)
        #expect(try made.json()["due"] as? String == due)
        let form = try script.post("/tasks", [("title", "a"), ("due", text)], accept: "application/json")
        #expect(try form.json()["due"] as? String == due)
    }

    @Test func `The sign of +3d may come unescaped, as curl sends it`() throws {
        for (sent, due) in [("+3d", "2026-12-03"), ("%2B3d", "2026-12-03"), ("+2w", "2026-12-14"), ("+2026-12-24", "2026-12-24")]
        {
            let made = try script.send(.post, "/tasks", "title=a&due=" + sent, accept: "application/json")
            #expect(try made.json()["due"] as? String == due, "\(sent)")
        }
        #expect(try script.send(.post, "/tasks", "title=a&due=3d", accept: "application/json").status == 422)
    }

    @Test func `What is wrong with a due date is said as it is`() throws {
        func message(_ form: [(String, String)]) throws -> String? {
            let answer = try script.post("/tasks", [("title", "a")] + form, accept: "application/json")
            #expect(answer.status == 422)
            return ((try answer.json()["error"] as? [String: Any])?["fields"] as? [String: String])?["due"]
        }
        #expect(try message([("due", ""), ("due_time", "02:30")]) == "A time needs a day.")
        try test.database.execute("UPDATE users SET time_zone = 'America/New_York'")
        #expect(try message([("due", "9999-12-31T23:59")])?.contains("UTC") == true)
        #expect(try script.post("/tasks", [("title", "a"), ("due", "9999-12-31")], accept: "application/json").status == 201)
    }

    @Test func `A person whose time the clocks skip is told where it went`() throws {
        let bob = try test.person("bob")
        let form = [("title", "a"), ("due", "2027-03-28"), ("due_time", "02:30")]
        #expect(try bob.post("/tasks", form).contains("The clocks skip that time"))
        #expect(
            try !bob.post("/tasks", [("title", "b"), ("due", "2027-03-28"), ("due_time", "03:30")]).contains("The clocks skip"))
    }

    // MARK: The document

    @Test func `The document is for everyone, and the same for all`() throws {
        let stranger = try test.stranger().send(.get, "/openapi.json", nil, accept: "*/*")
        #expect(stranger.status == 200 && stranger.response.fields[.contentType] == "application/json")
        #expect(try script.get("/openapi.json", accept: "text/html").text == stranger.text)
        let tag = try #require(stranger.response.fields[.entityTag])
        #expect(try asked("/openapi.json", having: tag).status == 304)
    }

    @Test func `Every reference of the document leads somewhere, and every code is in it`() throws {
        let text = try test.stranger().get("/openapi.json").text
        for match in text.matches(of: /"\$ref":"([^"]+)"/) { _ = try SchemaCheck.resolve(String(match.output.1)) }
        for code in ErrorCode.allCases { #expect(text.contains("\"\(code.rawValue)\""), "\(code)") }
        for route in Routes.all { #expect(text.contains("\"\(route.pattern)\":{"), "\(route)") }
    }

    @Test func `Behind a proxy the document begins below its folder`() throws {
        var config = Config()
        config.publicURL = PublicURL("https://home.example/docket")
        let page = try TestApp(config).stranger().get("/docket/openapi.json")
        #expect(page.contains("\"servers\":[{\"url\":\"/docket\"}]"))
    }

    @Test func `The help page lists every code, and its plain text every address`() throws {
        let page = try test.person("bob").get("/help")
        for code in ErrorCode.allCases { #expect(page.contains("<code>\(code.rawValue)</code>"), "\(code)") }
        let lines = try script.get("/help", accept: "*/*").text
        for route in Routes.all { #expect(lines.contains(" \(route.pattern) "), "\(route)") }
    }

    @Test func `What could not be served is told in the form that was asked for`() throws {
        var head = RequestHead(method: .post, path: "/tasks", authority: "docket.test")
        head.fields.append(.accept, "application/json")
        let answer = test.app.trouble(Request(head: head), Refusal.busy)
        #expect(answer.status.code == 503 && answer.fields[.contentType] == "application/json")
        guard case .bytes(let bytes) = answer.content else { return }
        #expect(String(decoding: bytes, as: UTF8.self).contains("\"busy\""))
    }

    @Test("A person hears of it on a page in their language, with a way on, as of everything else", arguments: Language.allCases)
    func unserved(language: Language) throws {
        let strings = test.app.strings(language)
        for (method, error, code) in [
            (.get, Refusal.busy, ErrorCode.busy), (.post, Refusal.busy, .busy), (.post, Refusal.storageFull, .storageFull),
        ] as [(HTTP.Method, Refusal, ErrorCode)] {
            var head = RequestHead(method: method, path: "/tasks", authority: "docket.test")
            head.fields.append(.accept, "text/html,application/xhtml+xml,*/*;q=0.8")
            head.fields.append(.acceptLanguage, language.rawValue)
            let page = Page(
                visitor: test.stranger(), address: "/tasks", response: test.app.trouble(Request(head: head), error))
            #expect(page.status == code.status.code && page.response.fields[.retryAfter] == "5")
            #expect(HTMLCheck.problems(page, language: language, keys: Set(strings.texts.keys)) == [])
            #expect(page.contains(strings[code.key + ".title"]) && page.contains("href=\"/tasks\""))
            #expect(page.contains(strings["error.safe"]) == (method == .post))
        }
    }
}
