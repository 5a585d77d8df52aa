// The writing half of a connection: head and content in one call to the system, the rest as the socket drains, streams piece by piece.

import CLinux
import Glibc
import HTTP

/// An answer on its way.
struct OutgoingResponse {
    /// What it answers; nil where no request could be read.
    let head: RequestHead?
    fileprivate let response: Response
    fileprivate let framing: ResponseSerializer.Framing
    /// False where the connection ends after it.
    let persists: Bool
    /// The head, and a content that is short.
    fileprivate var bytes: [UInt8]
    /// A content that is not.
    fileprivate let content: [UInt8]
    /// How much the system has taken.
    fileprivate var sent = 0
}

extension Connection {
    /// An answer in bytes; the server's own where the program's can't be sent.
    func outgoing(_ response: Response, to head: RequestHead?) throws(Ending) -> OutgoingResponse {
        var response = response
        var persists = !group.isDraining && requests < options.requestsPerConnection
        var bytes = group.takeHeadBuffer()
        while true {
            do {
                let written = try ResponseSerializer.appendHead(
                    of: response, to: head, persists: persists, now: Clock.wallSeconds(), into: &bytes)
                var content: [UInt8] = []
                if case .bytes(let whole) = response.content, written.framing != .none {
                    // Little is copied faster than the system takes two pieces.
                    if whole.count <= 1_024 { bytes += whole } else { content = whole }
                }
                return OutgoingResponse(
                    head: head, response: response, framing: written.framing, persists: written.persists, bytes: bytes,
                    content: content)
            } catch {
                // Nothing of such an answer is sent.
                guard defect == nil else { throw .lost }
                defect = error.reason
                if case .stream(let stream) = response.content { stream.cancel() }
                let trace = response.trace
                response = Response(Status(500))
                response.trace = trace
                persists = false
            }
        }
    }

    /// Sends an answer and reports it; true where the connection goes on.
    func send(_ answer: OutgoingResponse) async throws(Ending) -> Bool {
        var answer = answer
        var isComplete = false
        defer { report(&answer, isComplete: isComplete) }
        if case .stream(let stream) = answer.response.content {
            do { try await write(answer.bytes, counting: &answer.sent) } catch {
                stream.cancel()
                throw error
            }
            try await send(stream, answer.framing, &answer.bytes, counting: &answer.sent)
        } else {
            try await write(answer.bytes, answer.content, from: answer.sent, counting: &answer.sent)
        }
        isComplete = true
        return answer.persists
    }

    /// Sends an answer and reports it, where the system takes all of it at once; what it does not take is left to `send`, as a stream is.
    func sendAtOnce(_ answer: inout OutgoingResponse) throws(Ending) -> Bool {
        guard case .bytes = answer.response.content else { return false }
        do {
            guard try push(answer.bytes, answer.content, from: 0, counting: &answer.sent) else { return false }
        } catch {
            report(&answer, isComplete: false)
            throw error
        }
        report(&answer, isComplete: true)
        return true
    }

    /// Pulls a stream as the socket drains.
    private func send(
        _ stream: any ContentStream, _ framing: ResponseSerializer.Framing, _ bytes: inout [UInt8], counting sent: inout Int
    ) async throws(Ending) {
        guard framing != .none else { return stream.cancel() }
        defer { cancelStream() }
        while let piece = try await nextPiece(of: stream) {
            bytes.removeAll(keepingCapacity: true)
            if framing == .chunked { ResponseSerializer.appendChunk(piece, into: &bytes) } else { bytes = piece }
            try await write(bytes, counting: &sent)
        }
        guard framing == .chunked else { return }
        bytes.removeAll(keepingCapacity: true)
        ResponseSerializer.appendLastChunk(into: &bytes)
        try await write(bytes, counting: &sent)
    }

    /// Writes bytes that belong to no report.
    func write(_ bytes: [UInt8]) async throws(Ending) {
        var sent = 0
        try await write(bytes, counting: &sent)
    }

    /// Writes both arrays, but for what of them is sent, waiting for the peer as long as it keeps the minimum rate.
    private func write(
        _ first: [UInt8], _ second: [UInt8] = [], from begin: Int = 0, counting sent: inout Int
    ) async throws(Ending) {
        let before = sent - begin
        var pace: Pace?
        while true {
            let already = sent
            if try push(first, second, from: sent - before, counting: &sent) { return }
            pace?.gained(sent - already, at: loop.now)
            var waiting = pace ?? Pace(patience: options.writeTimeout, rate: options.minimumRate)
            let end = waiting.wait(from: loop.now)
            pace = waiting
            do { try await waitToWrite(until: end) } catch {
                if !isBroken { group.counters.timeouts.count() }
                throw .lost
            }
        }
    }

    /// Hands both arrays to the system as far as it takes them; true where that was all.
    private func push(
        _ first: [UInt8], _ second: [UInt8], from begin: Int, counting sent: inout Int
    ) throws(Ending) -> Bool {
        let total = first.count + second.count
        var offset = begin
        while offset < total {
            let count = sendOnce(first, second, from: offset)
            if count > 0 {
                offset += count
                sent += count
                group.counters.bytesSent.count(count)
                continue
            }
            guard errno == EAGAIN else { throw .lost }
            canWrite = false
            return false
        }
        return true
    }

    /// One system call; the count, or -1 with errno.
    private func sendOnce(_ first: [UInt8], _ second: [UInt8], from offset: Int) -> Int {
        guard canWrite else {
            errno = EAGAIN
            return -1
        }
        return first.withUnsafeBytes { first in
            second.withUnsafeBytes { second in
                let head = first.dropFirst(offset)
                let rest = second.dropFirst(max(0, offset - first.count))
                if rest.isEmpty { return Glibc.send(descriptor, head.start, head.count, Int32(MSG_NOSIGNAL)) }
                var parts = (
                    iovec(iov_base: head.start, iov_len: head.count), iovec(iov_base: rest.start, iov_len: rest.count)
                )
                return withUnsafeMutableBytes(of: &parts) { parts in
                    var message = msghdr()
                    message.msg_iov = parts.assumingMemoryBound(to: iovec.self).baseAddress
                    message.msg_iovlen = 2
                    return sendmsg(descriptor, &message, Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    private func report(_ answer: inout OutgoingResponse, isComplete: Bool) {
        group.counters.requests.count()
        group.service.finished(
            RequestReport(
                head: answer.head, peer: peer.text, status: answer.response.status, bytesSent: answer.sent,
                nanoseconds: Clock.monotonic() &- began, isComplete: isComplete, trace: answer.response.trace, defect: defect))
        defect = nil
        group.giveBack(&answer.bytes)
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// For the system's calls, which take pointers to mutable memory but only read it when they send.
    fileprivate var start: UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(mutating: UnsafeRawBufferPointer(rebasing: self).baseAddress)
    }
}
