// One open stream of server-sent events (the HTML standard, section 9.2): it tells a window that something of its person's has changed.
// Never what: the window asks for its page again, by the usual way with the usual checks. News that come while the last one is being
// sent become one.

import HTTP
import Synchronization

/// The content of an answer to `GET /events`.
final class EventStream: ContentStream {
    private struct State {
        /// The newest revision that has not been told yet.
        var revision: Int?
        var isGreeting = true
        var owesBeat = false
        var isOver = false
        var beats = 0
        var waiting: UnsafeContinuation<Void, Never>?

        /// What is to be sent now; nil where there is nothing.
        mutating func take() -> String? {
            if isGreeting, !isOver {
                isGreeting = false
                return "retry: 2000\n\n"
            }
            defer { (owesBeat, revision) = (false, nil) }
            if let revision { return "event: change\ndata: \(revision)\n\n" }
            return owesBeat && !isOver ? ":\n\n" : nil
        }
    }

    let userID: Int
    /// With what it was opened.
    let credential: Session.Credential
    private let hub: EventHub
    private let state = Mutex(State())

    init(userID: Int, credential: Session.Credential, hub: EventHub) {
        self.userID = userID
        self.credential = credential
        self.hub = hub
    }

    func next() async throws -> [UInt8]? {
        while true {
            // The last news are told before the end.
            let (text, isOver) = state.withLock { ($0.take(), $0.isOver) }
            if let text { return Array(text.utf8) }
            if isOver { return nil }
            await withUnsafeContinuation { continuation in
                // Resumed once: here, or by who takes it out of the state.
                let isReady = state.withLock { state in
                    if state.isOver || state.revision != nil || state.owesBeat { return true }
                    state.waiting = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    /// The window is gone.
    func cancel() {
        wake { ($0.isOver, $0.revision) = (true, nil) }
        hub.remove(self)
    }

    /// Something of the person's has changed.
    func tell(revision: Int) { wake { $0.revision = revision } }

    /// Lets the window and what stands between know that the stream is alive. False where it has lived long enough: the browser asks again,
    /// and with it the session is looked at again.
    func beat() -> Bool {
        wake { state in
            state.beats += 1
            if state.beats > Self.mostBeats { state.isOver = true } else { state.owesBeat = true }
        }
        return state.withLock { !$0.isOver }
    }

    private static let mostBeats = 40

    /// Ends the stream after what is being sent.
    func end() { wake { $0.isOver = true } }

    private func wake(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state in
            change(&state)
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }
}
