// The server: takes over sockets when it is made, serves from `start` on, and ends with `stop`.
// Every descriptor and every thread of the web server hangs on this object. HTTP/1.1 and 1.0, no TLS: that is a proxy's work.

import CLinux
import Glibc
import HTTP

/// A web server.
public final class Server: Sendable {
    /// The port of the first TCP socket, 0 where there is none.
    public let port: UInt16

    /// What files, databases and uploads may need beside the connections.
    private static let reservedDescriptors = 64

    let groups: [ConnectionGroup]
    private let listeners: [Listener]
    private let threads = Monitor<[NativeThread]>([])

    /// Opens sockets of its own, so that peers can connect from now on, but answers nobody yet.
    public convenience init(
        _ places: [Listen], options: ServerOptions = ServerOptions(), service: any Service
    ) throws(SystemError) {
        try self.init(try Sockets(places), options: options, service: service)
    }

    /// Takes over sockets; answers nobody yet.
    public init(_ opened: Sockets, options: ServerOptions = ServerOptions(), service: any Service) throws(SystemError) {
        let admission = Admission(limit: max(1, min(options.connections, Self.descriptorLimit() - Self.reservedDescriptors)))
        var groups: [ConnectionGroup] = []
        for _ in 0..<options.eventLoops { groups.append(try ConnectionGroup(options, service, admission)) }
        let all = groups
        self.groups = all
        let sockets = opened.take()
        listeners = sockets.map { Listener($0.descriptor, unixPath: $0.path, all[0], all) }
        port = sockets.lazy.map { Self.port(of: $0.descriptor) }.first { $0 != 0 } ?? 0
    }

    /// Begins to serve.
    public func start() {
        let (groups, listeners) = (groups, listeners)
        threads.withLock { threads in
            guard threads.isEmpty else { return }
            threads = groups.enumerated().map { index, group in
                NativeThread(named: "loop \(index)") { group.loop.run() }
            }
        }
        groups[0].loop.call { for listener in listeners { listener.start() } }
    }

    /// Stops accepting, closes idle connections, and lets requests finish for as long as `grace`; then cuts what is left.
    ///
    /// Returns when all event loops have ended.
    public func stop(grace: Duration) async {
        let (groups, listeners) = (groups, listeners)
        let ending = threads.withLock { threads in
            defer { threads = [] }
            return threads
        }
        guard !ending.isEmpty else { return }
        groups[0].loop.call {
            for listener in listeners { listener.stop() }
            // Behind the connections that were just dealt out.
            for group in groups { group.loop.call { group.drain(grace: grace) } }
        }
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            // Joining blocks, so it needs a thread of its own.
            NativeThread(named: "stop") {
                for thread in ending { thread.join() }
                continuation.resume()
            }.detach()
        }
    }

    /// Counters at this moment.
    public var statistics: ServerStatistics {
        var sum = ServerStatistics()
        for group in groups { group.counters.add(to: &sum) }
        return sum
    }

    /// Raises the soft limit of descriptors to the hard one, and tells it.
    private static func descriptorLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(min(limit.rlim_cur, 1_000_000))
    }

    private static func port(of descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutableBytes(of: &storage) { bytes in
            guard let start = bytes.baseAddress,
                getsockname(descriptor, start.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return 0 }
            switch Int32(bytes.load(as: sockaddr.self).sa_family) {
            case AF_INET: return UInt16(bigEndian: bytes.load(as: sockaddr_in.self).sin_port)
            case AF_INET6: return UInt16(bigEndian: bytes.load(as: sockaddr_in6.self).sin6_port)
            default: return 0
            }
        }
    }
}
