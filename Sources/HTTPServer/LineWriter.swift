// Lines for a descriptor, written by a thread of its own: those of a few milliseconds in one call to the system, and whoever reads the
// log too slowly, or has stopped reading, holds up nobody. What does not fit in the meantime is counted, and told when there is room.

import Glibc

/// The log's way out of the process.
public final class LineWriter: Sendable {
    private struct Waiting {
        var bytes: [UInt8] = []
        var lost = 0
        var isClosed = false
    }

    private let waiting: Monitor<Waiting>
    private let limit: Int
    private let thread: NativeThread

    /// - Parameters:
    ///   - descriptor: where the lines go; it may be one that blocks.
    ///   - limit: how many bytes may wait.
    ///   - lost: the line that tells how many lines there was no room for.
    public init(_ descriptor: Int32, limit: Int = 1 << 20, lost: @escaping @Sendable (Int) -> [UInt8]) {
        let waiting = Monitor(Waiting())
        (self.waiting, self.limit) = (waiting, limit)
        thread = NativeThread(named: "log") {
            while true {
                let (bytes, count, isLast) = waiting.wait { waiting -> ([UInt8], Int, Bool)? in
                    if waiting.bytes.isEmpty, !waiting.isClosed { return nil }
                    defer { (waiting.bytes, waiting.lost) = ([], 0) }
                    return (waiting.bytes, waiting.lost, waiting.isClosed)
                }
                Self.write(count > 0 ? bytes + lost(count) : bytes, to: descriptor) { waiting.withLock { $0.isClosed } }
                if isLast { return }
                // Under load the next ones come together; a single line has gone already.
                usleep(5_000)
            }
        }
    }

    /// Takes a line with its line feed. Never waits.
    public func write(_ line: [UInt8]) {
        let mustWake = waiting.withLock { waiting in
            guard !waiting.isClosed else { return false }
            guard waiting.bytes.count + line.count <= limit else {
                waiting.lost += 1
                return false
            }
            defer { waiting.bytes += line }
            return waiting.bytes.isEmpty
        }
        if mustWake { waiting.signal() }
    }

    /// Writes what waits, unless nobody reads it for a second, and takes no more. Blocks meanwhile. To be called once.
    public func close() {
        waiting.withLock { $0.isClosed = true }
        waiting.signal()
        thread.join()
    }

    /// All of it, in pieces that a pipe takes at once where it has room at all; a closed pipe ends the writing silently.
    private static func write(_ bytes: [UInt8], to descriptor: Int32, unless mayGiveUp: () -> Bool) {
        var rest = bytes[...]
        while !rest.isEmpty {
            var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&ready, 1, 1_000) == 0 {
                if mayGiveUp() { return }
                continue
            }
            // PIPE_BUF of Linux.
            let count = rest.prefix(4_096).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count <= 0 { return }
            rest = rest.dropFirst(count)
        }
    }
}
