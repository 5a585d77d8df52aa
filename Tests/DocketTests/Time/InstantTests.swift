// Instants as text: what is accepted, what is refused, and the way back.

import Foundation
import Testing

@testable import Docket

@Suite struct InstantTests {
    @Test(
        "An ISO 8601 instant is read in its usual forms",
        arguments: [
            ("1970-01-01T00:00:00Z", 0),
            ("2026-12-24T17:30:00Z", 1_798_133_400_000),
            ("2026-12-24t17:30:00z", 1_798_133_400_000),
            ("2026-12-24 17:30Z", 1_798_133_400_000),
            ("2026-12-24T18:30:00+01:00", 1_798_133_400_000),
            ("2026-12-24T18:30:00+0100", 1_798_133_400_000),
            ("2026-12-24T18:30:00+01", 1_798_133_400_000),
            ("2026-12-24T12:00:00-05:30", 1_798_133_400_000),
            ("2026-12-24T17:30:00.25Z", 1_798_133_400_250),
            ("2026-12-24T17:30:00.123456789Z", 1_798_133_400_123),
            ("1969-12-31T23:59:59.999Z", -1),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000),
            ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func reads(_ text: String, _ milliseconds: Int64) {
        #expect(Instant(text)?.milliseconds == milliseconds)
    }

    @Test(
        "What is no instant is refused",
        arguments: [
            "", "Z", "2026-12-24", "2026-12-24T17:30:00", "2026-02-30T00:00:00Z", "2026-12-24T24:00:00Z", "2026-12-24T17:60:00Z",
            "2026-12-24T17:30:60Z", "2026-12-24T17:30:00.Z", "2026-12-24T17:30:00Z ", " 2026-12-24T17:30:00Z",
            "+026-12-24T17:30:00Z",
            "0000-01-01T00:00:00Z", "99999-01-01T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00",
            "2026-12-24T17:30:00+24:00", "2026-12-24T17:30:00+01:60", "２０２６-12-24T17:30:00Z", "2026-12-24T17:30:00.1234567890Z",
        ])
    func refuses(_ text: String) {
        #expect(Instant(text) == nil)
    }

    @Test("Text is UTC, with milliseconds when asked for, before 1970 too")
    func writes() {
        #expect(Instant(milliseconds: 1_798_133_400_250).iso8601 == "2026-12-24T17:30:00Z")
        #expect(Instant(milliseconds: 1_798_133_400_250).iso8601WithMilliseconds == "2026-12-24T17:30:00.250Z")
        #expect(Instant(milliseconds: -1).iso8601WithMilliseconds == "1969-12-31T23:59:59.999Z")
        #expect(Instant(milliseconds: -1).seconds == -1)
    }

    @Test("An instant beyond the years 1 to 9999 still prints, and arithmetic never traps", arguments: [Int64.min, Int64.max])
    func extremes(_ milliseconds: Int64) {
        let instant = Instant(milliseconds: milliseconds)
        #expect(!instant.isWithinRange)
        #expect(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"].contains(instant.iso8601))
        #expect(instant.adding(seconds: milliseconds < 0 ? -1 : 1) == instant)
    }

    @Test("Text and instant agree over three thousand years")
    func roundTrip() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let instant = Instant(milliseconds: .random(in: -30_000_000_000_000...64_000_000_000_000, using: &generator))
            #expect(Instant(instant.iso8601WithMilliseconds) == instant)
        }
    }

    @Test("The clock is the machine's")
    func clock() {
        #expect(abs(Double(Instant.now().milliseconds) / 1_000 - Date().timeIntervalSince1970) < 60)
    }
}
