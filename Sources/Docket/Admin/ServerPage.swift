// What the server sees of a request, for administrators who set up a proxy or a name: scheme, host, addresses, what became of forwarded
// fields, from which pages forms are taken, and a form to try that with. Beside it what one wants to know before asking for help.

import HTTP
import Mustache
import SQLite

enum ServerPage {
    /// GET /admin/server
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let strings = context.strings
        let rows = try request(context) + server(context)
        guard context.format == .html else { return try context.answer(rows.map { ($0.key, .text($0.value)) }) }
        let view: Object = [
            "page_title": .text(strings["server.title"]), "check_hint": .text(verdict(context)),
            "rows": .list(
                rows.map { row in
                    [
                        "name": .text(strings["server." + row.key]), "value": .text(row.value),
                        "hint": row.hint.map { .text($0) } ?? .null,
                    ]
                }),
        ]
        return try context.page("settings/server", view.appending(SettingsTab.server.names), session)
    }

    /// POST /admin/server: it came through the origin check, or it would not be here.
    static func check(_ context: Context, _ session: Session) throws -> Response {
        try context.redirect(to: "/admin/server", saying: "notice.form_came_through")
    }

    private struct Row {
        let key: String
        let value: String
        var hint: String?

        init(_ key: String, _ value: String, _ hint: String? = nil) { (self.key, self.value, self.hint) = (key, value, hint) }
    }

    private static func request(_ context: Context) -> [Row] {
        let strings = context.strings
        let (origin, config) = (context.origin, context.app.config)
        let forwarding =
            switch Forwarding(context.request, config) {
            case .absent: "absent"
            case .unlisted: "unlisted"
            case .malformed: "malformed"
            case .contradictory: "contradictory"
            case .believed: "believed"
            }
        return [
            Row("scheme", origin.isSecure ? "https" : "http"), Row("host", origin.authority),
            Row("client", origin.client), Row("peer", context.request.peer),
            Row("forwarded", strings["server.forwarded." + forwarding]),
            Row("public_url", config.publicURL.map { $0.origin + $0.basePath } ?? strings["server.not_set"], "--public-url"),
        ]
    }

    /// What the origin check says to a form of the page that led here, or of which pages it takes forms.
    private static func verdict(_ context: Context) -> String {
        let (origin, config) = (context.origin, context.app.config)
        if let referer = context.request.head.fields[.referer], let sender = Self.origin(of: referer) {
            let key = origin.isOurs(sender, config) ? "server.taken" : "server.refused"
            return context.strings(key, [("origin", sender)])
        }
        let ours = config.publicURL.map { [$0.origin] } ?? []
        return context.strings(
            "server.taken", [("origin", (ours.contains(origin.text) ? ours : ours + [origin.text]).joined(separator: ", "))])
    }

    /// Scheme and authority of an address.
    private static func origin(of address: String) -> String? {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty, parts[0] == "http:" || parts[0] == "https:" else { return nil }
        return parts[0] + "//" + parts[2]
    }

    private static func server(_ context: Context) throws -> [Row] {
        let strings = context.strings
        let pages = try context.database.scalar("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
        let disk = context.app.disk.trouble ?? strings["server.disk.well"]
        return [
            Row("version", Version.text),
            Row("database", strings("server.megabytes", [("n", strings.grouped(Int((pages + 999_999) / 1_000_000)))])),
            Row("disk", disk),
        ]
    }
}
