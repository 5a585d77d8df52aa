// The help page: keys, search, undo, and the script interface with the address by which this request reached us, so that a line can be
// copied into a terminal as it stands.

import HTTP
import Mustache

enum HelpPage {
    /// GET /help
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let base = context.baseURL
        guard context.format == .html else { return context.text(lines(base)) }
        let view: Object = [
            "page_title": .text(context.strings["nav.help"]), "base_url": .text(base),
            "codes": .list(
                ErrorCode.allCases.map { code in
                    [
                        "code": .text(code.rawValue), "text": .text(context.strings[code.key + ".title"]),
                        "status": .text(code == .invalid ? "422, 400" : String(code.status.code)),
                    ]
                }),
        ]
        return try context.page("help", view, session)
    }

    /// For a script: each address with what it does, and where more is said.
    private static func lines(_ base: String) -> String {
        let width = Operation.all.map { $0.pattern.utf8.count }.max() ?? 0
        let lines = Operation.all.map { operation in
            let padding = String(repeating: " ", count: width - operation.pattern.utf8.count + 2)
            return (operation.method == .get ? "GET  " : "POST ") + operation.pattern + padding + operation.summary
        }
        return (lines + ["", base + "/help?format=html", base + "/openapi.json"]).joined(separator: "\n") + "\n"
    }
}
