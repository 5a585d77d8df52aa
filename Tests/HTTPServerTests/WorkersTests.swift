// Worker threads: own state, order, bounds, draining; and the batches of the one writer.

import Glibc
import HTTP
import Testing

@testable import HTTPServer

/// A state that is not Sendable, as a database connection is.
private final class Notebook {
    var lines: [String] = []
    var isOpen = false
    var failsToCommit = false
}

private struct Refused: Error, Equatable { var why = "" }

extension ServerTests {
    @Suite struct WorkersTests {
        @Test func `each thread makes its state once and keeps it`() async throws {
            let made = Monitor(0)
            let workers = try Workers(count: 3, queueLimit: 100) {
                made.withLock { $0 += 1 }
                return Notebook()
            }
            var sum = 0
            for number in 0..<100 {
                sum += try await workers.run { notebook in
                    notebook.lines.append("x")
                    return number
                }
            }
            #expect(sum == 4950)
            #expect(made.withLock { $0 } == 3)
            workers.stop()
            #expect(workers.statistics.begun == 100)
        }

        @Test func `an errand is done once on each thread, behind what waits`() async throws {
            let done = Monitor<Set<ObjectIdentifier>>([])
            let workers = try Workers(count: 3, queueLimit: 100) { Notebook() }
            workers.onEach { notebook in done.withLock { _ = $0.insert(ObjectIdentifier(notebook)) } }
            workers.stop()
            #expect(done.withLock { $0.count } == 3)
        }

        @Test func `a state that cannot be made is an error at the start`() {
            #expect(throws: Refused.self) { try Workers<Notebook>(count: 2, queueLimit: 1) { throw Refused() } }
        }

        @Test func `a full queue refuses, and takes jobs again when there is room`() async throws {
            let gate = Gate()
            let workers = try Workers(count: 1, queueLimit: 2) { Notebook() }
            try await withThrowingTaskGroup(of: Int.self) { group in
                group.addTask {
                    try await workers.run { _ in
                        gate.passBlocking(); return 0
                    }
                }
                #expect(await eventually { gate.arrived == 1 })
                for number in 1...2 { group.addTask { try await workers.run { _ in number } } }
                #expect(await eventually { workers.statistics.queued == 2 })
                await #expect(throws: Overloaded.self) { try await workers.run { _ in 3 } }
                gate.open()
                var numbers: Set<Int> = []
                for try await number in group { numbers.insert(number) }
                #expect(numbers == [0, 1, 2])
            }
            #expect(try await workers.run { _ in 4 } == 4)
            #expect(workers.statistics.refused == 1)
            workers.stop()
        }

