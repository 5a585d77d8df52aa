// The whole of request handling, read top to bottom: route, session, origin check, form, handler, errors.
// `plan` runs on the connection's own thread and answers what needs no database; `Job.respond` runs where its lane says. Both are
// total: whatever goes wrong becomes an answer.

public import HTTP
public import SQLite

/// The application: immutable, made before the port opens. What it cannot start with, it refuses in `init`.
public final class App: Sendable {
    let config: Config
    let assets: Assets
    let router: Router
    let summaries = SummaryCache()
    /// The windows that want to hear of changes.
    public let events = EventHub()
    let requestIDs = RequestIDs()
    /// The figures of `/metrics`.
    public let metrics = Metrics()
    /// How the last commit ended.
    public let disk = DiskState()
    /// The files that people have sent.
    public let imports: ImportDesk
    /// Where events go.
    public let logger: Logger
    private let surface: Surface

    /// Reads templates, texts and static files, and checks that they fit together.
    public convenience init(config: Config, resources: Resources, logger: Logger) throws {
        self.init(config: config, surface: try Surface(resources, basePath: config.publicURL?.basePath ?? ""), logger: logger)
    }

    init(config: Config, surface: Surface, logger: Logger) {
        self.config = config
        self.surface = surface
        self.logger = logger
        imports = ImportDesk(logger: logger)
        assets = surface.assets
        router = Router(Routes.all)
    }

    func strings(_ language: Language) -> Strings { surface.strings[language == .english ? 0 : 1] }
    func pages(_ language: Language) -> Pages { surface.pages[language == .english ? 0 : 1] }
    func choices(_ language: Language) -> Choices { surface.choices[language == .english ? 0 : 1] }

    /// What is to be done with a request.
    public enum Plan: Sendable {
        /// Answered already: a static file, an address that leads nowhere.
        case answer(Response)
        /// To be run on a thread of the lane, with its connection.
        case job(Job)
    }

    /// Finds the route; answers static files.
    public func plan(_ request: Request) -> Plan {
        var request = ProxyUser.cleaned(request, config)
        request.head.path = ownPath(request.head.path)
        if var answer = assets.answer(request.head) {
            answer.trace = Trace(id: "-", route: "/public/{file}", client: request.peer)
            return .answer(answer)
        }
        guard let path = path(of: request.head) else {
            return .job(Job(app: self, request: request, target: .refusal(.notFound), lane: .reader))
        }
        switch router.find(request.head.method, path) {
        case .route(let route, let parameters):
            return .job(Job(app: self, request: request, target: .route(route, parameters), lane: Self.lane(route, request)))
        case .otherMethods(let methods):
            return .job(Job(app: self, request: request, target: .refusal(.methodNotAllowed(methods)), lane: .reader))
        case .nothing:
            return .job(Job(app: self, request: request, target: .refusal(.notFound), lane: .reader))
        }
    }

    /// The answer where no thread was free in time, or the disk refused what was to be kept: nothing was changed.
    public func trouble(_ request: Request, _ error: any Error) -> Response {
        logger.event("not_served", [("detail", String(describing: error))])
        let isFull = (error as? DatabaseError)?.isFull == true
        let strings = strings(Language(accepted: request.head.fields.combined(.acceptLanguage)) ?? config.language)
        let key = isFull ? "error.storage.text" : "error.busy.text"
        var response = Response(HTTP.Status(isFull ? 507 : 503), content: .bytes(Array((strings[key] + "\n").utf8)))
        response.fields[.contentType] = "text/plain; charset=utf-8"
        response.fields[.retryAfter] = "5"
        response.fields[.cacheControl] = "no-store"
        return response
    }

    /// True where a file may come with this request's form.
    func takesFile(_ head: RequestHead) -> Bool {
        guard let path = path(of: head), case .route(let route, _) = router.find(head.method, path) else { return false }
        return route.takesUpload
    }

    /// How many bytes of content a request may have.
    public func contentLimit(_ head: RequestHead) -> Int {
        guard !head.method.isSafe, let path = path(of: head), case .route(let route, _) = router.find(head.method, path) else {
            return 64 << 10
        }
        // Who shows nothing by which to be known shall not fill the disk.
        let isKnown = head.fields.contains(.authorization) || head.fields.contains(.cookie)
        return route.takesUpload && isKnown ? config.maximumUploadBytes : config.maximumFormBytes
    }

    /// The segments of a path, decoded; nil where they are no text.
    private func path(of head: RequestHead) -> [String]? { PercentEncoding.segments(ofPath: ownPath(head.path)) }

    /// A path without our base path. A proxy may have taken it off already; nothing behind this line knows it.
    private func ownPath(_ path: String) -> String {
        guard let base = config.publicURL?.basePath, !base.isEmpty, path.utf8.starts(with: base.utf8) else { return path }
        let rest = path.utf8.dropFirst(base.utf8.count)
        if rest.isEmpty { return "/" }
        return rest.first == UInt8(ascii: "/") ? String(Substring(rest)) : path
    }

    private static func lane(_ route: Route, _ request: Request) -> Lane { route.lane }
}

/// What people see, made of the resources: texts and pages of every language, static files.
struct Surface: Sendable {
    let strings: [Strings]
    let pages: [Pages]
    let choices: [Choices]
    let assets: Assets

