// What a line of the site map says: method, pattern, who may come in, on which thread, and the handler.
// Access is the handler's type: one that takes a `Session` cannot be reached without one.

import HTTP

/// Where a handler runs. Reading goes on beside everything; changes are gathered by the one writer; hashing has its own threads, and so has
/// what takes long before or between its changes. What is asked at `once` waits for none of them: it is answered on the connection's own
/// thread.
enum Lane: Sendable { case once, reader, writer, hasher, long }

/// Who may come in.
enum Access: Sendable {
    /// Programs that look after us: nobody is looked up.
    case machine(@Sendable (Context) throws -> Response)
    /// Anyone.
    case everyone(@Sendable (Context) throws -> Response)
    /// People who are signed in, and their tokens as far as their scope reaches.
    case person(Scope, @Sendable (Context, Session) throws -> Response)
    /// People who are signed in by cookie: what concerns their account is closed to tokens.
    case owner(@Sendable (Context, Session) throws -> Response)
    /// Administrators, by cookie.
    case administrator(@Sendable (Context, Session) throws -> Response)
}

/// One line of the site map. A class, since each request carries its route along.
final class Route: Sendable {
    let method: HTTP.Method
    /// The path, with `{name}` for a segment that varies.
    let pattern: String
    let lane: Lane
    let access: Access
    /// True where a file may come with the form: its limit is the larger one.
    let takesUpload: Bool
    /// The forms that its answer can have; none where it has one of its own, whatever is asked for.
    let formats: [Format]
    /// True where the handler itself tells of a field that came twice, beside everything typed.
    let showsDoubled: Bool
    let segments: [String]

    init(
        _ method: HTTP.Method, _ pattern: String, lane: Lane, access: Access, takesUpload: Bool = false,
        formats: [Format] = Format.ofPages, showsDoubled: Bool = false
    ) {
        self.method = method
        self.pattern = pattern
        self.lane = lane
        self.access = access
        self.takesUpload = takesUpload
        self.formats = formats
        self.showsDoubled = showsDoubled
        segments =
            pattern == "/" ? [] : pattern.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    /// The same, answering tasks in every form that there is.
    var inEveryForm: Route { answering(Format.allCases) }

    /// The same, answering in these forms; none for an answer that has one of its own, whatever is asked for.
    func answering(_ formats: [Format]) -> Route {
        Route(
            method, pattern, lane: lane, access: access, takesUpload: takesUpload, formats: formats, showsDoubled: showsDoubled)
    }

    /// The same, with a handler that tells of doubled fields itself.
    var showingDoubled: Route {
        Route(method, pattern, lane: lane, access: access, takesUpload: takesUpload, formats: formats, showsDoubled: true)
    }

    /// The varying segments where the path fits, nil where it does not.
    func match(_ path: [String]) -> [String]? {
        guard path.count == segments.count else { return nil }
        var values: [String] = []
        for (segment, part) in zip(segments, path) {
            if segment.utf8.first == UInt8(ascii: "{") {
                if part.isEmpty { return nil }
                if segment.utf8.last == UInt8(ascii: "}") {
                    values.append(part)
                } else {  // {secret}.ics
                    let ending = segment.drop { $0 != "}" }.dropFirst()
                    guard part.utf8.count > ending.utf8.count, part.hasSuffix(ending) else { return nil }
                    values.append(String(part.dropLast(ending.count)))
                }
            } else if !segment.utf8.elementsEqual(part.utf8) {
                return nil
            }
        }
        return values
    }
}

/// All routes, found by path.
struct Router: Sendable {
    let routes: [Route]
    private let byLength: [[Route]]

    /// What a path leads to.
    enum Match {
        case route(Route, parameters: [String])
        case otherMethods([HTTP.Method])
        case nothing
    }

    /// Traps where two lines say the same: it is the program's own table, checked by its first test and at each start.
    init(_ routes: [Route]) {
        var seen: Set<String> = []
        for route in routes {
            let shape = route.segments.map { $0.hasPrefix("{") ? "{}" : $0 }.joined(separator: "/")
            precondition(seen.insert("\(route.method) \(shape)").inserted, "two routes for \(route.method) \(route.pattern)")
        }
        self.routes = routes
        let longest = routes.map(\.segments.count).max() ?? 0
        // Literal segments before varying ones, so that /tasks/new is not a task called new.
        let sorted = routes.sorted {
            $0.segments.filter { $0.hasPrefix("{") }.count < $1.segments.filter { $0.hasPrefix("{") }.count
        }
        byLength = (0...longest).map { length in sorted.filter { $0.segments.count == length } }
    }

    func find(_ method: HTTP.Method, _ path: [String]) -> Match {
        guard path.count < byLength.count else { return .nothing }
        let wanted = method == .head ? .get : method
        var others: [HTTP.Method] = []
        var pattern: String?
        for route in byLength[path.count] {
            guard let parameters = route.match(path) else { continue }
            // The nearest pattern has the address: what is /tasks/new is no task, by whatever method.
            if let pattern, pattern != route.pattern { continue }
            pattern = route.pattern
            if route.method == wanted { return .route(route, parameters: parameters) }
            others.append(route.method)
        }
        if others.isEmpty { return .nothing }
        return .otherMethods(others.contains(.get) ? [.get, .head] + others.filter { $0 != .get } : others)
    }
}
