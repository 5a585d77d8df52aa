// Imports by page and by script: what would come of a file, the run, the way back, and files that are none.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct ImportPageTests {
    private let test: TestApp
    private let ada: Visitor

    init() throws {
        test = try TestApp()
        ada = try test.person("ada")
    }

    private let csv = "Name;When;Where\nBuy milk;2026-12-24;Shop\nCall Tom;2026-12-01;\n"

    /// Sends a file and opens the page that its answer leads to.
    private func look(_ name: String, _ text: String) throws -> Page {
        let answer = try ada.upload("/import", name, text.utf8)
        #expect(answer.status == 303)
        return try ada.get(try #require(answer.location))
    }

    private func titles() throws -> [String] {
        try test.database.rows("SELECT title FROM tasks WHERE trashed_at IS NULL ORDER BY number") { try $0.text(0) }
    }

    @Test("A file is shown before it is imported, in both languages", arguments: Language.allCases)
    func dryRun(language: Language) throws {
        let visitor = try test.person("bob", language: language)
        let answer = try visitor.upload("/import", "todo.txt", "(A) Buy milk due:2026-12-24\nCall Tom due:never\n".utf8)
        let page = try visitor.get(try #require(answer.location))
        let keys = Set(test.app.strings(language).texts.keys)
        #expect(HTMLCheck.problems(page, language: language, keys: keys) == [])
        #expect(page.texts("strong").contains("Buy milk"))
        #expect(page.contains("due:never"))
        #expect(try titles().isEmpty)
        let form = try #require(page.forms.last)
        let values = Dictionary(form.fields, uniquingKeysWith: { $1 })
        #expect((values["format"], values["encoding"]) == ("todotxt", "UTF-8"))
    }

    @Test("A run adds what was shown, tells it, and is taken back with one button; a second run adds nothing")
    func run() throws {
        let page = try look("todo.txt", "Buy milk\nCall Tom\n")
        let action = page.address
        let done = try page.submit(action, [("action", "run")])
        #expect(done.contains("Added: 2"))
        #expect(try titles() == ["Buy milk", "Call Tom"])
        let told = try test.database.rows("SELECT actor_name, detail FROM audit WHERE event = 'tasks_imported'") {
            "\(try $0.text(0)) \(try $0.text(1))"
        }
        #expect(told == ["ada 2"])
        let again = try look("todo.txt", "Buy milk\nCall Tom\n")
        #expect(again.contains("here already: 2") && !again.contains("value=\"run\""))
        let undo = try #require(done.forms.first { $0.action.hasPrefix("/undo/") })
        let back = try ada.post(undo.action, undo.fields)
        #expect(back.address == action && back.contains("taken back") && !back.contains("/undo/1\""))
        #expect(try titles().isEmpty)
        #expect(try ada.get("/import").contains("todo.txt"))
    }

    @Test("What was chosen anew is looked at before it is imported")
    func chooses() throws {
        let page = try look("tasks.csv", csv)
        #expect(page.contains("Where"))
        let columns = try #require(page.forms.last).fields.filter { $0.0 == "column" }.map(\.1)
        #expect(columns.count == 3)
        // The title from the third column: that is not what was shown.
        let form = try #require(page.forms.last)
        var fields = form.fields.filter { $0.0 != "column" }
        fields += [("column", "keep"), ("column", "due"), ("column", "title"), ("action", "run")]
        let changed = try ada.post(page.address, fields)
        #expect(try titles().isEmpty)
        #expect(changed.texts("strong").contains("Shop"))
        try changed.submit(page.address, [("action", "run")])
        // A select of a name keeps its last value only, so the columns are sent by hand.
        var again = try #require(changed.forms.last).fields
        again.append(("action", "run"))
        try ada.post(page.address, again)
        #expect(try titles().contains("Shop"))
    }

    @Test("Two columns can't be one field, and what is no choice is told")
    func wrongChoices() throws {
        let page = try look("tasks.csv", csv)
        for fields in [
            [("column", "title"), ("column", "title")], [("column", "nonsense")], [("format", "doc")], [("encoding", "EBCDIC")],
        ] {
            let answer = try ada.post(page.address, fields + [("action", "examine")])
            #expect(answer.status == 422, "\(fields)")
        }
        #expect(try ada.post(page.address, [("action", "explode")]).status == 422)
        #expect(try titles().isEmpty)
    }

    @Test(
        "A file that is no list of tasks is told in words, and nothing is changed",
        arguments: [
            ("nothing.csv", ""), ("photo.zip", "PK\u{3}\u{4}"), ("page.csv", "<!doctype html><html><title>Sign in</title>"),
            ("cut.json", "[{\"description\":\"x\""), ("what.bin", "\u{1}\u{2}\u{0}\u{4}"), ("", "SQLite format 3\u{0}"),
        ])
    func wrongFiles(name: String, text: String) throws {
        for language in Language.allCases {
            let visitor = try test.person(language == .english ? "bob" : "cleo", language: language)
            let answer = try visitor.upload("/import", name, text.utf8)
            let page = try visitor.get(try #require(answer.location))
            #expect(page.status == 200)
            #expect(HTMLCheck.problems(page, language: language, keys: Set(test.app.strings(language).texts.keys)) == [])
            #expect(page.contains("class=\"err\"") && !page.contains("value=\"run\""))
            let script = test.stranger()
            script.token = try test.token(language == .english ? "bob" : "cleo")
            let told = try script.upload("/import", name, text.utf8, accept: "application/json")
            #expect(told.status == 422 && told.contains("\"invalid\""))
        }
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 0)
    }

    @Test("A form without a file, or with two, says so")
    func noFile() throws {
        #expect(try ada.upload("/import", "", []).status == 422)
        #expect(try ada.post("/import", []).status == 422)
        let script = test.stranger()
        script.token = try test.token("ada")
        #expect(try script.send(.post, "/import", "a=b", accept: "*/*").status == 422)
    }

    /// Large enough for a thread of its own.
    private static let large = (1...900).map { "task \($0) " + String(repeating: "x", count: 400) + "\n" }.joined()

    @Test("A large file is read and imported beside, and its page renews itself without a script")
    func background() throws {
        let page = try look("todo.txt", Self.large)
        #expect(page.response.fields[try #require(FieldName("refresh"))] == "1")
        #expect(page.contains("<progress"))
        test.doWork()
        let shown = try ada.get(page.address)
        #expect(shown.contains("Import 900 tasks"))
        let running = try shown.submit(page.address, [("action", "run")])
        #expect(running.response.fields[try #require(FieldName("refresh"))] != nil && running.contains("value=\"cancel\""))
        // Meanwhile another one has to wait.
        #expect(try ada.upload("/import", "b.txt", "b".utf8).status == 422)
        test.doWork()
        #expect(try ada.get(page.address).contains("Added: 900"))
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 900)
        #expect(try test.database.scalar("SELECT count(*) FROM changes WHERE finished = 1 AND way = 'import'") == 1)
    }

    @Test("An import that is cancelled leaves nothing, and says so")
    func cancel() throws {
        let page = try look("todo.txt", Self.large)
        test.doWork()
        let running = try ada.get(page.address).submit(page.address, [("action", "run")])
        try running.submit(page.address, [("action", "cancel")])
        test.doWork()
        #expect(try ada.get(page.address).contains("Cancelled"))
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 0)
    }

    @Test(
        "A file is discarded or cancelled while it is still being read, and nothing more is heard of it",
        arguments: ["discard", "cancel"])
    func cancelReading(action: String) throws {
        let refresh = try #require(FieldName("refresh"))
        let page = try look("todo.txt", Self.large)
        #expect(page.contains("value=\"discard\"") && !page.contains("value=\"cancel\""))
        let after = try ada.post(page.address, [("action", action)])
        test.doWork()
        let later = try ada.get(page.address)
        if action == "discard" {
            #expect(after.address == "/import" && later.status == 404)
        } else {
            #expect(later.contains("Cancelled") && later.response.fields[refresh] == nil)
            #expect(try ada.get("/import").contains("Cancelled"))
        }
        // One that makes room for another is not told of at all.
        let older = try look("todo.txt", Self.large)
        _ = try look("b.txt", "Buy milk")
        test.doWork()
        #expect(try ada.get(older.address).contains("no longer here"))
        #expect(try titles().isEmpty)
    }

    @Test("What is told of a file is in its reader's language, what we put in its place too")
    func instead() throws {
        let bob = try test.person("bob", language: .chinese)
        let answer = try bob.upload("/import", "a.csv", "title,priority,status\nMilk,p9,vielleicht\n,low,open\n".utf8)
        let page = try bob.get(try #require(answer.location))
        #expect(
            page.contains("“priority”的值“p9”无法识别：按“中”处理")
                && page.contains("“status”的值“vielleicht”无法识别：按“未完成”处理"))
        #expect(page.contains("（无标题）") && !page.contains("(no title)"))
    }

    @Test("After a restart a page says what became of its import")
    func restart() throws {
        let id = try test.user("ada").id
        for (state, word) in [("open", "no longer here"), ("running", "restarted")] {
            try test.database.execute(
                "INSERT INTO imports (user_id, made_at, file_name, state) VALUES (\(id), 0, 'a.csv', \(state))")
            let page = try ada.get("/import/\(test.database.lastInsertRowID)")
            #expect(page.contains(word))
            #expect(try ada.post(page.address, [("action", "run")]).contains(word))
        }
    }

    @Test("A file waits for an hour and no longer, and makes room for the next one of its person")
    func patience() throws {
        let first = try look("a.txt", "a")
        let second = try look("b.txt", "b")
        #expect(try ada.get(first.address).contains("no longer here"))
        test.now = test.now.adding(seconds: 3_500)
        #expect(try ada.get(second.address).contains("value=\"run\""))
        test.now = test.now.adding(seconds: 3_700)
        test.app.imports.sweep(test.now)
        #expect(try ada.get(second.address).contains("no longer here"))
    }

    @Test("Nobody finds another person's import, before and after it has run")
    func others() throws {
        let page = try look("todo.txt", "Buy milk\n")
        let bob = try test.person("bob")
        func tryAll() throws {
            #expect(try bob.get(page.address).status == 404)
            for action in ["run", "cancel", "discard", "examine"] {
                #expect(try bob.post(page.address, [("action", action)]).status == 404)
            }
        }
        try tryAll()
        try page.submit(page.address, [("action", "run")])
        try tryAll()
        #expect(try titles() == ["Buy milk"])
        #expect(!(try bob.get("/import").contains("href=\"/import/")))
    }

    @Test("A file can be discarded")
    func discard() throws {
        let page = try look("todo.txt", "Buy milk\n")
        let after = try page.submit(page.address, [("action", "discard")])
        #expect(after.address == "/import" && after.contains("discarded"))
        #expect(try ada.get(page.address).status == 404)
    }

    @Test("A script sends a file in one request, and asks how it went; its scope holds", arguments: Scope.allCases)
    func script(scope: Scope) throws {
        let script = test.stranger()
        script.token = try test.token("ada", scope: scope)
        let answer = try script.upload("/import", "todo.txt", "Buy milk due:never\n".utf8, accept: "*/*")
        guard scope != .read else {
            #expect(answer.status == 403)
            return
        }
        #expect(answer.status == 201 && answer.contains("added: 1") && answer.contains("Line 1: "))
        let address = try #require(answer.location)
        let status = try script.send(.get, address, nil, accept: "application/json")
        #expect(status.contains("\"state\":\"done\"") && status.contains("\"line\":1"))
        #expect(try titles() == ["Buy milk due:never"])
        let large = try script.upload("/import", "todo.txt", Self.large.utf8, accept: "application/json")
        #expect(large.status == 202 && large.contains("\"state\":\"running\""))
        let busy = try script.upload("/import", "todo.txt", "x".utf8, accept: "application/json")
        #expect(busy.status == 409)
        test.doWork()
        #expect(try script.send(.get, try #require(large.location), nil, accept: "application/json").contains("\"added\":900"))
        let dry = try script.upload("/import", "b.txt", "x".utf8, [("dry_run", "1")], accept: "*/*")
        #expect(dry.status == 201 && dry.contains("state: examined"))
        #expect(try titles().count == 901)
        let run = try script.send(.post, try #require(dry.location), "action=run", accept: "*/*")
        #expect(run.contains("state: done"))
        #expect(try titles().count == 902)
    }

    @Test("What is too large is told with the limit, in the browser's language and the form that was asked for")
    func tooLarge() throws {
        var head = RequestHead(method: .post, path: "/import", authority: "docket.test")
        head.fields.append(.accept, "text/html")
        head.fields.append(.acceptLanguage, "zh")
        let page = Page(visitor: ada, address: "/import", response: test.app.tooLarge(head, limit: 256 << 20))
        #expect(page.status == 413 && page.heading == "内容太大" && page.contains("256 MB"))
        #expect(HTMLCheck.problems(page, language: .chinese, keys: Set(test.app.strings(.chinese).texts.keys)).isEmpty)
        head.fields[.accept] = "application/json"
        #expect(
            Page(visitor: ada, address: "", response: test.app.tooLarge(head, limit: 256 << 20)).contains(
                "\"code\":\"too_large\""))
        #expect(!page.response.fields.contains(.strictTransportSecurity))
        var config = Config()
        config.publicURL = PublicURL("https://home.example")
        #expect(try TestApp(config).app.tooLarge(head, limit: 1).fields.contains(.strictTransportSecurity))
    }

    @Test("Only who may import may send what is large; everyone else hears why not, whatever the size")
    func whoMaySendLargeFiles() throws {
        let config = test.app.config
        let wrong = String(repeating: "A", count: 43)
        let cleo = try test.person("cleo")
        try test.database.execute("UPDATE users SET is_disabled = 1 WHERE name = 'cleo'")
        let expired = try test.token("ada")
        try test.database.execute("UPDATE tokens SET expires_at = 1")
        let cases: [(FieldName?, String, Int)] = [
            (nil, "", 401), (.authorization, "Bearer x", 401), (.authorization, "Bearer \(wrong)", 401),
            (.cookie, "docket=x", 401), (.cookie, "docket=\(wrong)", 401), (.authorization, "Bearer \(expired)", 401),
            (.authorization, "Bearer \(try test.token("cleo"))", 401),
            (.cookie, "docket=\(try #require(cleo.cookies["docket"]))", 401),
            (.authorization, "Bearer \(try test.token("ada", scope: .read))", 403),
            (.authorization, "Bearer \(try test.token("ada", scope: .add))", 0),
            (.authorization, "Bearer \(try test.token("ada"))", 0), (.cookie, "docket=\(try #require(ada.cookies["docket"]))", 0),
        ]
        for (name, value, status) in cases {
            var head = RequestHead(method: .post, path: "/import", authority: "docket.test")
            head.fields.append(.accept, "application/json")
            head.fields.append(.contentType, "multipart/form-data; boundary=x")
            if let name { head.fields.append(name, value) }
            let answer = try test.objection(head)
            #expect(answer?.status.code ?? 0 == status, "\(value)")
            #expect(answer?.fields[.contentType] ?? "application/json" == "application/json")
            // Asked once, and of a form of usual size not at all.
            for (length, isAwaited, asked) in [
                (config.maximumFormBytes, false, 0), (config.maximumFormBytes + 1, false, 1), (nil, false, 1), (1, true, 1),
                (config.maximumUploadBytes + 1, true, 1),
            ] as [(Int?, Bool, Int)] {
                var count = 0
                let terms = test.app.contentTerms(head, length: length, isAwaited: isAwaited) {
                    count += 1
                    return answer
                }
                #expect(count == asked && terms.limit == config.maximumUploadBytes, "\(value)")
                #expect(terms.objection?.status == (asked == 0 ? nil : answer?.status), "\(value)")
            }
        }
    }

    @Test(
        "What can be told by the head alone is told before the content comes",
        arguments: [
            ("/tasks", "application/json", "gzip", 415), ("/tasks", "application/json", "identity, gzip", 415),
            ("/tasks", "application/json", "identity, identity", 0), ("/tasks", "application/json", "Identity", 0),
            ("/tasks", "application/json", "", 0), ("/tasks", "image/png", "", 415), ("/tasks", "text/csv", "", 415),
            ("/tasks", "application/json; charset=utf-16", "", 415), ("/nothing", "application/json", "", 404),
            ("/calendar/x", "application/json", "", 404), ("/settings/password", "application/json", "", 403),
        ])
    func objections(path: String, type: String, coding: String, status: Int) throws {
        var head = RequestHead(method: .post, path: path, authority: "docket.test")
        head.fields.append(.authorization, "Bearer \(try test.token("ada"))")
        head.fields.append(.contentType, type)
        if !coding.isEmpty { head.fields.append(.contentEncoding, coding) }
        #expect(try test.objection(head)?.status.code ?? 0 == status)
        if status == 0 {
            let content = Array("{\"title\":\"Buy milk\"}".utf8)
            #expect(try test.respond(Request(head: head, body: .bytes(content), peer: "127.0.0.1")).status.code == 201)
        }
    }

    @Test(
        "An import ends whole at its next batch when its person may not sign in any more, or is gone", arguments: [true, false])
    func personGoes(isDisabled: Bool) throws {
        _ = try test.person("bob")
        let bob = test.stranger()
        bob.token = try test.token("bob")
        #expect(try bob.upload("/import", "todo.txt", Self.large.utf8, accept: "application/json").status == 202)
        let id = try test.user("bob").id
        // Between two batches.
        let (moment, change): (SQL, SQL) =
            isDisabled
            ? ("INSERT ON tasks WHEN new.title LIKE 'task 250 %'", "UPDATE users SET is_disabled = 1 WHERE name = 'bob'")
            : ("UPDATE OF revision ON users WHEN new.name = 'bob'", "DELETE FROM users WHERE id = new.id")
        try test.database.execute("CREATE TEMP TRIGGER gone AFTER \(moment) BEGIN \(change); END")
        test.doWork()
        #expect(try test.database.scalar("SELECT count(*) FROM tasks") == 0)
        #expect(try test.database.scalar("SELECT count(*) FROM changes") == 0)
        #expect(try test.database.scalar("SELECT count(*) FROM imports WHERE user_id = \(id) AND state <> 'cancelled'") == 0)
        #expect(try test.database.scalar("SELECT count(*) FROM users WHERE name = 'bob'") == (isDisabled ? 1 : 0))
    }

    @Test("What is over can't be discarded or cancelled, and that is said, not that it runs")
    func over() throws {
        let script = test.stranger()
        script.token = try test.token("ada")
        let done = try #require(try script.upload("/import", "todo.txt", "Buy milk\n".utf8, accept: "application/json").location)
        for action in ["discard", "cancel"] {
            let answer = try script.send(.post, done, "action=\(action)", accept: "application/json")
            #expect(answer.status == 409 && answer.contains("has ended already"), "\(action) \(answer.text)")
            let page = try ada.post(done, [("action", action)])
            #expect(page.status == 200 && page.address == done && page.contains("Added: 1"))
        }
        #expect(try titles() == ["Buy milk"])
        // The file that waits can be, once.
        let waits = try #require(
            try script.upload("/import", "b.txt", "x".utf8, [("dry_run", "1")], accept: "application/json").location)
        #expect(try script.send(.post, waits, "action=discard", accept: "application/json").status == 200)
    }
}
