// What every page of a person shows around its content: side bar, notice, theme. Strangers get the plain layout's few names.

import HTTP
import Mustache

extension Context {
    /// The names of the layout templates.
    func layout(_ session: Session?) throws -> Object {
        let notice = try readNotice(session)
        guard let session else {
            return Self.strangersLayout(language, here: here, notice: notice)
        }
        let user = session.user
        let signOut = app.config.proxySignOutURL
        return [
            "lang": .text(language.rawValue), "theme": .text(user.theme), "text_size": .text(user.textSize), "signed_in": true,
            "username": .text(user.name), "is_admin": .bool(user.isAdmin), "here": .text(here), "notice": notice,
            "live_url": .text((app.config.publicURL?.basePath ?? "") + "/events"), "revision": .text(String(user.revision)),
            // Whom a proxy signs in signs out there: it would name the same person with the next request.
            "can_sign_out": .bool(!session.isByProxy),
            "has_sign_out_url": .bool(session.isByProxy && !signOut.isEmpty), "sign_out_url": .text(signOut),
            "nav": try summary(session).sideBar.value(path: request.head.path, query: request.head.query ?? ""),
        ]
    }

    /// The same for nobody who is known.
    static func strangersLayout(_ language: Language, here: String, notice: Value = .null) -> Object {
        [
            "lang": .text(language.rawValue), "theme": "auto", "text_size": "normal", "signed_in": false, "username": "",
            "is_admin": false, "here": .text(here), "notice": notice, "live_url": .null, "revision": .null,
            "can_sign_out": false, "has_sign_out_url": false, "sign_out_url": .null,
        ]
    }

    /// Categories, filters and counts of the person. On the writer's thread they are read anew: what they show may not be on disk yet.
    func summary(_ session: Session) throws -> Summary {
        let repository = TaskRepository(self, session)
        return isWriting ? try Summary(repository, strings) : try app.summaries.summary(repository, strings)
    }

    /// Path and query of this page, for the forms that lead back to it. For a form that was sent: where it came from.
    var here: String {
        if request.head.method.isSafe { return request.head.address }
        return form.first("next").flatMap(ownPath) ?? "/tasks"
    }

    /// A path of ours to go to, nil for anything that could lead elsewhere (FAULTS A12).
    func ownPath(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= 2_000, bytes.count == 1 || bytes[1] != UInt8(ascii: "/"),
            bytes.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        return text
    }

    // MARK: Notices

    /// A redirect that lets the next page say what happened, with undo where there is a change to undo.
    func redirect(to path: String, notice change: Change?) -> Response {
        var response = redirect(to: path)
        if let change { response.fields.append(.setCookie, NoticeCookie.set("c\(change.id)", origin)) }
        return response
    }

    /// A redirect that lets the next page say a fixed text, by its key; a script gets the text itself.
    func redirect(to path: String, saying key: String) throws -> Response {
        guard format == .html else { return try answer(["message": strings[key]], line: strings[key]) }
        var response = redirect(to: path)
        response.fields.append(.setCookie, NoticeCookie.set("t" + key, origin))
        return response
    }

    private func readNotice(_ session: Session?) throws -> Value {
        guard request.head.method.isSafe, let word = noticeWord else { return .null }
        if word.utf8.first == UInt8(ascii: "t") {
            let key = String(word.dropFirst())
            guard key.utf8.starts(with: "notice.".utf8), strings.texts[key] != nil else { return .null }
            return ["text": .text(strings[key]), "undo_url": .text(here), "can_undo": false]
        }
        guard let session, let id = Int(digits: word.utf8.dropFirst()),
            let change = try TaskRepository(self, session).describe(change: id)
        else { return .null }
        return [
            "text": .text(change.text(strings)), "undo_url": .text("/undo/\(id)"),
            "can_undo": .bool(change.canBeUndone && change.kind != "undo"),
        ]
    }

    /// What the notice cookie says; a page that shows it removes it. A window that only looks again on its own (`X-Background`) leaves it to
    /// the one in which something was done: both have the same cookies.
    var noticeWord: String? { request.head.fields.contains(.xBackground) ? nil : cookies.values(NoticeCookie.name).first }
}

/// A cookie of one line: what the last change was, told by the next page and then forgotten. It holds no secret and no text of anyone's.
enum NoticeCookie {
    static let name = "docket-notice"

    static func set(_ word: String, _ origin: Origin) -> String {
        SetCookie.text(name, word, maxAge: 60, origin)
    }

    /// What an answer would have the next page say.
    static func word(of response: Response) -> String? {
        let start = name + "="
        return response.fields.values(.setCookie).first { $0.utf8.starts(with: start.utf8) }.map {
            String($0.dropFirst(start.count).prefix { $0 != ";" })
        }
    }

    static func remove(_ origin: Origin) -> String {
        SetCookie.text(name, "", maxAge: 0, origin)
    }
}
