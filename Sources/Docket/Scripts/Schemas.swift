// The shapes of JSON answers, as /openapi.json tells them. Tests hold each answer against them.

enum Schemas {
    static let all: [String: JSON] = [
        "Task": object([
            "id": uuid, "title": text, "content": text, "priority": words(Priority.allCases.map(\.word)),
            "status": words(TaskStatus.allCases.map(\.word)), "category": text,
            "due": [
                "type": ["string", "null"],
                "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{3})?)?)?$",
            ],
            "pinned": flag, "version": number, "created_at": instant, "updated_at": instant, "completed_at": nullable(instant),
        ]),
        "TaskList": object([
            "tasks": list("Task"), "total": number, "page": number, "per_page": number, "pages": number,
        ]),
        "Change": object(["change": nullable(number), "changed": number]),
        "Added": object(["added": number, "change": number]),
        "Removed": object(["removed": number]),
        "Undone": object(["change": number, "undone": number, "left_alone": number]),
        "Moved": object(["change": nullable(number), "moved": number]),
        "History": object([
            "changes": [
                "type": "array",
                "items": object([
                    "change": number, "at": instant, "kind": text, "way": text,
                    "fields": ["type": "object", "additionalProperties": object(["from": [:], "to": [:]])],
                ]),
            ]
        ]),
        "Category": object([
            "id": number, "key": text, "name": text, "icon": words(CategoryDraft.icons), "color": number, "open": number,
        ]),
        "CategoryList": object(["categories": list("Category")]),
        "CategoryOrList": ["anyOf": [reference("Category"), reference("CategoryList")]],
        "Filter": object(["id": number, "name": text, "query": text, "count": nullable(number), "problem": nullable(text)]),
        "FilterList": object(["filters": list("Filter")]),
        "Dashboard": object([
            "today": text, "open": number, "due_today": number, "overdue": number, "completed_this_week": number,
            "days": items(["day": text, "completed": number]),
            "categories": items(["category": text, "name": text, "open": number]),
            "ages": items(["age": text, "overdue": number]),
        ]),
        "Feed": object(["feed": nullable(text)]),
        "Export": ["type": "object"],
        "Import": [
            "type": "object", "additionalProperties": false,
            "required": [
                "id", "state", "file", "message", "done", "records", "added", "present", "present_in_trash", "skipped",
                "warning_count", "warnings",
            ],
            "properties": [
                "id": number, "state": importState, "file": text, "format": words(ImportFormat.allCases.map(\.rawValue)),
                "encoding": words(TextEncoding.allCases.map(\.rawValue)), "message": text, "done": number, "records": number,
                "added": number, "present": number, "present_in_trash": number, "skipped": number, "warning_count": number,
                "change": number,
                "warnings": [
                    "type": "array",
                    "items": [
                        "type": "object", "additionalProperties": false, "required": ["code", "message", "skipped"],
                        "properties": [
                            "line": number, "record": number,
                            "code": words(ImportReason.Code.allCases.map(\.rawValue)), "message": text, "skipped": flag,
                        ],
                    ],
                ],
            ],
        ],
        "ImportOrMessage": ["anyOf": [reference("Import"), reference("Message")]],
        "ImportList": object(["imports": items(["id": number, "state": importState, "file": text])]),
        "Audit": object([
            "events": items([
                "made_at": instant, "event": text, "user": nullable(text), "by": nullable(text), "address": nullable(text),
                "detail": text,
            ]), "total": number, "page": number, "per_page": number, "pages": number,
        ]),
        "SignedIn": object(["signed_in": flag]),
        "Message": object(["message": text]),
        "Token": object(["token": text]),
        "Invitation": object(["invitation": text]),
        "Settings": object([
            "theme": words(Preferences.themes), "text_size": words(Preferences.textSizes),
            "language": words(Language.allCases.map(\.rawValue)), "time_zone": text, "first_weekday": number, "per_page": number,
            "default_category": text, "default_sort": words(TaskOrder.allCases.map(\.rawValue)),
        ]),
        "SessionList": object([
            "sessions": items([
                "id": text, "device": text, "address": text, "created_at": instant, "last_seen_at": instant, "current": flag,
            ])
        ]),
        "TokenList": object([
            "tokens": items([
                "id": number, "name": text, "scope": words(Scope.allCases.map(\.rawValue)), "expires_at": nullable(instant),
                "last_used_on": nullable(text),
            ])
        ]),
        "PeopleList": object([
            "people": items([
                "id": number, "name": text, "admin": flag, "disabled": flag, "tasks": number, "last_seen_at": nullable(instant),
            ])
        ]),
        "Server": ["type": "object", "additionalProperties": text],
    ]

    private static let importState = words(ImportStanding.State.allCases.map(\.rawValue))
    private static let text: JSON = ["type": "string"]
    private static let uuid: JSON = ["type": "string", "format": "uuid"]
    private static let number: JSON = ["type": "integer", "minimum": 0]
    private static let flag: JSON = ["type": "boolean"]
    private static let instant: JSON = ["type": "string", "format": "date-time"]

    private static func words(_ words: [String]) -> JSON { ["enum": .list(words.map { .text($0) })] }
    private static func nullable(_ schema: JSON) -> JSON { ["anyOf": [schema, ["type": "null"]]] }
    private static func reference(_ name: String) -> JSON { ["$ref": .text("#/components/schemas/\(name)")] }
    private static func list(_ name: String) -> JSON { ["type": "array", "items": reference(name)] }
    private static func items(_ members: [String: JSON]) -> JSON { ["type": "array", "items": object(members)] }

    /// Every name is always there, and no other.
    private static func object(_ members: [String: JSON]) -> JSON {
        [
            "type": "object", "additionalProperties": false, "properties": .object(members),
            "required": .list(members.keys.sorted().map { .text($0) }),
        ]
    }
}
