// Signing in and out. Unknown names, wrong passwords and closed accounts get one answer, after one hash, in the same time.
// Failures are counted by account and by address and kept in the database, so that guessing stays slow after a restart.

import Argon2
import HTTP
import Mustache

enum SignIn {
    /// GET /sign-in
    static func show(_ context: Context) throws -> Response {
        let next = context.query.first("next").flatMap(context.ownPath) ?? "/tasks"
        if try SessionRepository(context.database).identify(context) != nil { return context.redirect(to: next) }
        return try page(context, next: next)
    }

    /// POST /sign-in. Runs on a hashing thread; what it changes goes through the writer.
    static func submit(_ context: Context) throws -> Response {
        let form = context.form
        let next = form.first("next").flatMap(context.ownPath) ?? "/tasks"
        let typed = form.first("username") ?? ""
        let address = context.origin.client
        let name = try? UserName(typed)
        let throttle = Throttle(account: name?.key, address: address, now: context.now)
        if let seconds = try throttle.wait(context.database) {
            return try refuse(context, .tooManyAttempts(seconds: seconds), typed, next)
        }

        let accounts = AccountRepository(database: context.database, now: context.now)
        let id = try name.flatMap(accounts.id(of:))
        let stored = try id.flatMap(accounts.passwordHash(of:))
        let prepared = PasswordText(toVerify: form.first("password") ?? "")?.bytes
        let matches = try PasswordHash.verify(password: prepared ?? [], encoded: stored ?? Password.decoy)
        guard let id, let stored, let prepared, matches else {
            try context.write { try throttle.failed($0) }
            context.app.logger.event("sign_in_failed", [("address", address)])
            return try refuse(context, .signInFailed, typed, next)
        }
        let rehashed = PasswordHash.needsRehash(stored) ? try Password.hash(prepared) : nil
        let agent = context.request.head.fields[.userAgent] ?? ""
        let now = context.now
        let old = Cookies(context.request.head.fields).values(SessionCookie.name(context.origin)).compactMap(Secret.digest(of:))
        let secret = try context.write { database in
            let sessions = SessionRepository(database)
            for digest in old { try sessions.end(digest: digest) }
            if let rehashed { try AccountRepository(database: database, now: now).setPassword(id, rehashed) }
            try throttle.succeeded(database)
            return try sessions.create(userID: id, address: address, userAgent: agent, now: now)
        }
        context.app.logger.event("signed_in", [("user", String(id)), ("address", address)])
        return try HeldForm(form)?.page(context, secret, next) ?? signedIn(context, secret, to: next)
    }

    /// POST /sign-out: the session ends on the server.
    static func out(_ context: Context) throws -> Response {
        let sessions = SessionRepository(context.database)
        for text in Cookies(context.request.head.fields).values(SessionCookie.name(context.origin)) {
            if let digest = Secret.digest(of: text) { try sessions.end(digest: digest) }
        }
        var response = context.redirect(to: "/sign-in")
        response.fields.append(.setCookie, SessionCookie.remove(context.origin))
        return response
    }

    /// The answer to a right password: the cookie, and on to where the person wanted to go.
    static func signedIn(_ context: Context, _ secret: Secret, to next: String) -> Response {
        var response = context.format == .html ? context.redirect(to: next) : context.text("signed in\n")
        response.fields.append(.setCookie, SessionCookie.set(secret, context.origin, days: context.app.config.sessionIdleDays))
        return response
    }

    private static func refuse(_ context: Context, _ refusal: Refusal, _ name: String, _ next: String) throws -> Response {
        guard context.format == .html else { throw refusal }
        let strings = context.strings
        let text =
            if case .tooManyAttempts(let seconds) = refusal {
                strings("sign_in.throttled", [("time", strings.count("when.seconds", seconds))])
            } else {
                strings["sign_in.wrong"]
            }
        var response = try page(
            context, next: next, name: name, error: text, held: HeldForm(context.form), status: refusal.status.code)
        if let seconds = refusal.retryAfter { response.fields[.retryAfter] = String(seconds) }
        return response
    }

    static func page(
        _ context: Context, next: String, name: String = "", error: String? = nil, held: HeldForm? = nil, status: Int = 200
    ) throws -> Response {
        let config = context.app.config
        let isFirst = try AccountRepository(database: context.database, now: context.now).isEmpty()
        return try context.page(
            "accounts/sign-in",
            [
                "page_title": .text(context.strings["sign_in.title"]), "next": .text(next), "form_username": .text(name),
                "form_error": error.map { .text($0) } ?? .null, "focus_username": .bool(name.isEmpty),
                "can_sign_up": .bool(config.registration == .open || isFirst), "session_ended": .bool(held != nil),
                "kept": .list(held?.fields ?? []),
            ], nil, status: status)
    }
}

extension Context {
    /// What a stranger gets where only people who are signed in may go. A page leads to sign-in and back; a form that was sent is kept, so
    /// that it goes on after signing in (FAULTS A09).
    func signInFirst() throws -> Response {
        guard !request.head.method.isSafe else {
            let path = request.head.path + (request.head.query.map { "?" + $0 } ?? "")
            let next = ownPath(path).flatMap { $0 == "/" || $0 == "/tasks" ? nil : $0 }
            return redirect(to: "/sign-in" + (next.map { "?" + FormFields.encode([("next", $0)]) } ?? ""))
        }
        let held = HeldForm(path: request.head.path, form: form)
        return try SignIn.page(self, next: form.first("next").flatMap(ownPath) ?? "/tasks", held: held, status: 401)
    }
}

/// A form whose session had ended before it was sent: carried through sign-in in a hidden field, sent on by the person afterwards.
struct HeldForm {
    private static let pathField = "held_path"
    private static let formField = "held_form"

    let path: String
    let form: FormFields

    init(path: String, form: FormFields) {
        self.path = path
        self.form = form
    }

    /// Out of a sign-in form, nil where it carries none.
    init?(_ form: FormFields) {
        guard let path = form.first(Self.pathField), let text = form.first(Self.formField),
            let held = try? FormFields(urlEncoded: text.utf8, count: 100_100)
        else { return nil }
        self.init(path: path, form: held)
    }

    /// The hidden fields of the sign-in page.
    var fields: [Value] {
        [
            ["name": .text(Self.pathField), "value": .text(path)],
            ["name": .text(Self.formField), "value": .text(form.encoded)],
        ]
    }

    /// The page after signing in: what was typed, ready to be sent by the person. Nil for a path that is not ours.
    func page(_ context: Context, _ secret: Secret, _ next: String) throws -> Response? {
        guard let path = context.ownPath(path) else { return nil }
        var response = try context.page(
            "accounts/go-on",
            [
                "page_title": .text(context.strings["go_on.title"]), "action_url": .text(path), "next": .text(next),
                "kept": .list(form.map { ["name": .text($0.name), "value": .text($0.value)] }),
                "texts": .list(
                    form.filter { ["title", "content"].contains($0.name) && !$0.value.isEmpty }.map { ["text": .text($0.value)] }),
            ], nil)
        response.fields.append(.setCookie, SessionCookie.set(secret, context.origin, days: context.app.config.sessionIdleDays))
        return response
    }
}
