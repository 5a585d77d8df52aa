// What becomes text and what becomes a binding.

import SQLite
import Testing

@Suite("SQL literals")
struct SQLTests {
    @Test("A value becomes a question mark and a binding, by its type")
    func values() {
        let text = "x"
        let none: String? = nil
        let some: Int? = 7
        let sql: SQL = "a \(1) b \(Int64(2)) c \(1.5) d \(text) e \([1, 2] as [UInt8]) f \(true) g \(none) h \(some)"
        #expect(sql.text == "a ? b ? c ? d ? e ? f ? g ? h ?")
        #expect(
            sql.bindings == [.int(1), .int(2), .double(1.5), .text("x"), .blob([1, 2]), .int(1), .null, .int(7)])
    }

    @Test("A string stays a value even as a literal or a choice of literals")
    func literalsInside() {
        let ascending = Bool("true")
        let sql: SQL = "ORDER BY \(ascending == true ? "ASC" : "DESC")"
        #expect(sql.text == "ORDER BY ?")
        #expect(sql.bindings == [.text("ASC")])
    }

    @Test("SQL in SQL is spliced with its bindings, in order")
    func splice() {
        let condition: SQL = "b = \(2)"
        let order: SQL = "ORDER BY c"
        let sql: SQL = "SELECT a WHERE a = \(1) AND \(condition) AND d = \(4) \(sql: order)"
        #expect(sql.text == "SELECT a WHERE a = ? AND b = ? AND d = ? ORDER BY c")
        #expect(sql.bindings == [.int(1), .int(2), .int(4)])
    }

    @Test("Pieces are joined with a separator and added with plus")
    func joined() {
        let sql = SQL.joined(["a = \(1)", "b = \("x")", "c"], separator: " AND ")
        #expect(sql.text == "a = ? AND b = ? AND c")
        #expect(sql.bindings == [.int(1), .text("x")])
        #expect(SQL.joined([], separator: ", ").isEmpty)
        let sum: SQL = sql + " LIMIT \(5)"
        #expect(sum.text == "a = ? AND b = ? AND c LIMIT ?")
        #expect(sum.bindings.count == 3)
    }

    @Test(
        "What a person types stays data",
        arguments: [
            "'; DROP TABLE people; --", "\" OR 1=1 --", "?1", ":x", "\\'", "ada' OR 'a'='a", "%_", "'\u{301}", "\u{37e} DROP",
            "", " ", "\r\n", "你好", "\u{feff}x", "👩🏽‍💻",
        ])
    func injection(_ typed: String) throws {
        let db = try people()
        #expect(try db.scalar("SELECT count(*) FROM people WHERE name = \(typed)") == 0)
        try db.execute("INSERT INTO people (name) VALUES (\(typed))")
        let back = try db.first("SELECT name, length(CAST(name AS BLOB)) FROM people WHERE name = \(typed)") { row in
            (try row.text(0), try row.int(1) as Int)
        }
        #expect(back.map { Array($0.0.utf8) } == Array(typed.utf8))
        #expect(back?.1 == typed.utf8.count)
        #expect(try db.scalar("SELECT count(*) FROM people") == 4)
    }

    @Test("A type of the application may be a value")
    func ownType() throws {
        struct Priority: Bindable {
            var rank: Int
            var binding: Binding { rank.binding }
        }
        let sql: SQL = "SELECT \(Priority(rank: 3))"
        #expect(try people().scalar(sql) == 3)
    }
}
