// The log's way out: every line in order, and nobody waits for its reader.

import Glibc
import Testing

@testable import HTTPServer

extension ServerTests {
    @Suite struct LineWriterTests {
        /// The ends of a pipe.
        private func pipeEnds() -> (reading: Int32, writing: Int32) {
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            return (ends[0], ends[1])
        }

        /// Reads on a thread of its own until the other end is closed; the closure that it gives waits for all of it.
        private func read(_ descriptor: Int32) -> () -> String {
            let all = Monitor([UInt8]())
            let thread = NativeThread(named: "log reader") {
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while true {
                    let count = Glibc.read(descriptor, &buffer, buffer.count)
                    if count <= 0 { break }
                    all.withLock { $0 += buffer[..<count] }
                }
            }
            return {
                thread.join()
                return String(decoding: all.withLock { $0 }, as: UTF8.self)
            }
        }

        @Test func `lines come whole and in order, those before the end included`() {
            let ends = pipeEnds()
            let writer = LineWriter(ends.writing) { Array("lost \($0)\n".utf8) }
            let text = read(ends.reading)
            for number in 0..<5_000 { writer.write(Array("line \(number)\n".utf8)) }
            writer.close()
            close(ends.writing)
            #expect(text() == (0..<5_000).map { "line \($0)\n" }.joined())
            close(ends.reading)
        }

        @Test func `nobody waits for a reader who does not read, and what was lost is told`() {
            let ends = pipeEnds()
            let writer = LineWriter(ends.writing, limit: 100_000) { Array("lost \($0)\n".utf8) }
            let line = Array("\(String(repeating: "x", count: 99))\n".utf8)
            // More than the pipe and the limit hold together.
            for _ in 0..<10_000 { writer.write(line) }
            let text = read(ends.reading)
            writer.close()
            close(ends.writing)
            let lines = text().split(separator: "\n")
            let told = lines.filter { $0.hasPrefix("lost ") }
            let lost = told.reduce(0) { $0 + (Int($1.dropFirst(5)) ?? 0) }
            #expect(lost > 5_000)
            #expect(lines.count - told.count + lost == 10_000)
            close(ends.reading)
        }

        @Test func `a reader who never reads does not keep the program from ending`() {
            let ends = pipeEnds()
            let writer = LineWriter(ends.writing) { _ in [] }
            for _ in 0..<1_000 { writer.write([UInt8](repeating: 0x78, count: 1_000)) }
            writer.close()
            close(ends.writing)
            close(ends.reading)
        }
    }
}
