// Writing to the terminal or a pipe: a line at once, never buffered.

import Glibc

enum Terminal {
    /// A line to standard output.
    static func print(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }

    /// A line to standard error.
    static func error(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Bytes, all of them; a closed pipe ends the writing silently.
    static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

    static func write(_ bytes: [UInt8], to descriptor: Int32) {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let written = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
                if written < 0, errno == EINTR { continue }
                if written <= 0 { return }
                offset += written
            }
        }
    }

    /// True where a person looks on, who likes to see progress.
    static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }
}
