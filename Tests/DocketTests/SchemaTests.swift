// The schema: whatever version a file begins at, it ends the same, and nothing of a person outlives them.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket
@testable import SQLite

@Suite struct SchemaTests {
    private func schema(_ database: Connection) throws -> [String] {
        try database.rows("SELECT coalesce(type || ' ' || name || ': ' || sql, name) FROM sqlite_schema ORDER BY 1") {
            try $0.text(0)
        }
    }

    @Test("A file of any older version ends with the schema of a fresh one", arguments: 0..<Schema.migrations.count)
    func migrate(version: Int) throws {
        let fresh = try Connection(path: ":memory:", mode: .readWriteCreate)
        try Schema.migrator.migrate(fresh)
        let old = try Connection(path: ":memory:", mode: .readWriteCreate)
        try Migrator(Array(Schema.migrations.prefix(version))).migrate(old)
        #expect(try old.userVersion == version)
        try Schema.migrator.migrate(old)
        #expect(try schema(old) == schema(fresh))
        #expect(try old.userVersion == Schema.migrations.count)
        #expect(try old.foreignKeyCheck() == [] && old.integrityCheck() == [])
    }

    @Test func `A newer file is refused in words and left as it is`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "docket-schema-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.sqlite3").path()
        let newer = try Connection(path: path, mode: .readWriteCreate)
        try newer.execute(SQL(trusted: "PRAGMA user_version = \(Schema.migrations.count + 1)"))
        newer.close()
        let failure = #expect(throws: StartFailure.self) { _ = try DatabaseFile(path).openMigrated() }
        #expect(failure?.description.contains("version \(Schema.migrations.count + 1)") == true)
        let after = try Connection(path: path, mode: .readOnly)
        #expect(try after.userVersion == Schema.migrations.count + 1 && after.tableNames() == [])
    }

    @Test func `What belongs to a person goes with them, and each reference has its index`() throws {
        let database = try DatabaseFile(":memory:").openMigrated()
        for table in try database.tableNames() {
            let columns = try database.rows("SELECT name FROM pragma_table_info(\(table))") { try $0.text(0) }
            let keys = try database.rows(
                "SELECT \"table\", group_concat(\"from\"), on_delete FROM pragma_foreign_key_list(\(table)) GROUP BY id ORDER BY seq"
            ) {
                (table: try $0.text(0), columns: try $0.text(1), onDelete: try $0.text(2))
            }
            if columns.contains("user_id") {
                #expect(keys.contains { $0.table == "users" && $0.columns == "user_id" && $0.onDelete == "CASCADE" }, "\(table)")
            }
            let indexes =
                try database.rows(
                    """
                    SELECT (SELECT group_concat(name) FROM (SELECT name FROM pragma_index_info(l.name) ORDER BY seqno))
                    FROM pragma_index_list(\(table)) AS l WHERE partial = 0 OR partial = 1
                    """
                ) { try $0.text(0) + "," }
            for key in keys {
                let isIndexed = indexes.contains { $0.hasPrefix(key.columns + ",") } || columns.first == key.columns
                #expect(isIndexed, "\(table) (\(key.columns))")
            }
            let isStrict = try database.scalar("SELECT strict FROM pragma_table_list WHERE name = \(table)") == 1
            #expect(isStrict, "\(table)")
        }
    }

    @Test func `Deleting a person leaves no row of theirs and every row of others`() throws {
        let house = try Household()
        let database = house.test.database
        let id = try #require(try house.address("/tasks/{id}", of: "bob"))
        try house.bob.post(id + "/pin", [("pinned", "1"), ("form_id", "f")])
        try house.bob.post(id + "/trash")
        let (ada, bob) = (try house.test.user("ada").id, try house.test.user("bob").id)
        let before = try database.contents()
        try AccountRepository(database: database, now: house.test.now).delete(bob)
        for table in try database.tableNames() {
            let columns = try database.rows("SELECT name FROM pragma_table_info(\(table))") { try $0.text(0) }
            if columns.contains("user_id") {
                #expect(
                    try database.scalar(SQL(trusted: "SELECT count(*) FROM \(table) WHERE user_id = \(bob)")) == 0, "\(table)")
                let kept = try database.scalar(SQL(trusted: "SELECT count(*) FROM \(table) WHERE user_id = \(ada)"))
                #expect(
                    table == "form_receipts" || kept.map { $0 > 0 } == true || !before.contains { $0.hasPrefix(table + ":") },
                    "\(table)")
            }
        }
        #expect(try database.foreignKeyCheck() == [])
        #expect(try database.scalar("SELECT count(*) FROM task_changes WHERE change_id NOT IN (SELECT id FROM changes)") == 0)
        #expect(try house.ada.get("/tasks").contains("plants of ada"))
        #expect(try house.bob.get("/tasks").heading == "Sign in")
    }

    @Test(
        "The schema is the last validator",
        arguments: [
            "UPDATE tasks SET priority = 3", "UPDATE tasks SET status = 2", "UPDATE tasks SET pinned = 2",
            "UPDATE tasks SET title = ''",
            "UPDATE tasks SET id = x'00'", "UPDATE tasks SET due_at = 1", "UPDATE tasks SET due_key = NULL",
            "UPDATE tasks SET due_on = 'soon'",
            "UPDATE tasks SET completed_at = 1", "UPDATE tasks SET user_id = 99", "UPDATE tasks SET category_id = 99",
            "UPDATE users SET language = 'fr'", "UPDATE users SET per_page = 9", "UPDATE categories SET color = 13",
            "UPDATE tokens SET scope = 'all'",
            "INSERT INTO tasks (id) VALUES (randomblob(16))",
        ])
    func constraints(statement: String) throws {
        let house = try Household()
        let before = try house.test.database.contents()
        #expect(throws: DatabaseError.self) { try house.test.database.execute(SQL(trusted: statement)) }
        #expect(try house.test.database.contents() == before)
    }

    @Test func `Another person's category is no category of a task`() throws {
        let house = try Household()
        let (ada, bob) = (try house.test.user("ada").id, try house.test.user("bob").id)
        #expect(throws: DatabaseError.self) {
            try house.test.database.execute(
                "UPDATE tasks SET category_id = (SELECT min(id) FROM categories WHERE user_id = \(bob)) WHERE user_id = \(ada)")
        }
    }
}
