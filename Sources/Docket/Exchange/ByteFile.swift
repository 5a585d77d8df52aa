// A file that is read from its beginning, a piece at a time, as often as wanted: one that lies on the disk, or one that was sent with a
// form, which has no name there and is gone when nobody holds it any more.

import Glibc
import HTTP

/// A file of bytes.
public struct ByteFile: Sendable {
    fileprivate enum Place: Sendable {
        case disk(String)
        case form(Body, Range<Int>)
    }

    private let place: Place
    /// What the person calls it: the path of a command, the name of an upload.
    public let name: String
    /// Its length when it was opened first.
    public let byteCount: Int
    /// Asked before each piece: true ends the reading.
    private var isCancelled: (@Sendable () -> Bool)?

    /// - Throws: `CommandFailure` where it is no file or can't be read.
    public init(_ path: String, name: String? = nil) throws {
        place = .disk(path)
        self.name = name ?? path
        var status = stat()
        guard stat(path, &status) == 0 else { throw CommandFailure(system: self.name) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CommandFailure("\(self.name) is not a file") }
        byteCount = Int(status.st_size)
    }

    /// A file that came with a form.
    ///
    /// - Parameter range: where it lies in the content of the request.
    init(_ body: Body, _ range: Range<Int>, name: String) {
        (place, byteCount, self.name) = (.form(body, range), range.count, name)
    }

    /// The same file, but whoever reads it stops with `ImportCancelled` when this is true: recognising, surveying and reading alike.
    func watched(_ isCancelled: @escaping @Sendable () -> Bool) -> ByteFile {
        var file = self
        file.isCancelled = isCancelled
        return file
    }

    /// Where it is on the disk; nil where it has no place there.
    var path: String? { if case .disk(let path) = place { path } else { nil } }

    /// Gives the whole file in pieces.
    func forEachPiece(_ body: (ArraySlice<UInt8>) throws -> Void) throws {
        let stream = try stream()
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = try stream.read(into: &buffer), count > 0 { try body(buffer[..<count]) }
    }

    /// Opens it at its beginning.
    func stream() throws -> Stream { try Stream(place, name, isCancelled) }

    /// Reading that goes on where it ended.
    final class Stream {
        private let place: Place
        private let name: String
        private let isCancelled: (@Sendable () -> Bool)?
        /// Of a file on the disk.
        private let descriptor: Int32
        /// Of a file in a form: how much has been read.
        private var position = 0

        fileprivate init(_ place: Place, _ name: String, _ isCancelled: (@Sendable () -> Bool)?) throws {
            (self.place, self.name, self.isCancelled) = (place, name, isCancelled)
            guard case .disk(let path) = place else {
                descriptor = -1
                return
            }
            descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw Self.failure(name) }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// Fills a buffer as far as one look gives it; 0 at the end.
        func read(into buffer: inout [UInt8]) throws -> Int {
            if let isCancelled, isCancelled() { throw ImportCancelled() }
            switch place {
            case .disk:
                while true {
                    let count = Glibc.read(descriptor, &buffer, buffer.count)
                    if count < 0, errno == EINTR { continue }
                    guard count >= 0 else { throw Self.failure(name) }
                    return count
                }
            case .form(let content, let range):
                let wanted = min(buffer.count, range.count - position)
                if wanted == 0 { return 0 }
                let start = range.lowerBound + position
                let count: Int
                switch content {
                case .bytes(let bytes):
                    buffer.replaceSubrange(..<wanted, with: bytes[start..<(start + wanted)])
                    count = wanted
                case .spooled(let file):
                    // The pointer lives for the call only, and `buffer` is not touched otherwise meanwhile.
                    count = try buffer.withUnsafeMutableBytes {
                        try file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[..<wanted]), at: start)
                    }
                }
                position += count
                return count
            }
        }

        private static func failure(_ name: String) -> ImportFailure {
            ImportFailure(.unreadable, ["file": name, "problem": String(cString: strerror(errno))])
        }
    }

    /// Its first bytes.
    func start(_ count: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        struct Enough: Error {}
        do {
            try forEachPiece { piece in
                result += piece.prefix(count - result.count)
                if result.count >= count { throw Enough() }
            }
        } catch is Enough {}
        return result
    }

    /// Copies it to a new file that nobody else may read.
    func copy(to target: String) throws {
        let descriptor = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CommandFailure(system: target) }
        defer { close(descriptor) }
        try forEachPiece { piece in
            var rest = piece
            while !rest.isEmpty {
                let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { throw CommandFailure(system: target) }
                rest = rest.dropFirst(written)
            }
        }
    }
}
