// How a context answers: a page, a redirect, JSON, a line; and the one place that turns errors into answers and adds the
// fields that every answer carries.

import FoundationEssentials
import HTTP
import Mustache
import SQLite

extension Format {
    /// The form that a request asks for: `?format=`, else Accept; a token that accepts anything gets plain text.
    init(_ head: RequestHead, _ query: FormFields, hasToken: Bool, among formats: [Format]) throws {
        if let word = query.first("format"), !word.isEmpty {
            guard let format = Format(rawValue: word), formats.contains(format) else {
                throw Refusal.badRequest(formats == Format.ofPages ? "error.unknown_format" : "error.unknown_format_of_tasks")
            }
            self = format
            return
        }
        let accept = head.fields.combined(.accept)
        if hasToken, accept == nil || accept == "*/*" {
            self = .text
        } else if accept == nil || accept?.utf8.starts(with: "text/html,".utf8) == true {
            // Nothing is wanted more than what stands first without a weight: so ask browsers.
            self = .html
        } else {
            let types = formats.compactMap { $0.mediaType.flatMap { MediaType($0) } }
            self =
                Accept(accept).preferred(among: types).flatMap { type in formats.first { $0.mediaType == type.essence } } ?? .html
        }
    }
}

/// The bearer token of a request (RFC 6750 section 2.1).
enum Bearer {
    static func isPresent(_ head: RequestHead) -> Bool { head.fields.contains(.authorization) }

    /// The token, nil where the field is none of that scheme.
    static func token(_ head: RequestHead) -> String? {
        guard let value = head.fields[.authorization], value.utf8.count > 7, value.prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return Characters.trim(String(value.dropFirst(7)))
    }
}

extension Context {
    /// The same for another query.
    func with(query: FormFields) -> Context {
        var copy = self
        copy.query = query
        return copy
    }

    /// The form that was sent. Content of another type than a form's is refused, not guessed.
    mutating func readForm() throws -> FormFields {
        if request.body.count == 0 { return FormFields() }
        guard let type = MediaType(request.head.fields[.contentType] ?? "") else { throw Refusal.unsupportedContent }
        if type.essence == "application/x-www-form-urlencoded" {
            return try FormFields(urlEncoded: try Self.bytes(request.body), count: 100_100)
        }
        if type.essence == "multipart/form-data" {
            let form = try MultipartForm(request.body, type: type)
            multipart = form
            return try Self.textFields(form)
        }
        throw Refusal.unsupportedContent
    }

    /// Refuses an unsafe request that another site's page sent (PRODUCT.md, Changing things). A request without either field comes from
    /// a script.
    func checkOrigin() throws(Refusal) {
        let fields = request.head.fields
        if fields.contains(.secFetchSite) {
            guard let site = fields[.secFetchSite], site == "same-origin" || site == "none" else {
                throw .foreignOrigin(fields[.origin] ?? "")
            }
        } else if fields.contains(.origin) {
            guard let sender = fields[.origin], origin.isOurs(sender, app.config) else {
                throw .foreignOrigin(fields[.origin] ?? "")
            }
        }
    }

