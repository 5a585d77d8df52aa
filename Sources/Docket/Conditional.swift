// Answers that a client may have already: entity-tags, conditions and ranges over bytes in memory (RFC 9110 sections 13 and 14).

import HTTP

enum Conditional {
    /// `200`, `206`, `304`, `412` or `416` for bytes that have an entity-tag.
    static func answer(_ head: RequestHead, tag: EntityTag, fields: Fields, bytes: [UInt8]) -> Response {
        let validators = Validators(entityTag: tag)
        var fields = fields
        switch Preconditions.evaluate(method: head.method, fields: head.fields, against: validators, now: 0) {
        case .notModified: return Response(Status(304), fields: fields)
        case .failed: return Response(Status(412))
        case .proceed: break
        }
        let range = ByteRange(method: head.method, fields: head.fields, size: bytes.count, validators: validators, now: 0)
        fields[.contentRange] = range.contentRange(size: bytes.count)
        switch range {
        case .whole: return Response(Status(200), fields: fields, content: .bytes(bytes))
        case .part(let part): return Response(Status(206), fields: fields, content: .bytes(Array(bytes[part])))
        case .unsatisfiable: return Response(Status(416), fields: fields)
        }
    }
}
