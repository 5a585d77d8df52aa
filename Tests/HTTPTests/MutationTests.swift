// Damaged requests: whatever the bytes, the parser gives the same answer however they are cut, and never more requests than stand there.
// The damage is random from a fixed seed, so that a failure comes back.

import HTTP
import Testing

/// SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

@Suite struct MutationTests {
    /// Bytes that mean something to a parser.
    static let interesting: [UInt8] = Array("\r\n \t:;,=\"\\%#?/*@[]0f+-\0".utf8) + [0x7F, 0x80, 0xC3, 0xFF]

    static func damaged(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: bytes.indices, using: &random)
            let byte = interesting.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = byte
            case 1: bytes.insert(byte, at: place)
            case 2: bytes.remove(at: place)
            default: bytes.replaceSubrange(place..., with: bytes[place...] + bytes[place...].prefix(20))
            }
        }
        return bytes
    }

    @Test("A damaged request gets the same answer however it is cut", arguments: 0..<RequestParserTests.accepted.count)
    func requests(index: Int) {
        let good = Array(RequestParserTests.accepted[index].utf8)
        var random = SeededGenerator(state: UInt64(index))
        for _ in 0..<60 {
            let bytes = Self.damaged(good + good, &random)
            let whole = Transcript.ofEveryCut(bytes)
            #expect(whole.error != nil || whole.endsCleanly)
            #expect(!whole.items.dropLast().contains { !$0.isWhole })
        }
    }

    @Test("Damaged values are read or refused, and parts stay inside their body")
    func values() throws {
        var random = SeededGenerator(state: 7)
        let values = [
            "text/html;q=0.5, a/b;c=\"d\\\"e\"", "zh-Hans-CN, en;q=0.1", "W/\"a\", \"b\"", "bytes=0-5", "a=1; b=\"2\"",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "for=\"[::1]:80\";proto=http;host=h, for=x", "a=b&c=%20+d&e", "[1::2:3.4.5.6]:80",
        ]
        let form =
            "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"b\"\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n"
        let type = try #require(MediaType("multipart/form-data; boundary=b"))
        for _ in 0..<3000 {
            let bytes = Self.damaged(Array((values.randomElement(using: &random) ?? "").utf8), &random)
            let text = String(decoding: bytes, as: UTF8.self)
            var fields = Fields()
            for name in [FieldName.range, .cookie, .forwarded, .xForwardedFor, .ifMatch, .ifModifiedSince, .connection] {
                fields.append(name, text)
            }
            if case .part(let range) = ByteRange(method: .get, fields: fields, size: 5, validators: Validators(), now: 0) {
                #expect(range.upperBound <= 5)
            }
            _ = (
                Cookies(fields), ForwardedHop.forwarded(fields), ForwardedHop.xForwarded(fields), Accept(text),
                AcceptLanguage(text)
            )
            _ = Persistence.continues(after: RequestHead(method: .get, path: "/", fields: fields))
            _ = Preconditions.evaluate(method: .get, fields: fields, against: Validators(), now: 0)
            _ = (PercentEncoding.segments(ofPath: "/" + text), Authority.isValid(text))
            if let form = try? FormFields(urlEncoded: bytes) { #expect(try FormFields(urlEncoded: form.encoded.utf8) == form) }
            if let again = MediaType(text) { #expect(MediaType(again.description) == again) }
            if let tag = EntityTag(text) { #expect(EntityTag(tag.description) == tag) }
            if let date = HTTPDate(text, now: 0) { #expect(HTTPDate(date.description, now: 0) == date) }
            let body = Self.damaged(Array(form.utf8), &random)
            if let found = try? MultipartForm(.bytes(body), type: type) {
                #expect(found.parts.allSatisfy { $0.content.upperBound <= body.count })
            }
        }
    }
}
