// GET /openapi.json: the script interface as an OpenAPI 3.1 document, made of the site map and the table of operations, so that it says
// what the program does. It is the same for everybody and holds nothing of anyone.

import HTTP

enum OpenAPI {
    /// GET /openapi.json
    static func show(_ context: Context) throws -> Response {
        var context = context
        context.format = .json
        return context.unlessKnown(try context.json(document(context.app.config)))
    }

    static func document(_ config: Config) -> JSON {
        var paths: [String: [String: JSON]] = [:]
        for route in Routes.all {
            guard let operation = Operation.of(route) else { continue }
            paths[route.pattern, default: parameters(ofPath: route)][route.method.name.lowercased()] = self.operation(
                operation, route)
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Docket", "version": .text(Version.text),
                "description": """
                Scripts use the addresses of the pages. They sign in with a token (Settings, Tokens) or with the cookie of /sign-in, send forms \
                or JSON, and get plain text or JSON, by Accept or `format`. `form_id` is an idempotency key. \
                An address without JSON is a page for people.
                """,
            ],
            "servers": [["url": .text(config.publicURL.map { $0.basePath.isEmpty ? "/" : $0.basePath } ?? "/")]],
            "paths": .object(paths.mapValues { .object($0) }),
            "components": [
                "schemas": .object(Schemas.all), "responses": .object(errors),
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    "cookie": ["type": "apiKey", "in": "cookie", "name": "docket"],
                ],
            ],
        ]
    }

    private static func parameters(ofPath route: Route) -> [String: JSON] {
        let names = route.pattern.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
        guard !names.isEmpty else { return [:] }
        let isTask = route.pattern.hasPrefix("/tasks/")
        return [
            "parameters": .list(
                names.map { name in
                    [
                        "name": .text(name), "in": "path", "required": true,
                        "schema": isTask
                            ? ["type": "string", "format": "uuid"]
                            : name == "secret" ? ["type": "string"] : ["type": "integer", "minimum": 1, "maximum": 999_999_999],
                    ]
                })
        ]
    }

    private static func operation(_ operation: Operation, _ route: Route) -> JSON {
        var value: [String: JSON] = ["operationId": .text(operation.name), "summary": .text(operation.summary)]
        switch route.access {
        case .machine, .everyone: value["security"] = []
        case .person(let scope, _):
            value["security"] = [["token": []], ["cookie": []]]
            value["description"] = .text("Tokens need the scope `\(scope.rawValue)`" + (scope == .full ? "." : " or `full`."))
        case .owner, .administrator:
            value["security"] = [["cookie": []]]
            value["description"] = "Not for tokens."
        }
        let format = Parameter.word("format", route.formats.map(\.rawValue), "The form of the answer, whatever Accept says.")
        let query = operation.query + (route.formats.isEmpty ? [] : [format])
        if !query.isEmpty {
            value["parameters"] = .list(
                query.map {
                    ["name": .text($0.name), "in": "query", "description": .text($0.help), "schema": schema($0, isJSON: false)]
                })
        }
        if operation.method == .post { value["requestBody"] = body(operation.form) }
        value["responses"] = .object(responses(operation, route))
        return .object(value)
    }

    // MARK: What is sent

    private static func body(_ form: [Parameter]) -> JSON {
        func object(isJSON: Bool) -> JSON {
            let shown = form.filter { !$0.isOfPages }
            var object: [String: JSON] = [
                "type": "object", "additionalProperties": false,
                "properties": .object(
                    Dictionary(shown.map { ($0.name, described(schema($0, isJSON: isJSON), $0)) }) { first, _ in first }),
            ]
            let required = shown.filter(\.isRequired).map { JSON.text($0.name) }
            if !required.isEmpty { object["required"] = .list(required) }
            return .object(object)
        }
        if form.contains(where: { if case .file = $0.kind { true } else { false } }) {
            return ["required": true, "content": ["multipart/form-data": ["schema": object(isJSON: false)]]]
        }
        return [
            "required": .flag(form.contains(where: \.isRequired)),
            "content": [
                "application/json": ["schema": object(isJSON: true)],
                "application/x-www-form-urlencoded": ["schema": object(isJSON: false)],
            ],
        ]
    }

    private static func described(_ schema: JSON, _ parameter: Parameter) -> JSON {
        guard case .object(var members) = schema else { return schema }
        members["description"] = .text(parameter.help)
        return .object(members)
    }

    /// What a value may be: in JSON by its kind; in forms and addresses everything is text.
    private static func schema(_ parameter: Parameter, isJSON: Bool) -> JSON {
        var members: [String: JSON] = [:]
        var type = "string"
        let isFilled = parameter.isRequired || parameter.isFilled
        switch parameter.kind {
        case .text(let format, let length):
            // A rule of ours for a text is a format; any other text is one without NUL.
            members = format.map { ["format": .text($0)] } ?? ["pattern": "^[^\\u0000]*$"]
            if let length {
                if length.lowerBound > 0 { members["minLength"] = .number(length.lowerBound) }
                members["maxLength"] = .number(length.upperBound)
            }
        case .word(let words):
            // What is empty counts as if it were not there, as in the forms of pages.
            members = ["enum": .list((isFilled ? words : words + [""]).map { .text($0) })]
        case .file: return ["type": "string", "format": "binary"]
        case .number(let range):
            type = "integer"
            members = ["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)]
        case .flag:
            if isJSON { type = "boolean" } else { members = ["enum": isFilled ? ["0", "1"] : ["0", "1", ""]] }
        }
        members["type"] = parameter.isNullable && isJSON ? [.text(type), "null"] : .text(type)
        if type == "integer", !isJSON, !isFilled {
            return ["anyOf": [.object(members), ["type": "string", "enum": [""]]]]
        }
        guard parameter.isRepeated else { return .object(members) }
        // A form cannot say that a list is empty.
        return parameter.isRequired
            ? ["type": "array", "items": .object(members), "minItems": 1] : ["type": "array", "items": .object(members)]
    }

    // MARK: What is answered

    private static func responses(_ operation: Operation, _ route: Route) -> [String: JSON] {
        var responses: [String: JSON] = [:]
        for (status, schema) in operation.answers { responses[String(status)] = answer(status, schema, route) }
        var statuses = Set(operation.errors)
        if !route.formats.isEmpty { statuses.formUnion([400, 406, 500, 503]) }
        switch route.access {
        case .machine: break
        case .everyone: statuses.formUnion([400, 401, 500, 503])
        case .person, .owner, .administrator: statuses.formUnion([400, 401, 403, 500, 503])
        }
        if route.pattern.contains("{") { statuses.insert(404) }
        if operation.method == .post {
            statuses.formUnion([400, 403, 413, 415, 422, 507])
            responses["303"] = ["description": "What a form of a page gets: where to go on."]
        } else if route.formats.contains(.json) {
            responses["304"] = ["description": "You have it already: If-None-Match holds its entity-tag."]
            statuses.insert(412)
        }
        for status in statuses { responses[String(status)] = ["$ref": .text("#/components/responses/\(status)")] }
        return responses
    }

    private static func answer(_ status: Int, _ schema: String?, _ route: Route) -> JSON {
        var answer: [String: JSON] = ["description": .text(Status(status).reason)]
        var content: [String: JSON] = [:]
        for format in route.formats {
            content[format.mediaType ?? (format == .spreadsheet ? "text/csv" : "text/plain")] =
                format == .json
                ? ["schema": schema.map { ["$ref": .text("#/components/schemas/\($0)")] } ?? [:]] : ["schema": ["type": "string"]]
        }
        switch route.pattern {
        case "/openapi.json": content = ["application/json": ["schema": ["type": "object"]]]
        case "/events": content = ["text/event-stream": ["schema": ["type": "string"]]]
        case "/admin/backup" where route.method == .post: content = ["application/vnd.sqlite3": ["schema": ["type": "string"]]]
        case "/feeds/{secret}.ics": content = ["text/calendar": ["schema": ["type": "string"]]]
        case "/healthz", "/metrics": content = ["text/plain": ["schema": ["type": "string"]]]
        default: break
        }
        if !content.isEmpty, status != 303 { answer["content"] = .object(content) }
        var headers: [String: JSON] = [:]
        if status == 201 || status == 303 { headers["Location"] = ["schema": ["type": "string"]] }
        if route.method == .get, route.formats.contains(.json) { headers["ETag"] = ["schema": ["type": "string"]] }
        if schema == "TaskList" {
            headers["Link"] = [
                "schema": ["type": "string"], "description": "The first, previous, next and last page (RFC 8288).",
            ]
        }
        if !headers.isEmpty { answer["headers"] = .object(headers) }
        return .object(answer)
    }

    /// One answer for each status of an error, with the codes that come with it.
    private static let errors: [String: JSON] = {
        var codes: [Int: [ErrorCode]] = [:]
        for code in ErrorCode.allCases { codes[code.status.code, default: []].append(code) }
        codes[400, default: []].append(.invalid)
        return Dictionary(
            uniqueKeysWithValues: codes.map { status, codes in
                let error: JSON = [
                    "type": "object", "required": ["error"], "additionalProperties": false,
                    "properties": [
                        "error": [
                            "type": "object", "required": ["code", "message"], "additionalProperties": false,
                            "properties": [
                                "code": ["enum": .list(codes.map { .text($0.rawValue) })],
                                "message": ["type": "string", "minLength": 1],
                                "fields": ["type": "object", "additionalProperties": ["type": "string", "minLength": 1]],
                            ],
                        ]
                    ],
                ]
                let text: JSON = ["schema": ["type": "string"]]
                return (
                    String(status),
                    [
                        "description": .text(codes.map { "`\($0.rawValue)`" }.joined(separator: ", ")),
                        "content": ["application/json": ["schema": error], "text/plain": text, "text/html": text],
                    ]
                )
            })
    }()
}
