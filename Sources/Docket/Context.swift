// What a handler is given besides the session: the request, its form, the database connection of its thread, the time, the language.

import HTTP
public import SQLite

/// Makes changes from a thread that is not the writer's: the body runs in the writer's next transaction, and the call returns when
/// that is on disk.
public protocol Writing: Sendable {
    /// Runs the body with the writing connection; throws what it throws, or the trouble with the disk.
    func perform(_ body: @escaping @Sendable (Connection) throws -> Void) throws
    /// The same without waiting, for what may be lost: that something was seen.
    func note(_ body: @escaping @Sendable (Connection) throws -> Void)
    /// True where someone waits to write: a long change should end here and go on later.
    var isAwaited: Bool { get }
}

extension Writing {
    /// Waits all the same, where waiting costs nothing.
    public func note(_ body: @escaping @Sendable (Connection) throws -> Void) { try? perform(body) }
    /// Never, where changes are short.
    public var isAwaited: Bool { false }
}

extension Writing {
    /// Runs a change and gives its result.
    func result<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) throws -> Result {
        let box = Box<Result>()
        try perform { box.value = try body($0) }
        guard let value = box.value else { throw Refusal.busy }
        return value
    }
}

/// Carries a result out of the writer's thread. Right because `perform` has returned before it is read.
private final class Box<Value>: @unchecked Sendable {
    var value: Value?
}

/// One request on its way through the application. It lives on one thread, for one answer.
struct Context {
    let app: App
    let request: Request
    /// The varying segments of the path.
    let parameters: [String]
    /// The parameters behind the `?`.
    var query = FormFields()
    /// The fields of the form that was sent, empty for reading methods.
    var form = FormFields()
    /// The parts of a `multipart/form-data` form, files among them.
    var multipart: MultipartForm?
    /// The connection of this thread: reading only, or the writer's within its transaction.
    private(set) var database: Connection
    /// The name of this request, in the log and on the page of an error.
    let id: String
    let writer: any Writing
    /// Reads later, for an answer that is made while it is sent.
    let reader: any Reading
    /// True on the writer's thread, inside its transaction.
    private(set) var isWriting: Bool
    /// The time of this request, read once.
    let now: Instant
    let origin: Origin
    /// What the browser brings, read once.
    let cookies: Cookies
    /// The form in which the answer is wanted.
    var format = Format.html
    /// The person's language, or the browser's.
    var language: Language
    /// How the zone of the request's person reads the clock; that of the configuration for strangers.
    var zone: Zone

    var strings: Strings { app.strings(language) }

    /// Runs a change on the writer's thread from a handler on the hashing lane.
    func write<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) throws -> Result {
        try writer.result(body)
    }

    /// Runs the part of a handler that changes something as the writer's lane would, with the receipt of its form.
    func writing(_ session: Session, _ body: @escaping @Sendable (Context) throws -> Response) throws -> Response {
        if isWriting { return try body(self) }
        let mine = Lent(self)
        return try write { database in
            var context = mine.context
            (context.database, context.isWriting) = (database, true)
            return try context.once(session) { try body(context) }
        }
    }

    /// The same from whatever lane a request runs on. A reader begins to read anew, so that it sees the change.
    func change<Result: Sendable>(_ body: @escaping @Sendable (Connection) throws -> Result) throws -> Result {
        if isWriting { return try database.savepoint { try body(database) } }
        guard database.isInTransaction else { return try write(body) }
        try database.rollback()
        defer { try? database.begin(.deferred) }
        return try write(body)
    }

    /// The varying segment as a task's identifier; what is none is simply not found.
    func taskID() throws(Refusal) -> TaskID {
        guard let text = parameters.first, let id = TaskID(text) else { throw .notFound }
        return id
    }

    /// The varying segment as a number.
    func numberID() throws(Refusal) -> Int {
        guard let text = parameters.first, let id = Int(digits: text.utf8) else { throw .notFound }
        return id
    }
}

/// Lends a context to the writer's thread. Right because its own thread waits meanwhile, and its connection is replaced before any use.
private final class Lent: @unchecked Sendable {
    let context: Context
    init(_ context: Context) { self.context = context }
}

/// The forms of an answer. Every address has the first three; tasks come in all of them.
enum Format: String, CaseIterable, Sendable {
    case html, json, text, csv, ics, spreadsheet, todotxt

    static let ofPages: [Format] = [.html, .json, .text]

    /// Nil for those that only their name asks for.
    var mediaType: String? {
        switch self {
        case .html: "text/html"
        case .json: "application/json"
        case .text: "text/plain"
        case .csv: "text/csv"
        case .ics: "text/calendar"
        case .spreadsheet, .todotxt: nil
        }
    }

    /// The form of a file of tasks that it is; JSON is one too where a whole file is asked for.
    var file: ExportFormat? {
        switch self {
        case .html, .text: nil
        case .json: .json
        case .csv: .csv
        case .ics: .ics
        case .spreadsheet: .spreadsheet
        case .todotxt: .todotxt
        }
    }
}

extension Language {
    /// The first of our languages that a browser accepts.
    init?(accepted: String?) {
        guard let accepted, let name = AcceptLanguage(accepted).preferred(among: Self.allCases.map(\.rawValue)) else {
            return nil
        }
        self.init(rawValue: name)
    }
}

extension FormFields {
    /// Pairs as a query string.
    static func encode(_ pairs: [(String, String)]) -> String {
        var fields = FormFields()
        for (name, value) in pairs { fields.append(name, value) }
        return fields.encoded
    }
}

extension Zone {
    /// A zone by its stored name; UTC where the machine has it no more, which `docket check` tells (FAULTS D23).
    init(orUTC name: String) { self = ZoneDatabase.system.zoneOrUTC(named: name) }
}

extension Instant {
    /// Whole days of 24 hours: for lifetimes, never for calendar days.
    func adding(days: Int) -> Instant { adding(seconds: days * 86_400) }
}
