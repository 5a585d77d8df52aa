// A file of every released version, as that release made it, becomes one of today.

import Foundation
import Testing

@testable import Docket
@testable import SQLite

@Suite struct FrozenSchemaTests {
    /// The frozen files. The first has schema version 3, the others are named by their version.
    private static let releases = [1, 8, 9]

    /// A database as release `number` made it: `schema-<number>.sql` beside this file, which is never changed.
    private func released(_ number: Int) throws -> Connection {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "schema-\(number).sql")
        let database = try Connection(path: ":memory:", mode: .readWriteCreate)
        try database.executeScript(try String(contentsOf: path, encoding: .utf8))
        return database
    }

    @Test("A released file ends with the schema of a fresh one, and with all its rows", arguments: releases)
    func migrate(release: Int) throws {
        let old = try released(release)
        let before = try old.contents()
        try Schema.migrator.migrate(old)
        let fresh = try Connection(path: ":memory:", mode: .readWriteCreate)
        try Schema.migrator.migrate(fresh)
        let schema: SQL = "SELECT type || ' ' || name || ': ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1"
        let (migrated, wanted) = (try old.rows(schema) { try $0.text(0) }, try fresh.rows(schema) { try $0.text(0) })
        #expect(migrated == wanted)
        #expect(try old.userVersion == fresh.userVersion)
        #expect(try old.foreignKeyCheck() == [] && old.integrityCheck() == [])
        #expect(try old.contents().count >= before.count)
        let user = try #require(try AccountRepository(database: old, now: .now()).user(1))
        let tasks = try TaskRepository(old, owner: user, now: .now()).list(TaskFilter(), offset: 0, limit: 10, total: 1)
        #expect(tasks.map(\.title) == ["Buy milk"])
    }

    @Test func `The newest frozen file is of today's version: who adds a migration freezes a file that has seen it`() throws {
        let newest = try released(try #require(Self.releases.last))
        #expect(try newest.userVersion == Schema.migrations.count)
        // Something in each table, so that a later migration has rows to keep.
        let tables: SQL = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
        for table in try newest.rows(tables, { try $0.text(0) }) {
            #expect(try newest.scalar(SQL(trusted: "SELECT count(*) FROM \(table)")) ?? 0 > 0, "\(table)")
        }
    }
}
