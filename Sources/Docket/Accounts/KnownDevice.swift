// A device on which an account has been signed in before: a cookie that outlives sessions and signs nobody in. All that it does is to keep
// strangers' failures from slowing this device (the device cookies of OWASP's authentication guidance).

import HTTP
import SQLite

enum KnownDevice {
    private static let lifetime = 365

    private static func name(_ origin: Origin) -> String { origin.isSecure ? "__Host-docket-device" : "docket-device" }

    /// The digest of the device's cookie, where it belongs to this account; nil for a device that is new to it.
    static func find(_ context: Context, userID: Int?) throws -> [UInt8]? {
        guard let userID else { return nil }
        let oldest = context.now.adding(days: -lifetime).milliseconds
        return try context.cookies.digests(name(context.origin)).first { digest in
            try context.database.scalar(
                "SELECT 1 FROM known_devices WHERE digest = \(digest) AND user_id = \(userID) AND seen_at >= \(oldest)") != nil
        }
    }

    /// Remembers the device of a right password: a new one gets a secret for its cookie.
    static func remember(_ known: [UInt8]?, _ database: Connection, userID: Int, now: Instant) throws -> Secret? {
        try database.execute(
            "DELETE FROM known_devices WHERE user_id = \(userID) AND seen_at < \(now.adding(days: -lifetime).milliseconds)")
        if let known {
            try database.execute(
                "UPDATE known_devices SET seen_at = \(now.milliseconds) WHERE digest = \(known) AND user_id = \(userID)")
            return nil
        }
        let secret = Secret()
        try database.execute(
            "INSERT INTO known_devices (digest, user_id, seen_at) VALUES (\(secret.digest), \(userID), \(now.milliseconds))")
        return secret
    }

    static func cookie(_ secret: Secret, _ origin: Origin) -> String {
        SetCookie.text(name(origin), secret.text, maxAge: lifetime * 86_400, origin)
    }
}
