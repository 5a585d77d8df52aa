// The ways in which Docket says no on purpose. One switch gives each its status; a new case does not compile without one.

import HTTP

/// A refusal: it becomes a page, a JSON error or one plain line, in our words and the person's language.
enum Refusal: Error, Equatable {
    /// There is no such page or thing of yours.
    case notFound
    /// The address exists, for other methods.
    case methodNotAllowed([HTTP.Method])
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
    /// Something else came first: a key of the strings files.
    case conflict(String)
    /// The database is busy or its disk has trouble; nothing was changed.
    case busy
    /// The disk is full; nothing was changed.
    case storageFull

    var status: Status {
        switch self {
        case .notFound: Status(404)
        case .methodNotAllowed: Status(405)
        case .signInFirst, .badToken, .signInFailed: Status(401)
        case .scopeTooNarrow, .forbidden, .noAccount, .foreignOrigin, .registrationClosed: Status(403)
        case .tooManyAttempts: Status(429)
        case .badRequest: Status(400)
        case .unsupportedContent: Status(415)
        case .conflict: Status(409)
        case .busy: Status(503)
        case .storageFull: Status(507)
        }
    }

    /// The key of its texts, which end in `.title` and `.text`.
    var key: String {
        switch self {
        case .notFound: "error.not_found"
        case .methodNotAllowed: "error.method"
        case .signInFirst, .badToken: "error.unauthorized"
        case .signInFailed: "error.sign_in_failed"
        case .scopeTooNarrow: "error.scope"
        case .forbidden: "error.forbidden"
        case .noAccount: "error.no_account"
        case .foreignOrigin: "error.origin"
        case .registrationClosed: "error.registration_closed"
        case .tooManyAttempts: "error.too_many"
        case .badRequest: "error.bad_request"
        case .unsupportedContent: "error.media_type"
        case .conflict: "error.conflict"
        case .busy: "error.busy"
        case .storageFull: "error.storage"
        }
    }

    /// The stable code for scripts.
    var code: String {
        switch self {
        case .notFound: "not_found"
        case .methodNotAllowed: "method_not_allowed"
        case .signInFirst: "sign_in_first"
        case .badToken: "bad_token"
        case .scopeTooNarrow: "scope_too_narrow"
        case .forbidden: "forbidden"
        case .noAccount: "no_account"
        case .foreignOrigin: "foreign_origin"
        case .registrationClosed: "registration_closed"
        case .signInFailed: "sign_in_failed"
        case .tooManyAttempts: "too_many_attempts"
        case .badRequest: "bad_request"
        case .unsupportedContent: "unsupported_content"
        case .conflict: "conflict"
        case .busy: "busy"
        case .storageFull: "storage_full"
        }
    }

    /// Seconds after which trying again makes sense.
    var retryAfter: Int? {
        switch self {
        case .busy, .storageFull: 5
        case .tooManyAttempts(let seconds): seconds
        default: nil
        }
    }
}

extension FormFields {
    /// Refuses a field that stands there twice: which one counts would be a guess.
    func checkSingle(_ names: [String]) throws(FormErrors) {
        for name in names where all(name).count > 1 { throw FormErrors(name, "problem.doubled", [("field", name)]) }
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

    mutating func add(_ field: String, _ key: String, _ values: [(String, String)] = []) {
        fields.append((field, Message(key: key, values: values)))
    }

    mutating func add(_ others: FormErrors) { fields += others.fields }

    /// Throws itself where something is wrong.
    func check() throws(FormErrors) {
        if !fields.isEmpty { throw self }
    }

    func text(_ field: String, _ strings: Strings) -> String? {
        fields.first { $0.name == field }.map { strings($0.message.key, $0.message.values) }
    }
}
