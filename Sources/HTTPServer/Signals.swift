// SIGTERM, SIGINT and SIGHUP as something to wait for. SIGPIPE is ignored: a peer that went away is an error of `send`, not our end.

import CLinux

/// The signals that ask the program to stop.
public enum Signals {
    /// Keeps SIGTERM, SIGINT and SIGHUP for `wait`. Call it once, first in the program.
    public static func claim() throws(SystemError) {
        guard CLinux_claim_signals() == 0 else { throw SystemError("signals") }
    }

    /// Waits for the next of them after `claim`, and returns its number.
    public static func wait() async -> Int32 {
        await withUnsafeContinuation { continuation in
            // A thread of its own, since waiting blocks. It ends with the signal.
            NativeThread(named: "signals") { continuation.resume(returning: CLinux_wait_for_signal()) }.detach()
        }
    }
}
