// Every option of the server in one table: flag, environment name, default, help line and how its text is read.
// `--help`, the environment and the README's table come from here. A wrong value is an error that names the option; nothing is guessed.

import HTTP

/// What a server is started with.
public struct Config: Sendable {
    /// The database file, or `:memory:`.
    public var database = "docket.sqlite3"
    /// The address to listen on, or the path of a Unix socket where it begins with `/`.
    public var host = "127.0.0.1"
    /// The port, 0 for any free one.
    public var port = 8080
    /// Where people reach Docket from outside, where a proxy stands before it.
    public var publicURL: PublicURL?
    /// Addresses or networks whose forwarded fields count.
    public var trustedProxies: [AddressRange] = []
    /// The field in which those proxies say who has signed in to them; nil: they do not.
    var proxyUserHeader: FieldName?
    /// Whether someone whom a proxy signs in for the first time gets an account.
    public var proxyAccounts = Switch.off
    /// Where people sign out of the proxy.
    public var proxySignOutURL = ""
    /// Who may sign up.
    public var registration = Registration.open
    /// For new accounts whose browser does not say.
    public var timeZone = "UTC"
    /// For new accounts and strangers whose browser does not say.
    public var language = Language.english
    /// How log lines are written.
    public var log = LogFormat.text
    /// Where `Templates` and `Public` lie; found beside the program or in the working folder where nothing is said.
    public var resources: String?
    /// Days until a session that is not used ends.
    public var sessionIdleDays = 30
    /// Days until a session ends in any case.
    public var sessionDays = 365
    /// Days that the trash is kept.
    public var trashDays = 30
    /// Days that changes are kept for undo and history.
    public var historyDays = 365
    /// Days that the audit log is kept.
    public var auditDays = 365
    /// Pages of the write-ahead log after which it is taken into the file, for which changes wait: so many that it is seldom one in a hundred;
    /// 0: another program does that.
    public var checkpointPages = 4_000
    /// What the web server allows.
    public var limits = Limits()
    /// Opens `/metrics` to others than this machine.
    public var metricsToken: String?
    /// The folder of nameless files for large content; that of the database where nothing is said.
    public var spoolFolder: String?
    /// Largest form, in bytes: a bulk form of 100,000 identifiers is one of 4 MB.
    public var maximumFormBytes = 5 << 20
    /// Largest uploaded file, in bytes.
    public var maximumUploadBytes = 256 << 20

    /// The defaults.
    public init() {}

    /// Who may make an account.
    public enum Registration: String, Sendable, CaseIterable { case open, invite, closed }
    /// Whether something is done.
    public enum Switch: String, Sendable, CaseIterable { case off, on }
    /// Log lines for people or for programs.
    public enum LogFormat: String, Sendable, CaseIterable { case text, json }

    /// One option.
    public struct Option: Sendable {
        /// The flag without the two hyphens.
        public let name: String
        /// What stands for its value in the help.
        public let value: String
        /// One line of help.
        public let help: String
        /// Its default as text, for the help.
        public let standard: String
        /// All that its value can be, where those are few words.
        public var choices: [String] = []
        /// What a secret has to be, in place of a message that would show it.
        public var rule: String?
        let read: @Sendable (inout Config, String) -> Bool

