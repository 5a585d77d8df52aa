// A person with an account, and how they were recognised on this request.

import SQLite

/// A person, with the preferences that every page follows.
struct User: Equatable, Sendable {
    let id: Int
    let name: String
    let isAdmin: Bool
    /// Goes up with each change of anything of theirs: what was made at one revision is right as long as it stands.
    let revision: Int
    let language: Language
    let zone: Zone
    let theme: String
    let textSize: String
    /// The day that a week begins with.
    let firstWeekday: Weekday
    let perPage: Int
    /// The key of a category.
    let defaultCategory: String
    let order: TaskOrder

    /// The columns of `users` in the order in which `init(row:)` reads them.
    static let columns: SQL = """
        users.id, users.name, users.is_admin, users.revision, users.language, users.time_zone, users.theme, users.text_size, \
        users.first_weekday, users.per_page, users.default_category, users.default_sort
        """

    init(row: Row) throws {
        id = try row.int(0)
        name = try row.text(1)
        isAdmin = try row.int(2) == 1
        revision = try row.int(3)
        language = Language(rawValue: try row.text(4)) ?? .english
        zone = Zone(orUTC: try row.text(5))
        theme = try row.text(6)
        textSize = try row.text(7)
        firstWeekday = Weekday(rawValue: try row.int(8)) ?? .monday
        perPage = try row.int(9)
        defaultCategory = try row.text(10)
        order = TaskOrder(rawValue: try row.text(11)) ?? .newest
    }
}

/// What a token may do.
enum Scope: String, CaseIterable, Sendable {
    /// Read lists and tasks.
    case read
    /// Make tasks, nothing else.
    case add
    /// All that its owner may do with tasks; never passwords, tokens, people.
    case full
}

/// A person who has shown who they are.
struct Session: Sendable {
    /// How they did.
    enum Credential: Sendable {
        /// The cookie of a sign-in, by its digest.
        case cookie(digest: [UInt8])
        /// The word of a listed proxy, given anew with each request.
        case proxy
        /// A bearer token.
        case token(id: Int, scope: Scope)
    }

    let user: User
    let credential: Credential
    /// False where the last use that is written down is so old that this one should be.
    var isNoted = true

    /// The digest of its cookie, nil for a token and for who is signed in by a proxy.
    var digest: [UInt8]? {
        if case .cookie(let digest) = credential { digest } else { nil }
    }

    /// True where it is the session of this digest.
    func isOf(_ digest: [UInt8]) -> Bool { self.digest == digest }

    /// By which way a change came, for the history.
    var way: String {
        switch credential {
        case .cookie, .proxy: "page"
        case .token: "token"
        }
    }

    /// True where a proxy says who it is.
    var isByProxy: Bool { if case .proxy = credential { true } else { false } }

    var isToken: Bool {
        switch credential {
        case .cookie, .proxy: false
        case .token: true
        }
    }
}
