// What every page of a person shows around its content: side bar, notice, theme. Strangers get the plain layout's few names.

import HTTP
import Mustache

extension Context {
    /// The names of the layout templates.
    func layout(_ session: Session?) throws -> Object {
        let notice = try noticeValue(session)
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
}
