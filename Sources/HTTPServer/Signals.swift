// SIGTERM and SIGINT as something to wait for. SIGPIPE is ignored: a peer that went away is an error of `send`, not our end.

import Glibc

/// The signals that ask the program to stop.
public enum Signals {
    /// Keeps SIGTERM and SIGINT for `wait`. Call it first in the program: threads inherit it from the one that starts them.
    public static func claim() {
        var set = stopping
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Waits for SIGTERM or SIGINT and returns its number.
    public static func wait() async -> Int32 {
        await withUnsafeContinuation { continuation in
            // A thread of its own, since sigwait blocks. It ends with the first signal; nobody joins it.
            _ = NativeThread(named: "signals") {
                var set = stopping
                var number: Int32 = 0
                while sigwait(&set, &number) != 0 {}
                continuation.resume(returning: number)
            }
        }
    }

    private static var stopping: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        return set
    }
}
