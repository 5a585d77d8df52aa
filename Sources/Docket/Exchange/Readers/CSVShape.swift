// How a CSV file is written: its encoding, what parts its cells, whether a spreadsheet's `sep=;` stands in front, which line is the header,
// and whose table it is. Seen in its first 64 kB; the person's own choice goes before all of it.

/// The outer form of a table.
struct CSVShape {
    let encoding: TextEncoding
    let delimiter: Delimiter
    /// True where a mark of the byte order stands at its start.
    let hasMark: Bool
    /// The first records.
    let sample: [[String]]
    /// TickTick and Todoist have formats of their own; nil where the first line says nothing.
    let format: ImportFormat?
    /// Which record of the sample names the columns, where it is one that is known by heart.
    let header: Int?
    private let hasSeparatorLine: Bool
    private let file: ByteFile

    /// The header of our own CSV, exactly.
    static let ownHeader = [
        "id", "title", "content", "priority", "status", "category", "due", "pinned", "version", "created_at", "updated_at",
        "completed_at",
    ]
    private static let sampleCount = 20

    init(_ file: ByteFile, _ options: ImportOptions) throws {
        self.file = file
        let survey = try TextSurvey(file)
        guard options.encoding != nil || !survey.holdsNUL else { throw ImportFailure(.notText, ["file": file.name]) }
        encoding = options.encoding ?? survey.encoding
        hasMark = try file.start(3) == [0xEF, 0xBB, 0xBF]
        var source = try ByteReader(file, encoding: encoding)
        let bytes = try source.start(65_536)
        let line = Array(bytes.prefix { $0 != 0x0A && $0 != 0x0D })
        var told: Delimiter?
        if line.count == 5, line.prefix(4).map({ $0 | 0x20 }).elementsEqual("sep=".utf8.map { $0 | 0x20 }) {
            told = Delimiter(typed: String(decoding: line.suffix(1), as: UTF8.self))
        }
        hasSeparatorLine = told != nil
        let rest = told == nil ? bytes : Array(bytes.dropFirst(line.count))
        if let chosen = options.delimiter ?? told {
            (delimiter, sample) = (chosen, Self.records(rest, chosen))
        } else {
            let tries = Delimiter.allCases.map { (delimiter: $0, records: Self.records(rest, $0)) }
            let best = tries.max { Self.score($0.records) < Self.score($1.records) }
            (delimiter, sample) = (best?.delimiter ?? .comma, best?.records ?? [])
        }
        if let first = sample.first, first.contains("TYPE"), first.contains("CONTENT") {
            (format, header) = (.todoist, 0)
        } else if let row = sample.prefix(12).firstIndex(where: { $0.contains("List Name") && $0.contains("Title") }) {
            (format, header) = (.ticktick, row)
        } else {
            (format, header) = (nil, nil)
        }
    }

    /// True where the table is one that Docket has written.
    var isOwn: Bool { sample.first == Self.ownHeader }

    /// Reads the file from its first record on.
    private func reader() throws -> CSVReader {
        var source = try ByteReader(file, encoding: encoding)
        if hasSeparatorLine {
            while let byte = try source.peek(), byte != 0x0A, byte != 0x0D { _ = try source.next() }
        }
        return CSVReader(source, delimiter: delimiter)
    }

    /// Gives each record behind the header that is not blank, and each that is not kept. Counted as in the sample, which has none of those.
    func forEach(behind header: Int?, _ body: (CSVRecord) throws -> Void) throws {
        var reader = try reader()
        var (record, index) = (CSVRecord(), 0)
        let first = header.map { $0 + 1 } ?? 0
        while try reader.next(&record) {
            if index >= first || record.problem != nil, !record.isBlank { try body(record) }
            if record.problem == nil { index += 1 }
        }
    }

    /// The first records of bytes that may be cut anywhere.
    private static func records(_ bytes: [UInt8], _ delimiter: Delimiter) -> [[String]] {
        var reader = CSVReader(ByteReader(bytes: bytes), delimiter: delimiter)
        var record = CSVRecord()
        var result: [[String]] = []
        // What is cut off within a quoted cell is no mistake here.
        while result.count < sampleCount, (try? reader.next(&record)) == true {
            if record.problem == nil { result.append(record.cells) }
        }
        return result
    }

    /// How many records have the same number of cells, more than one; then how many cells.
    private static func score(_ records: [[String]]) -> Int {
        var counts: [Int: Int] = [:]
        for record in records where record.count > 1 { counts[record.count, default: 0] += 1 }
        return counts.map { $0.value * 10_000 + min($0.key, 1_000) }.max() ?? 0
    }
}
