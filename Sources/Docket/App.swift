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
    let keptPages = PageCache()
    /// How strangers read the clock.
    let zone: Zone
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
        zone = Zone(orUTC: config.timeZone)
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
        guard let path = PercentEncoding.segments(ofPath: request.head.path) else {
            return .job(Job(app: self, request: request, target: .refusal(.notFound), lane: .reader))
        }
        switch router.find(request.head.method, path) {
        case .route(let route, let parameters):
            return .job(Job(app: self, request: request, target: .route(route, parameters), lane: route.lane))
        case .otherMethods(let methods):
            return .job(Job(app: self, request: request, target: .refusal(.methodNotAllowed(methods)), lane: .reader))
        case .nothing:
            return .job(Job(app: self, request: request, target: .refusal(.notFound), lane: .reader))
        }
    }

    /// True where a file may come with this request's form.
    func takesFile(_ head: RequestHead) -> Bool {
        guard let path = path(of: head), case .route(let route, _) = router.find(head.method, path) else { return false }
        return route.takesUpload
    }

    /// How many bytes of content a request may have, and what is answered instead of taking it.
    ///
    /// - Parameters:
    ///   - length: how many it has, where it says so.
    ///   - isAwaited: true where the client waits to be told.
    ///   - objection: what stands against the request. Asked once, and only where that decides: the client waits for it, or its content
    ///     may be larger than a form, and nobody shall fill the disk who may not. A form of usual size is read in any case: who is told to
    ///     sign in first finds there what they typed (`HeldForm`), and a script's connection goes on.
    public func contentTerms(
        _ head: RequestHead, length: Int?, isAwaited: Bool, objection: () -> Response?
    ) -> (limit: Int, objection: Response?) {
        var (usual, limit) = (64 << 10, 64 << 10)
        if !head.method.isSafe, let path = path(of: head), case .route(let route, _) = router.find(head.method, path) {
            usual = config.maximumFormBytes
            limit = route.takesUpload ? config.maximumUploadBytes : usual
        }
        return (limit, isAwaited || length.map { $0 > usual } ?? true ? objection() : nil)
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
    /// True where it may take long.
    public var takesLong: Bool { lane == .long }
    /// The pattern of its route, for the log and the counters.
    public var pattern: String {
        switch target {
        case .route(let route, _): route.pattern
        case .refusal: Self.noPattern
        }
    }

    static let noPattern = "-"

    /// The address of the person's device, behind listed proxies.
    public var client: String { app.config.trustedProxies.isEmpty ? request.peer : Origin(request, app.config).client }
    /// What the request shows to be known by; nobody has looked whether that is true.
    public var credential: String? { request.head.fields[.authorization] ?? request.head.fields[.cookie] }

    /// What the log and the counters want to know.
    public func trace(user: Int? = nil) -> Trace {
        Trace(id: id, route: pattern, client: Origin(request, app.config).client, subject: user)
    }

    private var mayBeAnsweredAtOnce: Bool {
        if lane == .once { return true }
        guard lane == .reader, request.head.method == .get, !Bearer.isPresent(request.head) else { return false }
        // Whom a proxy names may get an account by asking, or lose a session: that is a thread's work.
        if let field = app.config.proxyUserHeader, request.head.fields.contains(field) { return false }
        return app.keptPages.holds(request.head.address)
    }

    /// What makes the answer where it takes no more than a look at the database, short enough for the connection's own thread: how the
    /// server is, or a page that stands as it was last sent. Nil where a thread has to work for it: then no connection need be borrowed.
    public var answerAtOnce: ((_ database: Connection, _ writer: any Writing & Reading, _ now: Int64?) -> Response?)? {
        mayBeAnsweredAtOnce ? { lookedUp($0, $1, $2) } : nil
    }

    private func lookedUp(_ database: Connection, _ writer: any Writing & Reading, _ now: Int64?) -> Response? {
        if lane == .once { return respond(database: database, writer: writer, now: now) }
        guard case .route(let route, _) = target else { return nil }
        // The page is in its person's language already.
        let context = context(database, writer, now, app.config.language)
        guard context.notice == nil, let query = try? FormFields(query: request.head.query),
            (try? Format(request.head, query, offered: route.formats)) == .html,
            let session = try? SessionRepository(database).identify(context), session.isNoted, session.digest != nil,
            let page = app.keptPages.page(request.head.address, for: session.user, context.now)
        else { return nil }
        return traced(context.secured(page.response), context, session)
    }

    private func context(
        _ database: Connection, _ writer: any Writing & Reading, _ now: Int64?, _ language: Language? = nil
    ) -> Context {
        Context(
            app: app, request: request, parameters: parameters, database: database, id: id, writer: writer, reader: writer,
            isWriting: changes, now: now.map { Instant(milliseconds: $0) } ?? Instant.now(),
            origin: Origin(request, app.config), cookies: Cookies(request.head.fields),
            language: language ?? Language(accepted: request.head.fields.combined(.acceptLanguage)) ?? app.config.language,
            zone: app.zone)
    }

    private func traced(_ response: Response, _ context: Context, _ session: Session?) -> Response {
        var response = response
        response.trace = Trace(id: id, route: pattern, client: context.origin.client, subject: session?.user.id)
        return response
    }

    /// The answer. Never throws: what goes wrong inside becomes one.
    public func respond(database: Connection, writer: any Writing & Reading, now: Int64? = nil) -> Response {
        var context = context(database, writer, now)
        var session: Session?
        let response: Response
        do {
            // One read transaction for all that a page reads: one moment of the data, and one lock instead of one a statement.
            if lane == .reader { try database.begin(.deferred) }
            session = try identify(&context)
            context.query = try FormFields(query: request.head.query)
            response = try run(&context, session)
        } catch {
            response = context.answer(error, session)
        }
        if lane == .reader { try? database.rollback() }
        if let session, !session.isNoted { context.note(session) }
        return traced(context.secured(response), context, session)
    }

    /// The answer to a request against which something stands whatever its content is; nil where nothing does, or a thread has to find out.
    public func objection(database: Connection, writer: any Writing & Reading, now: Int64? = nil) -> Response? {
        if let field = app.config.proxyUserHeader, request.head.fields.contains(field) { return nil }
        var context = context(database, writer, now)
        var session: Session?
        do {
            session = try identify(&context)
            switch target {
            case .refusal(let refusal): throw refusal
            case .route(let route, _):
                guard !request.head.method.isSafe else { return nil }
                try context.checkOrigin()
                _ = try enter(route, session)
                _ = try context.contentType()
                return nil
            }
        } catch is DatabaseError {
            return nil
        } catch {
            return traced(context.secured(context.answer(error, session)), context, session)
        }
    }

    /// Who asks, in the form and the language in which they will be answered.
    private func identify(_ context: inout Context) throws -> Session? {
        context.format = Format(ofErrors: request.head)
        if isForMachines { return nil }
        let session: Session?
        // Where there is nothing, or another method, that is said to everyone, whoever they say they are.
        if case .refusal = target {
            session = try? SessionRepository(context.database).identify(context)
        } else {
            session = try SessionRepository(context.database).identify(context)
        }
        if let user = session?.user { (context.language, context.zone) = (user.language, user.zone) }
        return session
    }

    private var isForMachines: Bool {
        if case .route(let route, _) = target, case .machine = route.access { true } else { false }
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
        let isForm = !request.head.method.isSafe
        if isForm { try context.checkOrigin() }
        // Who may not come in is told that, whatever else is wrong; but a form that can be read outlives the end of its session.
        let form = Result { isForm ? try context.readForm(Operation.of(route)) : FormFields() }
        context.form = (try? form.get()) ?? FormFields()
        let handler = try enter(route, session)
        context.form = try form.get()
        if !route.formats.isEmpty {
            context.format = try Format(request.head, context.query, offered: route.formats)
        }
        // A page may send what only it needs; a script that sends a field that there is not means something else than it says.
        if session?.isToken == true || context.format != .html { try Operation.of(route)?.check(context.form) }
        if !route.showsDoubled { try context.form.checkSingle() }
        return try handler(context)
    }

    /// The handler, for those who may come in.
    private func enter(_ route: Route, _ session: Session?) throws(Refusal) -> (Context) throws -> Response {
        func handler(
            _ session: Session, _ handler: @escaping @Sendable (Context, Session) throws -> Response
        ) -> (Context) throws -> Response {
            { context in
                let response = try context.once(session) { try handler(context, session) }
                return route.formats.isEmpty ? response : context.unlessKnown(response)
            }
        }
        switch route.access {
        case .machine(let handler), .everyone(let handler):
            return handler
        case .person(let scope, let run):
            guard let session else { throw .signInFirst }
            try session.check(scope)
            return handler(session, run)
        case .owner(let run):
            guard let session else { throw .signInFirst }
            guard !session.isToken else { throw .scopeTooNarrow }
            return handler(session, run)
        case .administrator(let run):
            guard let session else { throw .signInFirst }
            guard !session.isToken else { throw .scopeTooNarrow }
            guard session.user.isAdmin else { throw .forbidden }
            return handler(session, run)
        }
    }
}
