// A system call that failed, in words for whoever starts the program.

import Glibc

/// A failed system call.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// `errno`.
    public let code: Int32
    /// What was tried.
    public let action: String

    /// Reads `errno`, so make it right after the call.
    init(_ action: String, code: Int32 = errno) {
        self.code = code
        self.action = action
    }

    /// What was tried and why it failed.
    public var description: String { "\(action): \(String(cString: strerror(code)))" }
}
