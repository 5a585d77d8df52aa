// Someone with a browser or a script: a cookie jar, redirects followed, and the forms that are really on the page.

import Foundation
import HTTP

@testable import Docket

/// A visitor of a `TestApp`.
final class Visitor {
    let test: TestApp
    var cookies: [String: String] = [:]
    var language = "en"
    /// Sent with every request, as a script does.
    var token: String?
    var fields: [(FieldName, String)] = []
    var authority = "docket.test"
    /// The address that it comes from.
    var peer = "127.0.0.1"

    init(_ test: TestApp) { self.test = test }

    /// Opens an address; follows redirects, and takes a file to its end.
    @discardableResult
    func get(_ address: String, accept: String? = "text/html") throws -> Page {
        let page = try follow(send(.get, address, nil, accept: accept))
        guard case .stream(let content) = page.response.content, let stream = content as? ExportStream else { return page }
        var (response, bytes) = (page.response, [UInt8]())
        while let piece = try stream.piece(test.database) { bytes += piece }
        response.content = .bytes(bytes)
        return Page(visitor: self, address: address, response: response)
    }

    /// Sends fields; follows redirects.
    @discardableResult
    func post(_ address: String, _ form: [(String, String)] = [], accept: String? = "text/html") throws -> Page {
        try follow(send(.post, address, FormFields.encode(form), accept: accept))
    }

    /// Sends JSON; follows nothing.
    @discardableResult
    func postJSON(_ address: String, _ json: String, accept: String? = "application/json") throws -> Page {
        try send(.post, address, json, accept: accept, type: "application/json")
    }

    /// Sends a form with a file as a browser does, and follows nothing.
    func upload(
        _ address: String, _ name: String, _ bytes: some Sequence<UInt8>, _ form: [(String, String)] = [],
        accept: String? = "text/html"
    ) throws -> Page {
        var content: [UInt8] = []
        for (field, value) in form {
            content += "--b\r\nContent-Disposition: form-data; name=\"\(field)\"\r\n\r\n\(value)\r\n".utf8
        }
        content += "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n".utf8
        content += Array(bytes) + "\r\n--b--\r\n".utf8
        return try send(.post, address, content, type: "multipart/form-data; boundary=b", accept: accept)
    }

    /// Sends one request and follows nothing.
    func send(
        _ method: HTTP.Method, _ address: String, _ form: String?, accept: String? = "text/html",
        type: String = "application/x-www-form-urlencoded"
    ) throws -> Page {
        try send(method, address, form.map { Array($0.utf8) }, type: type, accept: accept)
    }

    private func send(_ method: HTTP.Method, _ address: String, _ form: [UInt8]?, type: String, accept: String?) throws -> Page {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var head = RequestHead(method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, authority: authority)
        if let accept { head.fields.append(.accept, accept) }
        head.fields.append(.acceptLanguage, language)
        if !cookies.isEmpty { head.fields.append(.cookie, cookies.map { "\($0)=\($1)" }.joined(separator: "; ")) }
        if let token { head.fields.append(.authorization, "Bearer \(token)") }
        for (name, value) in fields { head.fields.append(name, value) }
        if form != nil { head.fields.append(.contentType, type) }
        let response = try test.respond(Request(head: head, body: .bytes(form ?? []), peer: peer))
        for text in response.fields.values(.setCookie) {
            let pair = text.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            cookies[pair[0]] = text.contains("Max-Age=0") ? nil : pair[1]
        }
        return Page(visitor: self, address: address, response: response)
    }

    private func follow(_ page: Page) throws -> Page {
        var page = page
        for _ in 0..<5 {
            guard page.status == 303, let location = page.response.fields[.location] else { return page }
            page = try send(.get, location, nil)
        }
        return page
    }
}

/// An answer, as a visitor looks at it.
struct Page {
    let visitor: Visitor
    let address: String
    let response: Response

    var status: Int { response.status.code }

