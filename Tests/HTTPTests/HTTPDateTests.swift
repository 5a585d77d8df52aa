// Dates: one way out, three ways in.

import HTTP
import Testing

@Suite struct HTTPDateTests {
    /// 2026-01-01T00:00:00Z
    static let now = 1_767_225_600

    @Test(
        "Known instants are written as IMF-fixdate and read back",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ])
    func known(seconds: Int, text: String) {
        #expect(HTTPDate(unixSeconds: seconds).description == text)
        #expect(HTTPDate(text, now: Self.now)?.unixSeconds == seconds)
    }

    @Test("Days of 400 years come back as they were")
    func days() {
        for day in stride(from: 0, to: 146_097, by: 7) {
            let date = HTTPDate(unixSeconds: day * 86400 + day % 86400)
            guard HTTPDate(date.description, now: Self.now) == date else {
                Issue.record("\(date)")
                return
            }
        }
    }

    @Test("What lies outside the years 1970 to 9999 is moved to their ends")
    func clamped() {
        #expect(HTTPDate(unixSeconds: -1).unixSeconds == 0)
        #expect(HTTPDate(unixSeconds: .max).description == "Fri, 31 Dec 9999 23:59:59 GMT")
    }

    @Test(
        "The two old formats are read",
        arguments: [
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Wed Nov 16 08:49:37 1994", 784_975_777),
            // 2075 is less than 50 years ahead of 2026, 2077 is more, so it was 1977.
            ("Tuesday, 01-Jan-75 00:00:00 GMT", 3_313_526_400), ("Saturday, 01-Jan-77 00:00:00 GMT", 220_924_800),
            ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_799),
        ])
    func old(text: String, seconds: Int) {
        #expect(HTTPDate(text, now: Self.now)?.unixSeconds == seconds)
    }

    @Test(
        "Malformed dates and days that do not exist are refused",
        arguments: [
            "", "Sun", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
            "Sun, 06 Nov 1994 08:49:37 +0000",
            "sun, 06 nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
            "Sun, 06 Nov 1994 08:49:61 GMT",
            "Sun, 31 Apr 2024 00:00:00 GMT", "Sun, 29 Feb 2023 00:00:00 GMT", "Sun, 29 Feb 2100 00:00:00 GMT",
            "Sun, 00 Jan 2024 00:00:00 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
            "Sun, +6 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-1994 08:49:37 GMT", "Sun Nov 06 8:49:37 1994", "Sun Nov 6 08:49:37 1994", "784111777",
            "1994-11-06T08:49:37Z",
            "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 19９4 08:49:37 GMT",
        ])
    func malformed(text: String) {
        #expect(HTTPDate(text, now: Self.now) == nil)
    }
}
