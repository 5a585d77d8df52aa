// Backups, their way back, and the check: what is copied is whole, what is refused changes nothing, what is wrong is named.

import Foundation
import SQLite
import Testing

@testable import Docket

struct BackupTests {
    private func filled() throws -> ImportPlace {
        let place = try ImportPlace()
        try place.person("ada")
        _ = try place.take(try place.file("todo.txt", "a\nb due:2026-12-24\nc\n".utf8), for: "ada")
        return place
    }

    private func path(_ place: ImportPlace, _ name: String) -> String { place.folder.appending(path: name).path() }

    private func count(_ path: String) throws -> Int64? {
        let connection = try Connection(path: path, mode: .readOnly)
        defer { connection.close() }
        return try connection.scalar("SELECT count(*) FROM tasks")
    }

    private func files(_ place: ImportPlace) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: place.folder.path()).sorted()
    }

    @Test("A backup holds everything, is for its owner's eyes only, and older ones move up")
    func rotates() throws {
        let place = try filled()
        let target = path(place, "b")
        for number in 1...4 {
            try Backup.make(of: place.database, to: target, keep: 3)
            _ = try place.take(try place.file("more\(number).txt", "more \(number)".utf8), for: "ada")
        }
        #expect(try files(place).filter { $0.hasPrefix("b") } == ["b", "b.1", "b.2"])
        #expect(try ["b", "b.1", "b.2"].map { try count(path(place, $0)) } == [6, 5, 4])
        let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("A backup that is ended halfway leaves nothing, and the one before stands")
    func ended() throws {
        let place = try filled()
        let target = path(place, "b")
        try Backup.make(of: place.database, to: target)
        struct Ended: Error {}
        #expect(throws: Ended.self) { try Backup.make(of: place.database, to: target) { _, _ in throw Ended() } }
        #expect(try files(place).filter { $0.hasPrefix("b") } == ["b"])
        #expect(try count(target) == 3)
    }

    @Test("A backup replaces neither the database itself nor a file of another kind")
    func refusals() throws {
        let place = try filled()
        _ = try place.file("letter.txt", "Dear Ada".utf8)
        for name in ["docket.sqlite3", "letter.txt", ""] {
            #expect(throws: CommandFailure.self) { try Backup.make(of: place.database, to: path(place, name)) }
        }
        #expect(try Data(contentsOf: URL(filePath: path(place, "letter.txt"))) == Data("Dear Ada".utf8))
    }

    @Test("A restore brings the backup back and keeps what was there")
    func restores() throws {
        let place = try filled()
        let target = path(place, "b")
        try Backup.make(of: place.database, to: target)
        _ = try place.take(try place.file("more.txt", "more".utf8), for: "ada")
        place.connection.close()
        let kept = try #require(try Restore.run(try ByteFile(target), to: place.database))
        #expect(try count(place.database.path) == 3)
        #expect(try count(kept) == 4)
    }

    @Test("A damaged database is replaced by a restore, and kept")
    func restoresDamaged() throws {
        let place = try filled()
        let target = path(place, "b")
        try Backup.make(of: place.database, to: target)
        place.connection.close()
        try Data(repeating: 7, count: 9_000).write(to: URL(filePath: place.database.path))
        let kept = try #require(try Restore.run(try ByteFile(target), to: place.database))
        #expect(try count(place.database.path) == 3)
        #expect(try Data(contentsOf: URL(filePath: kept)).count == 9_000)
    }

    @Test(
        "A restore of what is no sound Docket database changes nothing",
        arguments: ["cut", "text", "other", "newer", "reference"])
    func refusesRestore(_ kind: String) throws {
        let place = try filled()
        let target = path(place, "b")
        try Backup.make(of: place.database, to: target)
        place.connection.close()
        switch kind {
        case "cut": try Data(contentsOf: URL(filePath: target)).prefix(30_000).write(to: URL(filePath: target))
        case "text": try Data("hello".utf8).write(to: URL(filePath: target))
        case "other": _ = try place.phone("b.other", "")
        default:
            let connection = try Connection(path: target, mode: .readWrite)
            if kind == "newer" { try connection.execute("PRAGMA user_version = 999") }
            if kind == "reference" { try connection.executeScript("PRAGMA foreign_keys = OFF; DELETE FROM users") }
            connection.close()
        }
        let file = try ByteFile(kind == "other" ? target + ".other" : target)
        #expect(throws: CommandFailure.self) { try Restore.run(file, to: place.database) }
        #expect(try count(place.database.path) == 3)
        #expect(try files(place).filter { $0.contains("copy") || $0.contains("before") }.isEmpty)
    }

    @Test("A database is not restored onto itself, nor a link to it")
    func refusesItself() throws {
        let place = try filled()
        let link = path(place, "link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.database.path)
        for name in [place.database.path, link] {
            let failure = #expect(throws: CommandFailure.self) { try Restore.run(try ByteFile(name), to: place.database) }
            #expect(failure?.description.contains("is the database itself") == true)
        }
        #expect(try count(place.database.path) == 3)
    }

    @Test("A database that is called by a link is the same database: one server, and a restore reaches the file itself")
    func link() throws {
        let place = try filled()
        let link = path(place, "link.sqlite3")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.database.path)
        #expect(DatabaseFile(link).path == URL(filePath: place.database.path).resolvingSymlinksInPath().path())
        let lock = try ServerLock.take(place.database, seconds: 0) { _ in }
        #expect(throws: StartFailure.self) { try ServerLock.take(DatabaseFile(link), seconds: 0) { _ in } }
        lock?.release()
        // One that leads to what is still to be made.
        let made = path(place, "made.sqlite3")
        try FileManager.default.createSymbolicLink(atPath: path(place, "early"), withDestinationPath: "made.sqlite3")
        #expect(DatabaseFile(path(place, "early")).path == made)
        try DatabaseFile(path(place, "early")).openMigrated().close()
        #expect(try FileManager.default.attributesOfItem(atPath: made)[.posixPermissions] as? Int == 0o600)
        // And one in a circle is no endless loop.
        try FileManager.default.createSymbolicLink(atPath: path(place, "round"), withDestinationPath: "round")
        #expect(throws: (any Error).self) { try DatabaseFile(path(place, "round")).openMigrated() }
    }

    @Test("Restores in one second keep each what was there")
    func restoresAtOnce() throws {
        let place = try filled()
        place.connection.close()
        let copy = path(place, "copy")
        try Backup.make(of: place.database, to: copy)
        for _ in 0..<3 { _ = try Restore.run(try ByteFile(copy), to: place.database) }
        #expect(
            try files(place).filter { $0.contains(".before-restore-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }.count
                == 3)
    }

    @Test("What a killed backup has left is taken over; one that is being made is not disturbed")
    func partial() throws {
        let place = try filled()
        let target = path(place, "b")
        try Data(repeating: 1, count: 100_000).write(to: URL(filePath: target + ".partial"))
        try Data("x".utf8).write(to: URL(filePath: target + ".partial-journal"))
        var other: (any Error)?
        try Backup.make(of: place.database, to: target) { _, _ in
            do { try Backup.make(of: place.database, to: target) } catch { other = error }
        }
        #expect((other as? CommandFailure)?.description.contains("another backup") == true)
        #expect(try files(place).filter { $0.hasPrefix("b") } == ["b"])
        #expect(try count(target) == 3)
    }

    @Test("Looking and copying leave no log beside a file that nobody has open")
    func leavesNoLog() throws {
        let place = try filled()
        place.connection.close()
        _ = try DatabaseCheck(place.database)
        try Backup.make(of: place.database, to: path(place, "b"))
        _ = try Restore.run(try ByteFile(path(place, "b")), to: place.database)
        #expect(try files(place).filter { $0.contains("-wal") || $0.contains("-shm") } == [])
    }

    @Test("A sound database has nothing wrong")
    func sound() throws {
        let place = try filled()
        let check = try DatabaseCheck(place.database)
        #expect(check.findings.filter(\.isWrong).map(\.text).filter { !$0.contains("free space") } == [])
    }

    @Test(
        "The check names what is wrong",
        arguments: [
            ("UPDATE task_counts SET count = count + 1", "counters"), ("DELETE FROM task_counts", "counters"),
            ("UPDATE tasks SET due_key = 5 WHERE due_on IS NOT NULL", "due dates"),
            ("UPDATE users SET time_zone = 'Mars/Olympus'", "time zones"), ("DROP INDEX tasks_by_source", "schema"),
            ("PRAGMA ignore_check_constraints = 1; UPDATE tasks SET priority = 7", "integrity"),
            ("PRAGMA foreign_keys = OFF; DELETE FROM categories", "references"), ("PRAGMA user_version = 999", "schema"),
        ])
    func finds(_ damage: String, _ word: String) throws {
        let place = try filled()
        try place.connection.executeScript(damage)
        let check = try DatabaseCheck(place.database)
        #expect(check.findings.contains { $0.isWrong && $0.text.hasPrefix(word) }, "\(check.findings.map(\.text))")
    }

    @Test("A device of the table of mounts is looked up by number, and local kinds are none")
    func mounts() {
        let mounts = Array(
            """
            22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
            40 22 0:45 / /home rw shared:2 - nfs4 nas:/home rw,vers=4.2
            41 22 0:46 / /mnt/a\\040b rw - fuse.sshfs ada@nas: rw
            """.utf8)
        #expect(FileAccess.fileSystem(ofDevice: "8:1", mounts: mounts) == nil)
        #expect(FileAccess.fileSystem(ofDevice: "0:45", mounts: mounts) == "nfs4")
        #expect(FileAccess.fileSystem(ofDevice: "0:46", mounts: mounts) == "fuse.sshfs")
        #expect(FileAccess.fileSystem(ofDevice: "0:4", mounts: mounts) == nil)
    }
}
