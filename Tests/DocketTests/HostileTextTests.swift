// Texts that break other programs: each is kept as it was typed and shown as text.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct HostileTextTests {
    static let texts: [String] = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        "</title><script>alert(1)</script>",
        "</textarea><script>alert(1)</script>", "<!--", "]]>", "&lt;b&gt; &amp;amp; &#x3c;",
        "{{title}} {{{title}}} {{>row}} {{&x}}", "{title} {n}",
        "\"\u{301}onclick=alert(1)", "<\u{338}script>", "=1+1", "@home", "-5 degrees", "%s %n %d %@", "${jndi:ldap://x}",
        "'; DROP TABLE tasks; --",
        "a\u{202E}txt.exe", "\u{2066}isolated\u{2069} \u{202D}left\u{202C}", "zero\u{200B}width\u{200D}\u{FEFF}signs",
        "\u{E0041}\u{E007F} tags",
        "👨‍👩‍👧‍👦🏴‍☠️👩🏽‍🚀🇩🇪", "Z̷̡͎̈́a̸͔̓l̵̰͝g̷̱̈́o̸̧͝", "מה שלום ABC مرحبا 123", "ﷺ", "𓀀𝕳𝖎", "\u{1F468}\u{200D}", "\u{FFFD}\u{FFF9}\u{FFFA}",
        String(repeating: "W", count: 500), String(repeating: "寬", count: 500), String(repeating: "👨‍👩‍👧‍👦", count: 500),
        "../../etc/passwd", "C:\\con",
        "javascript:alert(1)", "[x](javascript:alert(1))", "![x](data:text/html,<script>)", "line\\nend", "0", "-0", "NaN",
        "null", "undefined", "true",
        "a" + String(repeating: "\u{301}", count: 7_000),
    ]

    @Test func `Each is kept as it was typed and shown as text, in the list, the editor, the history, the trash and notices`()
        throws
    {
        let test = try TestApp()
        let ada = try test.person("ada")
        for (number, text) in Self.texts.enumerated() {
            let created = try ada.send(.post, "/tasks", FormFields.encode([("title", text), ("content", "Notes\n\n" + text)]))
            #expect(created.status == 303, "\(text.debugDescription.prefix(60))")
            let row = try #require(
                try test.database.first("SELECT id, title, content FROM tasks ORDER BY number DESC LIMIT 1") {
                    (try $0.bytes(0), try $0.text(1), try $0.text(2))
                })
            #expect(row.1.utf8.elementsEqual(Characters.trim(text).utf8), "\(text.debugDescription.prefix(60))")
            let id = try #require(TaskID(bytes: row.0))
            let keep = ada.cookies
            try check(try ada.get("/tasks?per_page=10"), text, "list and notice")
            ada.cookies = keep
            try check(try ada.get("/tasks/\(id)"), text, "editor")
            try check(try ada.get("/tasks/\(id)/history"), text, "history")
            let form = try #require(try ada.get("/tasks/\(id)").form("/tasks/\(id)"))
            #expect(
                form.fields.contains { $0.0 == "title" && $0.1.utf8.elementsEqual(row.1.utf8) },
                "\(text.debugDescription.prefix(60))")
            #expect(
                form.fields.contains { $0.0 == "content" && $0.1.utf8.elementsEqual(row.2.utf8) },
                "\(text.debugDescription.prefix(60))")
            // Saving the form as it stands changes nothing.
            let version = try test.database.scalar("SELECT version FROM tasks ORDER BY number DESC LIMIT 1")
            try ada.post("/tasks/\(id)", form.fields)
            #expect(
                try test.database.scalar("SELECT version FROM tasks ORDER BY number DESC LIMIT 1") == version,
                "\(text.debugDescription.prefix(60))")
            if number % 3 == 0 {
                try ada.post("/tasks/\(id)/trash")
                try check(try ada.get("/trash"), text, "trash")
            }
        }
    }

    @Test func `Each can be searched for, finds itself, and is shown as text in the field and the conditions`() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for text in Self.texts where text.utf8.count < 900 && text.count < TaskDraft.titleLimit - 1 {
            try ada.post("/tasks", [("title", "x " + text)])
            let page = try ada.get("/tasks?" + FormFields.encode([("q", text)]))
            #expect(page.status == 200)
            try check(page, text, "search")
            #expect(
                page.form("/tasks") != nil && page.contains("name=\"complete\""),
                "\(text.debugDescription.prefix(60)) is found")
        }
    }

    @Test func `Each in a parameter, a path or a form's other fields is shown as text, and never changes anything`() throws {
        let house = try Household()
        let before = try house.test.database.contents()
        for text in Self.texts where text.utf8.count < 900 {
            for name in ["status", "category", "priority", "due", "sort", "page", "per_page", "pinned", "format"] {
                let value = text == "0" && name == "pinned" ? "00" : text
                let page = try house.ada.get("/tasks?" + FormFields.encode([(name, value)]))
                #expect(page.status == 400, "\(name) \(value.debugDescription)")
                try check(page, value, name)
            }
            try check(try house.ada.get("/" + PercentEncoding.encode(text)), text, "path")
            try check(try house.ada.post("/tasks/bulk", [("action", text), ("id", "x")]), text, "action")
            try check(
                try house.ada.post("/tasks", [("title", "a"), ("category", text), ("priority", text), ("due", text + "x")]), text,
                "draft")
            house.ada.fields = [(.origin, String(text.unicodeScalars.filter { $0.value != 10 && $0.value != 13 }))]
            try check(try house.ada.post("/tasks", [("title", "a")]), text, "origin")
            house.ada.fields = []
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test
    func `Each as the name of a category, a filter, a token, a file, a device or a person is shown as text wherever that stands`()
        throws
    {
        let test = try TestApp()
        let ada = try test.person("ada")
        for text in Self.texts where text.utf8.count < 900 {
            for (address, form) in [
                ("/categories", []), ("/filters", [("q", text)]), ("/settings/tokens", [("scope", "read"), ("expires", "")]),
            ] {
                let page = try ada.post(address, [("name", text)] + form)
                #expect([200, 422].contains(page.status), "\(address) \(text.debugDescription)")
                try check(page, text, address)
            }
            let name = String(text.unicodeScalars.filter { !"\"\\".unicodeScalars.contains($0) })
            let file = try ada.upload("/import", name + ".csv", "\(name),title\n\(name),Bread\n".utf8)
            #expect([303, 422].contains(file.status), "file \(text.debugDescription)")
            if let status = file.location {
                try check(try ada.get(status), text, "file")
                try check(try ada.post(status, [("action", "run")]), text, "import")
            }
            let device = test.stranger()
            _ = try SessionRepository(test.database).create(
                userID: 1, address: "192.0.2.1", userAgent: text, now: test.now)
            device.fields = [(.userAgent, text)]
            try check(
                try device.post("/sign-in", [("username", text), ("password", "not the right one")]), text, "sign-in")
            try check(
                try device.post("/sign-up", [("username", text), ("password", "correct horse battery staple")]), text, "sign-up")
            try check(try ada.get("/admin/audit?" + FormFields.encode([("person", text)])), text, "audit")
        }
        let shown = try ada.get("/settings/sessions").texts("strong")
        #expect(shown.count > 40)
        let pages = [
            "/categories", "/filters", "/settings/tokens", "/settings/sessions", "/import", "/tasks/new", "/tasks", "/dashboard",
            "/export", "/settings", "/admin/users", "/admin/audit",
        ]
        for address in pages { try check(try ada.get(address), "", address) }
        let names = try test.database.rows("SELECT name FROM categories WHERE name IS NOT NULL") { try $0.text(0) }
        #expect(
            names.count > 25
                && names.allSatisfy { name in Self.texts.contains { Characters.trim($0).utf8.elementsEqual(name.utf8) } })
    }

    /// No tag, attribute or handler of the text's own is on the page.
    private func check(_ page: Page, _ text: String, _ what: String) throws {
        let html = page.bytes
        let comment: Comment = "\(what): \(text.debugDescription.prefix(60))"
        #expect(page.status < 500, comment)
        #expect(
            !html.contains("<script>") && !html.contains("<img") && !html.contains("<!--")
                && !html.contains("href=\"javascript:"), comment)
        let hasHandler = HTMLCheck.tags(html).contains { tag in
            HTMLCheck.attributeNames(tag)?.contains { $0.hasPrefix("on") } ?? true
        }
        #expect(!hasHandler, comment)
    }
}
