// What the server sees, for administrators; the figures; whether what is changed can be kept; and a folder of the host.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct ServerPageTests {
    @Test(arguments: Language.allCases)
    func `An administrator sees what the request looks like from here`(language: Language) throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        ada.fields = [(.xForwardedFor, "192.0.2.1"), (.referer, "http://docket.test/settings")]
        let page = try ada.get("/admin/server")
        #expect(page.status == 200)
        for text in ["docket.test", "127.0.0.1", "--trusted-proxies", Version.text, "http://docket.test"] {
            #expect(page.contains(text), "\(text)")
        }
        ada.fields = [(.referer, "https://elsewhere.test/x")]
        #expect(try ada.get("/admin/server").contains("--public-url"))
    }

    @Test func `The form of the page tries the origin check`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        ada.fields = [(.origin, "http://docket.test")]
        #expect(try ada.get("/admin/server").submit("/admin/server").contains("The form came through."))
        ada.fields = [(.origin, "https://elsewhere.test")]
        #expect(try ada.post("/admin/server").status == 403)
    }

    @Test func `Others don't see it`() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        #expect(try test.person("bob").get("/admin/server").status == 403)
    }

    @Test func `Every answer of a page has a name of its own, which an error tells and the log repeats`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        var names: Set<String> = []
        for _ in 0..<100 {
            let page = try ada.get("/healthz")
            names.insert(try #require(page.response.fields[.xRequestID]))
        }
        #expect(names.count == 100 && names.allSatisfy { $0.utf8.count == 12 })
        let page = try ada.send(.get, "/tasks", nil)
        #expect(page.response.trace?.id == page.response.fields[.xRequestID])
        let user = try test.user("ada").id
        #expect(page.response.trace?.route == "/tasks")
        #expect(page.response.trace?.subject == user)
        try test.database.execute("DROP TABLE task_changes")
        try test.database.execute("DROP TABLE changes")
        let broken = try ada.send(.post, "/tasks", "title=a")
        #expect(broken.status == 500)
        let name = try #require(broken.response.fields[.xRequestID])
        #expect(broken.contains(name) && test.log.text.contains("request_id=\(name)"))
    }

    @Test func `Health tells that the last change could not be kept, until one is`() throws {
        let test = try TestApp()
        let disk = test.app.disk
        #expect(try test.stranger().get("/healthz").text == "ok\n")
        disk.failed(Refusal.busy, changes: 1)
        #expect(try test.stranger().get("/healthz").status == 200)
        disk.failed(try Self.full(), changes: 2)
        let page = try test.stranger().get("/healthz")
        #expect(page.status == 503 && page.text == "storage: no room left on the disk\n")
        #expect(page.response.fields[.retryAfter] != nil)
        // A commit that changed nothing proves nothing.
        disk.succeeded(changes: 2)
        #expect(try test.stranger().get("/healthz").status == 503)
        disk.succeeded(changes: 3)
        #expect(try test.stranger().get("/healthz").status == 200)
        #expect(disk.failures == 2)
    }

    /// A database that has no room.
    private static func full() throws -> DatabaseError {
        let connection = try Connection(path: ":memory:", mode: .readWriteCreate)
        try connection.executeScript("PRAGMA max_page_count = 1; PRAGMA user_version = 1")
        do { try connection.execute("CREATE TABLE t (a)") } catch { return error }
        Issue.record("a full database took a table")
        throw Refusal.busy
    }

    @Test func `What chose an answer stands in Vary`() throws {
        let test = try TestApp()
        for page in [try test.person("ada").get("/tasks"), try test.stranger().get("/sign-in")] {
            #expect(page.response.fields.combined(.vary) == "Accept, Accept-Language, Authorization, Cookie")
        }
    }

    @Test func `Figures count by route and status, and keep no name that someone makes up`() throws {
        let test = try TestApp()
        let metrics = test.app.metrics
        let trace = Trace(id: "1", route: "/tasks/{id}", client: "127.0.0.1")
        metrics.count(.get, trace, Status(200), nanoseconds: 300_000)
        metrics.count(.get, trace, Status(404), nanoseconds: 2_000_000_000)
        metrics.count(HTTP.Method("MADEUP"), Trace(id: "2", route: Job.noPattern, client: ""), Status(404), nanoseconds: 1)
        metrics.count(nil, nil, Status(408), nanoseconds: 1)
        metrics.add { [Sample("docket_queue_waiting", "Jobs.", 3, labels: [("queue", "writer")])] }
        let page = try test.stranger().get("/metrics")
        #expect(page.status == 200)
        for line in [
            "docket_request_seconds_bucket{method=\"GET\",route=\"/tasks/{id}\",le=\"0.00025\"} 0",
            "docket_request_seconds_bucket{method=\"GET\",route=\"/tasks/{id}\",le=\"0.0005\"} 1",
            "docket_request_seconds_bucket{method=\"GET\",route=\"/tasks/{id}\",le=\"+Inf\"} 2",
            "docket_request_seconds_count{method=\"GET\",route=\"/tasks/{id}\"} 2", "docket_answers_total{status=\"404\"} 2",
            "docket_answers_total{status=\"408\"} 1", "docket_queue_waiting{queue=\"writer\"} 3",
            "# TYPE docket_queue_waiting gauge",
            "# TYPE docket_answers_total counter",
        ] { #expect(page.text.contains("\n" + line + "\n"), "\(line)") }
        #expect(!page.contains("MADEUP"))
    }

    @Test(arguments: ["/docket", ""])
    func `Below a folder of the host every address leads there, whether a proxy takes it off or not`(prefix: String) throws {
        var config = Config()
        config.publicURL = PublicURL("https://home.example/docket")
        let test = try TestApp(config)
        _ = try test.person("ada")
        let ada = test.stranger()
        ada.cookies = [
            "__Host-docket": try SessionRepository(test.database).create(
                userID: test.user("ada").id, address: "127.0.0.1", userAgent: "test", now: test.now
            ).text
        ]
        let home = try ada.send(.get, prefix.isEmpty ? "/" : prefix, nil)
        #expect(home.location == "/docket/tasks")
        for path in ["/tasks", "/tasks?q=x", "/settings", "/categories", "/filters", "/dashboard", "/help", "/nowhere"] {
            let page = try ada.send(.get, prefix + path, nil)
            for match in page.text.matches(of: /(?:href|src|action)="([^"#]+)/) {
                #expect(match.output.1.hasPrefix("/docket/"), "\(path): \(match.output.0)")
            }
        }
        // Where a form leads back to is a path of ours, and becomes an address once.
        let form = try ada.send(
            .post, prefix + "/tasks", FormFields.encode([("title", "Buy milk"), ("next", "/tasks?sort=title")]))
        #expect(form.location?.hasPrefix("/docket/tasks?sort=title") == true)
    }
}
