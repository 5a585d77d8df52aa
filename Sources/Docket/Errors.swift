// The one place that turns errors into answers: a page, JSON, or plain lines, in the form that was asked for and the person's language.

import HTTP
import Mustache
import SQLite

extension Context {
    /// The answer to an error.
    func answer(_ error: any Error, _ session: Session?) -> Response {
        var response: Response
        switch error {
        case let refusal as Refusal:
            response = refuse(refusal, session)
        case let error as ParseError:
            // What exactly it was is told in the words of the protocol, which are English.
            let text = format == .html && language != .english ? strings["error.bad_request.text"] : error.reason
            let code: ErrorCode = error.status.code == 413 ? .tooLarge : .badRequest
            response = problem(code, error.status, text: text, session)
            response.closesConnection = error.status.code == 413
        case let error as FormErrors:
            response = refuseForm(error, session)
        case let error where Refusal(ofStorage: error) == .storageFull:
            app.logger.event("storage_full", [("detail", String(describing: error))])
            response = refuse(.storageFull, session)
        case let error where Refusal(ofStorage: error) == .busy:
            app.logger.event("storage_trouble", [("detail", String(describing: error))])
            response = refuse(.busy, session)
        default:
            if let error = error as? DatabaseError, error.isCorrupt || error.isNotADatabase { app.disk.damaged() }
            app.logger.event("internal_error", [("request_id", id), ("detail", String(describing: error))])
            response = problem(.internal, text: strings["error.internal.text"], requestID: id, session)
        }
        return response
    }

    private func refuse(_ refusal: Refusal, _ session: Session?) -> Response {
        if refusal == .signInFirst, format == .html, !Bearer.isPresent(request.head) {
            return (try? signInFirst()) ?? text(strings["error.unauthorized.title"] + "\n", status: 401)
        }
        var values: [(String, String)] = []
        var key = refusal.code.key + ".text"
        switch refusal {
        case .registrationClosed where app.config.registration == .invite: key = "sign_in.invite"
        case .unsupportedCoding: key = "error.media_type.coding"
        case .unsupportedCharset: key = "error.media_type.charset"
        case .noAccount(let name): values = [("name", name)]
        case .foreignOrigin(let sender):
            values = [("origin", sender), ("ours", origin.text)]
        case .tooManyAttempts(let seconds): values = [("time", Throttle.text(seconds, strings))]
        case .methodNotAllowed: values = [("method", request.head.method.name)]
        case .notAcceptable(let formats): values = [("formats", formats.map(\.rawValue).joined(separator: ", "))]
        case .badRequest(let text), .conflict(let text): key = text
        default: break
        }
        var response = problem(refusal.code, text: strings(key, values), session)
        switch refusal {
        case .methodNotAllowed(let methods): response.fields[.allow] = methods.map(\.name).joined(separator: ", ")
        case .badToken: response.fields[.wwwAuthenticate] = "Bearer realm=\"Docket\", error=\"invalid_token\""
        case .signInFirst, .signInFailed: response.fields[.wwwAuthenticate] = "Bearer realm=\"Docket\""
        // RFC 9110 section 15.5.16: what would have been taken.
        case .unsupportedContent: response.fields[.accept] = FormType.allCases.map(\.rawValue).joined(separator: ", ")
        case .unsupportedCoding: response.fields[.acceptEncoding] = "identity"
        default: break
        }
        if let seconds = refusal.retryAfter { response.fields[.retryAfter] = String(seconds) }
        return response
    }

    /// An error in the form that was asked for.
    func problem(
        _ code: ErrorCode, _ status: Status? = nil, text: String, fields: [String: String]? = nil, requestID: String? = nil,
        _ session: Session?
    ) -> Response {
        let status = status ?? code.status
        switch format {
        case .html:
            let title = strings[code.key + ".title"]
            let (isUnsafe, way) = (!request.head.method.isSafe, wayOn(session))
            let view: Object = [
                "page_title": .text(title), "title": .text(title), "text": .text(text), "status": .text(String(status.code)),
                "safe_text": isUnsafe ? .text(strings["error.safe"]) : .null, "way_url": .text(way.path),
                "way_text": .text(strings[way.key]),
                "request_id": requestID.map { .text($0) } ?? .null,
            ]
            return (try? page("error", view, nil, status: status.code))
                ?? self.text(title + "\n" + text + "\n", status: status.code)
        default:
            return ErrorAnswer(code, status, text: text, fields: fields).response(format)
        }
    }

    /// Where an error's page leads on to: back to where a form was sent from, else to the list of what was asked for.
    private func wayOn(_ session: Session?) -> (path: String, key: String) {
        if let next = form.first("next").flatMap(ownPath) { return (next, "error.go_back") }
        guard session != nil else { return ("/", "error.home") }
        switch request.head.path.utf8.dropFirst().prefix(while: { $0 != UInt8(ascii: "/") }) {
        case let part where part.elementsEqual("filters".utf8): return ("/filters", "filter.back")
        case let part where part.elementsEqual("categories".utf8): return ("/categories", "category.back")
        case let part where part.elementsEqual("settings".utf8) || part.elementsEqual("admin".utf8):
            return ("/settings", "error.settings")
        default: return ("/tasks", "error.back")
        }
    }

    /// What could not be understood of an address.
    func refuse(_ problems: [TaskFilter.Problem], _ session: Session) -> Response {
        var errors = FormErrors()
        for problem in problems { errors.add(problem.field, problem.key, [("value", problem.value)]) }
        return refuseForm(errors, session, status: Status(400))
    }

    /// Mistakes of a form, each with its field.
    func refuseForm(_ errors: FormErrors, _ session: Session? = nil, status: Status? = nil) -> Response {
        var fields: [String: String] = [:]
        var texts: [String] = []
        for (name, _) in errors.fields where fields[name] == nil {
            guard let text = errors.text(name, strings) else { continue }
            fields[name] = text
            texts.append(text)
        }
        return problem(
            .invalid, status,
            text: format == .html && !texts.isEmpty ? texts.joined(separator: " ") : strings["error.invalid.text"],
            fields: fields, session)
    }
}

/// An error for a script: `{"error": {"code": …, "message": …, "fields": {…}}}`, or plain lines.
struct ErrorAnswer: Encodable {
    private struct Content: Encodable {
        let code: String
        let message: String
        let fields: [String: String]?
    }

    private let error: Content
    private let status: Status

    init(_ code: ErrorCode, _ status: Status? = nil, text: String, fields: [String: String]? = nil) {
        error = Content(code: code.rawValue, message: text, fields: fields)
        self.status = status ?? code.status
    }

    func response(_ format: Format) -> Response {
        if format == .json, let answer = try? Response.json(self, status: status.code) { return answer }
        let details = (error.fields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        return .text((details.isEmpty ? [error.message] : details).joined(separator: "\n") + "\n", status: status.code)
    }

    private enum CodingKeys: CodingKey { case error }
}