        /// `DOCKET_` and the flag in capitals.
        public var environment: String {
            "DOCKET_" + String(decoding: name.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 & 0xDF }, as: UTF8.self)
        }
    }

    /// A wrong option, told in one line.
    public struct Mistake: Error, Sendable, CustomStringConvertible {
        /// The line.
        public let description: String
        /// Makes one.
        public init(_ description: String) { self.description = description }
    }

    /// The table.
    public static let options: [Option] = ownOptions + limitOptions

    private static let ownOptions: [Option] = [
        text("database", "FILE", "the file of all data, or :memory: for a trial run", \.database),
        text("host", "ADDRESS", "address to listen on (*: all of both kinds), or the path of a Unix socket", \.host),
        number("port", "port to listen on, 0 for any free one", 0...65_535, \.port),
        Option(
            name: "public-url", value: "URL", help: "address that people use, where a proxy stands before Docket", standard: ""
        ) {
            guard let url = PublicURL($1) else { return false }
            $0.publicURL = url
            return true
        },
        Option(
            name: "trusted-proxies", value: "LIST",
            help: "addresses or networks of proxies whose Forwarded or X-Forwarded-* fields count",
            standard: ""
        ) {
            let ranges = $1.utf8.split(separator: UInt8(ascii: ",")).map { AddressRange(Characters.trim(String(Substring($0)))) }
            guard ranges.allSatisfy({ $0 != nil }) else { return false }
            $0.trustedProxies = ranges.compactMap { $0 }
            return true
        },
        Option(
            name: "proxy-user-header", value: "NAME",
            help: "field in which those proxies, and nobody else, say who has signed in, as Remote-User", standard: ""
        ) {
            $0.proxyUserHeader = ProxyUser.field($1)
            return $0.proxyUserHeader != nil
        },
        choice("proxy-accounts", "on: who comes that way for the first time gets an account", \.proxyAccounts),
        Option(
            name: "proxy-sign-out-url", value: "URL", help: "where people sign out of the proxy", standard: ""
        ) {
            $0.proxySignOutURL = $1
            return $1.utf8.starts(with: "https://".utf8) || $1.utf8.starts(with: "http://".utf8) || $1.utf8.starts(with: "/".utf8)
        },
        choice("registration", "who may sign up: open, invite or closed (the first account may always be made)", \.registration),
        Option(name: "time-zone", value: "ZONE", help: "time zone of new accounts, as Europe/Berlin", standard: "UTC") {
            guard (try? Zone(named: $1)) != nil else { return false }
            $0.timeZone = $1
            return true
        },
        choice("language", "language of new accounts: en or zh-Hans", \.language),
        choice("log", "log lines as text or json", \.log),
        Option(name: "resources", value: "FOLDER", help: "where Templates and Public lie", standard: "beside the program") {
            $0.resources = $1
            return !$1.isEmpty
        },
        number("session-idle-days", "days until an unused session ends", 1...3_650, \.sessionIdleDays),
        number("session-days", "days until any session ends", 1...3_650, \.sessionDays),
        number("trash-days", "days that the trash is kept", 1...3_650, \.trashDays),
        number("history-days", "days that changes are kept for undo and history", 1...36_500, \.historyDays),
        number("audit-days", "days that the audit log is kept", 1...36_500, \.auditDays),
        number(
            "checkpoint-pages", "pages of the log after which it goes into the file; 0 leaves that to Litestream", 0...1_000_000,
            \.checkpointPages),
        number("max-form-bytes", "largest form", 1_024...(1 << 30), \.maximumFormBytes),
        number("max-upload-bytes", "largest file to import", 1_024...(1 << 36), \.maximumUploadBytes),
        Option(
            name: "spool-folder", value: "FOLDER", help: "where large content waits in nameless files",
            standard: "beside the database"
        ) {
            $0.spoolFolder = $1
            return !$1.isEmpty
        },
        Option(
            name: "metrics-token", value: "TEXT", help: "bearer token that opens /metrics to others than this machine",
            standard: "", rule: "wants 16 or more printable ASCII characters without spaces"
        ) {
            $0.metricsToken = $1
            return $1.utf8.count >= 16 && $1.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        },
    ]

    /// Reads options from arguments (`--name value` or `--name=value`), which win, and the environment.
    ///
    /// - Returns: the configuration and the arguments that are no options.
    public static func read(arguments: [String], environment: [String: String]) throws(Mistake) -> (Config, rest: [String]) {
        var config = Config()
        for option in options {
            if let text = environment[option.environment], !text.isEmpty {
                try set(&config, option, text, said: option.environment)
            }
        }
        var rest: [String] = []
        var index = arguments.startIndex
        while index < arguments.endIndex {
            let argument = arguments[index]
            index += 1
            guard argument.utf8.starts(with: "--".utf8) else {
                rest.append(argument)
                continue
            }
            let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            guard let option = options.first(where: { $0.name == parts[0] }) else {
                throw Mistake("no such option: --\(parts[0])")
            }
            if parts.count == 2 {
                try set(&config, option, parts[1], said: "--" + option.name)
            } else {
                guard index < arguments.endIndex else { throw Mistake("--\(option.name) wants a value: \(option.value)") }
                try set(&config, option, arguments[index], said: "--" + option.name)
                index += 1
            }
        }
        // Without a listed proxy nobody could be believed: it would do nothing, and look as if it did.
        guard config.proxyUserHeader == nil || !config.trustedProxies.isEmpty else {
            throw Mistake("--proxy-user-header wants --trusted-proxies: the addresses of the proxies that set it")
        }
        guard config.proxyUserHeader != nil || config.proxyAccounts == .off else {
            throw Mistake("--proxy-accounts wants --proxy-user-header: the field in which the proxies say who it is")
        }
        return (config, rest)
    }

    private static func set(_ config: inout Config, _ option: Option, _ text: String, said: String) throws(Mistake) {
        guard option.read(&config, text) else {
            // What is a secret is not told to whoever reads the log.
            throw Mistake(
                option.rule.map { "\(said) \($0)" } ?? "\(said) can't be \"\(text)\": \(option.help)")
        }
    }

    private static func text(
        _ name: String, _ value: String, _ help: String, _ path: any WritableKeyPath<Config, String> & Sendable
    ) -> Option {
        Option(name: name, value: value, help: help, standard: Config()[keyPath: path]) {
            $0[keyPath: path] = $1
            return !$1.isEmpty
        }
    }

    static func number(
        _ name: String, _ help: String, _ range: ClosedRange<Int>, _ path: any WritableKeyPath<Config, Int> & Sendable
    ) -> Option {
        let standard = Config()[keyPath: path]
        return Option(
            name: name, value: "N", help: help + " (\(range.lowerBound) to \(range.upperBound))", standard: "\(standard)"
        ) {
            guard let number = Int(digits: $1.utf8), range.contains(number) else { return false }
            $0[keyPath: path] = number
            return true
        }
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ help: String, _ path: any WritableKeyPath<Config, Choice> & Sendable
    ) -> Option {
        Option(
            name: name, value: "WORD", help: help, standard: Config()[keyPath: path].rawValue,
            choices: Choice.allCases.map(\.rawValue)
        ) {
            guard let choice = Choice(rawValue: $1) else { return false }
            $0[keyPath: path] = choice
            return true
        }
    }
}
