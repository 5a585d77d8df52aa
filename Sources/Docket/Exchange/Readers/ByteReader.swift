// The text of a file as UTF-8, byte by byte, with the line it is at. It keeps one piece of the file, however long that is; marks of the
// byte order at the start are dropped.

/// Reads a file, or bytes that are in memory already.
struct ByteReader: ~Copyable {
    private let source: ByteFile.Stream?
    private var decoder: TextDecoder
    private var raw: [UInt8] = []
    private var buffer: [UInt8] = []
    private var index = 0
    private var hasEnded = false
    private var isAfterCR = false
    private var isAtStart = true
    private var before = 0
    private var lineStart = 0
    /// The line of the byte that comes next, counted from 1.
    private(set) var line = 1

    init(_ file: ByteFile, encoding: TextEncoding) throws {
        source = try file.stream()
        decoder = TextDecoder(encoding)
        raw = [UInt8](repeating: 0, count: 65_536)
    }

    /// Bytes that are UTF-8.
    init(bytes: [UInt8]) {
        (source, decoder, buffer, hasEnded) = (nil, TextDecoder(.utf8), bytes, true)
        if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
    }

    /// How many bytes of text came before the next one.
    var offset: Int { before + index }

    /// The next byte's place in its line, counted from 1.
    var column: Int { offset - lineStart + 1 }

    /// The next byte, not taken; nil at the end.
    mutating func peek() throws -> UInt8? {
        if index == buffer.count { try fill() }
        return index < buffer.count ? buffer[index] : nil
    }

    /// Takes the next byte; nil at the end.
    mutating func next() throws -> UInt8? {
        if index == buffer.count { try fill() }
        guard index < buffer.count else { return nil }
        let byte = buffer[index]
        index += 1
        if byte < 0x0E {
            if byte == 0x0D || byte == 0x0A && !isAfterCR { line += 1 }
            if byte == 0x0D || byte == 0x0A { lineStart = before + index }
            isAfterCR = byte == 0x0D
        } else {
            isAfterCR = false
        }
        return byte
    }

    /// Takes up to so many bytes.
    mutating func start(_ count: Int) throws -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count, let byte = try next() { result.append(byte) }
        return result
    }

    private mutating func fill() throws {
        while index == buffer.count, !hasEnded {
            before += buffer.count
            index = 0
            let count = try source?.read(into: &raw) ?? 0
            hasEnded = count == 0
            buffer = count == 0 ? decoder.end() : decoder.take(raw[..<count])
            if isAtStart, !buffer.isEmpty {
                isAtStart = false
                // Twice in files that two programs have marked.
                while buffer.starts(with: [0xEF, 0xBB, 0xBF]) { buffer.removeFirst(3) }
            }
        }
    }
}
