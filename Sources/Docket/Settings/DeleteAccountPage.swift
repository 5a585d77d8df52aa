// Deleting one's own account with everything in it: an export is offered first, the password asked again. It cannot be taken back.

import HTTP
import Mustache

enum DeleteAccountPage {
    /// GET /settings/delete-account
    static func show(_ context: Context, _ session: Session) throws -> Response {
        try page(context, session, errors: nil)
    }

    /// POST /settings/delete-account. Runs on a hashing thread.
    static func delete(_ context: Context, _ session: Session) throws -> Response {
        do {
            try confirm(context, session)
            let (user, now, audit) = (session.user.id, context.now, Audit(context, by: session))
            try context.write { database in
                let accounts = AccountRepository(database: database, now: now)
                // Without an administrator nobody could help the others.
                guard try !accounts.isLastAdministrator(user) else {
                    throw FormErrors("current_password", "problem.last_administrator")
                }
                try audit.record(.accountDeleted, of: user, in: database)
                try accounts.delete(user)
            }
            var response = try context.redirect(to: "/sign-in", saying: "notice.account_deleted")
            response.fields.append(.setCookie, SessionCookie.remove(context.origin))
            return response
        } catch let errors as FormErrors {
            guard context.format == .html else { return context.refuseForm(errors) }
            return try page(context, session, errors: errors)
        }
    }

    /// The password once more, or the name of an account that has none.
    private static func confirm(_ context: Context, _ session: Session) throws {
        if try CurrentPassword.exists(context, session) {
            guard try CurrentPassword.isRight(context, session) else {
                throw FormErrors("current_password", "problem.password.wrong")
            }
        } else if Characters.trim(context.form.first("confirm_name") ?? "").utf8.elementsEqual(session.user.name.utf8) == false {
            throw FormErrors("current_password", "problem.confirm_name")
        }
    }

    private static func page(_ context: Context, _ session: Session, errors: FormErrors?) throws -> Response {
        let strings = context.strings
        let summary = try context.summary(session)
        let count = summary.open + summary.completed + summary.trashed
        let view: Object = [
            "page_title": .text(strings["delete_account.title"]), "what_text": .text(strings.count("delete_account.text", count)),
            "has_password": .bool(try CurrentPassword.exists(context, session)),
            "current_error": errors?.text("current_password", strings).map { .text($0) } ?? .null,
        ]
        return try context.page(
            "settings/delete-account", view.appending(SettingsTab.password.names), session, status: errors == nil ? 200 : 422)
    }
}
