// Records of a CSV file (RFC 4180, and what programs make of it): one at a time, LF, CRLF or CR behind each, quoted cells with line ends,
// signs of any delimiter and doubled quotes in them. A record beyond the limits is told instead of kept; a quote that is never closed ends
// the reading, with the line where it opened.

/// One record.
struct CSVRecord {
    /// The line where it begins.
    fileprivate(set) var line = 0
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// Why its cells are not here.
    fileprivate(set) var problem: ImportReason.Code?

    /// How many cells it has.
    var count: Int { ends.count }

    /// The bytes of a cell; none for one that is not there.
    func bytes(_ index: Int) -> ArraySlice<UInt8> {
        guard ends.indices.contains(index) else { return [] }
        return bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]]
    }

    /// A cell's text; what is no UTF-8 is shown as U+FFFD.
    subscript(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

    var cells: [String] { (0..<count).map { self[$0] } }

    /// True where all its cells are empty: spreadsheets write such rows behind the last one.
    var isBlank: Bool { problem == nil && bytes.allSatisfy { $0 <= 0x20 } }

    /// True where it holds bytes that are no text.
    var isDamaged: Bool { String(validating: bytes, as: UTF8.self) == nil }

    /// True where a character stands for what could not be read.
    var holdsReplacement: Bool {
        bytes.indices.contains { bytes[$0] == 0xEF && bytes[$0...].starts(with: [0xEF, 0xBF, 0xBD]) }
    }

    /// All of it, for an identity.
    var digest: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + ends.count)
        for index in 0..<count {
            text += bytes(index)
            text.append(0)
        }
        return text
    }

    fileprivate mutating func begin(line: Int) {
        self.line = line
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        problem = nil
    }

    fileprivate mutating func append(_ byte: UInt8) {
        guard problem == nil else { return }
        if bytes.count == ImportedText.byteLimit {
            problem = .tooLong
            bytes = []
        } else {
            bytes.append(byte)
        }
    }

    fileprivate mutating func endCell() {
        guard problem == nil else { return }
        if ends.count == CSVReader.columnLimit {
            problem = .tooManyCells
            bytes = []
            ends = []
        } else {
            ends.append(bytes.count)
        }
    }
}

/// Reads the records of a file.
struct CSVReader: ~Copyable {
    /// Cells of one record.
    static let columnLimit = 1_000

    private var source: ByteReader
    private let delimiter: UInt8

    init(_ source: consuming ByteReader, delimiter: Delimiter) {
        self.source = source
        self.delimiter = delimiter.byte
    }

    private enum State { case start, plain, quoted, closed }

    /// Reads the next record that is not an empty line; false at the end.
    mutating func next(_ record: inout CSVRecord) throws -> Bool {
        var state = State.start
        var quoteLine = 0
        record.begin(line: source.line)
        while let byte = try source.next() {
            if state == .quoted {
                guard byte == 0x22 else {
                    record.append(byte)
                    continue
                }
                if try source.peek() == 0x22 {
                    _ = try source.next()
                    record.append(byte)
                } else {
                    state = .closed
                }
            } else if byte == delimiter {
                record.endCell()
                state = .start
            } else if byte == 0x0A || byte == 0x0D {
                if byte == 0x0D, try source.peek() == 0x0A { _ = try source.next() }
                if state == .start, record.count == 0, record.problem == nil {
                    record.begin(line: source.line)
                    continue
                }
                record.endCell()
                return true
            } else if byte == 0x22, state == .start {
                state = .quoted
                quoteLine = source.line
            } else {
                record.append(byte)
                if state == .start { state = .plain }
            }
        }
        if state == .quoted { throw ImportFailure(.openQuote, ["line": String(quoteLine)]) }
        if state == .start, record.count == 0, record.problem == nil { return false }
        record.endCell()
        return true
    }
}
