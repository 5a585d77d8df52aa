// A backup by page: for administrators who know their password, a whole and sound file, and nothing left on the disk.

import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct BackupPageTests {
    @Test func `An administrator downloads a whole database with the password, and nothing stays behind`() async throws {
        let place = try ImportPlace()
        try place.person("ada")
        _ = try place.take(try place.file("todo.txt", "a\nb\nc\n".utf8), for: "ada")
        var config = Config()
        config.database = place.database.path
        let test = try TestApp(config)
        let ada = try test.person("ada")
        let hash = try Password.hash(Password.prepare("seven green bicycles"))
        try test.database.execute("UPDATE users SET password_hash = \(hash), is_admin = 1")
        #expect(try ada.get("/admin/server").contains("href=\"/admin/backup\""))
        let refused = try ada.get("/admin/backup").submit("/admin/backup", [("current_password", "wrong wrong wrong")])
        #expect(refused.status == 422 && refused.contains("aria-invalid"))
        let page = try ada.get("/admin/backup").submit("/admin/backup", [("current_password", "seven green bicycles")])
        #expect(page.status == 200 && page.response.fields[.contentType] == "application/vnd.sqlite3")
        #expect(page.response.fields[.contentDisposition] == "attachment; filename=\"docket-2026-11-30.sqlite3\"")
        guard case .stream(let stream) = page.response.content else { throw Refusal.notFound }
        var content = Data()
        while let piece = try await stream.next() { content += piece }
        let copy = place.folder.appending(path: "copy").path()
        try content.write(to: URL(filePath: copy))
        let database = try Connection(path: copy, mode: .readOnly)
        #expect(try database.integrityCheck() == [] && database.scalar("SELECT count(*) FROM tasks") == 3)
        database.close()
        #expect(try !FileManager.default.contentsOfDirectory(atPath: place.folder.path()).contains { $0.contains("download") })
        #expect(
            try test.database.scalar("SELECT count(*) FROM audit WHERE event = 'backup_downloaded' AND actor_name = 'ada'") == 1)
        // Nobody else.
        try test.database.execute("UPDATE users SET is_admin = 0")
        #expect(try ada.get("/admin/backup").status == 403)
        #expect(try ada.post("/admin/backup", [("current_password", "seven green bicycles")]).status == 403)
    }

    @Test func `A trial run in memory has no file to copy, and says so`() throws {
        var config = Config()
        config.database = ":memory:"
        let test = try TestApp(config)
        let ada = try test.person("ada")
        let hash = try Password.hash(Password.prepare("seven green bicycles"))
        try test.database.execute("UPDATE users SET password_hash = \(hash), is_admin = 1")
        let page = try ada.post("/admin/backup", [("current_password", "seven green bicycles")])
        #expect(page.status == 422 && page.contains("trial run"))
    }
}
