// A folder of its own for a test, removed with it, and the few things that several tests want from a file.

import Foundation
import SQLite

/// A folder that goes away with the value.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "/sqlite-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String = "test.sqlite3") -> String { path + "/" + name }

    /// Names of what is in the folder.
    func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
}

/// A connection to a database in memory with people in it.
func people() throws -> Connection {
    let db = try Connection(path: ":memory:", mode: .readWriteCreate)
    try db.executeScript(
        """
        CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INTEGER CHECK (age >= 0)) STRICT;
        CREATE TABLE tasks (id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (id), title TEXT) STRICT;
        INSERT INTO people VALUES (1, 'ada', 36), (2, 'bob', NULL), (3, 'cleo', 20);
        """)
    return db
}

/// The error of `body`, or `nil`.
func databaseError(_ body: () throws -> Void) -> DatabaseError? {
    do {
        try body()
        return nil
    } catch {
        return error as? DatabaseError
    }
}

/// What a test throws to see it come out again.
struct Stop: Error, Equatable {}
