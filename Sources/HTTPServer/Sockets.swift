// The listening sockets of a server, opened before there is one: a program that cannot have its port finds that out before it makes or
// changes anything else. Closed, and a path taken away again, where no server has taken them over.

import CLinux
import Glibc

/// Sockets that listen. Peers can connect from now on, and wait.
public final class Sockets: Sendable {
    struct Socket: Sendable {
        let descriptor: Int32
        /// Of a Unix socket.
        let path: String?
    }

    private let sockets: Monitor<[Socket]>

    /// Opens all, or none where one cannot be had.
    public init(_ places: [Listen]) throws(SystemError) {
        sockets = Monitor([])
        for place in places {
            let path: String? = if case .unix(let path) = place { path } else { nil }
            let descriptor = try place.open()
            sockets.withLock { $0.append(Socket(descriptor: descriptor, path: path)) }
        }
    }

    /// The sockets, which are the caller's from now on.
    func take() -> [Socket] {
        sockets.withLock { sockets in
            defer { sockets = [] }
            return sockets
        }
    }

    deinit {
        for socket in take() {
            close(socket.descriptor)
            if let path = socket.path { unlink(path) }
        }
    }
}
