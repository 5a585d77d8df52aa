// Any table as a source of tasks: Docket's own CSV in both forms, a spreadsheet's, another program's. Which column is what, is read off the
// header (or guessed where there is none), shown by the dry run, and chosen otherwise by the person.

/// Reads a CSV file.
struct CSVFile: ImportSource {
    private let shape: CSVShape
    private let columns: CSVColumns
    private let survey: Survey
    let findings: ImportFindings
    let categories: [ImportedCategory]

    var recordCount: Int { survey.count }

    init(_ file: ByteFile, _ options: ImportOptions) throws {
        shape = try CSVShape(file, options)
        guard !shape.sample.isEmpty else {
            // Perhaps its first record is one that is never kept: reading it tells.
            try shape.forEach(behind: nil) { record in
                if record.problem != nil {
                    throw ImportFailure(.wideTable, ["line": String(record.line), "limit": String(CSVReader.columnLimit)])
                }
            }
            throw ImportFailure(.noTasks, ["file": file.name])
        }
        columns = try CSVColumns(shape, options)
        survey = try Survey(shape, columns)
        var findings = ImportFindings(format: .csv, encoding: shape.encoding)
        findings.delimiter = shape.delimiter
        findings.hasHeader = columns.hasHeader
        findings.dateOrder = survey.hasOrderedDates ? options.dateOrder ?? survey.order : nil
        findings.columns = columns.described(shape.sample)
        self.findings = findings
        order = options.dateOrder ?? survey.order
        isOrderChosen = options.dateOrder != nil
        let isCategory = shape.isOwn && options.columns == nil
        categories = isCategory ? survey.categories.map { ImportedCategory(key: $0) } : []
    }

    private let order: DateOrder
    private let isOrderChosen: Bool

    func read(_ context: ImportContext, _ report: inout ImportReport, _ body: (ImportedTask, inout ImportReport) throws -> Void)
        throws
    {
        if shape.encoding != .utf8 { report.warn(0, .encoding, ["encoding": shape.encoding.rawValue]) }
        if !columns.hasHeader { report.warn(0, .headless) }
        if let guess = columns.titleGuess { report.warn(0, .titleGuess, ["column": guess]) }
        if let example = survey.doubtfulDate, !isOrderChosen {
            report.warn(0, order == .day ? .dayFirst : .monthFirst, ["value": ImportReason.excerpt(example)])
        }
        let row = CSVRow(
            columns: columns, order: order, context: context, digitsAreOurs: survey.digitsAreOurs,
            isOwn: shape.isOwn, isSpreadsheet: shape.isOwn && shape.hasMark)
        let identities = RunningCount()
        try shape.forEach(behind: columns.hasHeader ? 0 : nil) { record in
            if let problem = record.problem { return report.skip(record.line, problem, ["limit": String(CSVReader.columnLimit)]) }
            if record.isDamaged || shape.encoding != .utf8 && record.holdsReplacement {
                report.warn(record.line, .damaged, ["encoding": shape.encoding.rawValue])
            }
            try body(try row.task(record, &report, identities), &report)
        }
    }

    /// What a first walk through the whole file tells: what one row alone can't.
    private struct Survey {
        private(set) var count = 0
        /// Keys of categories, as far as they may be such.
        private(set) var categories: [String] = []
        /// A date that can be read in both orders, where no other one decides.
        private(set) var doubtfulDate: String?
        private(set) var hasOrderedDates = false
        private(set) var order = DateOrder.day
        /// True where priorities that are numbers are 0, 1 and 2.
        private(set) var digitsAreOurs = true

        init(_ shape: CSVShape, _ columns: CSVColumns) throws {
            var (dayVotes, monthVotes) = (0, 0)
            let dates = [ColumnField.due, .created, .updated, .completed, .status].compactMap(columns.map.column)
            let (priority, category) = (columns.map.column(.priority), columns.map.column(.category))
            try shape.forEach(behind: columns.hasHeader ? 0 : nil) { record in
                if record.problem != nil { return }
                count += 1
                for column in dates {
                    let bytes = record.bytes(column)
                    guard 6...40 ~= bytes.count, !bytes.dropFirst(4).starts(with: [0x2D]),
                        let orders = ForeignDate.orders(record[column])
                    else { continue }
                    hasOrderedDates = true
                    if orders == [.day] { dayVotes += 1 } else if orders == [.month] { monthVotes += 1 }
                    if orders.count == 2 {
                        if doubtfulDate == nil { doubtfulDate = record[column] }
                        // Half days of twelve hours go with months first.
                        if bytes.last.map({ $0 | 0x20 == 0x6D }) == true { order = .month }
                    }
                }
                if let priority, let number = Int(digits: record.bytes(priority)), number > 2 { digitsAreOurs = false }
                if let category, categories.count < 100, shape.isOwn {
                    let key = record[category]
                    if !categories.contains(key), CategoryKey.isOne(key) { categories.append(key) }
                }
            }
            if dayVotes + monthVotes > 0 {
                order = monthVotes > dayVotes ? .month : .day
                doubtfulDate = nil
            }
        }

    }
}
