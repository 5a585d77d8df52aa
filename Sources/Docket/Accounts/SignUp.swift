// Making an account: name, password, language, time zone. The first one is the administrator's.

import HTTP
import Mustache

enum SignUp {
    /// GET /sign-up
    static func show(_ context: Context) throws -> Response {
        try check(context)
        return try page(context, errors: nil)
    }

    /// POST /sign-up. Runs on a hashing thread.
    static func submit(_ context: Context) throws -> Response {
        try check(context)
        let form = context.form
        do {
            var errors = FormErrors()
            var name: UserName?
            do throws(UserNameError) {
                name = try UserName(form.first("username") ?? "")
            } catch {
                errors.add("username", error)
            }
            var prepared: [UInt8] = []

            do throws(FormErrors) {
                prepared = try Password.prepare(form.first("password") ?? "")
            } catch {
                errors.add(error)
            }
            var language = context.language
            if let word = form.first("language"), !word.isEmpty {
                if let chosen = Language(rawValue: word) { language = chosen } else { errors.add("language", "problem.language") }
            }
            var zone = context.app.config.timeZone
            if let named = form.first("time_zone"), !named.isEmpty {
                if (try? Zone(named: named)) != nil { zone = named } else { errors.add("time_zone", "problem.time_zone") }
            }
            try errors.check()
            guard let name else { throw errors }
            let account = AccountRepository.NewAccount(
                name: name, passwordHash: try Password.hash(prepared), language: language, zoneName: zone)
            let (now, address, agent) = (context.now, context.origin.client, context.request.head.fields[.userAgent] ?? "")
            let registration = context.app.config.registration
            let secret = try context.write { database in
                let accounts = AccountRepository(database: database, now: now)
                // Asked again inside the transaction: two first accounts at once are one administrator and one refusal.
                guard try registration == .open || accounts.isEmpty() else { throw Refusal.registrationClosed }
                let id = try accounts.create(account)
                return try SessionRepository(database).create(userID: id, address: address, userAgent: agent, now: now)
            }
            context.app.logger.event("signed_up", [("address", address)])
            return SignIn.signedIn(context, secret, to: "/tasks")
        } catch let errors as FormErrors {
            guard context.format == .html else { return context.refuseForm(errors) }
            return try page(context, errors: errors)
        }
    }

    private static func check(_ context: Context) throws {
        guard
            try context.app.config.registration == .open
                || AccountRepository(database: context.database, now: context.now).isEmpty()
        else { throw Refusal.registrationClosed }
    }

    private static func page(_ context: Context, errors: FormErrors?) throws -> Response {
        let form = context.form
        let strings = context.strings
        func error(_ field: String) -> Value { errors?.text(field, strings).map { .text($0) } ?? .null }
        let language = form.first("language").flatMap(Language.init(rawValue:)) ?? context.language
        let zone = form.first("time_zone") ?? context.app.config.timeZone
        return try context.page(
            "accounts/sign-up",
            [
                "page_title": .text(strings["sign_up.title"]), "form_id": .text(Secret.formID()),
                "is_first": .bool(try AccountRepository(database: context.database, now: context.now).isEmpty()), "invite": .null,
                "form_username": .text(form.first("username") ?? ""), "form_error": error("language"),
                "username_error": error("username"),
                "password_error": error("password"), "time_zone_error": error("time_zone"),
                "languages": .list(
                    Language.allCases.map {
                        ["value": .text($0.rawValue), "label": .text($0.ownName), "selected": .bool($0 == language)]
                    }),
                "time_zones": .list(
                    ZoneDatabase.system.names().map { ["value": .text($0), "label": .text($0), "selected": .bool($0 == zone)] }),
                "guess_zone": .bool(form.isEmpty),
            ], nil, status: errors == nil ? 200 : 422)
    }
}