    init(_ resources: Resources, basePath: String) throws {
        let assets = try Assets(files: resources.publicFiles, basePath: basePath)
        let strings = try Language.allCases.map { try Strings(language: $0, json: try resources.strings($0.rawValue)) }
        try Self.checkComplete(strings)
        pages = try strings.map { try Pages(templates: resources.templates, strings: $0, assets: assets, basePath: basePath) }
        choices = strings.map { Choices($0) }
        (self.strings, self.assets) = (strings, assets)
    }

    /// A key that one language has and another lacks would be an empty place on a page: refuse to start.
    private static func checkComplete(_ all: [Strings]) throws {
        for one in all {
            for other in all {
                let missing = one.texts.keys.filter { other.texts[$0] == nil }.sorted()
                guard missing.isEmpty else {
                    throw StartFailure(
                        "Templates/strings/\(other.language.rawValue).json lacks \(missing.joined(separator: ", "))")
                }
            }
        }
    }
}

/// A reason not to start, in one line.
public struct StartFailure: Error, CustomStringConvertible, Sendable {
    /// The line.
    public let description: String
    /// Makes one.
    public init(_ description: String) { self.description = description }
}

/// A request that waits for its thread.
public struct Job: Sendable {
    enum Target: Sendable {
        case route(Route, [String])
        case refusal(Refusal)
    }

    let app: App
    let request: Request
    let target: Target
    let lane: Lane
    /// The name of this request.
    let id: String

    init(app: App, request: Request, target: Target, lane: Lane) {
        (self.app, self.request, self.target, self.lane) = (app, request, target, lane)
        id = app.requestIDs.make()
    }

    /// True where it belongs to the writer.
    public var changes: Bool { lane == .writer }
    /// True where it hashes passwords.
    public var hashes: Bool { lane == .hasher }
    /// True where it may bring a large file.
    public var uploads: Bool { lane == .uploader }
    /// The pattern of its route, for the log and the counters.
    public var pattern: String {
        switch target {
        case .route(let route, _): route.pattern
        case .refusal: Self.noPattern
        }
    }

    static let noPattern = "-"

    /// What the log and the counters want to know.
    public func trace(user: Int? = nil) -> Trace {
        Trace(id: id, route: pattern, client: Origin(request, app.config).client, subject: user)
    }

    /// The answer. Never throws: what goes wrong inside becomes one.
    public func respond(database: Connection, writer: any Writing & Reading, now: Int64? = nil) -> Response {
        let now = now.map { Instant(milliseconds: $0) } ?? Instant.now()
        var context = Context(
            app: app, request: request, parameters: parameters, database: database, id: id, writer: writer, reader: writer,
            isWriting: changes, now: now,
            origin: Origin(request, app.config), cookies: Cookies(request.head.fields),
            language: Language(accepted: request.head.fields.combined(.acceptLanguage)) ?? app.config.language,
            zone: Zone(orUTC: app.config.timeZone))
        var session: Session?
        let response: Response
        do {
            // One read transaction for all that a page reads: one moment of the data, and one lock instead of one a statement.
            if lane == .reader { try database.begin(.deferred) }
            context.query = try FormFields(query: request.head.query)
            context.format = try Format(
                request.head, context.query, hasToken: Bearer.isPresent(request.head), among: formats)
            if !isForMachines { session = try SessionRepository(context.database).identify(context) }
            if let user = session?.user {
                context.language = user.language
                context.zone = user.zone
            }
            response = try run(&context, session)
        } catch {
            response = context.answer(error, session)
        }
        if lane == .reader { try? database.rollback() }
        if let session, !session.isNoted { context.note(session) }
        var secured = context.secured(response)
        secured.trace = Trace(id: id, route: pattern, client: context.origin.client, subject: session?.user.id)
        return secured
    }

    private var isForMachines: Bool {
        if case .route(let route, _) = target, case .machine = route.access { true } else { false }
    }

    /// The forms that its answer can have.
    private var formats: [Format] {
        if case .route(let route, _) = target { route.formats } else { Format.ofPages }
    }

    private var parameters: [String] {
        switch target {
        case .route(_, let parameters): parameters
        case .refusal: []
        }
    }

    private func run(_ context: inout Context, _ session: Session?) throws -> Response {
        guard case .route(let route, _) = target else {
            if case .refusal(let refusal) = target { throw refusal }
            throw Refusal.notFound
        }
        if !request.head.method.isSafe {
            try context.checkOrigin()
            context.form = try context.readForm()
        }
        let context = context
        switch route.access {
        case .machine(let handler), .everyone(let handler):
            return try handler(context)
        case .person(let scope, let handler):
            guard let session else { throw Refusal.signInFirst }
            try session.check(scope)
            return try context.once(session) { try handler(context, session) }
        case .owner(let handler):
            guard let session else { throw Refusal.signInFirst }
            guard !session.isToken else { throw Refusal.scopeTooNarrow }
            return try context.once(session) { try handler(context, session) }
        case .administrator(let handler):
            guard let session else { throw Refusal.signInFirst }
            guard !session.isToken else { throw Refusal.scopeTooNarrow }
            guard session.user.isAdmin else { throw Refusal.forbidden }
            return try context.once(session) { try handler(context, session) }
        }
    }
}
