// Who a request comes from and what it calls us: forwarded fields count only from a listed proxy.

import HTTP
import Testing

@testable import Docket

@Suite struct OriginTests {
    private static func config(_ proxies: [String], _ url: String? = nil) -> Config {
        var config = Config()
        config.trustedProxies = proxies.compactMap { AddressRange($0) }
        config.publicURL = url.flatMap { PublicURL($0) }
        return config
    }

    private static func request(_ peer: String, _ fields: [(String, String)]) -> Request {
        var head = RequestHead(method: .get, path: "/", authority: "inside:8080")
        for (name, value) in fields { FieldName(name).map { head.fields.append($0, value) } }
        return Request(head: head, peer: peer)
    }

    private static let customary = [
        ("x-forwarded-for", "203.0.113.9, 192.0.2.1"), ("x-forwarded-proto", "https"), ("x-forwarded-host", "Todo.Example"),
    ]

    @Test(
        "The client is what the outermost listed proxy saw",
        arguments: [
            ("10.0.0.1", customary, "https://todo.example", "192.0.2.1"),
            ("10.0.0.1", [("x-forwarded-for", "203.0.113.9, 10.0.0.7, 10.0.0.2")], "http://inside:8080", "203.0.113.9"),
            ("10.0.0.1", [("x-forwarded-for", "10.0.0.9")], "http://inside:8080", "10.0.0.9"),
            (
                "10.0.0.1", [("forwarded", "for=\"[2001:db8::1]:99\";proto=https;host=a.example")], "https://a.example",
                "2001:db8::1"
            ),
            ("10.0.0.1", [("forwarded", "for=192.0.2.1, for=_hidden;proto=https")], "https://inside:8080", "10.0.0.1"),
            ("10.0.0.1", [("x-forwarded-for", "unknown, 10.0.0.3")], "http://inside:8080", "10.0.0.3"),
            ("10.0.0.1", [("x-forwarded-proto", "https")], "https://inside:8080", "10.0.0.1"),
            ("unix", [("x-forwarded-for", "192.0.2.1")], "http://inside:8080", "192.0.2.1"),
            // Not listed, not readable, or two stories: nothing of it counts.
            ("10.1.0.1", customary, "http://inside:8080", "10.1.0.1"), ("::1", customary, "http://inside:8080", "::1"),
            ("10.0.0.1", [("x-forwarded-for", "<script>"), ("x-forwarded-proto", "https")], "http://inside:8080", "10.0.0.1"),
            ("10.0.0.1", [("x-forwarded-for", "192.0.2.1"), ("forwarded", "for=192.0.2.2")], "http://inside:8080", "10.0.0.1"),
            ("10.0.0.1", [("x-forwarded-for", "192.0.2.1"), ("forwarded", "for=192.0.2.1")], "http://inside:8080", "192.0.2.1"),
            ("10.0.0.1", [("x-forwarded-host", "a b")], "http://inside:8080", "10.0.0.1"),
        ] as [(String, [(String, String)], String, String)])
    func clients(peer: String, fields: [(String, String)], text: String, client: String) {
        let origin = Origin(Self.request(peer, fields), Self.config(["10.0.0.0/16"]))
        #expect(origin.text == text)
        #expect(origin.client == client)
    }

    @Test func `Without a listed proxy no field counts, from a Unix socket neither`() {
        for peer in ["10.0.0.1", "127.0.0.1", "unix"] {
            let origin = Origin(Self.request(peer, Self.customary), Config())
            #expect(origin.client == peer && !origin.isSecure && origin.authority == "inside:8080")
            #expect(Forwarding(Self.request(peer, Self.customary), Config()) == .unlisted)
        }
    }

    @Test func `A public address decides the scheme, and forms from it are taken whatever the host`() {
        let config = Self.config([], "https://home.example/docket")
        let origin = Origin(Self.request("127.0.0.1", []), config)
        #expect(origin.isSecure)
        for (sender, isOurs) in [
            ("https://home.example", true), ("HTTPS://HOME.example", true), ("http://home.example", false),
            ("https://home.example:444", false),
            ("http://inside:8080", true), ("null", false), ("https://home.example.evil", false),
        ] { #expect(origin.isOurs(sender, config) == isOurs, "\(sender)") }
    }
}
