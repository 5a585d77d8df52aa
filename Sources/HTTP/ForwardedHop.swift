// What proxies say of the request before them: Forwarded (RFC 7239) and X-Forwarded-For, -Proto, -Host.
// Pure values: whether the peer is a proxy that may say so is decided elsewhere.

/// One hop, the nearest proxy's last in a list.
public struct ForwardedHop: Sendable, Equatable {
    /// The client of that proxy: an address without port and brackets, or an obfuscated name such as `_hidden` or `unknown`.
    public var client: String?
    /// `http` or `https`.
    public var scheme: String?
    /// `host[:port]`, valid.
    public var host: String?

    /// Makes a hop.
    public init(client: String? = nil, scheme: String? = nil, host: String? = nil) {
        self.client = client
        self.scheme = scheme
        self.host = host
    }

    /// The hops of the Forwarded field, or nil where a member is malformed: then none of it is to be believed.
    public static func forwarded(_ fields: Fields) -> [ForwardedHop]? {
        var hops: [ForwardedHop] = []
        for member in Grammar.list(fields.combined(.forwarded) ?? "") {
            var hop = ForwardedHop()
            var names: [String] = []
            for pair in Grammar.list(member, separator: Ascii.semicolon) {
                guard let parameter = MediaType.Parameter(pair), !names.contains(parameter.name),
                    hop.take(parameter.name, parameter.value)
                else { return nil }
                names.append(parameter.name)
            }
            hops.append(hop)
        }
        return hops
    }

    /// The hops of the X-Forwarded fields, or nil where a member is malformed.
    ///
    /// X-Forwarded-For has an entry for each hop. Proto and Host are set by the outermost trusted proxy or passed on,
    /// and often have one entry only: entries are matched from the end, and a single one counts for all hops.
    public static func xForwarded(_ fields: Fields) -> [ForwardedHop]? {
        let clients = Grammar.list(fields.combined(.xForwardedFor) ?? "")
        let schemes = Grammar.list(fields.combined(.xForwardedProto) ?? "")
        let hosts = Grammar.list(fields.combined(.xForwardedHost) ?? "")
        let count = max(clients.count, schemes.count, hosts.count)
        var hops: [ForwardedHop] = []
        for back in stride(from: count, to: 0, by: -1) {
            func entry(_ list: [Substring]) -> Substring? {
                list.count == 1 ? list[0] : back <= list.count ? list[list.count - back] : nil
            }
            var hop = ForwardedHop()
            if back <= clients.count, !hop.take("for", String(clients[clients.count - back])) { return nil }
            if let scheme = entry(schemes), !hop.take("proto", String(scheme)) { return nil }
            if let host = entry(hosts), !hop.take("host", String(host)) { return nil }
            hops.append(hop)
        }
        return hops
    }

    /// Takes one pair; false where its value is malformed. Unknown names are passed over.
    private mutating func take(_ name: String, _ value: String) -> Bool {
        switch name {
        case "for":
            client = Self.node(value)
            return client != nil
        case "proto":
            scheme = Grammar.lowercased(value)
            return scheme == "http" || scheme == "https"
        case "host":
            host = value
            return Authority.isValid(value)
        default: return true
        }
    }

    /// `node` (RFC 7239 section 6) without its port; bare IPv6 addresses, which X-Forwarded-For has, pass too.
    private static func node(_ text: String) -> String? {
        let bytes = Array(text.utf8)
        if bytes.first == UInt8(ascii: "[") {
            guard Authority.isValid(text) else { return nil }
            return String(decoding: bytes.dropFirst().prefix { $0 != UInt8(ascii: "]") }, as: UTF8.self)
        }
        if bytes.count(where: { $0 == Ascii.colon }) > 1 {
            return Authority.isValid("[" + text + "]") ? text : nil
        }
        let name = bytes.prefix { $0 != Ascii.colon }
        guard !name.isEmpty, name.allSatisfy(Grammar.isUnreserved) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }
}
