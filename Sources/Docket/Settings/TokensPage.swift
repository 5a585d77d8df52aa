// A person's tokens for scripts: what they may do, how long, when they were last used; a new one, shown in the answer to its form and
// never again. Its route runs outside the writer's lane, so that no form receipt keeps that answer; a form that is sent again is told
// that the name is taken and makes no second token.

import HTTP
import Mustache

enum TokensPage {
    private static let expiries = ["", "30", "90", "365"]
    private static let longestDays = 3_650

    /// GET /settings/tokens
    static func show(_ context: Context, _ session: Session) throws -> Response {
        guard context.format == .html else {
            return try context.answer(
                "tokens",
                try TokenRepository(context.database).list(userID: session.user.id).map { token in
                    [
                        ("id", .number(token.id)), ("name", .text(token.name)), ("scope", .text(token.scope.rawValue)),
                        ("expires_at", JSON(token.expiresAt?.iso8601)), ("last_used_on", JSON(token.lastUsedOn?.description)),
                    ]
                })
        }
        return try page(context, session)
    }

    /// POST /settings/tokens: makes one, or with `revoke` ends one.
    static func change(_ context: Context, _ session: Session) throws -> Response {
        let (user, audit) = (session.user.id, Audit(context, by: session))
        try context.form.checkAtMostOne(of: ["revoke", "name"])
        if let text = context.form.first("revoke") {
            guard let id = Int(digits: text.utf8) else { throw Refusal.notFound }
            try context.write { database in
                guard try TokenRepository(database).revoke(userID: user, id: id) != nil else { throw Refusal.notFound }
                try audit.record(.tokenRevoked, of: user, in: database)
            }
            return try context.redirect(to: "/settings/tokens", saying: "notice.token_revoked")
        }
        do {
            let (scope, days) = try read(context.form)
            let (now, name) = (context.now, context.form.first("name") ?? "")
            let end = days.map { now.adding(days: $0) }
            let secret = try context.write { database in
                try audit.record(.tokenMade, of: user, detail: scope.rawValue, in: database)
                return try TokenRepository(database).add(userID: user, name: name, scope: scope, expiresAt: end, now: now)
            }
            guard context.format == .html else {
                return try context.answer(["token": secret.text], line: secret.text, status: 201)
            }
            return try page(context, session, made: secret)
        } catch let errors as FormErrors {
            guard context.format == .html else { return context.refuseForm(errors) }
            return try page(context, session, errors: errors)
        }
    }

    private static func read(_ form: FormFields) throws(FormErrors) -> (scope: Scope, days: Int?) {
        var errors = FormErrors()
        let scope = form.first("scope").flatMap(Scope.init(rawValue:))
        if scope == nil { errors.add("scope", "problem.scope") }
        var days: Int?
        if let text = form.first("expires"), !text.isEmpty {
            days = Int(digits: text.utf8)
            if !(1...longestDays).contains(days ?? 0) { errors.add("expires", "problem.expires") }
        }
        if Characters.isInvisible(form.first("name") ?? "") { errors.add("name", "problem.name.empty") }
        try errors.check()
        guard let scope else { throw errors }
        return (scope, days)
    }

    private static func page(
        _ context: Context, _ session: Session, made: Secret? = nil, errors: FormErrors? = nil
    ) throws -> Response {
        let strings = context.strings
        // What was made is no longer in the form: the next one starts empty.
        let form = made == nil ? context.form : FormFields()
        func error(_ field: String) -> Value { errors?.text(field, strings).map { .text($0) } ?? .null }
        func options(_ values: [String], _ chosen: String, _ label: (String) -> String) -> Value {
            .list(
                values.map {
                    ["value": .text($0), "label": .text(label($0)), "selected": .bool($0.utf8.elementsEqual(chosen.utf8))]
                })
        }
        // A hashing thread's connection may have begun to read before the writer was done: it reads anew here.
        let tokens = try TokenRepository(context.database).list(userID: session.user.id)
        let view: Object = [
            "page_title": .text(strings["settings.tokens"]), "new_token": made.map { .text($0.text) } ?? .null,
            "has_list": .bool(!tokens.isEmpty), "tokens": .list(tokens.map { row($0, context) }),
            "form": [
                "name": .text(form.first("name") ?? ""), "name_error": error("name"), "scope_error": error("scope"),
                "expires_error": error("expires"),
                "scopes": options(Scope.allCases.map(\.rawValue), form.first("scope") ?? Scope.add.rawValue) {
                    strings["tokens.scope." + $0]
                },
                "expiries": options(expiries, form.first("expires") ?? "90") {
                    $0.isEmpty ? strings["tokens.expires.never"] : strings("tokens.expires.days", [("n", $0)])
                },
            ],
        ]
        return try context.page(
            "settings/tokens", view.appending(SettingsTab.tokens.names), session, status: errors == nil ? 200 : 422)
    }

    private static func row(_ token: TokenRepository.Entry, _ context: Context) -> Value {
        let strings = context.strings
        let dates = DateText(context)
        let ends =
            switch token.expiresAt {
            case nil: strings["tokens.ends.never"]
            case let end? where end <= context.now: strings["tokens.ends.over"]
            case let end?: strings("tokens.ends", [("when", dates.day(context.zone.day(at: end)))])
            }
        return [
            "id": .text(String(token.id)), "name": .text(token.name),
            "scope_text": .text(strings["tokens.scope." + token.scope.rawValue]),
            "ends_text": .text(ends),
            "last_text": .text(
                token.lastUsedOn.map { strings("tokens.last", [("when", dates.past($0))]) } ?? strings["tokens.last.never"]),
            "revoke_label": .text(strings("tokens.revoke_label", [("name", token.name)])),
        ]
    }
}
