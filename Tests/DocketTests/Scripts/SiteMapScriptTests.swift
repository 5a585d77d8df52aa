// What a script can do at every address: each is in the table of operations, each form can be sent as JSON, each answers in the shape that
// /openapi.json says, and none leads a script to a page.

import Argon2
import Foundation
import HTTP
import SQLite
import Testing

@testable import Docket

@Suite struct SiteMapScriptTests {
    /// A JSON form for each address that takes one. `ID` is a task of Ada's.
    private static let bodies: [String: String] = [
        "POST /sign-up": #"{"username":"cleo","password":"correct horse battery","language":"en","time_zone":"Europe/Berlin"}"#,
        "POST /sign-in": #"{"username":"ada","password":"wrong horse battery"}"#, "POST /sign-out": "{}",
        "POST /settings": #"{"theme":"dark","per_page":50,"first_weekday":7,"default_sort":"due_asc"}"#,
        "POST /settings/password": #"{"current_password":"wrong horse","new_password":"correct horse battery"}"#,
        "POST /settings/sessions": #"{"end":"others"}"#, "POST /settings/tokens": #"{"name":"NAS","scope":"add","expires":null}"#,
        "POST /settings/delete-account": #"{"current_password":"wrong horse"}"#, "POST /admin/users": #"{"end_sessions":2}"#,
        "POST /admin/backup": #"{"current_password":"wrong horse"}"#, "POST /admin/server": "{}",
        "POST /tasks": #"{"title":"a","due":null,"pinned":true,"priority":"high","words":false}"#,
        "POST /tasks/lines": #"{"lines":"one\ntwo ^fri"}"#,
        "POST /tasks/bulk": #"{"id":["ID"],"action":"due","to_due":"tomorrow"}"#,
        "POST /tasks/trash-completed": #"{"q":"nothing"}"#, "POST /tasks/{id}": #"{"content":"more","version":1}"#,
        "POST /tasks/{id}/completion": #"{"completed":true}"#, "POST /tasks/{id}/pin": #"{"pinned":true}"#,
        "POST /tasks/{id}/trash": "{}",
        "POST /tasks/{id}/restore": "{}", "POST /trash/empty": "{}", "POST /undo/{change}": "{}",
        "POST /categories": ##"{"name":"Garden","icon":"leaf","color":3}"##, "POST /categories/{id}": #"{"move":"down"}"#,
        "POST /categories/{id}/trash": #"{"to":"life"}"#, "POST /filters": #"{"name":"Soon","due":"week","pinned":false}"#,
        "POST /filters/{id}/feed": #"{"action":"renew"}"#, "POST /filters/{id}": #"{"name":"Late ones","due":"overdue"}"#,
        "POST /filters/{id}/trash": "{}",
    ]

    /// Refusals that are right here: the password is another one.
    private static let refused = [
        "POST /sign-in": 401, "POST /settings/password": 422, "POST /settings/delete-account": 422, "POST /admin/backup": 422,
    ]

    private static func key(_ route: Route) -> String { "\(route.method) \(route.pattern)" }

    @Test func `Every route is in the table, and nothing else is`() {
        #expect(Set(Operation.all.map { "\($0.method) \($0.pattern)" }) == Set(Routes.all.map(Self.key)))
        #expect(Set(Operation.all.map(\.name)).count == Operation.all.count)
        for operation in Operation.all {
            #expect(Set(operation.form.map(\.name)).count == operation.form.count, "\(operation.name)")
            for case (_, let schema?) in operation.answers {
                #expect(Schemas.all[schema] != nil || schema == "Document", "\(schema)")
            }
        }
    }

