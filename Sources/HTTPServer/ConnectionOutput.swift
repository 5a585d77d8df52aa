// The writing half of a connection: head and content in one call to the system, the rest as the socket drains, streams piece by piece.

import CLinux
import Glibc
import HTTP

extension Connection {
    /// Sends an answer and reports it; true where the connection goes on. `head` is nil where no request could be read.
    func send(_ response: Response, to head: RequestHead?, since begin: UInt64) async throws(Ending) -> Bool {
        var response = response
        let goesOn = !group.isDraining && requests < options.requestsPerConnection
        var bytes = group.takeHeadBuffer()
        defer { group.giveBack(&bytes) }
        let written: ResponseSerializer.Written
        do {
            written = try ResponseSerializer.appendHead(
                of: response, to: head, persists: goesOn, now: Clock.wallSeconds(), into: &bytes)
        } catch {
            // Nothing of such an answer is sent.
            defect = error.reason
            if case .stream(let stream) = response.content { stream.cancel() }
            let trace = response.trace
            response = Response(Status(500))
            response.trace = trace
            guard
                let other = try? ResponseSerializer.appendHead(
                    of: response, to: head, persists: false, now: Clock.wallSeconds(), into: &bytes)
            else { throw .lost }
            written = other
        }
        var sent = 0
        var isComplete = false
        defer { report(response, to: head, sent: sent, since: begin, isComplete: isComplete) }
        switch response.content {
        case .bytes(var content):
            if written.framing == .none { content = [] }
            // Little is copied faster than the system takes two pieces.
            if content.count <= 1_024 {
                bytes += content
                content = []
            }
            try await write(bytes, content, counting: &sent)
        case .stream(let stream):
            try await write(bytes, counting: &sent, orCancel: stream)
            try await send(stream, written.framing, &bytes, counting: &sent)
        }
        isComplete = true
        return written.persists
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

    private func write(_ bytes: [UInt8], counting sent: inout Int, orCancel stream: any ContentStream) async throws(Ending) {
        do { try await write(bytes, counting: &sent) } catch {
            stream.cancel()
            throw error
        }
    }

    /// Writes bytes that belong to no report.
    func write(_ bytes: [UInt8]) async throws(Ending) {
        var sent = 0
        try await write(bytes, counting: &sent)
    }

    /// Writes both arrays, waiting for the peer as long as it keeps the minimum rate.
    private func write(_ first: [UInt8], _ second: [UInt8] = [], counting sent: inout Int) async throws(Ending) {
        let total = first.count + second.count
        var offset = 0
        var pace: Pace?
        while offset < total {
            let count = sendOnce(first, second, from: offset)
            if count > 0 {
                offset += count
                sent += count
                group.counters.bytesSent.count(count)
                pace?.gained(count, at: loop.now)
                continue
            }
            guard errno == EAGAIN else { throw .lost }
            canWrite = false
            var waiting = pace ?? Pace(patience: options.writeTimeout, rate: options.minimumRate)
            let end = waiting.wait(from: loop.now)
            pace = waiting
            do { try await waitToWrite(until: end) } catch {
                if !isBroken { group.counters.timeouts.count() }
                throw .lost
            }
        }
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

    private func report(_ response: Response, to head: RequestHead?, sent: Int, since begin: UInt64, isComplete: Bool) {
        group.counters.requests.count()
        group.service.finished(
            RequestReport(
                head: head, peer: peer.text, status: response.status, bytesSent: sent,
                nanoseconds: Clock.monotonic() &- begin, isComplete: isComplete, trace: response.trace, defect: defect))
        defect = nil
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// For the system's calls, which take pointers to mutable memory but only read it when they send.
    fileprivate var start: UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(mutating: UnsafeRawBufferPointer(rebasing: self).baseAddress)
    }
}
