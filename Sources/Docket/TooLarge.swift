// What a person or a script hears whose content is over the limit: the server refuses it before it has come, so nobody is looked up, and
// the language is the browser's.

public import HTTP
import Mustache

extension App {
    /// The answer to content over the limit of its request.
    public func tooLarge(_ head: RequestHead, limit: Int) -> Response {
        let language = Language(accepted: head.fields.combined(.acceptLanguage)) ?? config.language
        let strings = strings(language)
        let title = strings["error.too_large.title"]
        let text = strings("error.too_large.limit", [("size", Self.size(limit))])
        let query = (try? FormFields(query: head.query)) ?? FormFields()
        let format = Format(ofErrors: head, query)
        var response = ErrorAnswer(.tooLarge, text: text).response(format)
        if format == .html {
            let view: Object = [
                "page_title": .text(title), "title": .text(title), "text": .text(text), "status": "413",
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
