// Numbers by key, in memory and beyond it.

import Foundation
import SQLite
import Testing

@testable import Docket

@Suite struct KeyTableTests {
    private func key(_ number: Int) throws -> TaskID {
        try #require(TaskID(bytes: Array(SHA256.digest("\(number)".utf8).prefix(16))))
    }

    @Test("Beyond what is kept in memory numbers are as right as within it, and nothing is left beside the data")
    func beyondMemory() throws {
        let place = try ImportPlace()
        let before = try FileManager.default.contentsOfDirectory(atPath: place.folder.path())
        let table = KeyTable(few: 10)
        for round in 1...3 {
            for number in 0..<1_000 where number % round == 0 {
                let count = (1..<round).count { number.isMultiple(of: $0) }
                #expect(try table.number(try key(number)) ?? 0 == count, "\(round) \(number)")
                try table.set(try key(number), count + 1)
            }
        }
        #expect(try table.number(key(1_000)) == nil)
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: place.folder.path())) == Set(before))
    }

    @Test("Of rows without identifier each is counted, however many others lie between")
    func manyRows() throws {
        let place = try ImportPlace()
        try place.person("ada")
        let rows = KeyTable.few + 200
        let numbers = Array(0..<rows) + [5, rows - 1, rows - 1]
        let file = try place.file("tasks.csv", ("Name;Where\n" + numbers.map { "task \($0);x\n" }.joined()).utf8)
        let first = try place.take(file, for: "ada")
        #expect((first.added, first.present) == (rows + 3, 0))
        let second = try place.take(file, for: "ada", dry: true)
        #expect((second.added, second.present) == (0, rows + 3))
    }
}
