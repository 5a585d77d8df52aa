// What the field of a listed proxy says about who has signed in there (Remote-User of Authelia and others). It counts only from the
// addresses of `--trusted-proxies`; from anyone else it is taken away before anything reads it. A field that comes twice is refused, since
// one of the two was written by somebody else; an empty one says nothing.

import HTTP

/// The name that a proxy vouches for.
struct ProxyUser {
    /// As the proxy wrote it; nil where it names nobody.
    let name: String?

    /// - Throws: `Refusal.badRequest` for a field that comes twice.
    init(_ context: Context) throws(Refusal) {
        guard let field = context.app.config.proxyUserHeader, Origin.isProxy(context.request.peer, context.app.config) else {
            name = nil
            return
        }
        let values = context.request.head.fields.values(field)
        guard values.count <= 1 else { throw .badRequest("error.proxy_doubled") }
        name = values.first.map(Characters.trim).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The request as the application may see it: without the field where the peer is no listed proxy. Where one vouches for somebody, an
    /// `Authorization` that is no bearer token was meant for that proxy, not for us.
    static func cleaned(_ request: Request, _ config: Config) -> Request {
        guard let field = config.proxyUserHeader, request.head.fields.contains(field) else { return request }
        var request = request
        if !Origin.isProxy(request.peer, config) {
            request.head.fields[field] = nil
        } else if Bearer.token(request.head) == nil {
            request.head.fields[.authorization] = nil
        }
        return request
    }

    /// The field of an option; nil for what is no field's name, or the name of one that means something else already.
    static func field(_ text: String) -> FieldName? {
        let taken: [FieldName] = [
            .accept, .acceptLanguage, .authorization, .connection, .contentEncoding, .contentLength, .contentType, .cookie,
            .forwarded, .host,
            .origin,
            .referer, .secFetchSite, .transferEncoding, .userAgent, .xBackground, .xForwardedFor, .xForwardedHost,
            .xForwardedProto,
        ]
        return FieldName(text).flatMap { taken.contains($0) ? nil : $0 }
    }
}
