// The accounts of this Docket, for administrators: closing and opening them, ending their sessions, giving and taking that right, and
// invitations. Tasks are counted; nobody's tasks are ever shown here. Nobody can close or demote themselves, so that one administrator
// remains.

import HTTP
import Mustache

enum PeoplePage {
    private enum Action: String, CaseIterable {
        case disable, enable
        case endSessions = "end_sessions"
        case promote, demote

        var event: Audit.Event {
            switch self {
            case .disable: .accountDisabled
            case .enable: .accountEnabled
            case .endSessions: .sessionsEnded
            case .promote: .administratorMade
            case .demote: .administratorUnmade
            }
        }
    }

    /// GET /admin/users
    static func show(_ context: Context, _ session: Session) throws -> Response {
        guard context.format == .html else {
            return try context.answer(
                "people",
                try AccountRepository(database: context.database, now: context.now).all().map { entry in
                    [
                        ("id", .number(entry.id)), ("name", .text(entry.name)), ("admin", .flag(entry.isAdmin)),
                        ("disabled", .flag(entry.isDisabled)), ("tasks", .number(entry.taskCount)),
                        ("last_seen_at", JSON(entry.lastSeenAt?.iso8601)),
                    ]
                })
        }
        return try page(context, session)
    }

    /// POST /admin/users: one of the actions with the number of an account, or `invite`. Runs outside the writer's lane, so that no
    /// receipt keeps the answer that shows an invitation.
    static func change(_ context: Context, _ session: Session) throws -> Response {
        let now = context.now
        let (me, audit) = (session.user.id, Audit(context, by: session))
        let invites = context.form.first("invite").map { $0 != "0" } ?? false
        try context.form.checkAtMostOne(of: (invites ? ["invite"] : []) + Action.allCases.map(\.rawValue))
        if invites {
            guard context.app.config.registration == .invite else { throw Refusal.registrationClosed }
            let secret = try context.write { database in
                try audit.record(.invitationMade, of: me, in: database)
                return try InvitationRepository(database).make(by: me, now: now)
            }
            guard context.format == .html else {
                let link = link(context, secret)
                return try context.answer(["invitation": link], line: link, status: 201)
            }
            return try page(context, session, invitation: secret)
        }
        guard let action = Action.allCases.first(where: { context.form.first($0.rawValue) != nil }) else {
            throw FormErrors("action", "problem.action", [("value", "")])
        }
        guard let id = Int(digits: (context.form.first(action.rawValue) ?? "").utf8) else { throw Refusal.notFound }
        guard id != me || action == .endSessions else { throw Refusal.forbidden }
        let kept = id == me ? session.digest : nil
        try context.write { database in
            let accounts = AccountRepository(database: database, now: now)
            // Asked again inside the transaction: of two administrators who demote each other, one remains.
            guard try accounts.user(me)?.isAdmin == true else { throw Refusal.forbidden }
            guard try accounts.user(id) != nil else { throw Refusal.notFound }
            try audit.record(action.event, of: id, in: database)
            switch action {
            case .disable: try accounts.setDisabled(id, true)
            case .enable: try accounts.setDisabled(id, false)
            case .endSessions: try SessionRepository(database).endAll(userID: id, except: kept)
            case .promote: try accounts.setAdministrator(id, true)
            case .demote: try accounts.setAdministrator(id, false)
            }
        }
        return try context.redirect(to: "/admin/users", saying: "notice.people_changed")
    }

    /// Where an invitation is used.
    private static func link(_ context: Context, _ secret: Secret) -> String {
        let url = context.app.config.publicURL
        let origin = url?.origin ?? ((context.origin.isSecure ? "https://" : "http://") + context.origin.authority)
        return origin + (url?.basePath ?? "") + "/sign-up?invite=" + secret.text
    }

    private static func page(_ context: Context, _ session: Session, invitation: Secret? = nil) throws -> Response {
        let strings = context.strings
        let config = context.app.config
        let people = try AccountRepository(database: context.database, now: context.now).all()
        let dates = DateText(context)
        let view: Object = [
            "page_title": .text(strings["people.title"]), "can_invite": .bool(config.registration == .invite),
            "invitation": invitation.map { .text(link(context, $0)) } ?? .null,
            "people": .list(
                people.map { entry in
                    let isMe = entry.id == session.user.id
                    return [
                        "id": .text(String(entry.id)), "name": .text(entry.name), "is_me": .bool(isMe),
                        "disabled": .bool(entry.isDisabled),
                        "admin": .bool(entry.isAdmin), "can_promote": .bool(!isMe && !entry.isAdmin && !entry.isDisabled),
                        "can_demote": .bool(!isMe && entry.isAdmin), "can_disable": .bool(!isMe && !entry.isDisabled),
                        "tasks_text": .text(strings.count("people.tasks", entry.taskCount)),
                        "last_text": .text(
                            entry.lastSeenAt.map { strings("sessions.last", [("when", dates.ago($0))]) }
                                ?? strings["people.never_seen"]),
                    ]
                }),
        ]
        return try context.page("accounts/people", view.appending(SettingsTab.people.names), session)
    }
}
