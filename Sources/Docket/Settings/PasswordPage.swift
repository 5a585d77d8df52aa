// A new password: the current one is asked for, the new one meets the one rule of all ways in. It ends every other session, and this
// one goes on under a new identifier.

import Argon2
import HTTP
import Mustache

enum PasswordPage {
    /// GET /settings/password
    static func show(_ context: Context, _ session: Session) throws -> Response {
        try page(context, session, errors: nil)
    }

    /// POST /settings/password. Runs on a hashing thread.
    static func save(_ context: Context, _ session: Session) throws -> Response {
        do {
            let user = session.user
            let name = try? UserName(user.name)
            let prepared: [UInt8]
            do throws(FormErrors) {
                prepared = try Password.prepare(context.form.first("new_password") ?? "", field: "new_password", name: name)
            } catch {
                // Both fields are looked at, so that one answer names all mistakes.
                var errors = error
                if try !CurrentPassword.isRight(context, session) { errors.add("current_password", "problem.password.wrong") }
                throw errors
            }
            guard try CurrentPassword.isRight(context, session) else {
                throw FormErrors("current_password", "problem.password.wrong")
            }
            let hash = try Password.hash(prepared)
            let (now, address, agent) = (context.now, context.origin.client, context.request.head.fields[.userAgent] ?? "")
            let audit = Audit(context, by: session)
            let secret = try context.write { database in
                try audit.record(.passwordChanged, of: user.id, in: database)
                try AccountRepository(database: database, now: now).setPassword(user.id, hash)
                let sessions = SessionRepository(database)
                try sessions.endAll(userID: user.id)
                return try sessions.create(userID: user.id, address: address, userAgent: agent, now: now)
            }
            var response = try context.redirect(
                to: "/settings/password", saying: "notice.password_changed." + max(.weak, PasswordStrength(prepared)).rawValue)
            response.fields.append(.setCookie, SessionCookie.set(secret, context))
            return response
        } catch let errors as FormErrors {
            guard context.format == .html else { return context.refuseForm(errors) }
            return try page(context, session, errors: errors)
        }
    }

    private static func page(_ context: Context, _ session: Session, errors: FormErrors?) throws -> Response {
        let strings = context.strings
        func error(_ field: String) -> Value { errors?.text(field, strings).map { .text($0) } ?? .null }
        let view: Object = [
            "page_title": .text(strings["account.password"]), "has_password": .bool(try CurrentPassword.exists(context, session)),
            "current_error": error("current_password"),
            "new_error": error("new_password"),
        ]
        return try context.page(
            "settings/password", view.appending(SettingsTab.password.names), session, status: errors == nil ? 200 : 422)
    }
}

/// The field `current_password` of a form, which stands before what cannot be taken back. Guessing is slowed by account, apart from
/// sign-in: someone at an open screen must not be able to keep its owner out elsewhere.
enum CurrentPassword {
    /// False for an account that only a proxy signs in.
    static func exists(_ context: Context, _ session: Session) throws -> Bool {
        try AccountRepository(database: context.database, now: context.now).passwordHash(of: session.user.id) != nil
    }

    /// True where it is this person's; a wrong one is counted. Throws `Refusal.tooManyAttempts` after too many.
    static func isRight(_ context: Context, _ session: Session) throws -> Bool {
        let throttle = Throttle(password: session.user.id, now: context.now)
        if let seconds = try throttle.wait(context.database) { throw Refusal.tooManyAttempts(seconds: seconds) }
        let accounts = AccountRepository(database: context.database, now: context.now)
        let stored = try accounts.passwordHash(of: session.user.id)
        let prepared = PasswordText(toVerify: context.form.first("current_password") ?? "")?.bytes
        if let stored, let prepared, try PasswordHash.verify(password: prepared, encoded: stored) {
            if try throttle.hasFailures(context.database) { try context.write { try throttle.succeeded($0) } }
            return true
        }
        let (audit, user) = (Audit(context, by: session), session.user.id)
        try context.write { database in
            try throttle.failed(database)
            try audit.record(.passwordCheckFailed, of: user, in: database)
        }
        return false
    }
}
