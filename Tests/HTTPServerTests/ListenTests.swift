// The places at which a server can listen.

import Glibc
import HTTP
import Testing

@testable import HTTPServer

extension ServerTests {
    @Suite struct ListenTests {
        private static let service = ClosureService(limit: 0) { .now(.text($0.peer)) }

        private func folder() throws -> String {
            var template = Array("/tmp/docket-test-XXXXXX".utf8CString)
            _ = try #require(mkdtemp(&template))
            return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        @Test(arguments: ["127.0.0.1", "localhost", "*", "0.0.0.0"])
        func `an IPv4 client reaches every such address`(host: String) async throws {
            let server = try Server([.tcp(host: host, port: 0)], service: Self.service)
            server.start()
            #expect(try Client(port: server.port).get("/").content == "127.0.0.1")
            await server.stop(grace: .seconds(1))
        }

        @Test(.enabled(if: Client.hasIPv6), arguments: ["::1", "::", "*"])
        func `an IPv6 client reaches every such address`(host: String) async throws {
            let server = try Server([.tcp(host: host, port: 0)], service: Self.service)
            server.start()
            #expect(try Client(ipv6Port: server.port).get("/").content == "::1")
            await server.stop(grace: .seconds(1))
        }

        @Test func `a Unix socket serves, replaces a dead one, respects a living one, and is gone afterwards`() async throws {
            let folder = try folder()
            let path = folder + "/socket"
            defer { rmdir(folder) }
            // A dead one: bound, then closed without unlink.
            let dead = try Listen.unix(path: path).open()
            close(dead)
            let server = try Server([.unix(path: path)], service: Self.service)
            server.start()
            #expect(server.port == 0)
            #expect(try Client(unixPath: path).get("/").content == "unix")
            #expect(throws: SystemError.self) { try Server([.unix(path: path)], service: Self.service) }
            await server.stop(grace: .seconds(1))
            #expect(access(path, F_OK) != 0)
        }

        @Test func `a socket that listens already can be handed over`() async throws {
            let socket = try Listen.tcp(host: "127.0.0.1", port: 0).open()
            let server = try Server([.descriptor(socket)], service: Self.service)
            server.start()
            #expect(try Client(port: server.port).get("/").status == 200)
            await server.stop(grace: .seconds(1))
        }

        @Test(arguments: [
            Listen.tcp(host: "nowhere.example", port: 0), .unix(path: "/nowhere/socket"), .unix(path: ""),
            .unix(path: String(repeating: "x", count: 200)), .descriptor(0),
        ])
        func `a place that cannot be is an error at the start`(place: Listen) {
            #expect(throws: SystemError.self) { try Server([place], service: Self.service) }
        }

        @Test func `sockets that no server takes over are closed, and a path goes with them`() throws {
            let folder = try folder()
            defer { rmdir(folder) }
            let port: UInt16
            do {
                let places = [Listen.tcp(host: "127.0.0.1", port: 0), .unix(path: folder + "/socket")]
                let server = try Server(places, service: Self.service)
                port = server.port
                #expect(access(folder + "/socket", F_OK) == 0)
                // The second of these cannot be had, so the first is given back.
                #expect(throws: SystemError.self) {
                    try Sockets([.unix(path: folder + "/other"), .tcp(host: "127.0.0.1", port: port)])
                }
                #expect(access(folder + "/other", F_OK) != 0)
            }
            #expect(access(folder + "/socket", F_OK) != 0)
            #expect(throws: Client.Failure.self) { try Client(port: port) }
        }

        @Test func `a port that is taken is an error at the start`() async throws {
            let first = try Server([.tcp(host: "127.0.0.1", port: 0)], service: Self.service)
            #expect(throws: SystemError.self) { try Server([.tcp(host: "127.0.0.1", port: first.port)], service: Self.service) }
            first.start()
            await first.stop(grace: .seconds(1))
        }
    }
}
