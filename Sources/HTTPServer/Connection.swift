// One connection: a straight line from bytes to answer to the next request. Idle, it is this object and no more: no task, no buffer.
// The task begins when bytes come, lives as long as requests follow each other, and ends when there is nothing to read.
// Promises: requests are answered in order, each once; what breaks the protocol is told so before the connection ends.

import CLinux
import Glibc
import HTTP
import Synchronization

/// Why a connection ends.
enum Ending: Error {
    /// The peer gets this answer first.
    case refused(ParseError)
    /// The peer gets this answer instead of sending its content.
    case declined(Response)
    /// The last answer said so. `unread` where the peer may still be sending.
    case finished(unread: Bool)
    /// The peer is gone, or too slow, or the server's patience is over: nothing more can be said.
    case lost
}

/// A connection of one event loop.
final class Connection: Polled, @unchecked Sendable {
    // Right to send: after `init` everything here is touched by the loop's thread only, by `ready`, by `deadlinePassed`,
    // and by the task, which prefers the loop as its executor.

    let descriptor: Int32
    let group: ConnectionGroup
    let peer: PeerAddress
    var parser: RequestParser
    /// Requests begun.
    var requests = 0
    /// What is wrong with the answer that is being sent, for its report.
    var defect: String?

    /// The socket may have bytes, or room; cleared when it says that it has none.
    var canRead = false
    var canWrite = true
    /// The peer has ended its side; it may still read.
    var hasPeerEnded = false
    /// Both sides are at an end, or the server has cut the connection.
    var isBroken = false

    private enum Waiting { case nothing, idle, reading, writing, streaming }
    private var waiting = Waiting.nothing
    private var continuation: UnsafeContinuation<Bool, Never>?
    /// The content that is being sent, until it has given its last piece or has been cancelled.
    private var stream: (any ContentStream)?

    var loop: EventLoop { group.loop }
    var options: ServerOptions { group.options }

    init(_ descriptor: Int32, _ peer: PeerAddress, _ group: ConnectionGroup) {
        self.descriptor = descriptor
        self.peer = peer
        self.group = group
        parser = RequestParser(limits: group.options.head)
    }

    // MARK: The line

    /// Answers requests until there is nothing to read.
    private func serve() async {
        let ending: Ending
        var isFollowing = false
        do throws(Ending) {
            while true {
                let begin = loop.now
                guard let (head, content) = try await receiveHead() else { return park() }
                requests += 1
                let body = try await receiveContent(content, of: head)
                var request = Request(head: head, body: body, peer: peer.text)
                request.isFollowing = isFollowing
                let response = await group.service.respond(to: request)
                guard try await send(response, to: head, since: begin) else {
                    throw Ending.finished(unread: canRead || !parser.isIdle || Persistence.continues(after: head))
                }
                // Others first, where the peer has sent its next request already.
                isFollowing = canRead || !parser.isIdle
                if isFollowing { await loop.letOthersGoFirst() }
            }
        } catch {
            ending = error
        }
        await finish(ending)
    }

    /// Says the last word, and sees to it that the peer can hear it.
    private func finish(_ ending: Ending) async {
        switch ending {
        case .refused(let error):
            if error.status.code == 408 { group.counters.timeouts.count() } else { group.counters.protocolErrors.count() }
            await refuse(group.refusal(error))
        case .declined(var response):
            group.counters.protocolErrors.count()
            response.closesConnection = true
            await refuse(response)
        case .finished(let unread):
            if unread { await linger() }
        case .lost:
            break
        }
        group.close(self)
    }

    /// Answers with the page for an error; whatever the peer still sends is read and dropped.
    func refuse(_ response: Response) async {
        do {
            _ = try await send(response, to: nil, since: loop.now)
            await linger()
        } catch {
            // Nothing is left to be said.
        }
    }

    // MARK: Idle

