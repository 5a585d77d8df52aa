// Writing to the terminal, a pipe or a file: a line at once, never buffered.

import Docket
import Glibc

enum Terminal {
    /// A line to standard output.
    ///
    /// - Throws: `Failure` where it can't be written, with the line itself, since what it tells of is done. A closed pipe is no failure:
    ///   whoever read it has enough.
    static func print(_ line: String) throws {
        let number = write(Array((line + "\n").utf8), to: STDOUT_FILENO)
        guard number != 0, number != EPIPE else { return }
        let failure = Failure(system: "standard output", code: number)
        throw line.utf8.contains(0x0A) ? failure : Failure("\(failure); the answer was: \(line)")
    }

    /// A secret as a line to standard output.
    ///
    /// - Throws: `Failure` where it can't be written, a closed pipe included, and says nothing of the secret.
    static func hand(_ secret: String) throws {
        signal(SIGPIPE, SIG_IGN)
        try write(Array((secret + "\n").utf8), to: STDOUT_FILENO, "standard output")
    }

    /// A line to standard error.
    static func error(_ line: String) { show(line + "\n") }

    /// A text to standard error, for whoever looks on.
    static func show(_ text: String) { _ = write(Array(text.utf8), to: STDERR_FILENO) }

    /// All bytes.
    ///
    /// - Throws: `Failure`.
    static func write(_ bytes: [UInt8], to descriptor: Int32, _ name: String) throws {
        try check(write(bytes, to: descriptor), name)
    }

    private static func check(_ number: Int32, _ name: String) throws {
        if number != 0 { throw Failure(system: name, code: number) }
    }

    /// All bytes, or the number of the error.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let written = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if written > 0 { rest = rest.dropFirst(written) } else if errno != EINTR { return errno }
            }
            return 0
        }
    }

    /// True where a person looks on, who likes to see progress.
    static var isWatched: Bool { isatty(STDERR_FILENO) == 1 }
}
