// Signing in and out. Unknown names, wrong passwords and closed accounts get one answer, after one hash, in the same time.
// Failures are counted by account and by address and kept in the database, so that guessing stays slow after a restart.

import Argon2
import HTTP
import Mustache
import SQLite

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
        let accounts = AccountRepository(database: context.database, now: context.now)
        let id = try name.flatMap(accounts.id(of:))
        let device = try KnownDevice.find(context, userID: id)
        let throttle = Throttle(account: name?.key, address: address, device: device, now: context.now)
        if let seconds = try throttle.wait(context.database) {
            return try refuse(context, .tooManyAttempts(seconds: seconds), typed, next)
        }

        let stored = try id.flatMap(accounts.passwordHash(of:))
        let prepared = PasswordText(toVerify: form.first("password") ?? "")?.bytes
        let audit = Audit(context, by: nil)
        guard try Password.verify(prepared, stored), let id, let stored, let prepared else {
            try context.write { database in
                try throttle.failed(database)
                try audit.record(.signInFailed, of: id, in: database)
            }
            return try refuse(context, .signInFailed, typed, next)
        }
        let rehashed = PasswordHash.needsRehash(stored) ? try Password.hash(prepared) : nil
        let now = context.now
        let entry = SignInEntry(context, device: device)
        let secrets = try context.write { database in
            if let rehashed { try AccountRepository(database: database, now: now).setPassword(id, rehashed) }
            try throttle.succeeded(database)
            try audit.record(.signedIn, of: id, in: database)
            return try entry.make(database, userID: id)
        }
        let response = try HeldForm(form)?.page(context, next) ?? entered(context, to: next)
        return secrets.set(on: response, context)
    }

    /// POST /sign-out: the session ends on the server. Of a stranger, or of a session that has ended already, nothing is left to end.
    static func out(_ context: Context) throws -> Response {
        let sessions = SessionRepository(context.database)
        for digest in SessionCookie.digests(context) {
            guard let user = try sessions.owner(of: digest) else { continue }
            try sessions.end(digest: digest)
            try Audit(context, by: nil).record(.signedOut, of: user, in: context.database)
        }
        var response = try context.redirect(to: "/sign-in", saying: "notice.signed_out")
        response.fields.append(.setCookie, SessionCookie.remove(context.origin))
        return response
    }

    /// The answer to a right password: on to where the person wanted to go.
    static func entered(_ context: Context, to next: String, saying key: String? = nil) throws -> Response {
        guard context.format == .html else { return try context.answer(["signed_in": true], line: "signed in") }
        return try key.map { try context.redirect(to: next, saying: $0) } ?? context.redirect(to: next)
    }

    private static func refuse(_ context: Context, _ refusal: Refusal, _ name: String, _ next: String) throws -> Response {
        guard context.format == .html else { throw refusal }
        let strings = context.strings
        let text =
            if case .tooManyAttempts(let seconds) = refusal {
                strings("sign_in.throttled", [("time", Throttle.text(seconds, strings))])
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
                "can_sign_up": .bool(config.registration == .open || isFirst),
                "closed_text": .text(context.strings[config.registration == .invite ? "sign_in.invite" : "sign_in.closed"]),
                "session_ended": .bool(held != nil),
                "kept": .list(held?.fields ?? []),
            ], nil, status: status)
    }
}

/// What a right password makes: a session under a new identifier in place of those that the browser showed, and a known device.
struct SignInEntry: Sendable {
    private let now: Instant
    private let address: String
    private let userAgent: String
    private let device: [UInt8]?
    private let replaced: [[UInt8]]

    /// The secrets for the browser's cookies.
    struct Secrets: Sendable {
        let session: Secret
        /// Nil where the device was known already.
        let device: Secret?

        func set(on response: Response, _ context: Context) -> Response {
            var response = response
            response.fields.append(.setCookie, SessionCookie.set(session, context))
            if let device { response.fields.append(.setCookie, KnownDevice.cookie(device, context.origin)) }
            return response
        }
    }

    init(_ context: Context, device: [UInt8]? = nil) {
        self.device = device
        now = context.now
        address = context.origin.client
        userAgent = context.request.head.fields[.userAgent] ?? ""
        replaced = SessionCookie.digests(context)
    }

    /// On the writer's thread.
    func make(_ database: Connection, userID: Int) throws -> Secrets {
        let sessions = SessionRepository(database)
        for digest in replaced { try sessions.end(digest: digest) }
        let device = try KnownDevice.remember(device, database, userID: userID, now: now)
        return Secrets(
            session: try sessions.create(userID: userID, address: address, userAgent: userAgent, now: now), device: device)
    }
}
