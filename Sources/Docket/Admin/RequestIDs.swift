// Names for requests: they stand in the log, in `X-Request-ID` and on the page of an error, so that the three can be put together.
// Unique within a process, and told apart between processes by chance; they are no secret and no permission.

import Synchronization

/// Makes the names, one after the other, from any thread.
final class RequestIDs: Sendable {
    private let next = Atomic(UInt64.random(in: 0...UInt64.max))

    /// Twelve hexadecimal digits: short enough that no memory is taken for them.
    func make() -> String {
        // An odd step visits every number, and makes neighbours look different.
        let number = next.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue >> 16
        return String(unsafeUninitializedCapacity: 12) { buffer in
            for index in 0..<12 {
                let digit = UInt8(truncatingIfNeeded: number >> UInt64(44 - 4 * index)) & 15
                buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            }
            return 12
        }
    }
}
