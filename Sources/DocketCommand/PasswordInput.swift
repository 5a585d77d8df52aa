// Passwords come from a terminal, unseen and typed twice, or as the first line of standard input; never as an argument, which every
// process of the machine could read.

import Docket
import Glibc

enum PasswordInput {
    static func read() throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try firstLine() }
        let first = try typed("Password: ")
        guard try typed("The same again: ").utf8.elementsEqual(first.utf8) else { throw Failure("the two passwords differ") }
        return first
    }

    /// The first line, without its end. A password may be up to 1,000 characters, so more than 64 kB is none.
    private static func firstLine() throws -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 65_536 {
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw Failure("no password: type it, or give it as the first line of standard input") }
        return try text(bytes)
    }

    /// Reads a line without echo. Signals are characters meanwhile, so that the terminal is always left as it was.
    private static func typed(_ prompt: String) throws -> String {
        Terminal.show(prompt)
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else {
            throw Failure(system: "the terminal can't be asked")
        }
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            Terminal.show("\n")
        }
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { throw Failure("no password") }
            switch byte {
            case 0x0A, 0x0D: return try text(bytes)
            case 0x03, 0x04: throw Failure("no password")  // Ctrl-C, Ctrl-D
            case 0x15: bytes.removeAll()  // Ctrl-U
            case 0x08, 0x7F:
                while let last = bytes.popLast(), last & 0xC0 == 0x80 {}  // a whole character
            default: if bytes.count < 65_536 { bytes.append(byte) }
            }
        }
    }

    private static func text(_ bytes: [UInt8]) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Failure("the password is not UTF-8") }
        return text
    }
}