    private static func bytes(_ body: Body) throws -> [UInt8] {
        switch body {
        case .bytes(let bytes): return bytes
        case .spooled(let content):
            return try [UInt8](unsafeUninitializedCapacity: content.count) { buffer, count in
                while count < content.count {
                    let read = try content.read(
                        into: UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...]), at: count)
                    if read == 0 { break }
                    count += read
                }
            }
        }
    }

    /// The parts that are no files, as fields.
    private static func textFields(_ form: MultipartForm) throws -> FormFields {
        var fields = FormFields()
        for part in form.parts where part.filename == nil { fields.append(part.name, try form.text(of: part, limit: 1 << 20)) }
        return fields
    }

    // MARK: Answers

    /// `303 See Other` to a path of ours, so that a reload repeats nothing.
    func redirect(to path: String) -> Response {
        var response = Response(Status(303))
        response.fields[.location] = (app.config.publicURL?.basePath ?? "") + path
        return response
    }

    /// One or more plain lines.
    func text(_ text: String, status: Int = 200) -> Response {
        var response = Response(Status(status), content: .bytes(Array(text.utf8)))
        response.fields[.contentType] = "text/plain; charset=utf-8"
        return response
    }

    /// A value as JSON, keys in alphabetical order.
    func json(_ value: some Encodable, status: Int = 200) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var response = Response(Status(status), content: .bytes(Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]))
        response.fields[.contentType] = "application/json"
        return response
    }

    /// A page of a template, for a person or (session nil) a stranger.
    func page(_ template: String, _ view: Object, _ session: Session?, status: Int = 200) throws -> Response {
        var output: [UInt8] = []
        output.reserveCapacity(32 << 10)
        let layout = try layout(session)
        try app.pages(language).render(template, view.appending(layout), into: &output)
        var response = Response(Status(status), content: .bytes(output))
        response.fields[.contentType] = "text/html; charset=utf-8"
        response.fields[.contentLanguage] = language.rawValue
        // Told now, or told to nobody: a notice stands on one page only.
        if request.head.method.isSafe, noticeWord != nil { response.fields.append(.setCookie, NoticeCookie.remove(origin)) }
        return response
    }

    // MARK: Errors

    /// What an error becomes. Details of what is broken go to the log only.
    func answer(_ error: any Error, _ session: Session?) -> Response {
        var response: Response
        switch error {
        case let refusal as Refusal:
            response = refuse(refusal, session)
        case let error as ParseError:
            // What exactly it was is told in the words of the protocol, which are English.
            let text = format == .html && language != .english ? strings["error.bad_request.text"] : error.reason
            response = problem(error.status, code: "bad_request", title: strings["error.bad_request.title"], text: text, session)
            response.closesConnection = error.status.code == 413
        case let error as FormErrors:
            response = refuseForm(error, session)
        case let error as DatabaseError where error.isFull:
            app.logger.event("storage_full", [("detail", error.message)])
            response = refuse(.storageFull, session)
        case let error as DatabaseError where error.isBusy || error.isReadOnly || error.isIOError || error.cannotOpen:
            app.logger.event("storage_trouble", [("detail", error.message)])
            response = refuse(.busy, session)
        default:
            app.logger.event("internal_error", [("request_id", id), ("detail", String(describing: error))])
            response = problem(
                Status(500), code: "internal", title: strings["error.internal.title"], text: strings["error.internal.text"],
                requestID: id, session)
        }
        return response
    }

    private func refuse(_ refusal: Refusal, _ session: Session?) -> Response {
        if refusal == .signInFirst, format == .html, !Bearer.isPresent(request.head) {
            return (try? signInFirst()) ?? text(strings["error.unauthorized.title"] + "\n", status: 401)
        }
        var values: [(String, String)] = []
        var key = refusal.key + ".text"
        switch refusal {
        case .foreignOrigin(let sender):
            values = [("origin", sender), ("ours", origin.text)]
        case .registrationClosed where app.config.registration == .invite: key = "sign_in.invite"
        case .noAccount(let name): values = [("name", name)]
        case .tooManyAttempts(let seconds): values = [("time", Throttle.text(seconds, strings))]
        case .methodNotAllowed: values = [("method", request.head.method.name)]
        case .badRequest(let text), .conflict(let text): key = text
        default: break
        }
        var response = problem(
            refusal.status, code: refusal.code, title: strings[refusal.key + ".title"], text: strings(key, values), session)
        switch refusal {
        case .methodNotAllowed(let methods): response.fields[.allow] = methods.map(\.name).joined(separator: ", ")
        case .badToken: response.fields[.wwwAuthenticate] = "Bearer realm=\"Docket\", error=\"invalid_token\""
        case .signInFirst, .signInFailed: response.fields[.wwwAuthenticate] = "Bearer realm=\"Docket\""
        default: break
        }
        if let seconds = refusal.retryAfter { response.fields[.retryAfter] = String(seconds) }
        return response
    }

    /// An error in the form that was asked for.
    func problem(
        _ status: Status, code: String, title: String, text: String, fields: [String: String]? = nil, requestID: String? = nil,
        _ session: Session?
    ) -> Response {
        switch format {
        case .json:
            let error = JSONError(error: .init(code: code, message: text, fields: fields))
            return (try? json(error, status: status.code)) ?? self.text(text + "\n", status: status.code)
        case .html:
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
            let details = (fields ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return self.text((details.isEmpty ? [text] : details).joined(separator: "\n") + "\n", status: status.code)
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

    /// Mistakes of a form for a script, each with its field.
    func refuseForm(_ errors: FormErrors, _ session: Session? = nil) -> Response {
        var fields: [String: String] = [:]
        var texts: [String] = []
        for (name, _) in errors.fields where fields[name] == nil {
            guard let text = errors.text(name, strings) else { continue }
            fields[name] = text
            texts.append(text)
        }
        return problem(
            Status(422), code: "invalid", title: strings["error.invalid.title"],
            text: format == .html && !texts.isEmpty ? texts.joined(separator: " ") : strings["error.invalid.text"],
            fields: fields, session)
    }

    // MARK: What every answer carries

    /// The security fields (SECURITY.md); a person's data is never stored by caches.
    func secured(_ response: Response) -> Response {
        var response = response
        for (name, value) in Self.security { response.fields.append(name, value) }
        response.fields.append(.xRequestID, id)
        if origin.isSecure { response.fields.append(.strictTransportSecurity, "max-age=31536000") }
        if !response.fields.contains(.cacheControl) { response.fields.append(.cacheControl, "no-store") }
        response.fields.append(.vary, "Accept, Accept-Language, Authorization, Cookie")
        return response
    }

    static let security: [(FieldName, String)] = [
        (
            .contentSecurityPolicy,
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
        ),
        (.xContentTypeOptions, "nosniff"),
        (.referrerPolicy, "same-origin"),
        (.permissionsPolicy, "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
        (.crossOriginOpenerPolicy, "same-origin"),
        (.crossOriginResourcePolicy, "same-origin"),
    ]
}

/// `{"error": {"code": …, "message": …, "fields": {…}}}`.
struct JSONError: Encodable {
    struct Content: Encodable {
        let code: String
        let message: String
        let fields: [String: String]?
    }

    let error: Content

    init(error: Content) { self.error = error }

    init(code: String, message: String) { error = Content(code: code, message: message, fields: nil) }

    var encoded: [UInt8] {
        get throws { Array(try JSONEncoder().encode(self)) + [UInt8(ascii: "\n")] }
    }
}
