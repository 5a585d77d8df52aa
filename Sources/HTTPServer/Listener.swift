// Accepts connections and deals them out to the event loops, each to the one with the fewest.
// Out of descriptors: idle connections make room; where none is idle, a spare descriptor is given up for a moment so that a waiting
// peer can be told 503. Accepting pauses meanwhile, so that the loop does not spin.

import CLinux
import Glibc
import HTTP
import Synchronization

/// A listening socket, on the first event loop.
final class Listener: Polled, @unchecked Sendable {
    // Right to send: after `init` it is touched by its loop's thread only.

    private let descriptor: Int32
    private let unixPath: String?
    private let groups: [ConnectionGroup]
    private let home: ConnectionGroup
    private var spare: Int32
    private var next = 0
    private var isOpen = true

    /// `groups` is not empty; the listener lives with the first.
    init(_ descriptor: Int32, unixPath: String?, _ home: ConnectionGroup, _ groups: [ConnectionGroup]) {
        self.descriptor = descriptor
        self.unixPath = unixPath
        self.home = home
        self.groups = groups
        spare = Self.openSpare()
    }

    /// Of a server that never began.
    deinit {
        if isOpen { end() }
    }

    /// Begins to accept. On the loop's thread.
    func start() { _ = home.loop.watch(descriptor, EPOLLIN.rawValue, self) }

    /// Takes in who has connected already, and closes. On the loop's thread.
    func stop() {
        while acceptOne() {}
        home.loop.unwatch(descriptor)
        end()
    }

    private func end() {
        isOpen = false
        close(descriptor)
        if spare >= 0 { close(spare) }
        if let unixPath { unlink(unixPath) }
    }

    func ready(_ events: UInt32) {
        // A few at a time: the loop has connections to serve as well, and comes back.
        for _ in 0..<512 where !acceptOne() { return }
    }

    func deadlinePassed() { home.loop.rewatch(descriptor, EPOLLIN.rawValue) }

    /// False where nobody waits, or accepting has to pause.
    private func acceptOne() -> Bool {
        var storage = sockaddr_storage()
        let accepted = CLinux_accept(descriptor, &storage)
        if accepted >= 0 {
            let peer = PeerAddress(storage)
            let group = nextGroup()
            group.loop.call { group.adopt(accepted, peer) }
            return true
        }
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            makeRoom()
            home.counters.acceptPauses.count()
            home.loop.rewatch(descriptor, 0)
            home.loop.setDeadline(descriptor, home.loop.now &+ 20_000_000)
            return false
        case EAGAIN: return false
        // The peer has gone before we came, or the like: the next one may be well.
        default: return true
        }
    }

    /// The loop with the fewest connections, in turn among equals.
    private func nextGroup() -> ConnectionGroup {
        next = (next + 1) % groups.count
        var best = groups[next]
        for group in groups where group.counters.open.load(ordering: .relaxed) < best.counters.open.load(ordering: .relaxed) {
            best = group
        }
        best.counters.open.add(1, ordering: .relaxed)
        return best
    }

    /// Out of descriptors: idle connections go, and where there are none, who waits at the door hears 503.
    private func makeRoom() {
        guard groups.contains(where: { $0.counters.idle.load(ordering: .relaxed) > 0 }) else { return turnOneAway() }
        for group in groups { group.loop.call { group.displace(atMost: 16) } }
    }

    private func turnOneAway() {
        guard spare >= 0 else {
            spare = Self.openSpare()
            return
        }
        close(spare)
        let accepted = CLinux_accept(descriptor, nil)
        if accepted >= 0 {
            home.counters.refused.count()
            let answer = home.curtRefusal(ParseError(503, "The server is out of descriptors. Try again in a moment."))
            _ = answer.withUnsafeBytes { send(accepted, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            close(accepted)
        }
        spare = Self.openSpare()
    }

    private static func openSpare() -> Int32 { open("/dev/null", O_RDONLY | O_CLOEXEC) }
}
