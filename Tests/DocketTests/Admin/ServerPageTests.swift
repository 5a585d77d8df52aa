// What the server sees, for administrators; the figures; whether what is changed can be kept; and a folder of the host.

import Foundation
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
        disk.failed(DatabaseError(code: ResultCode(rawValue: 5), message: "locked"), changes: 1)
        #expect(try test.stranger().get("/healthz").text == "storage: another program holds the database\n")
        disk.recovered()
        disk.failed(try Self.full(), changes: 2)
        let page = try test.stranger().get("/healthz")
        #expect(page.status == 503 && page.text == "storage: no room left on the disk\n")
        #expect(page.response.fields[.retryAfter] != nil)
        // A commit that changed nothing proves nothing.
        disk.succeeded(changes: 2)
        #expect(try test.stranger().get("/healthz").status == 503)
        disk.succeeded(changes: 3)
        #expect(try test.stranger().get("/healthz").status == 200)
        #expect(disk.failures == 3)
    }

    @Test func `The file is looked into once a second, again at once where that failed, and whatever the clock does`() {
        let disk = DiskState()
        var looks: [Int64] = []
        for moment: Int64 in [0, 999, 1_000, 1_500, 2_500, 2_400, 3_000] {
            disk.look(at: Instant(milliseconds: moment)) { looks.append(moment) }
        }
        #expect(looks == [0, 1_000, 2_500, 2_400])
        for _ in 0..<2 {
            #expect(throws: Refusal.self) { try disk.look(at: Instant(milliseconds: 9_000)) { throw Refusal.busy } }
        }
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
        let monitor = test.stranger()
        monitor.authority = "localhost:8080"
        let page = try monitor.get("/metrics")
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

    @Test(arguments: [
        ("127.0.0.1:8080", "127.0.0.1", 1, nil, 200), ("LOCALHOST", "127.0.0.1", 1, nil, 200), ("[::1]:8080", "::1", 1, nil, 200),
        ("127.0.0.1", "192.0.2.7", 1, nil, 404), ("home.example", "127.0.0.1", 1, nil, 404), ("", "127.0.0.1", 1, nil, 404),
        ("127.0.0.1.example", "127.0.0.1", 1, nil, 404), ("127.0.0.1", "127.0.0.1", 0, nil, 404),
        ("127.0.0.1", "127.0.0.1", 1, "x-real-ip", 404), ("127.0.0.1", "127.0.0.1", 1, "forwarded", 404),
        ("127.0.0.1", "127.0.0.1", 1, "via", 404), ("127.0.0.1", "unix", 1, nil, 404),
    ])
    func `Figures are for this machine, not for whom a proxy on it lets in`(
        authority: String, peer: String, minorVersion: Int, field: String?, status: Int
    ) throws {
        func answer(_ config: Config) throws -> Int {
            var head = RequestHead(method: .get, path: "/metrics", authority: authority, minorVersion: minorVersion)
            if let field { head.fields.append(try #require(FieldName(field)), "for=192.0.2.7") }
            return try TestApp(config).respond(Request(head: head, peer: peer)).status.code
        }
        #expect(try answer(Config()) == status)
        var behindProxy = Config()
        behindProxy.publicURL = PublicURL("https://home.example")
        #expect(try answer(behindProxy) == 404)
        var listed = Config()
        listed.trustedProxies = ["127.0.0.1", "::1"].compactMap { AddressRange($0) }
        #expect(try answer(listed) == 404)
    }

    @Test func `Health tells that a page has met damage, whatever is kept afterwards`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let test = try TestApp(database: DatabaseFile(folder.appending(path: "docket.sqlite3").path()))
        let ada = try test.person("ada")
        let content = String(repeating: "x", count: 400)
        for number in 0..<200 { try ada.post("/tasks", [("title", "Task \(number)"), ("content", content)]) }
        #expect(try ada.get("/tasks").status == 200)
        // A page in the middle of the tasks is overwritten.
        let root = try #require(try test.database.scalar("SELECT rootpage FROM sqlite_schema WHERE name = 'tasks'"))
        let size = try #require(try test.database.scalar("PRAGMA page_size"))
        try test.database.executeScript("PRAGMA wal_checkpoint(TRUNCATE)")
        let file = try FileHandle(forUpdating: folder.appending(path: "docket.sqlite3"))
        try file.seek(toOffset: UInt64((root - 1) * size))
        try file.write(contentsOf: Data(repeating: 0xAA, count: Int(size)))
        try file.close()
        try test.database.executeScript("PRAGMA shrink_memory")
        // Another page than the one that is kept in memory.
        #expect(try ada.get("/tasks?sort=created_asc").status == 500)
        let health = try test.stranger().get("/healthz")
        #expect(health.status == 503 && health.contains("storage: the database is damaged"))
        test.app.disk.succeeded(changes: 100)
        test.app.disk.recovered()
        #expect(try test.stranger().get("/healthz").status == 503)
        #expect(!test.app.disk.mayRecover)
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
