// A notice: what was just done, told by the next page and then forgotten, with undo where there is a change to undo. Until then it is a word
// in a cookie, `change:12`, `notice.trash_emptied` or `notice.same.complete:3`: no secret and no text of anyone's.

import HTTP
import Mustache

/// What the next page says.
enum Notice {
    /// A change, by its number.
    case change(Int)
    /// A text by its key, with the number that it counts, if it counts.
    case text(String, count: Int? = nil)

    /// Nil for a word that is none of ours.
    init?(word: String) {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        let number = parts.count == 2 ? Int(digits: parts[1].utf8) : nil
        guard parts.count == 1 || number != nil else { return nil }
        if parts[0] == "change", let number {
            self = .change(number)
        } else if parts[0].utf8.starts(with: "notice.".utf8) {
            self = .text(String(parts[0]), count: number)
        } else {
            return nil
        }
    }

    var word: String {
        switch self {
        case .change(let number): "change:\(number)"
        case .text(let key, let count): key + (count.map { ":\($0)" } ?? "")
        }
    }

    var isChange: Bool { if case .change = self { true } else { false } }
}

extension Context {
    /// A redirect to a page that tells a change.
    func redirect(to path: String, notice change: Change) -> Response { redirect(to: path, .change(change.id)) }

    /// A redirect to a page that says a fixed text, by its key; a script gets the text itself.
    func redirect(to path: String, saying key: String) throws -> Response {
        guard format == .html else { return try answer(["message": strings[key]], line: strings[key]) }
        return redirect(to: path, .text(key))
    }

    /// A redirect to a page that says something.
    func redirect(to path: String, _ notice: Notice) -> Response {
        var response = redirect(to: path)
        response.fields.append(.setCookie, NoticeCookie.set(notice.word, origin))
        return response
    }

    /// What the browser brings to be told; a page that shows it removes it. A window that only looks again on its own (`X-Background`) leaves
    /// it to the one in which something was done: both have the same cookies.
    var notice: Notice? {
        guard request.head.method.isSafe, !request.head.fields.contains(.xBackground) else { return nil }
        return cookies.values(NoticeCookie.name).first.flatMap(Notice.init(word:))
    }

    /// The notice as the layout shows it.
    func noticeValue(_ session: Session?) throws -> Value {
        switch notice {
        case .text(let key, nil)? where strings.texts[key] != nil: return Self.plain(strings[key])
        case .text(let key, let count?)? where strings.texts[key + ".other"] != nil: return Self.plain(strings.count(key, count))
        case .change(let id)?:
            guard let session, let change = try TaskRepository(self, session).describe(change: id) else { return .null }
            return [
                "text": .text(change.text(strings)), "undo_url": .text("/undo/\(id)"),
                "can_undo": .bool(change.canBeUndone && change.kind != "undo"),
            ]
        default: return .null
        }
    }

    private static func plain(_ text: String) -> Value { ["text": .text(text), "undo_url": .null, "can_undo": false] }
}

/// The cookie of a notice.
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
