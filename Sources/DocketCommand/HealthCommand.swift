// docket health: asks the running server, at the address of the configuration, whether it answers. For containers, which have no curl.

import Docket
import Glibc

enum HealthCommand {
    static func run(_ arguments: Arguments) throws {
        try arguments.noWords()
        let config = arguments.config
        let place = config.host.hasPrefix("/") ? config.host : "\(config.host) port \(config.port)"
        let answer = try ask(config, place)
        guard answer.starts(with: "HTTP/1.1 200 ".utf8) else {
            let line = answer.prefix { $0 != 0x0D && $0 != 0x0A }
            throw Failure(
                "the server at \(place) is not well: \(line.isEmpty ? "no answer" : String(decoding: line, as: UTF8.self))")
        }
        try? Terminal.print("ok")
    }

    private static func ask(_ config: Config, _ place: String) throws -> [UInt8] {
        func failure() -> Failure { Failure(system: "no server answers at \(place)") }
        let (descriptor, connected) = connect(config)
        guard descriptor >= 0 else { throw failure() }
        defer { close(descriptor) }
        guard connected == 0 else { throw failure() }
        let request = Array("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8)
        guard send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count else { throw failure() }
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1_024)
        while answer.count < 1 << 16 {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            if count == 0 { break }
            answer += buffer[..<count]
        }
        return answer
    }

    /// A socket that waits for five seconds at most, and what connecting it gave.
    private static func connect(_ config: Config) -> (Int32, Int32) {
        let stream = Int32(SOCK_STREAM.rawValue)
        func open(_ family: Int32) -> Int32 {
            let descriptor = socket(family, stream, 0)
            var limit = timeval(tv_sec: 5, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            return descriptor
        }
        func connect<Address>(_ descriptor: Int32, _ address: Address) -> Int32 {
            withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<Address>.size))
                }
            }
        }
        if config.host.hasPrefix("/") {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let room = MemoryLayout.size(ofValue: address.sun_path)
            guard config.host.utf8.count < room else {
                errno = ENAMETOOLONG
                return (-1, -1)
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: config.host.utf8) }
            let descriptor = open(AF_UNIX)
            return (descriptor, connect(descriptor, address))
        }
        // A server on all addresses is asked at home.
        let host = ["0.0.0.0", "*", "localhost"].contains(config.host) ? "127.0.0.1" : config.host
        let port = in_port_t(truncatingIfNeeded: config.port).bigEndian
        var four = sockaddr_in()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port
        if inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            let descriptor = open(AF_INET)
            return (descriptor, connect(descriptor, four))
        }
        var six = sockaddr_in6()
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port
        guard inet_pton(AF_INET6, host == "::" ? "::1" : host, &six.sin6_addr) == 1 else {
            errno = EINVAL
            return (-1, -1)
        }
        let descriptor = open(AF_INET6)
        return (descriptor, connect(descriptor, six))
    }
}
