// What a person or a script hears whose content is not taken in: the server refuses it before it has come, on the thread of a connection,
// so that nobody is looked up, and the language is the browser's.

public import HTTP
import Mustache

extension App {
    /// The answer to content over the limit of its request.
    public func tooLarge(_ head: RequestHead, limit: Int) -> Response {
        declined(head, .tooLarge, "error.too_large.limit", [("size", Self.size(limit))])
    }

    /// The answer to content for which there is no room on the disk.
    public func noRoom(_ head: RequestHead) -> Response {
        logger.event("storage_full", [("detail", "no room for content")])
        return declined(head, .storageFull, "error.storage.text", [])
    }

    private func declined(_ head: RequestHead, _ code: ErrorCode, _ key: String, _ values: [(String, String)]) -> Response {
        let language = Language(accepted: head.fields.combined(.acceptLanguage)) ?? config.language
        let strings = strings(language)
        let (title, text) = (strings[code.key + ".title"], strings(key, values))
        let format = Format(ofErrors: head)
        var response = ErrorAnswer(code, text: text).response(format)
        if format == .html {
            let view: Object = [
                "page_title": .text(title), "title": .text(title), "text": .text(text), "status": .text(String(code.status.code)),
                "safe_text": .text(strings["error.safe"]), "way_url": .text(takesFile(head) ? "/import" : "/tasks"),
                "way_text": .text(strings[takesFile(head) ? "import.another" : "error.back"]), "request_id": .null,
            ]
            var output: [UInt8] = []
            if (try? pages(language).render(
                "error", view.appending(Context.strangersLayout(language, here: "/tasks")), into: &output)) != nil
            {
                response.content = .bytes(output)
                response.fields[.contentType] = "text/html; charset=utf-8"
                response.fields[.contentLanguage] = language.rawValue
            }
        }
        response.fields.append(contentsOf: Context.security)
        response.fields[.cacheControl] = "no-store"
        response.fields[.vary] = "Accept, Accept-Language, Authorization, Cookie"
        return response
    }

    /// Bytes for people.
    static func size(_ bytes: Int) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MB" : "\(max(1, bytes >> 10)) kB"
    }
}
