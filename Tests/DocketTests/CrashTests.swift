// The real server, killed with -9 while it writes: what was answered with success is there, and no half of anything.

import Foundation
import Glibc
import HTTP
import SQLite
import Synchronization
import Testing

@testable import Docket

@Suite struct CrashTests {
    @Test func `What was answered with success is there after kill -9, and nothing is half there`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "docket-crash-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "a.sqlite3").path()
        let token = try Self.prepare(path)
        var acknowledged: Set<String> = []
        for round in 0..<Self.rounds {
            let server = try LiveServer(database: path)
            let port = try server.port()
            // Killed once there is something to lose, at a moment of nobody's choosing, by the client that gets that far.
            let made = Acknowledged(killAt: Int.random(in: 20...100), server.processIdentifier)
            await withTaskGroup(of: Void.self) { group in
                for client in 0..<6 {
                    group.addTask { await Self.onThread { Self.post(client, round, port, token, made) } }
                }
            }
            server.wait()
            acknowledged.formUnion(made.all)
            let database = try DatabaseFile(path).openMigrated()
            let kept = Set(try database.rows("SELECT title FROM tasks") { try $0.text(0) })
            #expect(acknowledged.subtracting(kept) == [], "round \(round)")
            #expect(try database.integrityCheck() == [] && database.foreignKeyCheck() == [])
            // Each task came with its change, its count and its receipt of history, or not at all.
            #expect(
                try database.scalar("SELECT count(*) FROM tasks WHERE number NOT IN (SELECT task_number FROM task_changes)") == 0)
            #expect(try database.scalar("SELECT count(*) FROM changes WHERE task_count <> 1") == 0)
            #expect(try database.scalar("SELECT coalesce(sum(count), 0) FROM task_counts") == Int64(kept.count))
        }
        #expect(acknowledged.count >= 80)
    }

    /// A few each time; as many hundreds as one likes with DOCKET_FAULT_ROUNDS.
    private static let rounds = ProcessInfo.processInfo.environment["DOCKET_FAULT_ROUNDS"].flatMap { Int($0) } ?? 4

    /// Posts until the server is gone.
    private static func post(_ client: Int, _ round: Int, _ port: UInt16, _ token: String, _ made: Acknowledged) {
        guard let connection = try? PlainClient(port: port) else { return }
        for number in 0..<1_000 {
            let title = "r\(round)-c\(client)-n\(number)"
            guard (try? connection.post("/tasks", "title=\(title)", token: token)) == 201 else { return }
            made.add(title)
        }
    }

    /// Runs what blocks on a thread of its own: the pool of tasks has only as many as there are cores.
    private static func onThread(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            Thread {
                body()
                continuation.resume()
            }.start()
        }
    }

    /// A database with Ada and a token of hers.
    private static func prepare(_ path: String) throws -> String {
        let database = try DatabaseFile(path).openMigrated()
        let accounts = AccountRepository(database: database, now: .now())
        let id = try accounts.create(
            AccountRepository.NewAccount(
                name: UserName("ada"), passwordHash: "none", language: .english, zoneName: "Europe/Berlin"))
        let secret = Secret()
        try database.execute(
            "INSERT INTO tokens (user_id, name, digest, scope, created_at) VALUES (\(id), 'cron', \(secret.digest), 'full', 0)")
        return secret.text
    }
}

/// The titles whose creation was answered with success; the one that makes them enough ends the server.
private final class Acknowledged: Sendable {
    private let titles = Mutex<[String]>([])
    private let enough: Int
    private let server: Int32

    init(killAt enough: Int, _ server: Int32) {
        self.enough = enough
        self.server = server
    }

    var all: [String] { titles.withLock { $0 } }

    func add(_ title: String) {
        let count = titles.withLock {
            $0.append(title)
            return $0.count
        }
        if count == enough { Glibc.kill(server, SIGKILL) }
    }
}

/// The built program, serving.
private final class LiveServer {
    private let process = Process()
    private let output = Pipe()

    init(database: String) throws {
        // Beside the test bundle lies the program that was built with it.
        let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        let places = [products.appending(path: "docket"), URL(filePath: TestApp.repository + ".build/debug/docket")]
        process.executableURL = places.first { FileManager.default.isExecutableFile(atPath: $0.path()) } ?? places[1]
        process.arguments = ["serve", "--database", database, "--port", "0", "--resources", TestApp.repository]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    var processIdentifier: Int32 { process.processIdentifier }

    /// From the line that it prints when it is ready.
    func port() throws -> UInt16 {
        var line = ""
        while !line.contains("\n") {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { break }
            line += String(decoding: data, as: UTF8.self)
        }
        let found = line.firstMatch(of: /http:\/\/127\.0\.0\.1:([0-9]+)/).flatMap { UInt16($0.output.1) }
        return try #require(found, "\(line)")
    }

    func wait() { process.waitUntilExit() }

    deinit {
        if process.isRunning { Glibc.kill(process.processIdentifier, SIGKILL) }
    }
}

/// One connection that posts and reads the status of each answer.
private final class PlainClient {
    private let descriptor: Int32

    struct Ended: Error {}

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Ended() }
    }

    deinit { close(descriptor) }

    func post(_ path: String, _ form: String, token: String) throws -> Int {
        let request =
            "POST \(path) HTTP/1.1\r\nHost: docket.test\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            + "Content-Length: \(form.utf8.count)\r\n\r\n\(form)"
        var bytes = Array(request.utf8)
        while !bytes.isEmpty {
            let sent = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            guard sent > 0 else { throw Ended() }
            bytes.removeFirst(sent)
        }
        // The answers to a script are short: head and content, whose length the head tells.
        var answer: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { throw Ended() }
            answer += buffer[..<count]
            let text = String(decoding: answer, as: UTF8.self)
            guard let end = text.range(of: "\r\n\r\n") else { continue }
            let length = text.lowercased().firstMatch(of: /\r\ncontent-length: ([0-9]+)/).flatMap { Int($0.output.1) } ?? 0
            if text[end.upperBound...].utf8.count >= length { return Int(text.dropFirst(9).prefix(3)) ?? 0 }
        }
    }
}
