// What the commands of an operator do with people and tokens, while the server runs or not: each change is one short transaction, waited
// for at most as long as the connection waits for a lock, and holds from the server's next request on. Every refusal is one line.

public import Glibc
public import SQLite

/// A command that cannot be done, told in one line.
public struct CommandFailure: Error, CustomStringConvertible, Sendable {
    /// The line.
    public let description: String
    /// True where the disk is full, or what the system lets us have of it.
    public let isStorageFull: Bool

    /// Makes one.
    public init(_ description: String, isStorageFull: Bool = false) {
        (self.description, self.isStorageFull) = (description, isStorageFull)
    }

    /// A system call that has just failed, and what for.
    public init(system what: String, code: Int32 = errno) {
        self.init("\(what): \(String(cString: strerror(code)))", isStorageFull: code == ENOSPC || code == EDQUOT)
    }
}

/// People and their tokens, as an operator sees them.
public struct Administration {
    private let database: Connection
    private let now: Instant
    private let audit: Audit

    /// - Parameter database: a connection that writes, outside of a transaction.
    public init(_ database: Connection) {
        self.database = database
        now = Instant.now()
        audit = Audit(command: now)
    }

    /// An account in a list.
    public struct Account: Sendable {
        /// As the person wrote it.
        public let name: String
        /// May administrate.
        public let isAdministrator: Bool
        /// May not sign in.
        public let isDisabled: Bool
        /// Tasks outside of the trash.
        public let taskCount: Int
        /// An instant in UTC, ISO 8601.
        public let createdAt: String
        /// When one of its sessions was last seen, nil without a session.
        public let lastSeenAt: String?
    }

    /// A token in a list.
    public struct Token: Sendable {
        /// The account's name.
        public let user: String
        /// What its owner calls it.
        public let name: String
        /// `read`, `add` or `full`.
        public let scope: String
        /// An instant in UTC, nil for a token without end.
        public let expiresAt: String?
        /// True where it is over.
        public let isExpired: Bool
        /// A day, nil before its first use.
        public let lastUsedOn: String?
    }

    // MARK: Passwords

    /// Checks and hashes a password; slow by purpose, so not inside of a transaction.
    public static func hash(password: String) throws -> String {
        do {
            return try Password.hash(try Password.prepare(password))
        } catch let errors as FormErrors {
            throw CommandFailure(errors.line)
        }
    }

    // MARK: People

    /// Makes an account; the first one is an administrator's in any case.
    public func add(_ name: String, passwordHash: String, isAdministrator: Bool, config: Config) throws {
        let userName: UserName
        do throws(UserNameError) {
            userName = try UserName(name)
        } catch {
            var errors = FormErrors()
            errors.add("username", error)
            throw CommandFailure(errors.line)
        }
        try change {
            let accounts = AccountRepository(database: database, now: now)
            let id = try accounts.create(
                AccountRepository.NewAccount(
                    name: userName, passwordHash: passwordHash, language: config.language, zoneName: config.timeZone))
            try audit.record(.signedUp, of: id, in: database)
            guard isAdministrator else { return }
            try database.execute("UPDATE users SET is_admin = 1 WHERE id = \(id)")
            try audit.record(.administratorMade, of: id, in: database)
        }
    }

    /// All accounts, by name.
    public func accounts() throws -> [Account] {
        try AccountRepository(database: database, now: now).all().map {
            Account(
                name: $0.name, isAdministrator: $0.isAdmin, isDisabled: $0.isDisabled, taskCount: $0.taskCount,
                createdAt: $0.createdAt.iso8601, lastSeenAt: $0.lastSeenAt?.iso8601)
        }
    }

    /// The name as its owner writes it, of an account that is named in any way that looks the same.
    public func name(of name: String) throws -> String { try user(name).name }

    /// Sets a password and ends all sessions: whoever knew the old one is out.
    public func setPassword(of name: String, hash: String) throws {
        try change {
            let id = try user(name).id
            try AccountRepository(database: database, now: now).setPassword(id, hash)
            try SessionRepository(database).endAll(userID: id)
            try audit.record(.passwordChanged, of: id, in: database)
        }
    }

    /// Closes or opens an account. False where nothing changed.
    public func setDisabled(_ name: String, _ isDisabled: Bool) throws -> Bool {
        try change {
            let id = try user(name).id
            let was = try database.scalar("SELECT is_disabled FROM users WHERE id = \(id)") == 1
            guard was != isDisabled else { return false }
            try AccountRepository(database: database, now: now).setDisabled(id, isDisabled)
            try audit.record(isDisabled ? .accountDisabled : .accountEnabled, of: id, in: database)
            return true
        }
    }

