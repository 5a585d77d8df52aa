// Entity-tags, preconditions in their order, ranges.

import HTTP
import Testing

@Suite struct ConditionalRequestTests {
    static let now = 1_767_225_600
    static let then = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let before = "Sun, 06 Nov 1994 08:49:36 GMT"

    static func fields(_ lines: [(FieldName, String)]) -> Fields {
        var fields = Fields()
        for (name, value) in lines { fields.append(name, value) }
        return fields
    }

    static func validators(weak: Bool = false, exists: Bool = true) -> Validators {
        Validators(
            entityTag: exists ? EntityTag(opaque: "a", isWeak: weak) : nil, lastModified: HTTPDate(unixSeconds: 784_111_777),
            exists: exists)
    }

    @Test("An entity-tag is read and written", arguments: ["\"\"", "\"a\"", "W/\"a\"", "\"a,b\\\"", "\"é\""])
    func tag(text: String) {
        #expect(EntityTag(text)?.description == text)
    }

    @Test(
        "A malformed entity-tag is none",
        arguments: ["", "a", "\"", "\"a", "a\"", "w/\"a\"", "W/a", "\"a\"b\"", "\"a b\"", "W/ \"a\"", "\"\u{7F}\""])
    func badTag(text: String) {
        #expect(EntityTag(text) == nil)
    }

