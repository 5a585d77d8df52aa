// Instants as tests compare them.

@testable import Docket

extension Instant {
    /// `2026-12-24T17:30:00.250Z`: as the log and exports write it.
    var iso8601WithMilliseconds: String {
        var bytes: [UInt8] = []
        bytes.append(self, withMilliseconds: true)
        return String(decoding: bytes, as: UTF8.self)
    }
}
