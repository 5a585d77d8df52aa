// One connection: a straight line from bytes to answer to the next request. Idle, it is this object and no more: no task, no buffer.
// What can be answered without waiting is, on the spot. Else a task begins, lives as long as requests follow each other, and ends when
// there is nothing to read.
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
    /// When the request at hand began.
    var began: UInt64 = 0
    /// The request at hand was sent before the answer to the one before it had been.
    private var isFollowing = false
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

    /// How far the request at hand has come.
    private enum Stage {
        /// Nothing of it has been read.
        case head
        case content(RequestHead, ContentLengthKind)
        case working(RequestHead, @Sendable () async -> Response)
        case sending(OutgoingResponse)
        /// Its answer is sent, and the connection goes on.
        case answered
    }

    /// Answers requests, from the stage that the first has come to, until there is nothing to read.
    private func serve(from first: Stage) async {
        let ending: Ending
        do throws(Ending) {
            var stage = first
            while true {
                switch stage {
                case .head:
                    began = loop.now
                    guard let (head, content) = try await receiveHead() else { return park() }
                    stage = .content(head, content)
                case .content(let head, let content):
                    let body = try await receiveContent(content, of: head)
                    stage = try ask(head, body)
                case .working(let head, let work):
                    stage = .sending(try outgoing(await work(), to: head))
                case .sending(let outgoing):
                    guard try await send(outgoing) else { throw last(outgoing) }
                    stage = .answered
                case .answered:
                    // Others first, where the peer has sent its next request already.
                    isFollowing = hasMore
                    if isFollowing { await loop.letOthersGoFirst() }
                    stage = .head
                }
            }
        } catch {
            ending = error
        }
        await finish(ending)
    }

    /// Answers what has come to an idle connection on the spot, as far as nothing has to be waited for; a task goes on from there.
    private func unpark() {
        waiting = .nothing
        group.idle.remove(descriptor)
        var stage = Stage.head
        isFollowing = false
        began = loop.now
        do throws(Ending) {
            // What is to end, ends in a task: nothing may be closed here (`EventLoop.unwatchAndClose`).
            if !isBroken, !group.isDraining, let (head, content) = try headAtHand() {
                stage = content == .none ? try ask(head, try noContent()) : .content(head, content)
            }
            if case .sending(var outgoing) = stage {
                if try sendAtOnce(&outgoing) {
                    guard outgoing.persists else { throw last(outgoing) }
                    if !hasMore, !isBroken { return rest() }
                    stage = .answered
                } else {
                    stage = .sending(outgoing)
                }
            }
        } catch {
            Task(executorPreference: loop) { [self] in await finish(error) }
            return
        }
        Task(executorPreference: loop) { [self, stage] in await serve(from: stage) }
    }

    /// What the program says to a request that has come whole.
    private func ask(_ head: RequestHead, _ body: Body) throws(Ending) -> Stage {
        requests += 1
        var request = Request(head: head, body: body, peer: peer.text)
        request.isFollowing = isFollowing
        switch group.service.answer(to: request) {
        case .now(let response): return .sending(try outgoing(response, to: head))
        case .later(let work): return .working(head, work)
        }
    }

    /// True where the peer has sent its next request, or its end, already.
    private var hasMore: Bool { canRead || !parser.isIdle }

    /// The end after a last answer.
    private func last(_ answer: OutgoingResponse) -> Ending {
        .finished(unread: hasMore || answer.head.map(Persistence.continues) ?? false)
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
            began = loop.now
            _ = try await send(try outgoing(response, to: nil))
            await linger()
        } catch {
            // Nothing is left to be said.
        }
    }

    // MARK: Idle

    /// Goes idle: the task ends, the object stays.
    func park() {
        if group.isDraining || isBroken { return group.close(self) }
        rest()
        // Something may have come between the last look and now.
        if canRead { unpark() }
    }

    private func rest() {
        waiting = .idle
        parser.releaseBuffer()
        loop.setDeadline(descriptor, loop.now &+ group.idleNanoseconds)
        group.idle.append(descriptor)
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

    /// Has an idle connection ask its socket: a request may have come that the loop has not been told of.
    func lookAgain() {
        canRead = true
        unpark()
    }

    /// The server stops: an idle connection has a last look at its socket and closes, a silent stream ends soon.
    func drain() {
        switch waiting {
        case .idle: lookAgain()
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
