// Making an account: name, password, language, time zone. The first one is the administrator's; later ones as the option says: for
// everyone, for those who hold an invitation, or for nobody.

import HTTP
import Mustache
import SQLite

enum SignUp {
    /// GET /sign-up
    static func show(_ context: Context) throws -> Response {
        try check(context)
        return try page(context, errors: nil)
    }

    /// POST /sign-up. Runs on a hashing thread.
    static func submit(_ context: Context) throws -> Response {
        do {
            return try make(context)
        } catch let errors as FormErrors {
            guard context.format == .html else { return context.refuseForm(errors) }
            return try page(context, errors: errors)
        }
    }

    private static func make(_ context: Context) throws -> Response {
        let wanted = try Wanted(context)
        let throttle = Throttle(account: nil, address: context.origin.client, now: context.now)
        if let seconds = try throttle.wait(context.database) { throw Refusal.tooManyAttempts(seconds: seconds) }
        // Sent twice (double click, back and send): the account is there, and whoever sends the same form with its password is its owner.
        if let again = try again(context, wanted) { return again }
        try check(context)
        let account = AccountRepository.NewAccount(
            name: wanted.name, passwordHash: try Password.hash(wanted.password), language: wanted.language, zoneName: wanted.zone)
        let (now, registration, invitation) = (context.now, context.app.config.registration, invitation(context))
        let entry = SignInEntry(context)
        let audit = Audit(context, by: nil)
        let (formID, path) = (context.form.first("form_id"), context.request.head.path)
        do {
            let secrets = try context.write { database in
                let accounts = AccountRepository(database: database, now: now)
                let isFirst = try accounts.isEmpty()
                let id = try accounts.create(account)
                // Asked again inside the transaction: two first accounts at once are one administrator and one refusal, and an
                // invitation is used up once.
                if !isFirst {
                    switch registration {
                    case .open: break
                    case .invite:
                        guard let invitation, try InvitationRepository(database).use(invitation, by: id, now: now) else {
                            throw Refusal.registrationClosed
                        }
                    case .closed: throw Refusal.registrationClosed
                    }
                }
                try audit.record(.signedUp, of: id, detail: isFirst ? "first" : registration.rawValue, in: database)
                if let formID { try Receipt(path, formID).keep(database, userID: id, now: now) }
                return try entry.make(database, userID: id)
            }
            let strength = PasswordStrength(wanted.password).rawValue
            return secrets.set(on: try SignIn.entered(context, to: "/tasks", saying: "notice.signed_up." + strength), context)
        } catch let errors as FormErrors {
            if let again = try again(context, wanted) { return again }
            // A name that is taken tells that it exists: asking for many is slowed as guessing is.
            try context.write { try throttle.failed($0) }
            throw errors
        }
    }

    /// What the form asks for, each field by its rule.
    private struct Wanted {
        let name: UserName
        let password: [UInt8]
        let language: Language
        let zone: String

        init(_ context: Context) throws {
            let form = context.form
            var errors = FormErrors()
            var name: UserName?
            do throws(UserNameError) {
                name = try UserName(form.first("username") ?? "")
            } catch {
                errors.add("username", error)
            }
            var password: [UInt8] = []
            do throws(FormErrors) {
                password = try Password.prepare(form.first("password") ?? "", name: name)
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
            self.name = name
            self.password = password
            self.language = language
            self.zone = zone
        }
    }

    /// Signs in whoever sends a form again that has made its account already, nil for everyone else.
    private static func again(_ context: Context, _ wanted: Wanted) throws -> Response? {
        let accounts = AccountRepository(database: context.database, now: context.now)
        guard let formID = context.form.first("form_id"), let id = try accounts.id(of: wanted.name),
            try Receipt(context.request.head.path, formID).isKept(context.database, userID: id, now: context.now),
            try Password.verify(wanted.password, try accounts.passwordHash(of: id))
        else { return nil }
        let entry = SignInEntry(context)
        return try context.write { try entry.make($0, userID: id) }.set(on: try SignIn.entered(context, to: "/tasks"), context)
    }

    /// The form's identifier, kept beside the account that it made.
    private struct Receipt: Sendable {
        private let key: String
        init(_ path: String, _ formID: String) { key = path + " " + String(formID.prefix(200)) }

        func keep(_ database: Connection, userID: Int, now: Instant) throws {
            try database.execute(
                """
                INSERT INTO form_receipts (user_id, form_id, made_at, status, content) VALUES (\(userID), \(key), \(now.milliseconds), 303, x'')
                """)
        }

        /// For an hour: a double click, or going back and sending again.
        func isKept(_ database: Connection, userID: Int, now: Instant) throws -> Bool {
            let hourAgo = now.adding(seconds: -3_600).milliseconds
            return try database.scalar(
                "SELECT 1 FROM form_receipts WHERE user_id = \(userID) AND form_id = \(key) AND made_at >= \(hourAgo)") != nil
        }
    }

    private static func invitation(_ context: Context) -> [UInt8]? {
        (context.form.first("invite") ?? context.query.first("invite")).flatMap(Secret.digest(of:))
    }

    /// Refuses those who may not sign up.
    private static func check(_ context: Context) throws {
        let config = context.app.config
        if config.registration == .open { return }
        if try AccountRepository(database: context.database, now: context.now).isEmpty() { return }
        guard config.registration == .invite, let invitation = invitation(context),
            try InvitationRepository(context.database).isValid(invitation, now: context.now)
        else { throw Refusal.registrationClosed }
    }

    private static func page(_ context: Context, errors: FormErrors?) throws -> Response {
        let form = context.form
        let strings = context.strings
        func error(_ field: String) -> Value { errors?.text(field, strings).map { .text($0) } ?? .null }
        let language = form.first("language").flatMap(Language.init(rawValue:)) ?? context.language
        let zone = form.first("time_zone") ?? context.app.config.timeZone
        let invite = form.first("invite") ?? context.query.first("invite")
        return try context.page(
            "accounts/sign-up",
            [
                "page_title": .text(strings["sign_up.title"]), "form_id": .text(form.first("form_id") ?? Secret.formID()),
                "is_first": .bool(try AccountRepository(database: context.database, now: context.now).isEmpty()),
                "invite": invite.map { .text($0) } ?? .null,
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
