// The help page: keys, search, undo, and the script interface with the address by which this request reached us, so that a line can be
// copied into a terminal as it stands.

import HTTP
import Mustache

enum HelpPage {
    /// GET /help
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let base = context.baseURL
        guard context.format == .html else { return context.text(base + "/tasks\n" + base + "/help?format=html\n") }
        return try context.page("help", ["page_title": .text(context.strings["nav.help"]), "base_url": .text(base)], session)
    }
}
