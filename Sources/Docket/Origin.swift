// How a request names us, and who sent it: scheme, authority and client, from the public address, the fields of a listed proxy, or the
// request itself. What anyone else says in those fields counts for nothing (FAULTS A14).

import HTTP

/// Where a request comes from and where it went to.
struct Origin: Sendable {
    let isSecure: Bool
    let authority: String
    /// The address of the person's device, behind listed proxies.
    let client: String

    init(_ request: Request, _ config: Config) {
        var told = ForwardedHop()
        if Self.isProxy(request.peer, config), case .believed(let hop) = Forwarding(request, config) { told = hop }
        isSecure = config.publicURL?.isSecure ?? (told.scheme == "https")
        authority = (told.host ?? request.head.authority).lowercased()
        client = told.client ?? request.peer
    }

    /// `https://host`, as a browser would write it.
    var text: String { (isSecure ? "https://" : "http://") + authority }

    /// True for a listed proxy. A Unix socket is one where any is listed: only this machine's programs reach it.
    static func isProxy(_ address: String, _ config: Config) -> Bool {
        if config.trustedProxies.isEmpty { return false }
        return address == "unix" || config.trustedProxies.contains { $0.contains(address) }
    }

    /// True where an Origin field names us: our public address, or the host of the request. A default port may be told or not.
    func isOurs(_ origin: String, _ config: Config) -> Bool {
        if let url = config.publicURL, origin.lowercased() == url.origin { return true }
        guard let colon = origin.range(ofSchemeEnd: ()) else { return false }
        let scheme = origin[..<colon.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https", !authority.isEmpty else { return false }
        let port = scheme == "https" ? ":443" : ":80"
        func bare(_ text: String) -> String { text.hasSuffix(port) ? String(text.dropLast(port.count)) : text }
        return bare(origin[colon.upperBound...].lowercased()) == bare(authority)
    }
}

extension String {
    fileprivate func range(ofSchemeEnd: Void) -> Range<Index>? {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), utf8[colon...].starts(with: "://".utf8) else { return nil }
        return colon..<utf8.index(colon, offsetBy: 3)
    }
}

/// What the fields that proxies add said, and whether it counts.
enum Forwarding: Equatable {
    /// There are none.
    case absent
    /// The peer is no listed proxy.
    case unlisted
    /// They can't be read.
    case malformed
    /// Forwarded and X-Forwarded-* tell different things: a proxy writes one of them, the other came from anyone.
    case contradictory
    /// What the outermost listed proxy saw.
    case believed(ForwardedHop)

    init(_ request: Request, _ config: Config) {
        let fields = request.head.fields
        let isStandard = fields.contains(.forwarded)
        let isCustomary =
            fields.contains(.xForwardedFor) || fields.contains(.xForwardedProto) || fields.contains(.xForwardedHost)
        guard isStandard || isCustomary else {
            self = .absent
            return
        }
        guard Origin.isProxy(request.peer, config) else {
            self = .unlisted
            return
        }
        let readings =
            (isStandard ? [ForwardedHop.forwarded(fields)] : []) + (isCustomary ? [ForwardedHop.xForwarded(fields)] : [])
        let told = readings.compactMap { $0 }.map { Self.outermost($0, config) }
        guard told.count == readings.count, let first = told.first else {
            self = .malformed
            return
        }
        self = told.allSatisfy { $0 == first } ? .believed(first) : .contradictory
    }

    /// From the nearest hop outwards, as far as each was told by a listed proxy: what stands further left is anyone's word.
    private static func outermost(_ hops: [ForwardedHop], _ config: Config) -> ForwardedHop {
        var result = ForwardedHop()
        for hop in hops.reversed() {
            let address = hop.client.flatMap { AddressRange.parse($0) == nil ? nil : $0 }
            result.client = address ?? result.client
            result.scheme = hop.scheme ?? result.scheme
            result.host = hop.host ?? result.host
            guard let address, Origin.isProxy(address, config) else { break }
        }
        return result
    }
}
