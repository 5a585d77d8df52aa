// Where the content of a request goes while it arrives: memory while it is small, then a file without a name,
// which the system removes by itself when the request is done with, even after a crash.

import CLinux
import Glibc
import HTTP

/// Content that is arriving.
struct ContentSpool {
    private let memoryLimit: Int
    private let folder: String
    private var memory: [UInt8] = []
    private var file: OpenFile?
    /// How much has come.
    private(set) var count = 0

    init(memoryLimit: Int, folder: String) {
        self.memoryLimit = memoryLimit
        self.folder = folder
    }

    /// Adds a piece. Writing to the file may block for moments, as far as the page cache is full; uploads are rare enough.
    mutating func append(_ piece: [UInt8]) throws(SystemError) {
        count += piece.count
        if file == nil {
            if count <= memoryLimit {
                if memory.isEmpty { memory = piece } else { memory.append(contentsOf: piece) }
                return
            }
            let opened = try OpenFile(in: folder)
            try opened.write(memory)
            memory = []
            file = opened
        }
        try file?.write(piece)
    }

    /// The content as a request carries it.
    consuming func body() -> Body {
        if let file { .spooled(SpooledFile(file: file, count: count)) } else { .bytes(memory) }
    }
}

/// A file without a name, closed with its last owner.
private final class OpenFile: Sendable {
    let descriptor: Int32

    init(in folder: String) throws(SystemError) {
        descriptor = CLinux_open_unnamed(folder)
        guard descriptor >= 0 else { throw SystemError("temporary file in \(folder)") }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws(SystemError) {
        let failure: SystemError? = bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written < 0 {
                    if errno == EINTR { continue }
                    return SystemError("temporary file")
                }
                rest = rest.dropFirst(written)
            }
            return nil
        }
        if let failure { throw failure }
    }
}

private struct SpooledFile: SpooledContent {
    let file: OpenFile
    let count: Int

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws -> Int {
        let length = pread(file.descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        guard length >= 0 else { throw SystemError("temporary file") }
        return length
    }
}
