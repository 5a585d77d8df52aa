// docket token …: tokens for scripts. `add` prints the token alone, so that a script can keep it: TOKEN=$(docket token add …).

import Docket

enum Tokens {
    static func add(_ arguments: Arguments) throws {
        try arguments.noWords()
        let days = try arguments["expires"].map(days)
        let scope = arguments["scope"] ?? "full"
        guard ["read", "add", "full"].contains(scope) else { throw Usage("--scope can't be \"\(scope)\": read, add or full") }
        let (user, name) = (arguments["user"] ?? "", arguments["name"] ?? "")
        try Users.with(arguments) { administration in
            let secret = try administration.addToken(of: user, called: name, scope: scope, days: days)
            do {
                try Terminal.hand(secret)
            } catch {
                // What nobody has seen nobody can use, or end.
                try administration.revokeToken(of: user, called: name)
                throw Failure("\(error); nobody has seen the token, so it is ended")
            }
        }
    }

    static func list(_ arguments: Arguments) throws {
        try arguments.noWords()
        try Users.with(arguments) { administration in
            var rows = [["user", "name", "scope", "ends", "last used"]]
            rows += try administration.tokens(of: arguments["user"]).map {
                [$0.user, $0.name, $0.scope, ($0.expiresAt ?? "never") + ($0.isExpired ? " (over)" : ""), $0.lastUsedOn ?? "-"]
            }
            try Terminal.print(Users.table(rows))
        }
    }

    static func revoke(_ arguments: Arguments) throws {
        try arguments.noWords()
        try Users.with(arguments) {
            try $0.revokeToken(of: arguments["user"] ?? "", called: arguments["name"] ?? "")
            try Terminal.print("revoked \(arguments["name"] ?? "")")
        }
    }

    /// `90d` or `90`.
    private static func days(_ text: String) throws -> Int {
        let digits = text.utf8.last == UInt8(ascii: "d") ? text.utf8.dropLast() : text.utf8[...]
        guard let days = Number.read(digits), 1...36_500 ~= days else {
            throw Usage("--expires can't be \"\(text)\": days, as 90d")
        }
        return days
    }
}

/// Numbers out of arguments: digits only.
enum Number {
    static func read(_ digits: some Collection<UInt8>) -> Int? {
        guard 1...9 ~= digits.count, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
}
