// Two clocks: a monotonic one for deadlines and durations, and the wall clock's second for the Date field.

import Glibc

/// Readings of the system's clocks.
public enum Clock {
    /// Nanoseconds since some fixed moment; never goes back.
    public static func monotonic() -> UInt64 { read(CLOCK_MONOTONIC) }

    /// Whole seconds since 1970-01-01T00:00:00Z. Coarse and cheap.
    public static func wallSeconds() -> Int { Int(read(CLOCK_REALTIME_COARSE) / 1_000_000_000) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }
}

extension Duration {
    /// Whole nanoseconds, 0 for a negative duration.
    var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        return UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds / 1_000_000_000))
    }
}
