// Bytes in, requests out (RFC 9112): knows no socket, no clock, no task. The same bytes give the same events however they are cut.
// Promises: order kept, pipelined requests stay buffered, an idle parser holds no buffer, work linear in the bytes.
// Refuses what the RFC calls invalid, by position, with one ParseError; after it the parser gives nothing else.

/// A parser for the requests of one connection. Feed it with `append`, then call `next()` until it returns nil.
public struct RequestParser: Sendable {
    /// How much a peer may send before its content.
    public struct Limits: Sendable {
        /// The longest request line, without its line end. Over it: 414.
        public var requestLineBytes: Int
        /// All field lines with their line ends, trailers included. Over it: 431.
        public var fieldSectionBytes: Int
        /// The most field lines, trailers included. Over it: 431.
        public var fieldCount: Int
        /// All chunk extensions of one request. Over it: 400.
        public var chunkExtensionBytes: Int

        /// Limits, with defaults that every browser stays far below.
        public init(
            requestLineBytes: Int = 8192, fieldSectionBytes: Int = 32768, fieldCount: Int = 100, chunkExtensionBytes: Int = 4096
        ) {
            self.requestLineBytes = requestLineBytes
            self.fieldSectionBytes = fieldSectionBytes
            self.fieldCount = fieldCount
            self.chunkExtensionBytes = chunkExtensionBytes
        }
    }

    /// What the bytes mean. Each request is one head, any number of contents, one end.
    public enum Event: Sendable, Equatable {
        /// A whole, valid head, and what it says of the content.
        case head(RequestHead, content: ContentLengthKind)
        /// A piece of content, not empty, cut as it came.
        case content([UInt8])
        /// The request is whole.
        case end
    }

    private enum State: Equatable {
        case requestLine, fields
        case content(remaining: Int)
        case chunkHeader, trailers
        case chunk(remaining: Int)
        case chunkEnd
        case complete
    }

    private let limits: Limits
    private var buffer: [UInt8] = []
    /// The first byte that is not consumed.
    private var start = 0
    /// No line feed stands before this offset, so that a line is searched once however slowly it comes.
    private var scanned = 0
    private var state = State.requestLine
    private var failure: ParseError?
    private var head = RequestHead(method: .get, path: "")
    private var emptyLines = 0
    private var fieldBytesLeft = 0
    private var fieldsLeft = 0
    private var extensionBytesLeft = 0
    private var awaitsContinue = false

    /// A parser at the start of a connection.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// How many bytes wait in the buffer.
    public var bufferedCount: Int { buffer.count - start }

    /// True where no byte of a next request has come: the connection may be closed without an answer.
    public var isIdle: Bool { state == .requestLine && bufferedCount == 0 && failure == nil }

    /// True where the client may be waiting for `100 Continue`: the head asked for it and no byte of the content has come.
    public var expectsContinue: Bool { awaitsContinue && bufferedCount == 0 }

