// Counters for a metrics page: each event loop counts for itself, and a reader adds up.

import Synchronization

/// What the server has done since its start.
public struct ServerStatistics: Sendable, Equatable {
    /// Connections open now.
    public var openConnections = 0
    /// Those of them without a request.
    public var idleConnections = 0
    /// Connections accepted.
    public var acceptedConnections = 0
    /// Connections answered with 503 because there were too many.
    public var refusedConnections = 0
    /// Idle connections closed to make room.
    public var displacedConnections = 0
    /// Times that accepting paused because the system had no descriptor or memory left.
    public var acceptPauses = 0
    /// Requests answered.
    public var requests = 0
    /// Requests refused for breaking the protocol or a limit of it.
    public var protocolErrors = 0
    /// Peers that were too slow with a request or with taking an answer; idle connections do not count.
    public var timeouts = 0
    /// Bytes read from sockets.
    public var bytesReceived = 0
    /// Bytes written to sockets.
    public var bytesSent = 0
}

/// The counters of one event loop. Written by its thread only, read by any.
final class Counters: Sendable {
    let open = Atomic(0)
    let idle = Atomic(0)
    let accepted = Atomic(0)
    let refused = Atomic(0)
    let displaced = Atomic(0)
    let acceptPauses = Atomic(0)
    let requests = Atomic(0)
    let protocolErrors = Atomic(0)
    let timeouts = Atomic(0)
    let bytesReceived = Atomic(0)
    let bytesSent = Atomic(0)

    func add(to sum: inout ServerStatistics) {
        sum.openConnections += open.load(ordering: .relaxed)
        sum.idleConnections += idle.load(ordering: .relaxed)
        sum.acceptedConnections += accepted.load(ordering: .relaxed)
        sum.refusedConnections += refused.load(ordering: .relaxed)
        sum.displacedConnections += displaced.load(ordering: .relaxed)
        sum.acceptPauses += acceptPauses.load(ordering: .relaxed)
        sum.requests += requests.load(ordering: .relaxed)
        sum.protocolErrors += protocolErrors.load(ordering: .relaxed)
        sum.timeouts += timeouts.load(ordering: .relaxed)
        sum.bytesReceived += bytesReceived.load(ordering: .relaxed)
        sum.bytesSent += bytesSent.load(ordering: .relaxed)
    }
}

extension Atomic<Int> {
    /// Adds, for the one thread that writes: no locked instruction is needed.
    func count(_ difference: Int = 1) { store(load(ordering: .relaxed) &+ difference, ordering: .relaxed) }
}
