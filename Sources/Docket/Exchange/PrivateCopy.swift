// A copy of a stranger's database, with the log that may lie beside it: SQLite may want to write when it reads, and the person's own
// file is never touched. It lies in the data folder, which can be written even where nothing else can.

import Glibc

struct PrivateCopy {
    let path: String
    private static let endings = ["", "-wal", "-journal", "-shm"]

    init(of file: ByteFile, beside database: DatabaseFile) throws {
        path = "\(database.scratch)-copy-\(getpid())-\(UInt32.random(in: .min ... .max))"
        do {
            try file.copy(to: path)
            if let original = file.path {
                for ending in ["-wal", "-journal"] where FileAccess.exists(original + ending) {
                    try ByteFile(original + ending).copy(to: path + ending)
                }
            }
        } catch {
            remove()
            throw error
        }
    }

    func remove() {
        for ending in Self.endings { unlink(path + ending) }
    }
}
