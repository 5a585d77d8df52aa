// Zones: every zone of the machine against Foundation, and the days on which clocks misbehave.

import Foundation
import Testing

@testable import Docket

private func instant(_ text: String) throws -> Instant { try #require(Instant(text), "no such instant: \(text)") }
private func day(_ text: String) throws -> Day { try #require(Day(text), "no such day: \(text)") }

/// Whether the machine has zoneinfo files; the tests of real zones need them.
private let hasZones = ZoneDatabase.system.names().count > 300

@Suite struct ZoneTests {
    @Test(
        "A wall time is one instant: gaps move forward, of two the first is taken",
        arguments: [
            ("Europe/Berlin", "2026-03-29", 1, 59, "2026-03-29T00:59:00Z"),
            ("Europe/Berlin", "2026-03-29", 2, 30, "2026-03-29T01:30:00Z"),
            ("Europe/Berlin", "2026-03-29", 3, 0, "2026-03-29T01:00:00Z"),
            ("Europe/Berlin", "2026-10-25", 2, 30, "2026-10-25T00:30:00Z"),
            ("Europe/Berlin", "2026-10-25", 3, 0, "2026-10-25T02:00:00Z"),
            ("Europe/Berlin", "2090-07-01", 12, 0, "2090-07-01T10:00:00Z"),
            ("America/New_York", "2007-03-11", 2, 30, "2007-03-11T07:30:00Z"),
            ("America/New_York", "2007-11-04", 1, 30, "2007-11-04T05:30:00Z"),
            ("America/Los_Angeles", "2026-12-24", 23, 30, "2026-12-25T07:30:00Z"),
            ("Asia/Kathmandu", "2026-01-01", 0, 0, "2025-12-31T18:15:00Z"),
            ("Asia/Shanghai", "2026-12-24", 20, 0, "2026-12-24T12:00:00Z"),
            ("Australia/Lord_Howe", "2026-10-04", 2, 15, "2026-10-03T15:45:00Z"),
            ("Australia/Lord_Howe", "2026-04-05", 1, 45, "2026-04-04T14:45:00Z"),
            ("Europe/Dublin", "2050-07-01", 12, 0, "2050-07-01T11:00:00Z"),
            ("Europe/Dublin", "2050-12-01", 12, 0, "2050-12-01T12:00:00Z"),
            ("Pacific/Apia", "2011-12-31", 0, 0, "2011-12-30T10:00:00Z"),
            ("UTC", "2026-12-24", 18, 30, "2026-12-24T18:30:00Z"),
        ])
    func wallTime(_ zone: String, _ on: String, _ hour: Int, _ minute: Int, _ expected: String) throws {
        let resolved = try Zone(named: zone).instant(of: day(on), secondsOfDay: hour * 3_600 + minute * 60)
        #expect(resolved.iso8601 == expected)
    }

    @Test(
        "A day starts where its first instant is, midnight or not",
        arguments: [
            ("Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z"),
            ("America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00Z"),
            ("Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00Z"),
            ("America/Havana", "2026-11-01", "2026-11-01T04:00:00Z"),
            ("Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00Z"),
            ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-31", "2011-12-30T10:00:00Z"),
            ("America/Scoresbysund", "2024-03-31", "2024-03-31T01:00:00Z"),
        ])
    func startOfDay(_ zone: String, _ on: String, _ expected: String) throws {
        #expect(try Zone(named: zone).startOfDay(day(on)).iso8601 == expected)
    }

    @Test("Every zone gives the offsets that Foundation gives, from 1970 to 2100", .enabled(if: hasZones))
    func oracle() throws {
        var compared = 0
        var different: [String] = []
        for name in ZoneDatabase.system.names() {
            guard let oracle = TimeZone(identifier: name) else { continue }
            let zone = try Zone(named: name)
            compared += 1
            let isSame = stride(from: 0, to: 4_102_444_800, by: 5_234_567).allSatisfy { seconds in
                let date = Date(timeIntervalSince1970: Double(seconds))
                return zone.offset(at: Instant(seconds: seconds)) == oracle.secondsFromGMT(for: date)
            }
            if !isSame { different.append(name) }
        }
        #expect(compared > 300)
        // The two read different releases of the IANA database, so a few countries may have changed their minds in between.
        #expect(different.count <= 12, "\(different)")
    }

    @Test("Every zone agrees with itself: wall time and back, and days that follow each other", .enabled(if: hasZones))
    func roundTrip() throws {
        for name in ZoneDatabase.system.names() {
            let zone = try Zone(named: name)
            for seconds in stride(from: 0, to: 4_102_444_800, by: 53_456_789) {
                let (on, ofDay) = zone.local(Instant(seconds: seconds))
                let back = zone.instant(of: on, secondsOfDay: ofDay)
                // The second showing of an hour comes back as the first: same wall time, never later.
                #expect(zone.local(back) == (on, ofDay) && back.seconds <= seconds, "\(name) at \(seconds)")
                #expect(zone.startOfDay(on).seconds <= seconds && seconds < zone.endOfDay(on).seconds, "\(name) at \(seconds)")
            }
        }
    }

    @Test("Offsets reach beyond every transition of the file", arguments: ["Africa/Casablanca", "America/Nuuk", "Asia/Gaza"])
    func farFuture(_ name: String) throws {
        let zone = try Zone(named: name)
        for year in stride(from: 2_027, through: 9_999, by: 217) {
            let on = try #require(Day(year: year, month: 6, day: 15))
            #expect(zone.local(zone.startOfDay(on)).day == on)
        }
    }

    @Test(
        "A name that is none is refused, whatever path it tries",
        arguments: [
            "", "/", "/etc/passwd", "../zone", "Europe/../Europe/Berlin", "Europe//Berlin", "Europe/Berlin/", "posix/UTC",
            "right/UTC",
            "Europe/Berlin\0", "Europe/Ber lin", "localtime", "posixrules", "Factory", "Ｅurope/Berlin",
            String(repeating: "a", count: 65),
        ])
    func invalidNames(_ name: String) {
        #expect(throws: ZoneError.invalidName) { try Zone(named: name) }
    }

    @Test("An unknown name, a folder and a table are no zones", arguments: ["Europe/Atlantis", "Europe", "leapseconds"])
    func unknownNames(_ name: String) {
        #expect(throws: ZoneError.self) { try Zone(named: name) }
    }

    @Test(
        "Legacy names give the modern zone's offsets",
        arguments: [("US/Pacific", "America/Los_Angeles"), ("PRC", "Asia/Shanghai")])
    func legacy(_ old: String, _ modern: String) throws {
        let summer = try instant("2026-07-01T00:00:00Z")
        #expect(try Zone(named: old).offset(at: summer) == Zone(named: modern).offset(at: summer))
    }

    @Test("The names to choose from are sorted, loadable, and hold the great cities and UTC", .enabled(if: hasZones))
    func names() throws {
        let names = ZoneDatabase.system.names()
        for name in ["Asia/Shanghai", "America/New_York", "Europe/Berlin", "UTC"] { #expect(names.contains(name)) }
        #expect(!names.contains { $0.hasPrefix("posix") || $0.hasPrefix("right") || $0.hasPrefix("Etc") })
        for name in names { _ = try Zone(named: name) }
    }
}

@Suite struct ZoneFolderTests {
    /// A folder of zoneinfo files that lives as long as the closure runs.
    private func withFolder(_ files: [String: [UInt8]], _ body: (ZoneDatabase) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("docket-zones-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        for (name, bytes) in files {
            let file = root.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        try body(ZoneDatabase(folder: root.path))
    }

    /// A version 2 file without transitions: one type at an offset, and a footer.
    private func file(offset: Int32, footer: String) -> [UInt8] {
        func block(_ version: UInt8) -> [UInt8] {
            var bytes = Array("TZif".utf8) + [version] + Array(repeating: 0, count: 15)
            for count in [0, 0, 0, 0, 1, 4] as [UInt8] { bytes += [0, 0, 0, count] }
            bytes += withUnsafeBytes(of: offset.bigEndian) { Array($0) }
            return bytes + [0, 0] + Array("XXX\0".utf8)
        }
        return block(0x32) + block(0x32) + [0x0A] + Array(footer.utf8) + [0x0A]
    }

    @Test("Without any zone data there is still UTC, and a stored zone becomes UTC instead of an error")
    func noFolder() throws {
        let database = ZoneDatabase(folder: "/nowhere/zoneinfo")
        #expect(database.names() == ["UTC"])
        #expect(try database.zone(named: "UTC") == .utc)
        #expect(try database.zone(named: "Etc/UTC").offset(at: Instant(milliseconds: 0)) == 0)
        #expect(throws: ZoneError.unknown("Europe/Berlin")) { try database.zone(named: "Europe/Berlin") }
        #expect(database.zoneOrUTC(named: "US/Pacific") == .utc)
    }

    @Test("A name that vanished from the folder is found under its other name, in both directions")
    func otherNames() throws {
        try withFolder([
            "America/Los_Angeles": file(offset: -28_800, footer: "PST8PDT,M3.2.0,M11.1.0"),
            "Europe/Kiev": file(offset: 7_200, footer: "EET-2EEST,M3.5.0/3,M10.5.0/4"),
        ]) { database in
            let summer = try instant("2026-07-01T00:00:00Z")
            let pacific = try database.zone(named: "US/Pacific")
            #expect(pacific.name == "US/Pacific")
            #expect(pacific.offset(at: summer) == -7 * 3_600)
            #expect(try database.zone(named: "Europe/Kyiv").offset(at: summer) == 3 * 3_600)
            #expect(database.names() == ["America/Los_Angeles", "Europe/Kiev", "UTC"])
        }
    }

    @Test("A damaged file is told as such, cut anywhere or with any byte changed, and never a trap")
    func damaged() throws {
        let whole = file(offset: 3_600, footer: "CET-1CEST,M3.5.0,M10.5.0/3")
        #expect(ZoneFile(whole) != nil)
        for count in 0..<whole.count { #expect(ZoneFile(Array(whole.prefix(count))) == nil) }
        for position in whole.indices {
            for byte in [0x00, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = whole
                changed[position] = byte
                _ = ZoneFile(changed)?.offset(at: 1_800_000_000)
            }
        }
        try withFolder(["Europe/Berlin": Array("no zone".utf8)]) { database in
            #expect(throws: ZoneError.damaged("Europe/Berlin")) { try database.zone(named: "Europe/Berlin") }
        }
    }

    @Test(
        "A footer rules the years to come",
        arguments: [
            ("<+0330>-3:30", "2030-07-01T00:00:00Z", 12_600), ("EST5", "2030-07-01T00:00:00Z", -18_000),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2030-03-31T00:59:59Z", 3_600),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2030-03-31T01:00:00Z", 7_200),
            ("CET-1CEST,M3.5.0,M10.5.0/3", "2030-10-27T01:00:00Z", 3_600),
            ("AEST-10AEDT,M10.1.0,M4.1.0/3", "2031-01-01T00:00:00Z", 39_600),
            ("XXX3EDT4,0/0,J365/23", "2030-01-01T03:30:00Z", -14_400), ("XXX3EDT4,0/0,J365/23", "2030-07-01T00:00:00Z", -14_400),
            ("AAA0BBB,J60/0,J300/0", "2028-02-29T12:00:00Z", 0), ("AAA0BBB,J60/0,J300/0", "2028-03-01T00:00:00Z", 3_600),
            ("AAA0BBB,59/0,300/0", "2028-02-29T00:00:00Z", 3_600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T00:59:59Z", -7_200),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2030-03-31T01:00:00Z", -3_600),
        ])
    func footers(_ rule: String, _ at: String, _ offset: Int) throws {
        let rule = try #require(PosixRule(Array(rule.utf8)))
        #expect(try rule.offset(at: instant(at).seconds) == offset)
    }

    @Test(
        "A text that is no rule is refused",
        arguments: [
            "", "A1", "EST", "EST5EDT", "EST5EDT,M3.2.0", "EST5EDT,M13.2.0,M11.1.0", "<ES5", "EST25", "EST5 ",
            "EST5EDT,M3.2.0/168,M11.1.0",
        ])
    func noRules(_ text: String) {
        #expect(PosixRule(Array(text.utf8)) == nil)
    }
}
