// Long work that SIGINT, SIGTERM and SIGHUP ask to end: it looks whether they did, and takes back what it had begun.

import HTTPServer
import Synchronization

enum Cancellation {
    private static let isAsked = Atomic(false)
    static var isWanted: Bool { isAsked.load(ordering: .relaxed) }

    static func listen() throws {
        try Signals.claim()
        Task.detached {
            _ = await Signals.wait()
            isAsked.store(true, ordering: .relaxed)
        }
    }
}
