// The forms in which tasks leave Docket as a file, and what each of them wants to know besides the task.
// Every writer writes bytes straight from the row: an export of a hundred thousand tasks makes no string of any of them.

/// A form of a file of tasks.
public enum ExportFormat: String, Sendable, CaseIterable {
    /// RFC 4180, every value exact.
    case csv
    /// The same with a byte-order mark, and with cells that a spreadsheet could run made harmless.
    case spreadsheet
    /// Our own JSON, every value exact.
    case json
    /// iCalendar, tasks as VTODO.
    case ics
    /// One line a task.
    case todotxt

    /// Of the answer that holds it.
    var contentType: String {
        switch self {
        case .csv, .spreadsheet: "text/csv; charset=utf-8; header=present"
        case .json: "application/json"
        case .ics: "text/calendar; charset=utf-8"
        case .todotxt: "text/plain; charset=utf-8"
        }
    }

    /// What a file of it is called.
    func fileName(_ day: Day) -> String {
        switch self {
        case .csv: "docket-\(day).csv"
        case .spreadsheet: "docket-\(day)-spreadsheet.csv"
        case .json: "docket-\(day).json"
        case .ics: "docket-\(day).ics"
        case .todotxt: "todo.txt"
        }
    }

    /// All names, for messages.
    public static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    func writer(_ texts: CategoryTexts, _ zone: Zone) -> any TaskWriter {
        switch self {
        case .csv: CSVWriter(texts: texts, isForSpreadsheets: false)
        case .spreadsheet: CSVWriter(texts: texts, isForSpreadsheets: true)
        case .json: JSONWriter(texts: texts)
        case .ics: CalendarWriter(texts: texts)
        case .todotxt: TodoTxtWriter(texts: texts, zone: zone)
        }
    }
}

/// Writes tasks one after the other. What it writes depends on nothing but the tasks and what it was made with.
protocol TaskWriter: Sendable {
    /// What stands before the first task.
    func begin(_ output: inout [UInt8])
    func write(_ task: ExportedTask, isFirst: Bool, _ output: inout [UInt8])
    /// What stands behind the last one.
    func end(_ output: inout [UInt8])
}

/// The categories of a person as texts, found by their number.
struct CategoryTexts: Sendable {
    struct Entry: Sendable {
        let category: Category
        let key: [UInt8]
        let name: [UInt8]
    }

    let entries: [Entry]

    init(_ categories: [Category], _ language: Language) {
        entries = categories.map {
            Entry(category: $0, key: Array($0.key.utf8), name: Array(Self.name($0, language).utf8))
        }
    }

    func key(_ id: Int) -> [UInt8] { entries.first { $0.category.id == id }?.key ?? [] }
    func name(_ id: Int) -> [UInt8] { entries.first { $0.category.id == id }?.name ?? [] }

    /// The name that pages show, without their texts: a command has none.
    private static func name(_ category: Category, _ language: Language) -> String {
        if let name = category.ownName { return name }
        guard let place = Category.first.firstIndex(where: { $0.key == category.key }) else { return category.key }
        return standardNames(language)[place]
    }

    /// The names of the first categories, as the texts of the pages have them.
    static func standardNames(_ language: Language) -> [String] {
        switch language {
        case .english: ["Work", "Life", "Study", "Health"]
        case .chinese: ["工作", "生活", "学习", "健康"]
        }
    }
}
