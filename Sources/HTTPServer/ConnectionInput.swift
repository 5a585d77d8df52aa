// The reading half of a connection: bytes from the socket into the parser, a head, its content, and the reading on after a last answer.

import CLinux
import Glibc
import HTTP

extension Connection {
    /// What one look at the socket gave.
    private enum Reading { case bytes(Int), nothing, end }

    /// The next head, or nil where no byte of one has come.
    func receiveHead() async throws(Ending) -> (RequestHead, ContentLengthKind)? {
        let end = loop.now &+ group.headNanoseconds
        while true {
            if case .head(let head, let content) = try nextEvent() { return (head, content) }
            switch try await read() {
            case .bytes: continue
            case .end: throw .lost
            case .nothing:
                if parser.isIdle { return nil }
                try await waitToRead(until: end)
            }
        }
    }

    /// The head that has come whole with the first bytes, or nil where there is more to wait for, or the end.
    func headAtHand() throws(Ending) -> (RequestHead, ContentLengthKind)? {
        // A peer that fills the buffer is a task's work, as is one that has ended.
        guard !hasPeerEnded, case .bytes = take(), !canRead else { return nil }
        return if case .head(let head, let content) = try nextEvent() { (head, content) } else { nil }
    }

    /// The end of a request that is its head.
    func noContent() throws(Ending) -> Body {
        _ = try nextEvent()
        return .bytes([])
    }

    /// The whole content: refused before anything is read where its length is known and over the limit, or the program has its answer.
    func receiveContent(_ kind: ContentLengthKind, of head: RequestHead) async throws(Ending) -> Body {
        if kind == .none { return try noContent() }
        let (service, peer) = (group.service, peer.text)
        let length: Int? = if case .length(let length) = kind { length } else { nil }
        let limit: Int
        switch service.contentTerms(for: head, from: peer, length: length, isAwaited: parser.expectsContinue) {
        case .limit(let bytes): limit = bytes
        case .answer(let answer): throw .declined(answer)
        }
        func declined(_ reason: ContentRefusal) -> Ending { .declined(service.declined(head, from: peer, reason)) }
        if let length, length > limit { throw declined(.tooLarge(limit: limit)) }
        if parser.expectsContinue { try await write(ResponseSerializer.continueHead) }
        var spool = ContentSpool(memoryLimit: options.contentInMemory, folder: options.spoolFolder)
        var pace = Pace(patience: options.contentTimeout, rate: options.minimumRate)
        while true {
            switch try nextEvent() {
            case .content(let piece):
                if spool.count + piece.count > limit { throw declined(.tooLarge(limit: limit)) }
                do { try spool.append(piece) } catch { throw declined(.noRoom) }
            case .end: return spool.body()
            case .head: preconditionFailure("the parser gives no head before the end of the request")
            case nil:
                switch try await read() {
                case .bytes(let count): pace.gained(count, at: loop.now)
                case .end: throw .lost
                case .nothing: try await waitToRead(until: pace.wait(from: loop.now))
                }
            }
        }
    }

    private func nextEvent() throws(Ending) -> RequestParser.Event? {
        do { return try parser.next() } catch { throw .refused(error) }
    }

    /// One look at the socket, for a task. A half request at the end of the peer's side is an error.
    private func read() async throws(Ending) -> Reading {
        let reading = take()
        switch reading {
        case .bytes(let count):
            // A peer that fills the buffer each time must not keep the others waiting.
            if count == loop.buffer.count { await loop.letOthersGoFirst() }
        case .nothing: break
        case .end:
            do { try parser.end() } catch { throw .refused(error) }
        }
        return reading
    }

    /// True where the socket has bytes.
    var hasUnread: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) > 0
    }

    /// One look at the socket: what is there goes to the parser.
    private func take() -> Reading {
        let reading = look()
        if case .bytes(let count) = reading {
            parser.append(UnsafeRawBufferPointer(rebasing: loop.buffer[..<count]))
            group.counters.bytesReceived.count(count)
        }
        return reading
    }

    /// One look at the socket, into the loop's buffer.
    private func look() -> Reading {
        guard canRead else { return .nothing }
        let count = recv(descriptor, loop.buffer.baseAddress, loop.buffer.count, 0)
        if count > 0 {
            // Less than asked for means that the socket is empty, but for an end that was already announced.
            canRead = count == loop.buffer.count || hasPeerEnded
            return .bytes(count)
        }
        if count < 0 {
            if errno == EINTR { return look() }
            if errno == EAGAIN {
                canRead = false
                return .nothing
            }
            isBroken = true
        }
        hasPeerEnded = true
        return .end
    }

    /// Ends our side and drops what the peer still sends, until it ends its own or is silent for a while: closing at once would make
    /// the system reset the connection, and the peer could lose the answer (RFC 9112 section 9.6).
    func linger() async {
        shutdown(descriptor, Int32(SHUT_WR))
        let end = loop.now &+ options.contentTimeout.nanoseconds
        while loop.now < end {
            switch look() {
            case .bytes(let count): if count == loop.buffer.count { await loop.letOthersGoFirst() }
            case .end: return
            case .nothing:
                let silenceEnd = loop.now &+ options.lingerTimeout.nanoseconds
                do { try await waitToRead(until: min(end, silenceEnd)) } catch { return }
            }
        }
    }
}