    /// Goes idle: the task ends, the object stays.
    func park() {
        if group.isDraining || isBroken { return group.close(self) }
        waiting = .idle
        parser.releaseBuffer()
        loop.setDeadline(descriptor, loop.now &+ group.idleNanoseconds)
        group.idle.append(descriptor)
        // Something may have come between the last look and now.
        if canRead { unpark() }
    }

    private func unpark() {
        waiting = .nothing
        group.idle.remove(descriptor)
        Task(executorPreference: loop) { [self] in await serve() }
    }

    // MARK: Waiting

    /// Suspends the task until the socket can be read; throws where the moment passes first.
    func waitToRead(until moment: UInt64) async throws(Ending) { try await wait(.reading, until: moment) }

    /// Suspends the task until the socket takes bytes; throws where the moment passes first.
    func waitToWrite(until moment: UInt64) async throws(Ending) { try await wait(.writing, until: moment) }

    private func wait(_ what: Waiting, until moment: UInt64) async throws(Ending) {
        loop.setDeadline(descriptor, moment)
        let isReady = await withUnsafeContinuation { continuation in
            waiting = what
            self.continuation = continuation
        }
        guard isReady else { throw .refused(ParseError(408, "The request took too long.")) }
        if isBroken, what == .writing { throw .lost }
    }

    private func wake(_ isReady: Bool) {
        waiting = .nothing
        let waking = continuation
        continuation = nil
        waking?.resume(returning: isReady)
    }

    /// The next piece of a stream, nil at its end. While it waits, a peer that goes away cancels the stream.
    func nextPiece(of stream: any ContentStream) async throws(Ending) -> [UInt8]? {
        guard !isBroken else { throw .lost }
        self.stream = stream
        waiting = .streaming
        loop.setDeadline(descriptor, hasPeerEnded || group.isDraining ? silenceEnd : DeadlineHeap.never)
        let piece: [UInt8]?
        do { piece = try await stream.next() } catch {
            waiting = .nothing
            // What a cancelled stream throws is no defect.
            if self.stream != nil { defect = "stream: \(error)" }
            throw .lost
        }
        waiting = .nothing
        // A cancelled stream ends, too: that must not look like its true end.
        guard self.stream != nil else { throw .lost }
        if piece == nil { self.stream = nil }
        return piece
    }

    /// Tells the stream once that nobody listens.
    func cancelStream() {
        let cancelled = stream
        stream = nil
        cancelled?.cancel()
    }

    private var silenceEnd: UInt64 { loop.now &+ options.silentStreamPatience.nanoseconds }

    // MARK: What the loop tells

    func ready(_ events: UInt32) {
        let isOver = events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
        if isOver { isBroken = true }
        if isOver || events & EPOLLRDHUP.rawValue != 0 { hasPeerEnded = true }
        if hasPeerEnded || events & EPOLLIN.rawValue != 0 { canRead = true }
        if isOver || events & EPOLLOUT.rawValue != 0 { canWrite = true }
        switch waiting {
        case .idle: if canRead { unpark() }
        case .reading: if canRead { wake(true) }
        case .writing: if canWrite { wake(true) }
        case .streaming:
            if isOver { cancelStream() } else if hasPeerEnded { loop.setDeadline(descriptor, silenceEnd) }
        case .nothing: break
        }
    }

    func deadlinePassed() {
        switch waiting {
        case .idle: group.close(self)
        case .reading, .writing: wake(false)
        case .streaming: cancelStream()
        case .nothing: break
        }
    }

    // MARK: What the group tells

    /// True between requests.
    var isIdle: Bool { waiting == .idle }

    /// The server stops: an idle connection has a last look at its socket and closes, a silent stream ends soon.
    func drain() {
        switch waiting {
        case .idle: unpark()
        case .streaming: loop.setDeadline(descriptor, silenceEnd)
        default: break
        }
    }

    /// The grace time is over.
    func cut() {
        isBroken = true
        canRead = true
        canWrite = true
        shutdown(descriptor, Int32(SHUT_RDWR))
        cancelStream()
        if continuation != nil { wake(true) }
    }
}
