// What a person or a script hears where no handler had its say: content is refused before it has come, no thread was free, or the disk
// refused what was to be kept. It is made on the thread of a connection, so nobody is looked up, and the language is the browser's.

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

    /// The answer where no thread was free in time, or the disk refused what was to be kept: nothing was changed.
    public func trouble(_ request: Request, _ error: any Error) -> Response {
        logger.event("not_served", [("detail", String(describing: error))])
        let code = (Refusal(ofStorage: error) ?? .busy).code
        var response = declined(request.head, code, code.key + ".text", [])
        response.fields[.retryAfter] = "5"
        return response
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
                "safe_text": head.method.isSafe ? .null : .text(strings["error.safe"]),
                "way_url": .text(takesFile(head) ? "/import" : "/tasks"),
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
        response.secure(isSecure: config.publicURL?.isSecure ?? false)
        return response
    }

    /// Bytes for people.
    static func size(_ bytes: Int) -> String {
        bytes >= 1 << 20 ? "\(bytes >> 20) MB" : "\(max(1, bytes >> 10)) kB"
    }
}
