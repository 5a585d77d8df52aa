// How a context reads a form and answers: a page, a redirect, JSON, a line; and the one place that adds the fields that every answer
// carries. Errors become answers in `Errors.swift`.

import FoundationEssentials
import HTTP
import Mustache

/// The types of content that a form may have.
enum FormType: String, CaseIterable {
    case urlEncoded = "application/x-www-form-urlencoded"
    case multipart = "multipart/form-data"
    case json = "application/json"
}

extension Context {
    /// The same for another query.
    func with(query: FormFields) -> Context {
        var copy = self
        copy.query = query
        return copy
    }

    /// The form that was sent, in one of three types with the same names: nothing behind this knows which. Content of another type is
    /// refused, not guessed.
    ///
    /// - Parameter operation: what the address takes, for JSON, whose values have kinds.
    mutating func readForm(_ operation: Operation?) throws -> FormFields {
        if request.body.count == 0 { return FormFields() }
        let (kind, type) = try contentType()
        switch kind {
        case .urlEncoded:
            return try FormFields(urlEncoded: try Self.bytes(request.body), count: JSONForm.countLimit)
        case .multipart:
            let form = try MultipartForm(request.body, type: type)
            multipart = form
            return try Self.textFields(form)
        case .json:
            return try JSONForm(try Self.bytes(request.body)).fields(operation?.form)
        }
    }

    /// The type of the content, if it can be read here.
    func contentType() throws(Refusal) -> (FormType, MediaType) {
        let fields = request.head.fields
        guard let type = MediaType(fields[.contentType] ?? ""), let kind = FormType(rawValue: type.essence) else {
            throw .unsupportedContent
        }
        // What is coded, or written in other bytes than it is read in, would only look like a mistake in the form. `identity`, however
        // often it stands there, is no coding.
        let codings = (fields.combined(.contentEncoding) ?? "").split(separator: ",").map { Characters.trim(String($0)) }
        guard codings.allSatisfy({ $0.isEmpty || $0.lowercased() == "identity" }) else { throw .unsupportedCoding }
        guard ["utf-8", "utf8", "us-ascii"].contains(type["charset"]?.lowercased() ?? "utf-8") else { throw .unsupportedCharset }
        return (kind, type)
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
    func text(_ text: String, status: Int = 200) -> Response { .text(text, status: status) }

    /// A value as JSON, keys in alphabetical order.
    func json(_ value: some Encodable, status: Int = 200) throws -> Response { try .json(value, status: status) }

    /// What came of something, for a script, in the form that it asked for. A token that asked for a page gets plain text.
    func answer(_ value: some Encodable, line: String, status: Int = 200) throws -> Response {
        format == .json ? try json(value, status: status) : text(line + "\n", status: status)
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
        if notice != nil { response.fields.append(.setCookie, NoticeCookie.remove(origin)) }
        return response
    }

    // MARK: What every answer carries

    /// The security fields (SECURITY.md); a person's data is never stored by caches.
    func secured(_ response: Response) -> Response {
        var response = response
        response.secure(isSecure: origin.isSecure)
        response.fields.append(.xRequestID, id)
        return response
    }

    fileprivate static let security: Fields = {
        var fields = Fields()
        fields[.contentSecurityPolicy] =
            "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
        fields[.xContentTypeOptions] = "nosniff"
        fields[.referrerPolicy] = "same-origin"
        fields[.permissionsPolicy] = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
        fields[.crossOriginOpenerPolicy] = "same-origin"
        fields[.crossOriginResourcePolicy] = "same-origin"
        return fields
    }()
}

extension Response {
    /// What every answer tells the browser about its safety, and who may keep it: where nothing else is said, nobody.
    ///
    /// - Parameter isSecure: true where the public address is https.
    mutating func secure(isSecure: Bool) {
        fields.append(contentsOf: Context.security)
        if isSecure { fields.append(.strictTransportSecurity, "max-age=31536000") }
        if !fields.contains(.cacheControl) { fields.append(.cacheControl, "no-store") }
        fields.append(.vary, "Accept, Accept-Language, Authorization, Cookie")
    }

    /// One or more plain lines.
    static func text(_ text: String, status: Int = 200) -> Response {
        var response = Response(Status(status), content: .bytes(Array(text.utf8)))
        response.fields[.contentType] = "text/plain; charset=utf-8"
        return response
    }

    /// A value as JSON, keys in alphabetical order.
    static func json(_ value: some Encodable, status: Int = 200) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var response = Response(Status(status), content: .bytes(Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]))
        response.fields[.contentType] = "application/json"
        return response
    }
}