    /// Removes an account with all that belongs to it, and tells how many tasks that were.
    public func delete(_ name: String) throws -> Int {
        try change {
            let id = try user(name).id
            let count = Int(try database.scalar("SELECT count(*) FROM tasks WHERE user_id = \(id)") ?? 0)
            try audit.record(.accountDeleted, of: id, in: database)
            try AccountRepository(database: database, now: now).delete(id)
            return count
        }
    }

    /// True where nobody who may sign in is an administrator, though there are accounts.
    public func lacksAdministrator() throws -> Bool {
        let accounts = try accounts()
        return !accounts.isEmpty && !accounts.contains { $0.isAdministrator && !$0.isDisabled }
    }

    // MARK: Tokens

    /// Makes a token and gives its secret, which is kept nowhere.
    ///
    /// - Parameters:
    ///   - scope: `read`, `add` or `full`.
    ///   - days: after how many days it ends; nil: never.
    public func addToken(of name: String, called what: String, scope: String, days: Int?) throws -> String {
        guard let scope = Scope(rawValue: scope) else {
            throw CommandFailure("no such scope: \(scope); there are \(Scope.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return try change {
            let id = try user(name).id
            try audit.record(.tokenMade, of: id, detail: scope.rawValue, in: database)
            return try TokenRepository(database).add(
                userID: id, name: what, scope: scope, expiresAt: days.map { now.adding(days: $0) }, now: now
            ).text
        }
    }

    /// The tokens of one person, or of all.
    public func tokens(of name: String?) throws -> [Token] {
        let users: [(id: Int, name: String)]
        if let name {
            let user = try user(name)
            users = [(user.id, user.name)]
        } else {
            users = try AccountRepository(database: database, now: now).all().map { ($0.id, $0.name) }
        }
        return try users.flatMap { user in
            try TokenRepository(database).list(userID: user.id).map {
                Token(
                    user: user.name, name: $0.name, scope: $0.scope.rawValue, expiresAt: $0.expiresAt?.iso8601,
                    isExpired: $0.expiresAt.map { $0 <= now } ?? false, lastUsedOn: $0.lastUsedOn?.description)
            }
        }
    }

    /// Ends a token.
    public func revokeToken(of name: String, called what: String) throws {
        try change {
            let user = try user(name)
            guard try TokenRepository(database).revoke(userID: user.id, name: what) else {
                throw CommandFailure("\(user.name) has no token called \(what)")
            }
            try audit.record(.tokenRevoked, of: user.id, in: database)
        }
    }

    // MARK: Within

    private func user(_ name: String) throws -> User { try AccountRepository(database: database, now: now).named(name) }

    private func change<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try database.transaction(.immediate, body)
        } catch let errors as FormErrors {
            throw CommandFailure(errors.line)
        }
    }
}

extension FormErrors {
    /// The first mistake as one line for a terminal. The pages' texts lie in the strings files, which a command does without.
    var line: String {
        guard let (field, message) = fields.first else { return "" }
        let what = field == "username" ? "user name" : field
        func value(_ name: String) -> String { message.values.first { $0.0 == name }?.1 ?? "" }
        let ending = message.key.split(separator: ".").last ?? ""
        switch ending {
        case "taken": return "the \(what) is taken"
        case "empty": return "the \(what) is empty"
        case "common": return "the \(what) is one of the most common ones"
        case "trivial": return "the \(what) repeats one sign, or is a run such as abcdefgh"
        case "name": return "the \(what) may not be the user name"
        case "short" where value("n").isEmpty: return "the \(what) is too short"
        case "long" where value("n").isEmpty: return "the \(what) is too long"
        case "short": return "the \(what) has \(value("n")) characters, at least \(value("limit")) are wanted"
        case "long" where value("limit").isEmpty: return "the \(what) has more than \(value("n")) characters"
        case "long": return "the \(what) has \(value("n")) characters, at most \(value("limit")) are allowed"
        case "too_many_bytes": return "the \(what) is too long"
        case "control": return "the \(what) holds a character that cannot be seen"
        case "characters": return "the \(what) may hold letters, digits and . _ - only"
        case "edge": return "the \(what) begins with a letter or digit and ends with one"
        case "mixed": return "the \(what) mixes alphabets whose letters look alike"
        default: return "the \(what) can't be taken (\(message.key))"
        }
    }
}
