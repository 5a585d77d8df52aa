// The loop itself: fairness between tasks, and what other threads hand to it.

import Testing

@testable import HTTPServer

extension ServerTests {
    @Suite struct EventLoopTests {
        private struct Counts {
            var patientTurns = 0
            var turnsBeforeFresh: Int?
            var ended = 0
        }

        @Test func `who is fresh goes before those who have had their turn`() async throws {
            let loop = try EventLoop()
            let counts = Monitor(Counts())
            let thread = NativeThread(named: "loop") { loop.run() }
            loop.call {
                for _ in 0..<500 {
                    Task(executorPreference: loop) {
                        for _ in 0..<20 {
                            await loop.letOthersGoFirst()
                            counts.withLock { $0.patientTurns += 1 }
                        }
                        counts.withLock { $0.ended += 1 }
                    }
                }
                Task(executorPreference: loop) {
                    // As many turns as a request takes from accept to answer.
                    for _ in 0..<5 {
                        await withUnsafeContinuation { continuation in loop.call { continuation.resume() } }
                    }
                    counts.withLock { $0.turnsBeforeFresh = $0.patientTurns }
                }
            }
            #expect(await eventually { counts.withLock { $0.ended } == 500 })
            // Sixteen a turn, not five hundred.
            #expect(try #require(counts.withLock { $0.turnsBeforeFresh }) <= 16 * 6)
            loop.call { loop.end() }
            thread.join()
        }

        @Test func `calls from other threads all arrive, in each thread's order`() async throws {
            let loop = try EventLoop()
            let arrived = Monitor<[Int]>([])
            let thread = NativeThread(named: "loop") { loop.run() }
            let callers = (0..<4).map { caller in
                NativeThread(named: "caller") {
                    for number in 0..<1000 { loop.call { arrived.withLock { $0.append(caller * 1000 + number) } } }
                }
            }
            for caller in callers { caller.join() }
            loop.call { loop.end() }
            thread.join()
            let all = arrived.withLock { $0 }
            for caller in 0..<4 { #expect(all.filter { $0 / 1000 == caller } == (0..<1000).map { caller * 1000 + $0 }) }
        }

        @Test func `an alarm rings once, at its moment`() async throws {
            let loop = try EventLoop()
            let rings = Monitor<[UInt64]>([])
            let thread = NativeThread(named: "loop") { loop.run() }
            let moment = Clock.monotonic() + 20_000_000
            loop.call {
                loop.setAlarm(moment) {
                    rings.withLock { $0.append(Clock.monotonic()) }
                    loop.end()
                }
            }
            thread.join()
            let all = rings.withLock { $0 }
            #expect(all.count == 1)
            #expect(all.allSatisfy { $0 >= moment })
        }
    }
}
