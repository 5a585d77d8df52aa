// What proxies say of the request before them.

import HTTP
import Testing

@Suite struct ForwardedHopTests {
    static func hop(_ client: String?, _ scheme: String? = nil, _ host: String? = nil) -> ForwardedHop {
        ForwardedHop(client: client, scheme: scheme, host: host)
    }

    @Test(
        "Forwarded is read hop by hop",
        arguments: [
            ("", []), ("for=192.0.2.1", [hop("192.0.2.1")]),
            ("For=\"[2001:db8::1]:4711\"; proto=HTTPS;host=\"a.example:8443\"", [hop("2001:db8::1", "https", "a.example:8443")]),
            ("for=192.0.2.1:99, for=unknown;by=_x", nil),
            ("for=\"192.0.2.1:99\", for=unknown;by=_x", [hop("192.0.2.1"), hop("unknown")]),
            ("for=_hidden;ext=\"a,b;c\"", [hop("_hidden")]), ("for", nil), ("for=a;for=b", nil), ("proto=ftp", nil),
            ("host=\"a b\"", nil), ("for=\"[::1\"", nil),
            ("for=\"a\"b", nil),
        ] as [(String, [ForwardedHop]?)])
    func forwarded(text: String, expected: [ForwardedHop]?) {
        var fields = Fields()
        fields.append(.forwarded, text)
        #expect(ForwardedHop.forwarded(fields) == expected)
    }

    @Test("X-Forwarded fields are matched from the end")
    func xForwarded() {
        var fields = Fields()
        #expect(ForwardedHop.xForwarded(fields) == [])
        fields.append(.xForwardedFor, "203.0.113.1, 2001:db8::1")
        fields.append(.xForwardedFor, "192.0.2.1:80")
        fields.append(.xForwardedProto, "https")
        fields.append(.xForwardedHost, "a.example, b.example")
        #expect(
            ForwardedHop.xForwarded(fields) == [
                Self.hop("203.0.113.1", "https"), Self.hop("2001:db8::1", "https", "a.example"),
                Self.hop("192.0.2.1", "https", "b.example"),
            ])
        for bad in ["a b", "1:2:3", "<script>", "[::1"] {
            var fields = Fields()
            fields.append(.xForwardedFor, bad)
            #expect(ForwardedHop.xForwarded(fields) == nil, "\(bad)")
        }
    }
}
