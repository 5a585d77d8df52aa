// The audit log for administrators: newest first, by page, of one person or one kind of event. It tells who came in and what was done to
// accounts, and nothing of anyone's tasks.

import FoundationEssentials
import HTTP
import Mustache
import SQLite

enum AuditPage {
    private static let perPage = 50

    /// GET /admin/audit: `person` is a name, `event` one of `Audit.Event`. What is unknown is told and shows nothing.
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let (person, word) = (context.query.first("person") ?? "", context.query.first("event") ?? "")
        var problems = TaskFilter.Problem.unknown(context.query, besides: ["person", "event", "page", "format"])
        if !word.isEmpty, Audit.Event(rawValue: word) == nil {
            problems.append(TaskFilter.Problem(parameter: "event", value: word))
        }
        let asked = context.query.number("page", 1...999_999_999, &problems) ?? 1
        guard problems.isEmpty else { return context.refuse(problems, session) }
        let database = context.database
        var condition: SQL = "1"
        if !person.isEmpty { condition = "(user_name = \(person) OR actor_name = \(person))" }
        if !word.isEmpty { condition = "\(condition) AND event = \(word)" }
        let total = Int(try database.scalar("SELECT count(*) FROM audit WHERE \(condition)") ?? 0)
        let pages = max(1, (total + perPage - 1) / perPage)
        let page = min(asked, pages)
        let lines = try database.rows(
            """
            SELECT made_at, event, user_name, actor_name, address, detail FROM audit WHERE \(condition)
            ORDER BY id DESC LIMIT \(perPage) OFFSET \((page - 1) * perPage)
            """, Line.init(row:))
        if context.format == .json {
            return try context.json(ListJSON(events: lines, total: total, page: page, perPage: perPage, pages: pages))
        }
        guard context.format == .html else { return context.text(lines.map { $0.text + "\n" }.joined()) }

        let strings = context.strings
        let names = try database.rows(
            "SELECT DISTINCT user_name FROM audit WHERE user_name IS NOT NULL ORDER BY user_name"
        ) { try $0.text(0) }
        let query = [("person", person), ("event", word)].filter { !$0.1.isEmpty }
        let view: Object = [
            "page_title": .text(strings["audit.title"]), "summary_text": .text(strings.count("audit.count", total)),
            "hint": .text(strings.count("audit.hint", context.app.config.auditDays)),
            "people": Choices.list([("", strings["audit.everyone"])] + names.map { ($0, $0) }, chosen: person),
            "events": Choices.list(
                [("", strings["audit.everything"])]
                    + Audit.Event.allCases.map { ($0.rawValue, strings["audit.event." + $0.rawValue]) }, chosen: word),
            "has_lines": .bool(!lines.isEmpty), "lines": .list(lines.map { $0.value(context) }),
        ]
        let pager = Pager(context, page, pages, query, path: "/admin/audit").object
        return try context.page("accounts/audit", view.appending(pager).appending(SettingsTab.audit.names), session)
    }

    /// One line as it stands in the database.
    private struct Line: Encodable {
        let made: Instant
        let event: String
        let user: String?
        let by: String?
        let address: String?
        let detail: String

        private enum CodingKeys: String, CodingKey {
            case made = "made_at"
            case event, user, by, address, detail
        }

        init(row: Row) throws {
            made = Instant(milliseconds: try row.int(0))
            event = try row.text(1)
            user = try row.textOrNil(2)
            by = try row.textOrNil(3)
            address = try row.textOrNil(4)
            detail = try row.text(5)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(made.iso8601, forKey: .made)
            try container.encode(event, forKey: .event)
            try container.encode(user, forKey: .user)
            try container.encode(by, forKey: .by)
            try container.encode(address, forKey: .address)
            try container.encode(detail, forKey: .detail)
        }

        var text: String {
            [made.iso8601, event, user ?? "-", by ?? "-", address ?? "-", detail].filter { !$0.isEmpty }.joined(separator: " ")
        }

        func value(_ context: Context) -> Value {
            let strings = context.strings
            var parts: [String] = []
            if let by, by != user { parts.append(strings("audit.by", [("name", by)])) }
            parts.append(address ?? strings["history.way.command"])
            if let tasks = Int(digits: detail.utf8) {
                parts.append(strings.count("list.count", tasks))
            } else if !detail.isEmpty {
                parts.append(strings.texts["audit.detail." + detail] ?? detail)
            }
            return [
                "event_text": .text(strings.texts["audit.event." + event] ?? event),
                "user": .text(user ?? strings["audit.nobody"]), "details": .list(parts.map { ["text": .text($0)] }),
                "when_iso": .text(made.iso8601), "when_text": .text(DateText(context).since(made)),
            ]
        }
    }

    private struct ListJSON: Encodable {
        let events: [Line]
        let total: Int
        let page: Int
        let perPage: Int
        let pages: Int

        private enum CodingKeys: String, CodingKey {
            case events, total, page, pages
            case perPage = "per_page"
        }
    }
}
