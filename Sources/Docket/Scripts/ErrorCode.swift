// The stable codes of errors, all of them: scripts branch on them, the help page and /openapi.json list them.

import HTTP

/// What went wrong, for programs: `{"error": {"code": …}}`.
enum ErrorCode: String, CaseIterable, Sendable {
    case badRequest = "bad_request"
    case invalid
    case signInFirst = "sign_in_first"
    case badToken = "bad_token"
    case signInFailed = "sign_in_failed"
    case scopeTooNarrow = "scope_too_narrow"
    case forbidden
    case noAccount = "no_account"
    case foreignOrigin = "foreign_origin"
    case registrationClosed = "registration_closed"
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case notAcceptable = "not_acceptable"
    case conflict
    case preconditionFailed = "precondition_failed"
    case tooLarge = "too_large"
    case unsupportedContent = "unsupported_content"
    case tooManyAttempts = "too_many_attempts"
    case `internal`
    case busy
    case storageFull = "storage_full"

    /// The status that it comes with. `invalid` has 400 where parameters of an address are wrong: then nothing was sent to be kept.
    var status: Status {
        switch self {
        case .badRequest: Status(400)
        case .invalid: Status(422)
        case .signInFirst, .badToken, .signInFailed: Status(401)
        case .scopeTooNarrow, .forbidden, .noAccount, .foreignOrigin, .registrationClosed: Status(403)
        case .notFound: Status(404)
        case .methodNotAllowed: Status(405)
        case .notAcceptable: Status(406)
        case .conflict: Status(409)
        case .preconditionFailed: Status(412)
        case .tooLarge: Status(413)
        case .unsupportedContent: Status(415)
        case .tooManyAttempts: Status(429)
        case .internal: Status(500)
        case .busy: Status(503)
        case .storageFull: Status(507)
        }
    }

    /// The key of its texts, which end in `.title` and `.text`.
    var key: String {
        switch self {
        case .badRequest: "error.bad_request"
        case .invalid: "error.invalid"
        case .signInFirst, .badToken: "error.unauthorized"
        case .signInFailed: "error.sign_in_failed"
        case .scopeTooNarrow: "error.scope"
        case .forbidden: "error.forbidden"
        case .noAccount: "error.no_account"
        case .foreignOrigin: "error.origin"
        case .registrationClosed: "error.registration_closed"
        case .notFound: "error.not_found"
        case .methodNotAllowed: "error.method"
        case .notAcceptable: "error.not_acceptable"
        case .conflict: "error.conflict"
        case .preconditionFailed: "error.precondition"
        case .tooLarge: "error.too_large"
        case .unsupportedContent: "error.media_type"
        case .tooManyAttempts: "error.too_many"
        case .internal: "error.internal"
        case .busy: "error.busy"
        case .storageFull: "error.storage"
        }
    }
}