    var text: String {
        guard case .bytes(let bytes) = response.content else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text with each byte as a character of its own, for reading HTML: `>` and an accent behind it are one `Character` of `text`.
    var bytes: String {
        guard case .bytes(let bytes) = response.content else { return "" }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return String(scalars)
    }

    var location: String? { response.fields[.location] }

    func contains(_ text: String) -> Bool { self.text.contains(text) }

    /// The forms on the page, in order.
    var forms: [Form] { Form.all(in: self) }

    /// The first form with this action.
    func form(_ action: String) -> Form? { forms.first { $0.action == action } }

    /// Sends the form of an action as it stands on the page, with other values for some fields (nil takes one out).
    @discardableResult
    func submit(_ action: String, _ changes: [(String, String?)] = []) throws -> Page {
        guard var form = form(action) else { throw NoSuchForm(action: action, address: address) }
        for name in Set(changes.map(\.0)) { form.fields.removeAll { $0.0 == name } }
        for (name, value) in changes { if let value { form.fields.append((name, value)) } }
        return try visitor.post(form.action, form.fields)
    }

    /// The decoded texts of all elements whose opening tag is this.
    func texts(_ tag: String) -> [String] {
        bytes.components(separatedBy: "<\(tag)").dropFirst().compactMap { piece in
            guard let open = piece.firstIndex(of: ">"), let close = piece[open...].firstRange(of: "</") else { return nil }
            return HTMLReader.decode(String(piece[piece.index(after: open)..<close.lowerBound]))
        }
    }

    var heading: String { texts("h1").first ?? "" }
}

struct NoSuchForm: Error {
    let action: String
    let address: String
}

/// A form of a page: its action and what a browser would send of it.
struct Form {
    let action: String
    let method: String
    var fields: [(String, String)]

    static func all(in page: Page) -> [Form] {
        page.bytes.components(separatedBy: "<form").dropFirst().map { piece in
            let piece = piece.components(separatedBy: "</form>")[0]
            let open = String(piece.prefix { $0 != ">" })
            return Form(
                action: HTMLReader.attribute("action", open) ?? page.address,
                method: HTMLReader.attribute("method", open) ?? "get",
                fields: HTMLReader.fields(piece))
        }
    }
}

/// As much HTML as forms need: attributes in double quotes, as Docket writes them.
enum HTMLReader {
    static func attribute(_ name: String, _ tag: String) -> String? {
        guard let start = tag.firstRange(of: " \(name)=\"") else { return nil }
        return decode(String(tag[start.upperBound...].prefix { $0 != "\"" }))
    }

    static func has(_ name: String, _ tag: String) -> Bool {
        (tag + " ").contains(" \(name) ") || tag.contains(" \(name)=")
    }

    /// Text out of `Page.bytes`, with its entities as what they stand for.
    static func decode(_ text: String) -> String {
        var text = text
        for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
            text = text.replacingOccurrences(of: entity, with: character, options: .literal)
        }
        let bytes = text.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
        return bytes.count == text.unicodeScalars.count ? String(validating: bytes, as: UTF8.self) ?? text : text
    }

    /// The successful controls, buttons apart.
    static func fields(_ html: String) -> [(String, String)] {
        var fields: [(String, String)] = []
        for piece in html.components(separatedBy: "<").dropFirst() {
            let tag = String(piece.prefix { $0 != ">" })
            let inside = String(piece.dropFirst(tag.count + 1))
            if tag.hasPrefix("input"), let name = attribute("name", tag), !has("disabled", tag) {
                let type = attribute("type", tag) ?? "text"
                if type == "checkbox" || type == "radio" {
                    if has("checked", tag) { fields.append((name, attribute("value", tag) ?? "on")) }
                } else {
                    fields.append((name, attribute("value", tag) ?? ""))
                }
            } else if tag.hasPrefix("textarea"), let name = attribute("name", tag) {
                fields.append((name, decode(inside.hasPrefix("\n") ? String(inside.dropFirst()) : inside)))
            } else if tag.hasPrefix("select"), let name = attribute("name", tag) {
                let options = html.components(separatedBy: "<\(tag)>")[1].components(separatedBy: "</select>")[0]
                    .components(separatedBy: "<option").dropFirst().map { String($0.prefix { $0 != ">" }) }
                if let chosen = options.first(where: { has("selected", $0) }) ?? options.first {
                    fields.append((name, attribute("value", chosen) ?? ""))
                }
            }
        }
        return fields
    }
}
