// Which tasks an export has, and what it does while others change them, while it is read slowly, and when it ends early.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct ExportWalkTests {
    /// Ada with many tasks, made straight in the database: several at the same time, of every kind.
    private static func many(_ count: Int) throws -> (TestApp, Visitor) {
        let test = try TestApp()
        let ada = try test.person("ada")
        _ = try test.person("bob")
        let repository = TaskRepository(test.database, owner: try test.user("ada"), now: test.now)
        let categories = try Docket.Category.all(test.database, userID: repository.owner.id)
        try test.database.transaction {
            for number in 0..<count {
                test.now = test.now.adding(milliseconds: number % 3 == 0 && !(300..<1_900).contains(number) ? 1 : 0)
                let draft = TaskDraft(
                    title: "Task \(number)", content: String(repeating: "x", count: number % 200),
                    priority: Priority.allCases[number % 3], status: number % 5 == 0 ? .completed : .pending,
                    category: categories[number % 4], due: nil, isPinned: number % 7 == 0)
                let at = TaskRepository(test.database, owner: repository.owner, now: test.now)
                _ = try at.create(draft)
            }
        }
        return (test, ada)
    }

    private static func walk(_ test: TestApp, _ filter: TaskFilter = ExportRequest.everything) throws -> ExportWalk {
        ExportWalk(owner: try test.user("ada"), filter: filter, now: test.now, format: .csv)
    }

    private static func titles(_ pieces: [[UInt8]]) -> [String] {
        CSVText.records(String(decoding: pieces.joined(), as: UTF8.self)).dropFirst().map { $0[1] }
    }

    @Test func `An export has every task once, oldest first, in pieces of a fixed size`() throws {
        let (test, _) = try Self.many(3_000)
        var walk = try Self.walk(test)
        var pieces: [[UInt8]] = []
        while let piece = try walk.next(test.database) { pieces.append(piece) }
        #expect(pieces.count > 5 && pieces.allSatisfy { $0.count < ExportWalk.pieceSize + 2_000 })
        #expect(Self.titles(pieces) == (0..<3_000).map { "Task \($0)" })
        #expect(walk.count == 3_000)
    }

    @Test func `A long one is a stream, a short one is whole, and both are the same bytes`() throws {
        let (test, ada) = try Self.many(3_000)
        let response = try ada.send(.get, "/export?format=csv", nil).response
        guard case .stream(let content) = response.content, let stream = content as? ExportStream else {
            Issue.record("no stream")
            return
        }
        var pieces: [[UInt8]] = []
        while let piece = try stream.piece(test.database) { pieces.append(piece) }
        #expect(Self.titles(pieces) == (0..<3_000).map { "Task \($0)" })
        guard case .bytes = try ada.send(.get, "/export?format=csv&pinned=1&status=completed", nil).response.content else {
            Issue.record("no bytes")
            return
        }
    }

    @Test func `While others change, each task that stays as it is stands in it once`() throws {
        let (test, ada) = try Self.many(2_000)
        var random = SeededGenerator(seed: 7)
        let ids = try test.database.rows("SELECT id FROM tasks ORDER BY number") { TaskID(bytes: try $0.bytes(0)) }.compactMap(
            \.self)
        var walk = try Self.walk(test)
        var (pieces, changed, made): ([[UInt8]], Set<Int>, Int) = ([], [], 0)
        while let piece = try walk.next(test.database) {
            pieces.append(piece)
            for _ in 0..<20 {
                let number = Int.random(in: 0..<2_000, using: &random)
                changed.insert(number)
                let path = "/tasks/\(ids[number])"
                switch number % 5 {
                case 0: try ada.post(path + "/completion", [("completed", "1")])
                case 1: try ada.post(path + "/completion", [("completed", "0")])
                case 2: try ada.post(path + "/pin", [("pinned", "1")])
                case 3: try ada.post(path + "/trash")
                default: try ada.post(path, [("priority", "high"), ("category", "health")])
                }
            }
            test.now = test.now.adding(seconds: 1)
            if made < 3 { try ada.post("/tasks", [("title", "New \(made)")]) }
            made += 1
        }
        let titles = Self.titles(pieces)
        #expect(Set(titles).count == titles.count)
        let all = Set(titles)
        #expect((0..<2_000).allSatisfy { changed.contains($0) || all.contains("Task \($0)") })
    }

    @Test func `It has what the list of the same conditions has`() throws {
        let (test, ada) = try Self.many(400)
        try ada.post("/tasks", [("title", "买牛奶 today"), ("due", "2026-11-30"), ("category", "life")])
        try ada.post("/tasks", [("title", "late"), ("due", "2026-11-01T10:00")])
        try ada.post("/filters", [("name", "Two"), ("q", "Task 2"), ("priority", "high")])
        let id = try #require(try ada.get("/tasks", accept: "application/json").json()["tasks"] as? [[String: Any]])[0]["id"]
        try ada.post("/tasks/\(try #require(id as? String))/trash")
        for query in [
            "status=all", "status=pending", "status=completed", "status=all&category=life",
            "status=pending&priority=high&pinned=1",
            "status=all&q=sk+1", "status=all&q=牛奶", "status=all&q=-1+category:life", "status=pending&due=today",
            "status=pending&due=overdue", "status=all&due=none", "status=all&due=any", "status=all&due=2026-11-01..2026-11-30",
            "status=all&created=2026-11-30..", "status=completed&done=2026-11-30..2026-11-30", "status=all&q=no+such+word",
        ] {
            let count = try ada.get("/tasks?" + query, accept: "application/json").json()["total"] as? Int
            let file = try ada.get("/export?format=csv&" + query)
            #expect(file.status == 200)
            let titles = Set(CSVText.records(file.text).dropFirst().map { $0[1] })
            var listed: Set<String> = []
            for page in 1...3 {
                let tasks = try ada.get("/tasks?per_page=200&page=\(page)&" + query, accept: "application/json").json()["tasks"]
                listed.formUnion((tasks as? [[String: Any]] ?? []).compactMap { $0["title"] as? String })
            }
            #expect(titles == listed && titles.count == count, "\(query)")
        }
        let saved = CSVText.records(try ada.get("/export?format=csv&filter=1").text).dropFirst()
        #expect(!saved.isEmpty && saved.allSatisfy { $0[1].contains("2") && $0[3] == "high" && $0[4] == "pending" })
        // Without a condition everything comes, of the trash nothing, of others nothing.
        #expect(CSVText.records(try ada.get("/export?format=csv").text).count == 1 + 401)
        let bob = test.stranger()
        bob.token = try test.token("bob")
        #expect(CSVText.records(try bob.get("/export?format=csv&status=all", accept: nil).text).count == 1)
        #expect(try bob.get("/export?format=csv&filter=1", accept: nil).status == 400)
    }

    @Test(
        "What cannot be understood is told and gives no file",
        arguments: [
            "status=odd", "category=none", "priority=p1", "due=soon", "pinned=2", "sort=due_asc", "page=2", "per_page=50",
            "filter=99",
            "filter=x", "filter=1&status=all", "q=status:odd", "created=never", "done=x",
        ])
    func problems(query: String) throws {
        let house = try Household()
        let script = try house.ada.get("/export?format=csv&" + query, accept: "text/csv")
        #expect(script.status == 400 && script.response.fields[.contentType] == "text/plain; charset=utf-8")
        #expect(try house.ada.get("/export?format=json&" + query, accept: "application/json").json()["error"] != nil)
        let page = try house.ada.get("/export?" + query)
        #expect(page.status == 400 && page.heading == "Settings" && !page.texts("p class=\"err\"").isEmpty)
        // From a link of a page the person gets the page, not a file with an error in it.
        let link = try house.ada.get("/export?format=csv&" + query, accept: "text/html,*/*;q=0.8")
        #expect(link.status == 400 && link.heading == "Settings")
    }

    @Test func `What was never completed was not completed on those days`() throws {
        let house = try Household()
        try house.ada.post("/tasks", [("title", "Done"), ("status", "completed")])
        let answer = try house.ada.get("/export?format=csv&done=2026-11-30..2026-11-30", accept: "*/*")
        #expect(answer.status == 200)
        #expect(answer.contains("Done") && !answer.contains("plants"))
    }

    @Test func `Without a format that is one, a script is told which there are`() throws {
        let house = try Household()
        for (query, status) in [("", 406), ("?format=", 406), ("?format=text", 406), ("?format=doc", 400)] {
            let answer = try house.ada.get("/export" + query, accept: "text/plain")
            #expect(answer.status == status && answer.contains("spreadsheet"), "\(query)")
        }
        #expect(try house.ada.get("/export", accept: "text/calendar").text.hasPrefix("BEGIN:VCALENDAR"))
        // What takes anything may be a browser, but not with a token.
        #expect(try house.ada.get("/export", accept: "*/*").text.hasPrefix("<!"))
        let script = house.test.stranger()
        script.token = try house.test.token("ada")
        for accept in ["*/*", nil] {
            let answer = try script.get("/export", accept: accept)
            #expect(answer.text.hasPrefix("id,title,") && answer.response.fields[.contentType]?.hasPrefix("text/csv") == true)
        }
        #expect(try house.ada.get("/filters?format=csv", accept: "text/plain").status == 406)
    }

    @Test func `It ends when its person is shut out, and lets go when the reader is gone`() throws {
        let (test, ada) = try Self.many(2_000)
        func stream() throws -> ExportStream? {
            guard case .stream(let content) = try ada.send(.get, "/export?format=json", nil).response.content else { return nil }
            return content as? ExportStream
        }
        let left = try #require(try stream())
        _ = try left.piece(test.database)
        left.cancel()
        #expect(try left.piece(test.database) == nil)
        let shut = try #require(try stream())
        _ = try shut.piece(test.database)
        try test.database.execute("UPDATE users SET is_disabled = 1 WHERE name = 'ada'")
        #expect(throws: Refusal.notFound) { while try shut.piece(test.database) != nil {} }
    }

    @Test func `A search that finds nothing among many tasks gives empty pieces, not one long wait`() throws {
        let (test, _) = try Self.many(6_000)
        var filter = ExportRequest.everything
        filter.search = "nowhere"
        var walk = try Self.walk(test, filter)
        var counts: [Int] = []
        while let piece = try walk.next(test.database) { counts.append(piece.count) }
        #expect(counts.count == 2 && counts[1] == 0 && walk.count == 0)
    }

    @Test("Each step is a walk along indexes that sorts nothing", arguments: StatusCondition.allCases, [false, true])
    func plan(status: StatusCondition, pinnedOnly: Bool) throws {
        let test = try TestApp()
        _ = try test.person("ada")
        let repository = TaskRepository(test.database, owner: try test.user("ada"), now: test.now)
        for due: DueCondition? in [nil, .overdue, .some(.none), .week] {
            for mayHaveMore in [false, true] {
                var filter = TaskFilter()
                (filter.status, filter.pinnedOnly, filter.due, filter.search) = (status, pinnedOnly, due, "milk")
                let keys = mayHaveMore ? "created_at=? AND number>?" : "created_at>?"
                let plan = try test.database.explain(
                    repository.walk(filter, after: ExportPlace(createdAt: 5, number: 5, mayHaveMore: mayHaveMore), limit: 500))
                let walks = plan.filter { $0.contains(" tasks") }
                #expect(walks.count == status.statuses.count * (pinnedOnly ? 1 : 2) + 1, "\(plan)")
                if due == nil || due == DueCondition.none {
                    #expect(!plan.contains { $0.contains("TEMP B-TREE") || $0.contains("SCAN tasks") }, "\(plan)")
                    #expect(
                        walks.dropLast().allSatisfy {
                            $0.contains("tasks_by_created (user_id=? AND status=? AND pinned=? AND \(keys))")
                        }, "\(plan)")
                }
            }
        }
    }

    @Test func `The page offers every format, of everything, of a filter, of what was chosen on the list`() throws {
        let house = try Household()
        try house.ada.post("/filters", [("name", "One"), ("q", "plants")])
        for language in Language.allCases {
            house.ada.language = language.rawValue
            try house.test.database.execute("UPDATE users SET language = \(language.rawValue)")
            let page = try house.ada.get("/export")
            #expect(page.status == 200)
            for format in ExportFormat.allCases { #expect(page.contains("name=\"format\" value=\"\(format.rawValue)\"")) }
            #expect(page.form("/export")?.fields.contains { $0.0 == "filter" && $0.1.isEmpty } == true)
        }
        let list = try house.ada.get("/tasks?q=plants&category=work")
        #expect(list.contains("href=\"/export?status=pending&amp;q=plants&amp;category=work\""))
        let chosen = try house.ada.get("/export?status=pending&q=plants&category=work")
        let fields = try #require(chosen.form("/export")?.fields)
        #expect(fields.map { "\($0.0)=\($0.1)" } == ["status=pending", "q=plants", "category=work"])
        #expect(chosen.contains("plants"))
        let saved = try house.ada.get("/export?filter=1")
        #expect(saved.form("/export")?.fields.map { "\($0.0)=\($0.1)" } == ["filter=1"])
        #expect(try house.ada.get("/settings/delete-account").contains("href=\"/export\""))
    }

    // MARK: Lists and single tasks

    @Test func `A page of a list and one task come as files, by name or by Accept`() throws {
        let (_, ada) = try ExportFilesTests.ada()
        for (format, whole) in ExportFilesTests.files where format != .json {
            let page = try ada.get("/tasks?status=all&sort=created_asc&format=\(format.rawValue)")
            #expect(page.status == 200 && page.text.utf8.elementsEqual(whole.utf8), "\(format)")
            #expect(page.response.fields[.contentType] == format.contentType)
            #expect(page.response.fields[.contentDisposition] == nil)
        }
        let first = try ada.get("/tasks/0190f5fe-7c00-7a00-8000-012345678901", accept: "text/csv")
        #expect(CSVText.records(first.text).count == 2 && first.text.contains("牛奶"))
        let second = try ada.get("/tasks/0190f5fe-7c00-7a00-8000-012345678902", accept: "text/calendar")
        #expect(CalendarText.values(second.text, ["SUMMARY"]) == ["=1+1"])
        #expect(try ada.get("/tasks?status=all", accept: "text/csv;q=0.9, text/html;q=0.1").text.hasPrefix("id,title"))
        #expect(try ada.get("/tasks?format=csv&sort=odd").status == 400)
        #expect(try ada.get("/tasks/new?format=csv").status == 406)
    }

    @Test func `Pages of a list are linked in every form`() throws {
        let (_, ada) = try Self.many(30)
        let page = try ada.get("/tasks?status=all&format=csv&per_page=10")
        #expect(CSVText.records(page.text).count == 11)
        #expect(page.response.fields[.link]?.contains("page=3>; rel=\"last\"") == true)
    }
}
