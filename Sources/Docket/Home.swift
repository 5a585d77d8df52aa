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
    /// GET /healthz: `ok` while the database answers and what is changed can be kept.
    static func show(_ context: Context) throws -> Response {
        try context.app.disk.look(at: context.now) { _ = try context.database.scalar("PRAGMA schema_version") }
        if let trouble = context.app.disk.trouble {
            var response = context.text("storage: \(trouble)\n", status: 503)
            response.fields[.retryAfter] = "5"
            return response
        }
        return context.text("ok\n")
    }
}