    @Test func `Every form can be sent as JSON, and as a form with the same names; the answer is never a page`() throws {
        // Files come in forms of several parts: `ImportPageTests`.
        for route in Routes.all where route.method == .post && !route.takesUpload {
            // A password that takes no time.
            let hash = try PasswordHash.hash(
                password: Array("correct horse battery".utf8), salt: Secret.salt(),
                PasswordHash.Parameters(memoryKiB: 8, iterations: 1, parallelism: 1))
            for (isJSON, accept) in [(true, "application/json"), (false, "application/json"), (true, "text/plain"), (true, nil)]
                as [(Bool, String?)]
            {
                let house = try Household()
                try house.test.database.execute("UPDATE users SET password_hash = \(hash)")
                let id = String(try #require(try house.address("/tasks/{id}", of: "ada")).dropFirst("/tasks/".count))
                let address = try #require(try house.address(route.pattern, of: "ada"), "\(route)")
                let body = try #require(Self.bodies[Self.key(route)], "\(route)").replacing("ID", with: id)
                let answer =
                    isJSON
                    ? try house.ada.postJSON(address, body, accept: accept)
                    : try house.ada.send(.post, address, try Self.form(body), accept: accept)
                let expected = Self.refused[Self.key(route)].map { [$0] } ?? Operation.of(route)?.answers.map(\.status) ?? []
                #expect(expected.contains(answer.status), "\(route) \(answer.status) \(answer.text)")
                let isPlain = accept == "text/plain"
                #expect(
                    answer.response.fields[.contentType] == (isPlain ? "text/plain; charset=utf-8" : "application/json"),
                    "\(route)")
                #expect(!answer.text.isEmpty && answer.text.hasSuffix("\n"), "\(route)")
                if answer.status == 201, !isPlain, try answer.json()["id"] != nil { #expect(answer.location != nil, "\(route)") }
                if !isPlain { try Self.check(answer, route) }
            }
        }
    }

    @Test func `Every answer has the members that the document says, for each form of an answer`() throws {
        let house = try Household()
        try house.ada.post("/tasks", [("title", "Done"), ("status", "completed"), ("due", "2026-11-01T18:30")])
        for route in Routes.all where route.method == .get && route.formats.contains(.json) {
            let address = try #require(try house.address(route.pattern, of: "ada"), "\(route)")
            let answer = try house.ada.get(address, accept: "application/json")
            if case .stream = answer.response.content { continue }
            #expect(answer.status == 200 && answer.response.fields[.contentType] == "application/json", "\(route)")
            try Self.check(answer, route)
            guard route.formats.contains(.text) else { continue }
            let plain = try house.ada.get(address, accept: "text/plain")
            #expect(plain.status == 200 && plain.response.fields[.contentType] == "text/plain; charset=utf-8", "\(route)")
            #expect(plain.text.isEmpty || plain.text.hasSuffix("\n"), "\(route)")
        }
    }

    @Test func `An address without the form that is asked for says which it has, and changes nothing`() throws {
        let house = try Household()
        let before = try house.test.database.contents()
        for route in Routes.all where !route.formats.isEmpty {
            let address = try #require(try house.address(route.pattern, of: "ada"), "\(route)")
            let body = route.method == .get ? nil : Household.form.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
            let answer = try house.ada.send(route.method, address, body, accept: "image/png")
            #expect(answer.status == 406, "\(route)")
            guard !route.formats.contains(.json) else { continue }
            let json = try house.ada.send(route.method, address + "?format=json", body, accept: "text/html")
            #expect(json.status == 406 && json.contains("not_acceptable") && json.contains("html"), "\(route)")
        }
        #expect(try house.test.database.contents() == before)
    }

    @Test(arguments: ["q=%00", "q=%ff", "%ff=1&page=2", "q=%00&format=json"])
    func `A query that is no text is told in the form that was asked for, with a code`(query: String) throws {
        let house = try Household()
        for (visitor, language) in [(house.ada, "en"), (house.test.stranger(), "zh-Hans")] {
            visitor.language = language
            for route in Routes.all {
                guard let path = try house.address(route.pattern, of: "ada") else { continue }
                let address = path + "?" + query
                let accept = query.contains("format") ? "text/html" : "application/json"
                let answer = try visitor.send(route.method, address, route.method == .get ? nil : "a=b", accept: accept)
                #expect(answer.response.fields[.contentType] == "application/json", "\(route) \(answer.text.prefix(99))")
                #expect(answer.status == 400 && answer.contains("\"code\":\"bad_request\""), "\(route) \(answer.status)")
            }
        }
        let page = try house.ada.get("/tasks?q=%00")
        #expect(page.status == 400 && page.response.fields[.contentType] == "text/html; charset=utf-8")
    }

    @Test func `An empty Accept field says as much as none`() throws {
        for hasToken in [false, true] {
            let house = try Household()
            if hasToken {
                house.ada.cookies = [:]
                house.ada.token = try house.test.token("ada")
            }
            for route in Routes.all where route.method == .get {
                guard let address = try house.address(route.pattern, of: "ada") else { continue }
                let kinds = try [nil, "", " "].map { accept in
                    let answer = try house.ada.get(address, accept: accept)
                    return "\(answer.status) \(answer.response.fields[.contentType] ?? "")"
                }
                #expect(Set(kinds).count == 1, "\(route) \(kinds)")
            }
        }
    }

    @Test func `A script that sends a field that there is not is told`() throws {
        for route in Routes.all where route.method == .post {
            let house = try Household()
            let address = try #require(try house.address(route.pattern, of: "ada"), "\(route)")
            let before = try house.test.database.contents()
            for answer in [
                try house.ada.postJSON(address, #"{"titel":"a"}"#),
                try house.ada.send(.post, address, "titel=a", accept: "application/json"),
            ] {
                #expect(answer.status == 422, "\(route)")
                let fields = (try answer.json()["error"] as? [String: Any])?["fields"] as? [String: String]
                #expect(fields?["titel"] != nil, "\(route)")
            }
            #expect(try house.test.database.contents() == before, "\(route)")
        }
    }

    @Test func `Content of another type is refused with the types that are taken`() throws {
        let house = try Household()
        for route in Routes.all where route.method == .post {
            let address = try #require(try house.address(route.pattern, of: "ada"), "\(route)")
            let answer = try house.ada.send(.post, address, "title: a", accept: "application/json", type: "text/yaml")
            #expect(answer.status == 415 && answer.contains("unsupported_content"), "\(route)")
            #expect(answer.response.fields[.accept]?.contains("application/json") == true, "\(route)")
        }
    }

    @Test func `Content that is compressed, or in other bytes than UTF-8, is refused and says what would be taken`() throws {
        let house = try Household()
        for route in Routes.all where route.method == .post {
            let address = try #require(try house.address(route.pattern, of: "ada"), "\(route)")
            house.ada.fields = [(.contentEncoding, "gzip")]
            let packed = try house.ada.send(.post, address, "title=a", accept: "application/json")
            #expect(packed.status == 415 && packed.contains("unsupported_content") && packed.contains("compressed"), "\(route)")
            #expect(packed.response.fields[.acceptEncoding] == "identity" && packed.response.fields[.accept] == nil, "\(route)")
            house.ada.fields = []
            for type in ["application/json; charset=utf-16", "application/x-www-form-urlencoded; charset=ISO-8859-1"] {
                let wide = try house.ada.send(.post, address, "{}", accept: "application/json", type: type)
                #expect(wide.status == 415 && wide.contains("UTF-8"), "\(route)")
            }
        }
        house.ada.fields = [(.contentEncoding, "Identity"), (.contentEncoding, "identity, ,identity")]
        for type in ["application/json; charset=UTF-8", "application/json;charset=\"us-ascii\"", "application/json"] {
            #expect(try house.ada.send(.post, "/tasks", "{\"title\":\"a\"}", accept: "*/*", type: type).status == 201, "\(type)")
        }
    }

    /// The same as a form.
    private static func form(_ json: String) throws -> String {
        let fields = try JSONForm(Array(json.utf8)).fields(nil)
        return fields.encoded
    }

    /// An answer against the schema of the document: names and kinds.
    private static func check(_ page: Page, _ route: Route) throws {
        let value = try JSONSerialization.jsonObject(with: Data(page.text.utf8))
        if page.status >= 400 {
            let error = try #require((value as? [String: Any])?["error"] as? [String: Any])
            #expect(ErrorCode(rawValue: error["code"] as? String ?? "") != nil)
            return
        }
        let schema = try #require(Operation.of(route)?.answers.first { $0.status == page.status }?.schema, "\(route)")
        try SchemaCheck(schema).check(value, "\(route)")
    }
}

/// As much of JSON Schema as the document uses.
struct SchemaCheck {
    private let schema: [String: Any]

    init(_ name: String) throws { schema = ["$ref": "#/components/schemas/" + name] }

    /// Right because it is never changed.
    nonisolated(unsafe) private static let document = Result {
        try JSONSerialization.jsonObject(with: try JSONEncoder().encode(OpenAPI.document(Config()))) as? [String: Any] ?? [:]
    }

    static func resolve(_ reference: String) throws -> [String: Any] {
        var value: Any = try document.get()
        for part in reference.dropFirst(2).split(separator: "/") {
            value = try #require((value as? [String: Any])?[String(part)], "\(reference)")
        }
        return try #require(value as? [String: Any], "\(reference)")
    }

    func check(_ value: Any, _ what: String) throws { #expect(try Self.isValid(value, schema), "\(what): \(value)") }

    static func isValid(_ value: Any, _ schema: [String: Any]) throws -> Bool {
        if let reference = schema["$ref"] as? String { return try isValid(value, try resolve(reference)) }
        if let all = schema["anyOf"] as? [[String: Any]] { return try all.contains { try isValid(value, $0) } }
        if let words = schema["enum"] as? [String] { return (value as? String).map(words.contains) ?? false }
        let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map { [$0] } ?? []
        return try types.isEmpty || types.contains { try isValid(value, $0, schema) }
    }

    private static func isValid(_ value: Any, _ type: String, _ schema: [String: Any]) throws -> Bool {
        let number = value as? NSNumber
        let isFlag = number.map { isBoolean($0) } ?? false
        switch type {
        case "null": return value is NSNull
        case "string": return value is String
        case "integer": return number != nil && !isFlag
        case "boolean": return isFlag
        case "array":
            let items = schema["items"] as? [String: Any] ?? [:]
            return try (value as? [Any])?.allSatisfy { try isValid($0, items) } ?? false
        default:
            guard let members = value as? [String: Any] else { return false }
            let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
            guard Set(schema["required"] as? [String] ?? []).isSubset(of: members.keys) else { return false }
            return try members.allSatisfy { name, member in
                if let own = properties[name] { return try isValid(member, own) }
                if let others = schema["additionalProperties"] as? [String: Any] { return try isValid(member, others) }
                return schema["additionalProperties"] as? Bool != false
            }
        }
    }

    /// JSONSerialization gives true and 1 as the same class; only their types differ.
    private static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
