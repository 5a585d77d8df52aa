// The ways in which Docket says no on purpose. One switch gives each its code; a new case does not compile without one.

import HTTP
import SQLite

/// A refusal: it becomes a page, a JSON error or one plain line, in our words and the person's language.
enum Refusal: Error, Equatable {
    /// There is no such page or thing of yours.
    case notFound
    /// The address exists, for other methods.
    case methodNotAllowed([HTTP.Method])
    /// The address has no answer in a form that was asked for; those that it has.
    case notAcceptable([Format])
    /// A page for people who are signed in.
    case signInFirst
    /// A bearer token that is wrong, revoked or over.
    case badToken
    /// A token whose scope does not reach that far.
    case scopeTooNarrow
    /// For administrators only.
    case forbidden
    /// A proxy names someone who has no open account here.
    case noAccount(String)
    /// A form that another site sent; the origin that it named.
    case foreignOrigin(String)
    /// Signing up is not open.
    case registrationClosed
    /// Wrong name or password.
    case signInFailed
    /// Too many failures: seconds to wait.
    case tooManyAttempts(seconds: Int)
    /// The request makes no sense: a key of the strings files, and what it was about.
    case badRequest(String)
    /// The content is of a type that cannot be read here.
    case unsupportedContent
    /// The content is compressed, or coded in another way.
    case unsupportedCoding
    /// The content is text in other bytes than UTF-8.
    case unsupportedCharset
    /// Something else came first: a key of the strings files.
    case conflict(String)
    /// What was asked for is no longer as the condition of the request has it.
    case preconditionFailed
    /// The database is busy or its disk has trouble; nothing was changed.
    case busy
    /// The disk is full; nothing was changed.
    case storageFull

    /// The stable code for scripts, which has the status and the texts.
    var code: ErrorCode {
        switch self {
        case .notFound: .notFound
        case .methodNotAllowed: .methodNotAllowed
        case .notAcceptable: .notAcceptable
        case .signInFirst: .signInFirst
        case .badToken: .badToken
        case .scopeTooNarrow: .scopeTooNarrow
        case .forbidden: .forbidden
        case .noAccount: .noAccount
        case .foreignOrigin: .foreignOrigin
        case .registrationClosed: .registrationClosed
        case .signInFailed: .signInFailed
        case .tooManyAttempts: .tooManyAttempts
        case .badRequest: .badRequest
        case .unsupportedContent, .unsupportedCoding, .unsupportedCharset: .unsupportedContent
        case .conflict: .conflict
        case .preconditionFailed: .preconditionFailed
        case .busy: .busy
        case .storageFull: .storageFull
        }
    }

    var status: Status { code.status }

    /// Seconds after which trying again makes sense.
    var retryAfter: Int? {
        switch self {
        case .busy, .storageFull: 5
        case .tooManyAttempts(let seconds): seconds
        default: nil
        }
    }
}

extension Refusal {
    /// What a trouble with the disk or the database comes to, wherever it was met; nil for every other error.
    init?(ofStorage error: any Error) {
        switch error {
        case let refusal as Refusal where [.busy, .storageFull].contains(refusal): self = refusal
        case let error as DatabaseError where error.isFull: self = .storageFull
        case let failure as CommandFailure where failure.isStorageFull: self = .storageFull
        case let error as DatabaseError where error.isBusy || error.isReadOnly || error.isIOError || error.cannotOpen:
            self = .busy
        default: return nil
        }
    }
}

extension FormFields {
    /// Refuses a field that stands there twice: which one counts would be a guess.
    func checkSingle() throws(FormErrors) {
        var errors = FormErrors()
        errors.addDoubled(self)
        try errors.check()
    }

    /// Refuses more than one of these, of which each asks for something else.
    func checkAtMostOne(of names: [String]) throws(FormErrors) {
        let found = names.filter { first($0) != nil }
        guard found.count > 1 else { return }
        throw FormErrors(found[1], "problem.exclusive", [("field", found[0]), ("other", found[1])])
    }
}

/// What is wrong with a form, by field, as keys of the strings files with their values. Empty fields are right.
struct FormErrors: Error {
    struct Message {
        let key: String
        let values: [(String, String)]
    }

    private(set) var fields: [(name: String, message: Message)] = []

    init() {}

    /// One mistake.
    init(_ field: String, _ key: String, _ values: [(String, String)] = []) {
        add(field, key, values)
    }

    /// More than this many nobody reads, and a form of a hundred thousand wrong names must not cost what it weighs.
    private static let limit = 100

    mutating func add(_ field: String, _ key: String, _ values: [(String, String)] = []) {
        if fields.count < Self.limit { fields.append((field, Message(key: key, values: values))) }
    }

    /// A field that is not known at all: its name is a stranger's text, of which a beginning is enough.
    mutating func add(unknown name: String) {
        let short = Self.shortened(name)
        add(short, "problem.json.unknown", [("value", short)])
    }

    /// Fields that came more than once, though they have one value.
    mutating func addDoubled(_ form: some Sequence<FormFields.Field>) {
        var seen: Set<String> = []
        for field in form where !Operation.repeatedFields.contains(field.name) && !seen.insert(field.name).inserted {
            let short = Self.shortened(field.name)
            let isTold = fields.contains { $0.name == short && $0.message.key == "problem.doubled" }
            if !isTold { add(short, "problem.doubled", [("field", short)]) }
        }
    }

    private static func shortened(_ name: String) -> String {
        let scalars = name.unicodeScalars
        return scalars.count <= 100 ? name : String(String.UnicodeScalarView(scalars.prefix(100))) + "…"
    }

    mutating func add(_ others: FormErrors) {
        for field in others.fields { add(field.name, field.message.key, field.message.values) }
    }

    /// Throws itself where something is wrong.
    func check() throws(FormErrors) {
        if !fields.isEmpty { throw self }
    }

    func text(_ field: String, _ strings: Strings) -> String? {
        fields.first { $0.name == field }.map { strings($0.message.key, $0.message.values) }
    }
}
