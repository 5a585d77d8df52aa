// A blocking client that knows nothing of HTTP but where an answer ends: raw bytes both ways, ten seconds of patience.

import CLinux
import Glibc
import HTTP
import Testing

@testable import HTTPServer

/// One connection to the server.
final class Client: Sendable {
    private let descriptor: Int32

    struct Failure: Error { let what: String }

    /// An answer as it came.
    struct Answer: Equatable {
        var head: String
        var content: String
        var status: Int { Int(head.dropFirst(9).prefix(3)) ?? 0 }
        func has(_ line: String) -> Bool { head.lowercased().contains("\r\n\(line.lowercased())\r\n") }
    }

    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        if var receiveBuffer {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let failed = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if failed != 0 { throw Failure(what: "connect: \(errno)") }
    }

    /// A client of IPv6, at `::1`.
    init(ipv6Port port: UInt16) throws {
        descriptor = socket(AF_INET6, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        guard inet_pton(AF_INET6, "::1", &address.sin6_addr) == 1 else { throw Failure(what: "no address") }
        let failed = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        }
        if failed != 0 { throw Failure(what: "connect: \(errno)") }
    }

    /// False where the machine has no IPv6.
    static let hasIPv6 = (try? Listen.tcp(host: "::1", port: 0).open()).map { close($0) == 0 } ?? false

    init(unixPath: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var patience = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(unixPath.utf8)) }
        let failed = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if failed != 0 { throw Failure(what: "connect: \(errno)") }
    }

    deinit { close(descriptor) }

    /// Sends all of it.
    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { throw Failure(what: "send: \(errno)") }
            rest = rest.dropFirst(count)
        }
    }

    /// Ends the sending side.
    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Closes with a reset, as a crashed peer does.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        // A second descriptor keeps the number for deinit.
        let other = open("/dev/null", O_RDONLY | O_CLOEXEC)
        dup2(other, descriptor)
        close(other)
    }

    /// Some bytes; empty at the end of the connection.
    func receive(atMost limit: Int = 65536) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = recv(descriptor, &buffer, limit, 0)
        guard count >= 0 else { throw Failure(what: "receive: \(errno)") }
        return Array(buffer.prefix(count))
    }

    /// Everything until the server ends the connection.
    func rest() throws -> String {
        var all: [UInt8] = []
        while true {
            let piece = try receive()
            if piece.isEmpty { return String(decoding: all, as: UTF8.self) }
            all += piece
        }
    }

    /// Bytes until `text` has come, byte by byte so that nothing behind it is lost.
    func read(through text: String) throws -> String {
        let end = Array(text.utf8)
        var all: [UInt8] = []
        while all.count < end.count || Array(all.suffix(end.count)) != end {
            let byte = try receive(atMost: 1)
            guard !byte.isEmpty else { throw Failure(what: "the end came after: \(String(decoding: all, as: UTF8.self))") }
            all += byte
        }
        return String(decoding: all, as: UTF8.self)
    }

    func read(count: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            let piece = try receive(atMost: min(65536, count - all.count))
            guard !piece.isEmpty else { throw Failure(what: "the end came after \(all.count) bytes") }
            all += piece
        }
        return all
    }

    /// One answer, framed by its Content-Length.
    func answer(withoutContent: Bool = false) throws -> Answer {
        let head = try read(through: "\r\n\r\n")
        var length = 0
        for line in head.split(separator: "\r\n") where line.lowercased().hasPrefix("content-length: ") {
            length = Int(line.dropFirst(16)) ?? 0
        }
        let content = withoutContent ? [] : try read(count: length)
        return Answer(head: head, content: String(decoding: content, as: UTF8.self))
    }

    /// A request without content, and its answer.
    func get(_ path: String) throws -> Answer {
        try send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        return try answer()
    }

    /// True where the server has ended the connection, without further bytes.
    func isEnded() throws -> Bool { try receive(atMost: 1).isEmpty }
}
