// How a long command gives way to the server that works on the same file. A server that waits for the database only looks again every few
// milliseconds, and a command that writes one change after the other could be faster each time. So the server holds a lock on a file beside
// the database while it waits, and the command ends the change that it is in and begins no other before it is free. Where no server runs there is no such file.

import Glibc

/// The server's side.
public final class WritersWish: Sendable {
    private let path: String?
    private let descriptor: Int32

    /// Makes the file; where it can't be made nobody gives way, and everything else works.
    public init(_ file: DatabaseFile) {
        path = file.isInMemory ? nil : WritersTurn.path(file)
        descriptor = path.map { open($0, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) } ?? -1
    }

    /// Runs what waits for the database. Waits itself half a millisecond at most: a command that asks has the lock for a moment.
    public func hold<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard descriptor >= 0 else { return try body() }
        var tries = 10
        while flock(descriptor, LOCK_SH | LOCK_NB) != 0, tries > 0 {
            tries -= 1
            usleep(50)
        }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }

    /// Removes the file: the server ends.
    public func end() {
        if let path, descriptor >= 0 { unlink(path) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

/// The command's side.
public enum WritersTurn {
    static func path(_ file: DatabaseFile) -> String { file.path + "-turn" }

    /// True while a server waits for the database.
    public static func isWanted(_ file: DatabaseFile) -> Bool {
        let descriptor = open(path(file), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
    }

    /// Returns when no server waits for the database, or after two seconds: one that was stopped in the middle holds nobody up for ever.
    public static func giveWay(_ file: DatabaseFile) {
        var patience = 2_000
        while patience > 0, isWanted(file) {
            usleep(1_000)
            patience -= 1
        }
    }
}
