// Where the server listens: a TCP address, a path, or a socket that the service manager has opened already.

import CLinux
import Glibc

/// A place to listen at.
public enum Listen: Sendable, Equatable {
    /// A numeric IPv4 or IPv6 address, `localhost`, or `*` for every address of both kinds; port 0 lets the system choose.
    case tcp(host: String, port: UInt16)
    /// A Unix socket. One that a dead server has left behind is replaced.
    case unix(path: String)
    /// A socket that listens already, and is now the server's.
    case descriptor(Int32)

    /// The sockets of systemd's socket activation (`LISTEN_FDS`, `LISTEN_PID`); empty where there are none for this process.
    public static func inherited() -> [Listen] {
        guard let process = getenv("LISTEN_PID"), let count = getenv("LISTEN_FDS"),
            Int32(String(cString: process)) == getpid(), let count = Int32(String(cString: count)), (1...64).contains(count)
        else { return [] }
        return (3..<3 + count).map { .descriptor($0) }
    }

    /// A listening socket, not blocking.
    func open() throws(SystemError) -> Int32 {
        switch self {
        case .tcp("*", let port):
            // One socket for both families; a machine without IPv6 gets the other.
            do { return try Self.tcp("::", port) } catch { return try Self.tcp("0.0.0.0", port) }
        case .tcp(let host, let port): return try Self.tcp(host == "localhost" ? "127.0.0.1" : host, port)
        case .unix(let path): return try Self.unix(path)
        case .descriptor(let descriptor):
            var isListening: Int32 = 0
            var length = socklen_t(MemoryLayout<Int32>.size)
            guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &length) == 0, isListening != 0 else {
                throw SystemError("descriptor \(descriptor) is not a listening socket", code: EINVAL)
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            Self.setForAccepted(descriptor)
            return descriptor
        }
    }

    private static func tcp(_ host: String, _ port: UInt16) throws(SystemError) -> Int32 {
        var ipv4 = sockaddr_in()
        ipv4.sin_family = sa_family_t(AF_INET)
        ipv4.sin_port = port.bigEndian
        var ipv6 = sockaddr_in6()
        ipv6.sin6_family = sa_family_t(AF_INET6)
        ipv6.sin6_port = port.bigEndian
        if inet_pton(AF_INET, host, &ipv4.sin_addr) == 1 { return try listen(AF_INET, &ipv4, "listen at \(host) port \(port)") }
        guard inet_pton(AF_INET6, host, &ipv6.sin6_addr) == 1 else {
            throw SystemError("\(host) is no numeric address", code: EINVAL)
        }
        return try listen(AF_INET6, &ipv6, "listen at \(host) port \(port)")
    }

    private static func unix(_ path: String) throws(SystemError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
            throw SystemError("listen at \(path)", code: ENAMETOOLONG)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        do { return try listen(AF_UNIX, &address, "listen at \(path)") } catch {
            guard error.code == EADDRINUSE, isSocket(path), isDead(&address) else { throw error }
            unlink(path)
            return try listen(AF_UNIX, &address, "listen at \(path)")
        }
    }

    /// False for a file of any other kind: nothing of anyone's is ever removed.
    private static func isSocket(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }

    /// True where nobody accepts at a Unix socket.
    private static func isDead(_ address: inout sockaddr_un) -> Bool {
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(probe) }
        return withSocketAddress(&address) { connect(probe, $0, $1) } != 0 && errno == ECONNREFUSED
    }

    private static func listen<Address>(_ family: Int32, _ address: inout Address, _ action: String) throws(SystemError) -> Int32
    {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw SystemError(action) }
        if family != AF_UNIX {
            set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
            setForAccepted(descriptor)
        }
        if family == AF_INET6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        guard withSocketAddress(&address, { bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, 4096) == 0 else {
            let error = SystemError(action)
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// What accepted sockets inherit. An answer goes out in one call, so waiting for more bytes only costs time. And the system keeps little
    /// of what a peer does not read: otherwise it takes megabytes of answers for a peer who asks on and on and reads none.
    private static func setForAccepted(_ descriptor: Int32) {
        set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
        set(descriptor, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, 16_384)
    }

    private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func withSocketAddress<Address>(
        _ address: inout Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        withUnsafePointer(to: &address) { pointer in
            // Every socket address begins as sockaddr does; the length tells the system which it is.
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<Address>.size)) }
        }
    }
}
