// The first address, and the one that machines ask.

import HTTP
import SQLite

enum Home {
    /// GET /: to the list; to sign-in or, where nobody has an account yet, to sign-up.
    static func show(_ context: Context) throws -> Response {
        if try SessionRepository(context.database).identify(context) != nil { return context.redirect(to: "/tasks") }
        let someone = try context.database.scalar("SELECT 1 FROM users LIMIT 1") != nil
        return context.redirect(to: someone ? "/sign-in" : "/sign-up")
    }
}

enum Health {
    /// GET /healthz: `ok` while the database answers.
    static func show(_ context: Context) throws -> Response {
        guard try context.database.scalar("SELECT 1") == 1 else { throw Refusal.busy }
        return context.text("ok\n")
    }
}
