// What every page of a person shows around its content: side bar, notice, theme. Strangers get the plain layout's few names.

import HTTP
import Mustache

extension Context {
    /// The names of the layout templates.
    func layout(_ session: Session?) throws -> Object {
        let notice = try readNotice(session)
        guard let session else {
            return [
                "lang": .text(language.rawValue), "theme": "auto", "text_size": "normal", "signed_in": false, "username": "",
                "is_admin": false,
                "here": .text(here), "notice": notice, "live_url": .null, "revision": .null,
            ]
        }
        let user = session.user
        return [
            "lang": .text(language.rawValue), "theme": .text(user.theme), "text_size": .text(user.textSize), "signed_in": true,
            "username": .text(user.name), "is_admin": .bool(user.isAdmin), "here": .text(here), "notice": notice,
            "live_url": .text((app.config.publicURL?.basePath ?? "") + "/events"), "revision": .text(String(user.revision)),
            "nav": navigation(try summary(session)),
        ]
    }

    /// Categories, filters and counts of the person. On the writer's thread they are read anew: what they show may not be on disk yet.
    func summary(_ session: Session) throws -> Summary {
        let repository = TaskRepository(self, session)
        return isWriting ? try Summary(repository) : try app.summaries.summary(repository)
    }

    /// Path and query of this page, for the forms that lead back to it. For a form that was sent: where it came from.
    var here: String {
        if request.head.method.isSafe { return request.head.path + (request.head.query.map { "?" + $0 } ?? "") }
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

    private func navigation(_ summary: Summary) -> Value {
        let path = request.head.path
        let query = request.head.query ?? ""
        let isList = path == "/tasks"
        func shown(_ count: Int) -> Value { count == 0 ? "" : .text(strings.grouped(count)) }
        return [
            "all_count": shown(summary.open), "today_count": shown(summary.dueToday), "overdue_count": shown(summary.overdue),
            "pinned_count": shown(summary.pinned), "trash_count": shown(summary.trashed),
            "at_all": .bool(isList && query.isEmpty), "at_today": .bool(isList && query == "due=today"),
            "at_overdue": .bool(isList && query == "due=overdue"), "at_pinned": .bool(isList && query == "pinned=1"),
            "at_dashboard": .bool(path == "/dashboard"), "at_trash": .bool(path == "/trash"),
            "at_settings": .bool(path.utf8.starts(with: "/settings".utf8)), "at_help": .bool(path == "/help"),
            "categories": .list(
                summary.categories.map { category in
                    let address = "category=" + PercentEncoding.encode(category.key)
                    return [
                        "name": .text(category.name(strings)), "url": .text("/tasks?" + address),
                        "color": .text("color-\(category.color)"),
                        "icon": .text(category.icon), "count": shown(summary.openByCategory[category.id] ?? 0),
                        "current": .bool(isList && query == address),
                    ]
                }),
            "has_filters": .bool(!summary.filters.isEmpty),
            "filters": .list(
                summary.filters.map { entry in
                    [
                        "name": .text(entry.filter.name), "url": .text("/filters/\(entry.filter.id)"),
                        "count": entry.total.isExact
                            ? shown(entry.total.count) : .text(strings.grouped(entry.total.count) + "+"),
                        "current": .bool(path == "/filters/\(entry.filter.id)"),
                    ]
                }),
        ]
    }

    // MARK: Notices

    /// A redirect that lets the next page say what happened, with undo where there is a change to undo.
    func redirect(to path: String, notice change: Change?) -> Response {
        var response = redirect(to: path)
        if let change { response.fields.append(.setCookie, NoticeCookie.set("c\(change.id)", origin)) }
        return response
    }

    /// A redirect that lets the next page say a fixed text, by its key.
    func redirect(to path: String, saying key: String) -> Response {
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

    /// What the notice cookie says; a page that shows it removes it.
    var noticeWord: String? { Cookies(request.head.fields).values(NoticeCookie.name).first }
}

/// A cookie of one line: what the last change was, told by the next page and then forgotten. It holds no secret and no text of anyone's.
enum NoticeCookie {
    static let name = "docket-notice"

    static func set(_ word: String, _ origin: Origin) -> String {
        SetCookie.text(name, word, maxAge: 60, origin)
    }

    static func remove(_ origin: Origin) -> String {
        SetCookie.text(name, "", maxAge: 0, origin)
    }
}
