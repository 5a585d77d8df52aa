// Two people with something of every kind, and the whole database as text, so that a test can say "nothing was changed".

import Foundation
import HTTP
import SQLite

@testable import Docket
@testable import SQLite

/// Ada, who is the administrator, and Bob, each with a task, a change, a filter, a token and categories.
struct Household {
    let test: TestApp
    let ada: Visitor
    let bob: Visitor

    init(language: Language = .english) throws {
        test = try TestApp()
        ada = try test.person("ada", language: language)
        bob = try test.person("bob", language: language)
        for (visitor, name) in [(ada, "ada"), (bob, "bob")] {
            try visitor.post(
                "/tasks", [("title", "Water the plants of \(name)"), ("content", "*All* of them"), ("due", "2026-12-24")])
            _ = try test.token(name)
            try test.database.execute(
                "INSERT INTO imports (user_id, made_at, file_name, state) VALUES (\(try test.user(name).id), 0, 'tasks.csv', 'cancelled')"
            )
            try test.database.execute(
                "INSERT INTO filters (user_id, name, query, position) VALUES (\(try test.user(name).id), 'Late', 'due=overdue', 1)"
            )
        }
    }

    /// The address of a pattern with its varying segments filled by a thing of that person; nil where there is none of the kind.
    func address(_ pattern: String, of name: String) throws -> String? {
        var path: [String] = []
        for segment in pattern.dropFirst().split(separator: "/").map(String.init) {
            guard segment.hasPrefix("{") else {
                path.append(segment)
                continue
            }
            guard let thing = try thing(path.last ?? "", of: name) else { return nil }
            path.append(thing)
        }
        return "/" + path.joined(separator: "/")
    }

    private func thing(_ kind: String, of name: String) throws -> String? {
        let owner = try test.user(name).id
        switch kind {
        case "tasks":
            return try test.database.first("SELECT id FROM tasks WHERE user_id = \(owner)") { try $0.bytes(0) }
                .flatMap { TaskID(bytes: $0) }?.description
        case "import": return try number("SELECT id FROM imports WHERE user_id = \(owner)")
        case "undo": return try number("SELECT max(id) FROM changes WHERE user_id = \(owner)")
        case "filters": return try number("SELECT id FROM filters WHERE user_id = \(owner)")
        case "categories": return try number("SELECT id FROM categories WHERE user_id = \(owner)")
        default: return nil
        }
    }

    private func number(_ sql: SQL) throws -> String? { try test.database.scalar(sql).map { String($0) } }

    /// A form that would change something at whatever address takes it.
    static let form: [(String, String)] = [
        ("title", "Typed by hand"), ("completed", "1"), ("pinned", "1"), ("action", "pin"), ("all", "1"), ("to_category", "life"),
        ("name", "Typed name"), ("icon", "home"), ("color", "3"), ("query", "due=today"), ("username", "mallory"),
        ("password", "correct horse battery"), ("version", "1"), ("form_id", "f1"),
    ]
}

extension Connection {
    /// The names of all tables, those of the search index apart, which are SQLite's own.
    func tableNames() throws -> [String] {
        try rows(
            """
            SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'search_terms%' ORDER BY name
            """
        ) { try $0.text(0) }
    }

    /// Every row of every table, apart from when someone was last seen.
    func contents() throws -> [String] {
        try tableNames().flatMap { table in
            let columns = try rows("SELECT name FROM pragma_table_info(\(table)) WHERE name NOT LIKE 'last_%'") {
                "quote(\(try $0.text(0)))"
            }
            return try rows(SQL(trusted: "SELECT \(columns.joined(separator: " || '|' || ")) FROM \(table) ORDER BY 1")) {
                table + ": " + (try $0.text(0))
            }
        }
    }
}

/// Random numbers that come again with the same seed (SplitMix64), so that a failure can be looked at twice.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