    /// Takes bytes that have arrived. They are copied.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        makeRoom()
        buffer.append(contentsOf: bytes)
    }

    /// Takes bytes that have arrived.
    public mutating func append(_ bytes: some Collection<UInt8>) {
        makeRoom()
        buffer.append(contentsOf: bytes)
    }

    /// Drops what is consumed, once it is at least half: each byte is moved at most once on the average.
    private mutating func makeRoom() {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: true)
        } else if start > buffer.count / 2 {
            buffer.removeSubrange(..<start)
        } else {
            return
        }
        scanned = max(0, scanned - start)
        start = 0
    }

    /// Gives the buffer's memory back where it holds nothing; `next()` does so by itself between requests.
    public mutating func releaseBuffer() {
        guard bufferedCount == 0 else { return }
        buffer = []
        start = 0
        scanned = 0
    }

    /// The peer will send no more. Throws where that cuts a request off; between requests it is a clean end.
    public mutating func end() throws(ParseError) {
        if let failure { throw failure }
        guard !isIdle else { return }
        let error = ParseError(400, "The connection ended inside a request.")
        failure = error
        throw error
    }

    /// The next event, or nil where more bytes are wanted. Behind `.end` it goes on with the next request.
    public mutating func next() throws(ParseError) -> Event? {
        if let failure { throw failure }
        do {
            return try advance()
        } catch {
            failure = error
            throw error
        }
    }

    private mutating func advance() throws(ParseError) -> Event? {
        while true {
            switch state {
            case .requestLine:
                guard try takeRequestLine() else { return nil }
            case .fields:
                guard let isLast = try takeField(isTrailer: false) else { return nil }
                if isLast { return try finishHead() }
            case .content(0), .complete:
                state = .requestLine
                awaitsContinue = false
                return .end
            case .content(let remaining):
                guard let piece = takeContent(upTo: remaining) else { return nil }
                state = .content(remaining: remaining - piece.count)
                return .content(piece)
            case .chunkHeader:
                guard try takeChunkHeader() else { return nil }
            case .chunk(0):
                state = .chunkEnd
            case .chunk(let remaining):
                guard let piece = takeContent(upTo: remaining) else { return nil }
                state = .chunk(remaining: remaining - piece.count)
                return .content(piece)
            case .chunkEnd:
                guard try takeChunkEnd() else { return nil }
            case .trailers:
                guard let isLast = try takeField(isTrailer: true) else { return nil }
                if isLast { state = .complete }
            }
        }
    }

    /// The next line without its CRLF, nil where it is not whole yet. `limit` counts without CRLF.
    private mutating func takeLine(_ limit: Int, orElse tooLong: ParseError) throws(ParseError) -> Range<Int>? {
        guard let lineFeed = buffer.span.firstOffset(of: Ascii.lineFeed, from: scanned) else {
            scanned = buffer.count
            guard bufferedCount <= limit + 1 else { throw tooLong }
            return nil
        }
        guard lineFeed - start <= limit + 1 else { throw tooLong }
        guard lineFeed > start, buffer[lineFeed - 1] == Ascii.carriageReturn else {
            throw ParseError(400, "A line ends with LF instead of CRLF.")
        }
        let line = start..<(lineFeed - 1)
        start = lineFeed + 1
        scanned = start
        return line
    }

    private mutating func takeRequestLine() throws(ParseError) -> Bool {
        guard bufferedCount > 0 else {
            releaseBuffer()
            return false
        }
        // Tells a TLS handshake and other noise at its first byte, since no line end may ever come.
        guard Grammar.isToken(buffer[start]) || buffer[start] == Ascii.carriageReturn else {
            throw ParseError(400, "This is not an HTTP request.")
        }
        let tooLong = ParseError(414, "The request line is too long.")
        guard let line = try takeLine(limits.requestLineBytes, orElse: tooLong) else { return false }
        if line.isEmpty {
            // RFC 9112 section 2.2: old clients send an empty line behind a form.
            emptyLines += 1
            guard emptyLines <= 2 else { throw ParseError(400, "Too many empty lines stand before the request line.") }
            return true
        }
        head = try RequestLine.parse(buffer.span.extracting(line))
        head.fields.reserveCapacity(16)
        emptyLines = 0
        fieldBytesLeft = limits.fieldSectionBytes
        fieldsLeft = limits.fieldCount
        extensionBytesLeft = limits.chunkExtensionBytes
        state = .fields
        return true
    }

    /// Takes a line of a field section: true for the empty line behind the last, nil where more bytes are wanted.
    /// Trailers are checked and dropped: nothing here may depend on them (RFC 9110 section 6.5.1).
    private mutating func takeField(isTrailer: Bool) throws(ParseError) -> Bool? {
        let tooLong = ParseError(431, "The field section is too large.")
        guard let line = try takeLine(max(0, fieldBytesLeft - 2), orElse: tooLong) else { return nil }
        if line.isEmpty { return true }
        guard fieldsLeft > 0 else { throw ParseError(431, "There are too many fields.") }
        fieldsLeft -= 1
        fieldBytesLeft -= line.count + 2
        let field = try FieldLine.parse(buffer.span.extracting(line))
        if !isTrailer { head.fields.append(field) }
        return false
    }

    private mutating func finishHead() throws(ParseError) -> Event {
        let rules = try HeadRules(checking: &head)
        awaitsContinue = rules.expectsContinue
        switch rules.content {
        case .none: state = .complete
        case .length(let length): state = .content(remaining: length)
        case .chunked: state = .chunkHeader
        }
        let whole = head
        head = RequestHead(method: .get, path: "")
        return .head(whole, content: rules.content)
    }

    private mutating func takeContent(upTo remaining: Int) -> [UInt8]? {
        let count = min(remaining, bufferedCount)
        guard count > 0 else { return nil }
        awaitsContinue = false
        if start == 0, count == buffer.count {
            // All of it: hand the buffer over instead of copying it.
            let piece = buffer
            releaseAll()
            return piece
        }
        let piece = Array(buffer[start..<(start + count)])
        start += count
        scanned = start
        return piece
    }

    private mutating func releaseAll() {
        buffer = []
        start = 0
        scanned = 0
    }

    private mutating func takeChunkHeader() throws(ParseError) -> Bool {
        let tooLong = ParseError(400, "A chunk header is too long.")
        guard let line = try takeLine(ChunkHeader.sizeDigits + extensionBytesLeft, orElse: tooLong) else { return false }
        awaitsContinue = false
        let header = try ChunkHeader.parse(buffer.span.extracting(line))
        extensionBytesLeft -= header.extensionBytes
        guard extensionBytesLeft >= 0 else { throw tooLong }
        state = header.size == 0 ? .trailers : .chunk(remaining: header.size)
        return true
    }

    private mutating func takeChunkEnd() throws(ParseError) -> Bool {
        guard bufferedCount > 0 else { return false }
        let error = ParseError(400, "A chunk does not end where its size says.")
        guard buffer[start] == Ascii.carriageReturn else { throw error }
        guard bufferedCount > 1 else { return false }
        guard buffer[start + 1] == Ascii.lineFeed else { throw error }
        start += 2
        scanned = start
        state = .chunkHeader
        return true
    }
}
