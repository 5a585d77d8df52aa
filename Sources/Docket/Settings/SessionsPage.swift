// The devices on which a person is signed in, and the buttons that end one session or all others, on the server.

import HTTP
import Mustache

enum SessionsPage {
    /// GET /settings/sessions
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let strings = context.strings
        let dates = DateText(context)
        let sessions = try SessionRepository(context.database).list(
            userID: session.user.id, lifetimes: SessionLifetimes(context.app.config, context.now))
        guard context.format == .html else {
            return try context.answer(
                "sessions",
                sessions.map { entry in
                    [
                        ("id", .text(entry.id)), ("device", .text(UserAgent(entry.userAgent).text(strings))),
                        ("address", .text(entry.address)), ("created_at", .text(entry.createdAt.iso8601)),
                        ("last_seen_at", .text(entry.lastSeenAt.iso8601)), ("current", .flag(session.isOf(entry.digest))),
                    ]
                })
        }
        let view: Object = [
            "page_title": .text(strings["settings.sessions"]),
            "has_others": .bool(sessions.contains { !session.isOf($0.digest) }),
            "sessions": .list(
                sessions.map { entry in
                    let device = UserAgent(entry.userAgent).text(strings)
                    let isCurrent = session.isOf(entry.digest)
                    let last = isCurrent ? strings["when.just_now"] : dates.ago(entry.lastSeenAt)
                    return [
                        "id": .text(entry.id), "device_text": .text(device), "address": .text(entry.address),
                        "first_text": .text(strings("sessions.first", [("when", dates.since(entry.createdAt))])),
                        "last_text": .text(strings("sessions.last", [("when", last)])), "current": .bool(isCurrent),
                        "end_label": .text(strings("sessions.end_label", [("device", device)])),
                    ]
                }),
        ]
        return try context.page("settings/sessions", view.appending(SettingsTab.sessions.names), session)
    }

    /// POST /settings/sessions: `end` is a session's identifier, or `others`.
    static func end(_ context: Context, _ session: Session) throws -> Response {
        let sessions = SessionRepository(context.database)
        let (user, audit) = (session.user.id, Audit(context, by: session))
        guard let word = context.form.first("end") else { throw FormErrors("end", "problem.action", [("value", "")]) }
        if word == "others" {
            try sessions.endAll(userID: user, except: session.digest)
            try audit.record(.sessionsEnded, of: user, in: context.database)
            return try context.redirect(to: "/settings/sessions", saying: "notice.sessions_ended")
        }
        guard try sessions.end(userID: user, id: word) else { throw Refusal.notFound }
        try audit.record(.sessionEnded, of: user, in: context.database)
        return try context.redirect(to: "/settings/sessions", saying: "notice.session_ended")
    }
}