        @Test func `what may wait goes behind what may not, but not for ever`() throws {
            let queue = JobQueue<Int>(limit: 100)
            for job in 0..<4 { #expect(queue.push(job, mayWait: true)) }
            for job in 10..<22 { #expect(queue.push(job)) }
            #expect(queue.statistics.queued == 16)
            let order = (0..<16).compactMap { _ in queue.next() }
            #expect(order == [10, 11, 12, 13, 14, 15, 16, 0, 17, 18, 19, 20, 21, 1, 2, 3])
        }

        private static func client(_ address: String, _ cookie: String? = nil) -> HTTPServer.Client {
            HTTPServer.Client(address: address, credential: cookie)
        }

        @Test func `networks take turns, and in a network those who show different credentials`() {
            let queue = JobQueue<String>(limit: 100)
            let pushes = [
                ("192.0.2.1", "a", "a1"), ("192.0.2.1", "a", "a2"), ("192.0.2.1", "a", "a3"), ("192.0.2.1", "a", "a4"),
                ("192.0.2.1", "b", "b1"), ("192.0.2.1", "b", "b2"), ("2001:db8::1", "c", "c1"), ("2001:db8::ff", "c", "c2"),
                ("2001:db8:0:1::1", "d", "d1"), ("192.0.2.2", "a", "e1"),
            ]
            for (address, cookie, job) in pushes { #expect(queue.push(job, of: Self.client(address, cookie))) }
            let order = pushes.indices.compactMap { _ in queue.next() }
            #expect(order == ["a1", "a2", "c1", "d1", "e1", "b1", "c2", "a3", "b2", "a4"])
            #expect(queue.statistics.queued == 0)
        }

        @Test func `one network may have half of the places, and the others the rest`() {
            let queue = JobQueue<Int>(limit: 8)
            let taken = (0..<20).filter { queue.push($0, of: Self.client("192.0.2.1", "made up \($0)")) }
            #expect(taken == [0, 1, 2, 3])
            let others = (20..<30).filter { queue.push($0, of: Self.client("192.0.2.\($0)")) }
            #expect(others == [20, 21, 22, 23])
            #expect(queue.statistics.refused == 22)
            // The program's own work is no network's.
            let own = JobQueue<Int>(limit: 8)
            #expect((0..<20).filter { own.push($0) }.count == 8)
        }

        @Test func `the last free thread is kept for a client who has none`() {
            let queue = JobQueue<String>(limit: 100, threads: 3, isOneKept: true)
            let (ada, bob) = (Self.client("192.0.2.1", "ada"), Self.client("192.0.2.1", "bob"))
            for number in 1...5 { #expect(queue.push("ada \(number)", of: ada)) }
            #expect(queue.next(for: 0) == "ada 1")
            #expect(queue.next(for: 1) == "ada 2")
            // The third thread sleeps though three wait, until somebody else comes.
            let third = Monitor<[String?]>([])
            let thread = NativeThread(named: "third") {
                while let job = queue.next(for: 2) { third.withLock { $0.append(job) } }
            }
            #expect(queue.push("bob 1", of: bob))
            while third.withLock({ $0.isEmpty }) { poll(nil, 0, 1) }
            #expect(queue.statistics.queued == 3)
            // At the end nothing is kept for anyone.
            queue.close()
            while queue.next(for: 0) != nil {}
            while queue.next(for: 1) != nil {}
            thread.join()
            #expect(third.withLock { $0.first } == "bob 1")
            #expect(queue.statistics.begun == 6)
        }

        @Test func `long work of one client leaves a thread for another`() async throws {
            let gate = Gate()
            let workers = try Workers(count: 3, queueLimit: 100, isOneKept: true) { Notebook() }
            let ada = Self.client("192.0.2.1", "ada")
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<10 { group.addTask { try? await workers.run(for: ada) { _ in gate.passBlocking() } } }
                #expect(await eventually { gate.arrived == 2 })
                let bob = try? await workers.run(for: Self.client("192.0.2.2", "bob")) { _ in "bob" }
                #expect(bob == "bob")
                #expect(gate.arrived == 2)
                gate.open()
            }
            #expect(workers.statistics.begun == 11)
            workers.stop()
        }

        @Test func `stopping does what waits and refuses what comes later`() async throws {
            let gate = Gate()
            let workers = try Workers(count: 1, queueLimit: 10) { Notebook() }
            async let first = workers.run { _ in
                gate.passBlocking(); return 1
            }
            #expect(await eventually { gate.arrived == 1 })
            async let second = workers.run { _ in 2 }
            #expect(await eventually { workers.statistics.queued == 1 })
            let stopping = NativeThread(named: "stop") { workers.stop() }
            gate.open()
            #expect(try await first == 1)
            #expect(try await second == 2)
            stopping.join()
            await #expect(throws: Overloaded.self) { try await workers.run { _ in 3 } }
        }

        @Test func `a hop from a connection comes back to its event loop`() async throws {
            let workers = try Workers(count: 2, queueLimit: 1000) { Notebook() }
            try await withSite(answer: { _ in
                let before = pthread_self()
                let text = try? await workers.run { _ in pthread_self() == before ? "same thread" : "hop" }
                return .text("\(text ?? "refused") \(pthread_self() == before)")
            }) { site in
                let clients = try (0..<20).map { _ in try site.client() }
                for _ in 0..<20 {
                    for client in clients { try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n") }
                    for client in clients { #expect(try client.answer().content == "hop true") }
                }
            }
            workers.stop()
        }
    }
}

extension ServerTests {
    @Suite struct BatchWorkerTests {
        private struct Ledger: Sendable {
            let kept = Monitor<[[String]]>([])
            let first = Gate()
            let failure = Monitor<Refused?>(nil)
            let beginFailure = Monitor<Refused?>(nil)

            func worker(maximumBatch: Int = 100, queueLimit: Int = 100) throws -> BatchWorker<Notebook> {
                try BatchWorker(
                    queueLimit: queueLimit, maximumBatch: maximumBatch, makeState: { Notebook() },
                    begin: { notebook in
                        if let failure = beginFailure.withLock({ $0 }) { throw failure }
                        #expect(!notebook.isOpen)
                        notebook.isOpen = true
                        notebook.lines = []
                    },
                    commit: { notebook in
                        notebook.isOpen = false
                        if let failure = failure.withLock({ $0 }) { throw failure }
                        let lines = notebook.lines
                        kept.withLock { $0.append(lines) }
                    })
            }
        }

        /// Holds the first batch open until `count` further jobs wait, so that they form the next one.
        private func gather(
            _ count: Int, _ worker: BatchWorker<Notebook>, _ ledger: Ledger,
            _ job: @escaping @Sendable (Notebook, Int) throws -> Int
        ) async throws -> [Result<Int, any Error>] {
            try await withThrowingTaskGroup(of: (Int, Result<Int, any Error>).self) { group in
                group.addTask {
                    try await worker.run { _ in ledger.first.passBlocking() }
                    return (-1, .success(0))
                }
                #expect(await eventually { ledger.first.arrived == 1 })
                for number in 0..<count {
                    group.addTask {
                        do { return (number, .success(try await worker.run { try job($0, number) })) } catch {
                            return (number, .failure(error))
                        }
                    }
                }
                #expect(await eventually { worker.statistics.queued == count })
                ledger.first.open()
                var results: [Int: Result<Int, any Error>] = [:]
                for try await (number, result) in group { results[number] = result }
                return (0..<count).compactMap { results[$0] }
            }
        }

        @Test func `jobs that have gathered are one batch, told after its commit`() async throws {
            let ledger = Ledger()
            let worker = try ledger.worker()
            let results = try await gather(20, worker, ledger) { notebook, number in
                #expect(notebook.isOpen)
                notebook.lines.append("\(number)")
                return number
            }
            #expect(try results.map { try $0.get() } == Array(0..<20))
            let kept = ledger.kept.withLock { $0 }
            #expect(kept.map(\.count) == [0, 20])
            #expect(worker.statistics.batches == 2)
            worker.stop()
        }

        @Test func `a batch has a maximum`() async throws {
            let ledger = Ledger()
            let worker = try ledger.worker(maximumBatch: 8)
            _ = try await gather(20, worker, ledger) { notebook, number in
                notebook.lines.append("\(number)")
                return number
            }
            #expect(ledger.kept.withLock { $0.map(\.count) } == [0, 8, 8, 4])
            worker.stop()
        }

        @Test func `a commit that fails is told to every job of its batch and no other`() async throws {
            let ledger = Ledger()
            let worker = try ledger.worker()
            let results = try await gather(10, worker, ledger) { _, number in
                if number == 0 { ledger.failure.withLock { $0 = Refused(why: "disk full") } }
                return number
            }
            #expect(results.count == 10)
            for result in results { #expect(throws: Refused(why: "disk full")) { try result.get() } }
            ledger.failure.withLock { $0 = nil }
            #expect(try await worker.run { _ in 7 } == 7)
            worker.stop()
        }

        @Test func `a begin that fails is told to every job of its batch, and none is run`() async throws {
            let ledger = Ledger()
            let worker = try ledger.worker()
            ledger.beginFailure.withLock { $0 = Refused(why: "locked") }
            await #expect(throws: Refused(why: "locked")) {
                try await worker.run { _ in Issue.record("the job ran") }
            }
            ledger.beginFailure.withLock { $0 = nil }
            #expect(try await worker.run { _ in 7 } == 7)
            worker.stop()
        }

        @Test func `a job that fails does not touch the others`() async throws {
            let ledger = Ledger()
            let worker = try ledger.worker()
            let results = try await gather(6, worker, ledger) { _, number in
                if number % 2 == 0 { throw Refused(why: "\(number)") }
                return number
            }
            for (number, result) in results.enumerated() {
                if number % 2 == 0 {
                    #expect(throws: Refused(why: "\(number)")) { try result.get() }
                } else {
                    #expect(try result.get() == number)
                }
            }
            worker.stop()
        }

        @Test func `other threads may wait for a commit`() async throws {
            let ledger = Ledger()
            let worker = try ledger.worker()
            let workers = try Workers(count: 2, queueLimit: 10) { Notebook() }
            let value = try await workers.run { _ in Result { try worker.runBlocking { _ in 5 } } }.get()
            #expect(value == 5)
            let failed = try await workers.run { _ in Result { try worker.runBlocking { _ in throw Refused() } as Int } }
            #expect(throws: Refused.self) { try failed.get() }
            workers.stop()
            worker.stop()
            #expect(throws: Overloaded.self) { try worker.runBlocking { _ in 6 } }
        }
    }
}
