// The connections of one event loop: who may come in, who is idle, what is shared between them, and how they all come to an end.

import CLinux
import Glibc
import HTTP
import Synchronization

/// The connections of one loop.
final class ConnectionGroup: @unchecked Sendable {
    // Right to send: `idle`, `isDraining`, `turnedAway` and `headBuffer` are touched by the loop's thread only; the rest never changes.

    let loop: EventLoop
    let options: ServerOptions
    let service: any Service
    let admission: Admission
    let counters = Counters()
    let headNanoseconds: UInt64
    let idleNanoseconds: UInt64
    /// Connections between requests, the one idle longest first.
    var idle = DescriptorList() {
        didSet { counters.idle.store(idle.count, ordering: .relaxed) }
    }
    /// The server stops.
    private(set) var isDraining = false
    private var turnedAway = 0
    private var headBuffer: [UInt8] = []

    init(_ options: ServerOptions, _ service: any Service, _ admission: Admission) throws(SystemError) {
        loop = try EventLoop()
        self.options = options
        self.service = service
        self.admission = admission
        headNanoseconds = options.headTimeout.nanoseconds
        idleNanoseconds = options.idleTimeout.nanoseconds
    }

    /// Takes in a connection that the listener has accepted and counted as open. On the loop's thread.
    func adopt(_ descriptor: Int32, _ peer: PeerAddress) {
        counters.accepted.count()
        let verdict = admission.enter(peer, options)
        let connection = Connection(descriptor, peer, self)
        let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        guard loop.watch(descriptor, events, connection) else { return turnAway(connection) }
        switch verdict {
        case .welcome: connection.park()
        case .full: if displaceOldest() { connection.park() } else { turnAway(connection) }
        case .tooManyFromAddress: turnAway(connection)
        }
    }

    /// Closes some of the connections that have been idle longest.
    func displace(atMost count: Int) {
        for _ in 0..<count where !displaceOldest() { return }
    }

    /// Makes room by closing the connection that has been idle longest; false where none is idle.
    private func displaceOldest() -> Bool {
        while let oldest = idle.oldest, let connection = loop.watcher(Int(oldest)) as? Connection {
            if connection.hasUnread {
                connection.lookAgain()
                continue
            }
            counters.displaced.count()
            // Who has had no answer yet may be about to ask: closed without a word, it would not know why.
            if connection.requests == 0 { refuseCurtly(connection) }
            close(connection)
            return true
        }
        return false
    }

    /// 503: politely to some at a time, curtly to a flood.
    private func turnAway(_ connection: Connection) {
        counters.refused.count()
        guard turnedAway < 256 else {
            refuseCurtly(connection)
            return close(connection)
        }
        turnedAway += 1
        Task(executorPreference: loop) { [self] in
            await connection.refuse(refusal(Self.tooMany))
            turnedAway -= 1
            close(connection)
        }
    }

    private static let tooMany = ParseError(503, "There are too many connections. Try again in a moment.")

    private func refuseCurtly(_ connection: Connection) {
        let answer = curtRefusal(Self.tooMany)
        _ = answer.withUnsafeBytes { send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// Closes a connection for good.
    func close(_ connection: Connection) {
        connection.cancelStream()
        idle.remove(connection.descriptor)
        loop.unwatchAndClose(connection.descriptor)
        admission.leave(connection.peer)
        counters.open.subtract(1, ordering: .relaxed)
        endIfDone()
    }

    // MARK: Refusals

    /// The page for an error, with a Retry-After where waiting helps.
    func refusal(_ error: ParseError) -> Response {
        var response = service.refusal(error)
        response.closesConnection = true
        if error.status.code == 503, !response.fields.contains(.retryAfter) { response.fields.append(.retryAfter, "1") }
        return response
    }

    /// The same in bytes, for whoever gets no more than one send.
    func curtRefusal(_ error: ParseError) -> [UInt8] {
        let response = refusal(error)
        var bytes: [UInt8] = []
        _ = try? ResponseSerializer.appendHead(of: response, to: nil, persists: false, now: Clock.wallSeconds(), into: &bytes)
        if case .bytes(let content) = response.content { bytes += content }
        return bytes
    }

    // MARK: Shared buffers

    /// An empty buffer for a head. Nearly always the same one, since few sends have to wait.
    func takeHeadBuffer() -> [UInt8] {
        var buffer: [UInt8] = []
        swap(&buffer, &headBuffer)
        if buffer.capacity == 0 { buffer.reserveCapacity(2048) }
        return buffer
    }

    /// Keeps the buffer for the next answer.
    func giveBack(_ buffer: inout [UInt8]) {
        guard buffer.capacity <= 64 * 1024 else { return }
        buffer.removeAll(keepingCapacity: true)
        swap(&buffer, &headBuffer)
    }

    // MARK: The end

    /// No more requests after those that run; what still runs after the grace time is cut. On the loop's thread.
    func drain(grace: Duration) {
        isDraining = true
        for case let connection as Connection in loop.watchers { connection.drain() }
        loop.setAlarm(loop.now &+ grace.nanoseconds) { [self] in
            for case let connection as Connection in loop.watchers { connection.cut() }
            // A handler that does not return even now is left behind, and with it the loop that it would return to.
            loop.setAlarm(loop.now &+ 1_000_000_000) { [self] in
                _ = Unmanaged.passRetained(self)
                loop.end()
            }
        }
        endIfDone()
    }

    private func endIfDone() {
        if isDraining, counters.open.load(ordering: .relaxed) == 0 { loop.end() }
    }
}