    @Test("Strong comparison wants both strong, weak comparison does not")
    func comparison() throws {
        let strong = try #require(EntityTag("\"1\""))
        let weak = try #require(EntityTag("W/\"1\""))
        let other = try #require(EntityTag("\"2\""))
        #expect(strong.matchesStrongly(strong) && !strong.matchesStrongly(weak) && !weak.matchesStrongly(weak))
        #expect(
            strong.matchesWeakly(weak) && weak.matchesWeakly(weak) && !weak.matchesWeakly(other) && !strong.matchesStrongly(other)
        )
    }

    @Test("Lists of tags are read member by member")
    func lists() throws {
        let one = try #require(EntityTag("\"a,b\""))
        let two = try #require(EntityTag("W/\"c\""))
        #expect(EntityTag.List("*") == .any)
        #expect(EntityTag.List("\"a,b\", W/\"c\"") == .tags([one, two]))
        #expect(EntityTag.List(" ,\"a,b\" ,, W/\"c\",") == .tags([one, two]))
        for bad in ["", ",", "a", "\"a\" \"b\"", "\"a\", b", "\"a", "*, \"a\"", "\"a\"x"] {
            #expect(EntityTag.List(bad) == nil, "\(bad)")
        }
    }

    @Test(
        "Conditions are evaluated in the order of RFC 9110 section 13.2.2",
        arguments: [
            ([], .proceed),
            ([(.ifMatch, "\"a\"")], .proceed), ([(.ifMatch, "\"b\"")], .failed), ([(.ifMatch, "\"b\", \"a\"")], .proceed),
            ([(.ifMatch, "*")], .proceed), ([(.ifMatch, "W/\"a\"")], .failed), ([(.ifMatch, "a")], .failed),
            ([(.ifUnmodifiedSince, then)], .proceed), ([(.ifUnmodifiedSince, before)], .failed),
            ([(.ifUnmodifiedSince, "x")], .proceed),
            // If-Match hides If-Unmodified-Since.
            ([(.ifMatch, "\"a\""), (.ifUnmodifiedSince, before)], .proceed),
            ([(.ifMatch, "\"b\""), (.ifUnmodifiedSince, then)], .failed),
            ([(.ifNoneMatch, "\"a\"")], .notModified), ([(.ifNoneMatch, "W/\"a\"")], .notModified),
            ([(.ifNoneMatch, "\"b\"")], .proceed),
            ([(.ifNoneMatch, "*")], .notModified), ([(.ifNoneMatch, "\"b\""), (.ifNoneMatch, "\"a\"")], .notModified),
            ([(.ifModifiedSince, then)], .notModified), ([(.ifModifiedSince, before)], .proceed),
            ([(.ifModifiedSince, "x")], .proceed),
            // If-None-Match hides If-Modified-Since.
            ([(.ifNoneMatch, "\"b\""), (.ifModifiedSince, then)], .proceed),
            ([(.ifNoneMatch, "\"a\""), (.ifModifiedSince, before)], .notModified),
            // A failed If-Match comes before anything else, a passed one leads on.
            ([(.ifMatch, "\"b\""), (.ifNoneMatch, "\"a\"")], .failed),
            ([(.ifMatch, "\"a\""), (.ifNoneMatch, "\"a\"")], .notModified),
            ([(.ifMatch, "\"a\""), (.ifModifiedSince, then)], .notModified),
            ([(.ifUnmodifiedSince, before), (.ifNoneMatch, "\"a\"")], .failed),
            ([(.ifModifiedSince, then), (.ifModifiedSince, then)], .proceed),
        ] as [([(FieldName, String)], Preconditions.Outcome)])
    func precedence(lines: [(FieldName, String)], expected: Preconditions.Outcome) {
        let fields = Self.fields(lines)
        #expect(Preconditions.evaluate(method: .get, fields: fields, against: Self.validators(), now: Self.now) == expected)
        #expect(Preconditions.evaluate(method: .head, fields: fields, against: Self.validators(), now: Self.now) == expected)
    }

    @Test("Methods that change something fail instead of being not modified, and ignore If-Modified-Since")
    func changes() {
        let current = Self.validators()
        func outcome(_ name: FieldName, _ value: String, _ validators: Validators) -> Preconditions.Outcome {
            Preconditions.evaluate(method: .post, fields: Self.fields([(name, value)]), against: validators, now: Self.now)
        }
        #expect(outcome(.ifNoneMatch, "\"a\"", current) == .failed)
        #expect(outcome(.ifNoneMatch, "*", current) == .failed)
        #expect(outcome(.ifModifiedSince, Self.then, current) == .proceed)
        #expect(outcome(.ifNoneMatch, "*", Self.validators(exists: false)) == .proceed)
        #expect(outcome(.ifMatch, "*", Self.validators(exists: false)) == .failed)
        #expect(outcome(.ifMatch, "\"a\"", Self.validators(weak: true)) == .failed)
    }

    @Test(
        "A range of ten bytes",
        arguments: [
            ("bytes=0-0", .part(0..<1)), ("bytes=0-", .part(0..<10)), ("bytes=3-5", .part(3..<6)), ("Bytes=9-99", .part(9..<10)),
            ("bytes=-3", .part(7..<10)),
            ("bytes=-99", .part(0..<10)), ("bytes=10-", .unsatisfiable), ("bytes=10-12", .unsatisfiable),
            ("bytes=-0", .unsatisfiable),
            ("bytes=99999999999999999999-", .unsatisfiable), ("bytes=0-99999999999999999999", .part(0..<10)),
            ("bytes=5-3", .whole), ("bytes=-", .whole),
            ("bytes=", .whole), ("bytes=a-b", .whole), ("bytes=+1-2", .whole), ("bytes=1-2,4-5", .whole), ("lines=1-2", .whole),
            ("bytes 1-2", .whole),
            ("bytes=1-2-3", .whole), ("bytes=--1", .whole), ("", .whole), ("bytes= 1-2", .part(1..<3)), ("bytes=１-", .whole),
            ("bytes=99999999999999999999-99999999999999999999", .unsatisfiable),
        ] as [(String, ByteRange)])
    func range(text: String, expected: ByteRange) {
        let fields = Self.fields([(.range, text)])
        #expect(ByteRange(method: .get, fields: fields, size: 10, validators: Self.validators(), now: Self.now) == expected)
        #expect(ByteRange(method: .head, fields: fields, size: 10, validators: Self.validators(), now: Self.now) == .whole)
        let ofNothing = ByteRange(method: .get, fields: fields, size: 0, validators: Self.validators(), now: Self.now)
        #expect(ofNothing == (expected == .whole ? .whole : .unsatisfiable))
    }

    @Test(
        "If-Range lets a range through only for the same representation",
        arguments: [
            ("\"a\"", true), ("\"b\"", false), ("W/\"a\"", false), (then, true), (before, false),
            ("Mon, 06 Nov 1995 08:49:37 GMT", false), ("x", false),
        ])
    func ifRange(text: String, isCurrent: Bool) {
        let fields = Self.fields([(.range, "bytes=0-1"), (.ifRange, text)])
        let range = ByteRange(method: .get, fields: fields, size: 10, validators: Self.validators(), now: Self.now)
        #expect(range == (isCurrent ? .part(0..<2) : .whole))
    }

    @Test("Content-Range tells the part and the size")
    func contentRange() {
        #expect(ByteRange.part(3..<6).contentRange(size: 10) == "bytes 3-5/10")
        #expect(ByteRange.unsatisfiable.contentRange(size: 10) == "bytes */10")
        #expect(ByteRange.whole.contentRange(size: 10) == nil)
    }
}
