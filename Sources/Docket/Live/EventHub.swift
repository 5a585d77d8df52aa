// The open event streams of all people. The writer tells it after each commit whose data have changed and whose sessions have ended; it
// never asks the database.

import Synchronization

/// Who is to be told what after a commit.
public struct News: Sendable {
    /// People whose data have changed, with the revision that they are at.
    var revisions: [Int: Int] = [:]
    /// Sessions that have ended.
    var endedSessions: [[UInt8]] = []
    /// Tokens that are gone.
    var endedTokens: [Int] = []
    /// People who may not sign in any more.
    var disabled: [Int] = []

    var isEmpty: Bool { revisions.isEmpty && endedSessions.isEmpty && endedTokens.isEmpty && disabled.isEmpty }
}

/// Finds the streams that news concern.
public final class EventHub: Sendable {
    /// How many one person may have open; the oldest makes room.
    static let mostOfOne = 100

    private let streams = Mutex<[Int: [EventStream]]>([:])

    /// True where no window listens.
    public var isEmpty: Bool { streams.withLock { $0.isEmpty } }

    func open(_ session: Session) -> EventStream {
        let stream = EventStream(userID: session.user.id, credential: session.credential, hub: self)
        let oldest = streams.withLock { streams in
            streams[stream.userID, default: []].append(stream)
            let all = streams[stream.userID] ?? []
            return all.count > Self.mostOfOne ? all.first : nil
        }
        oldest?.cancel()
        return stream
    }

    func remove(_ stream: EventStream) {
        streams.withLock { streams in
            streams[stream.userID]?.removeAll { $0 === stream }
            if streams[stream.userID]?.isEmpty == true { streams[stream.userID] = nil }
        }
    }

    /// Tells the windows that the news concern.
    public func tell(_ news: News) {
        if news.isEmpty { return }
        let all = streams.withLock { $0 }
        if all.isEmpty { return }
        for (user, revision) in news.revisions {
            for stream in all[user] ?? [] { stream.tell(revision: revision) }
        }
        for user in news.disabled { all[user]?.forEach { $0.cancel() } }
        if news.endedSessions.isEmpty, news.endedTokens.isEmpty { return }
        let (sessions, tokens) = (Set(news.endedSessions), Set(news.endedTokens))
        for stream in all.values.joined() {
            switch stream.credential {
            case .cookie(let digest) where sessions.contains(digest): stream.cancel()
            case .token(let id, _) where tokens.contains(id): stream.cancel()
            default: break
            }
        }
    }

    /// Another process has changed something, of whom is not known: every window looks again. Its stream ends, too, and the browser asks
    /// for a new one: a command may have ended its session, its token or its person.
    public func tellEveryone() {
        let all = streams.withLock { streams in
            defer { streams = [:] }
            return streams
        }
        for stream in all.values.joined() {
            stream.tell(revision: Int.max)
            stream.end()
        }
    }

    /// Keeps the streams alive, and ends those that have lived long enough.
    public func beat() {
        for stream in streams.withLock({ $0 }).values.joined() where !stream.beat() { remove(stream) }
    }
}
