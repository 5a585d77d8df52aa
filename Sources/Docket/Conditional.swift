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

extension Context {
    /// The answer of a page to a script with an entity-tag, or `304` where the script has it already. The tag is a digest of the answer
    /// itself: whatever it depends on, the clock among it, is in it. Pages carry none: each holds a form of its own.
    func unlessKnown(_ response: Response) -> Response {
        guard request.head.method.isSafe, format != .html, response.status.code == 200, case .bytes(let bytes) = response.content,
            let tag = EntityTag(opaque: Secret.base64URL(Array(SHA256.digest(bytes).prefix(12))))
        else { return response }
        var response = response
        response.fields[.entityTag] = tag.description
        let known = Validators(entityTag: tag)
        switch Preconditions.evaluate(method: request.head.method, fields: request.head.fields, against: known, now: 0) {
        case .proceed: break
        case .notModified:
            response.status = Status(304)
            response.content = .bytes([])
            response.fields[.contentType] = nil
        case .failed: return answer(Refusal.preconditionFailed, nil)
        }
        return response
    }
}
