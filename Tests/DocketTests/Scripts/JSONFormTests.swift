// JSON content as the fields of a form: what is read, what is refused with 400, and which kinds of values each field takes.

import HTTP
import Testing

@testable import Docket

@Suite struct JSONFormTests {
    private static func fields(_ json: String, _ parameters: [Parameter]? = nil) throws -> [[String]] {
        try JSONForm(Array(json.utf8)).fields(parameters).map { [$0.name, $0.value] }
    }

    @Test(
        "Members become fields in their order",
        arguments: [
            ("{}", []), (" \r\n\t{ } ", []), ("\u{FEFF} {}", []), ("{\"a\":\"b\"}", [["a", "b"]]), ("{\"\":\"\"}", [["", ""]]),
            ("{ \"a\" : true , \"b\" : false }", [["a", "1"], ["b", "0"]]), ("{\"a\":null}", [["a", ""]]),
            ("{\"a\":[\"x\",\"y\"],\"b\":[]}", [["a", "x"], ["a", "y"]]),
            ("{\"a\":-0,\"b\":12,\"c\":1.5e+3}", [["a", "-0"], ["b", "12"], ["c", "1.5e+3"]]),
            ("{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u6587\"}", [["a", "\"\\/\u{8}\u{C}\n\r\tAé文"]]),
            ("{\"a\":\"\\ud83d\\ude00\\uDBFF\\uDFFF\"}", [["a", "😀\u{10FFFF}"]]), ("{\"牛奶\":\"😀\"}", [["牛奶", "😀"]]),
            ("{\"a\\u0062\":\"1\"}", [["ab", "1"]]),
            ("{\"\u{e9}\":\"1\",\"e\u{301}\":\"2\"}", [["\u{e9}", "1"], ["e\u{301}", "2"]]),
        ])
    func reads(json: String, expected: [[String]]) throws {
        let found = try Self.fields(json)
        #expect(found.map { $0.map { Array($0.utf8) } } == expected.map { $0.map { Array($0.utf8) } })
    }

    @Test(
        "What is no JSON object is refused with 400",
        arguments: [
            "", " ", "[]", "[1]", "1", "\"a\"", "null", "true", "{", "}", "{]", "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\":}",
            "{\"a\":1,}", "{,}",
            "{\"a\":1 \"b\":2}", "{\"a\":1}{}", "{\"a\":1}x", "{\"a\":01}", "{\"a\":+1}", "{\"a\":1.}", "{\"a\":.5}",
            "{\"a\":1e}", "{\"a\":-}",
            "{\"a\":0x1}", "{\"a\":NaN}", "{\"a\":tru}", "{\"a\":True}", "{\"a\":nul}", "{\"a\":\"b}", "{\"a\":\"\n\"}",
            "{\"a\":\"\u{1}\"}",
            "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\u12g4\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\ud800\\u0041\"}",
            "{\"a\":\"\\udc00\"}",
            "{\"a\":\"\\u0000\"}", "{\"\\u0000\":1}", "{\"a\":[1,]}", "{\"a\":[1 2]}", "{\"a\":[}", "{\"a\":{\"b\":}}",
            "{\u{FEFF}}", "\u{FEFF}\u{FEFF}{}", "{\"a\":1,\"a\":2}",
            "{\"a\":1,\"\\u0061\":2}", "{/**/}",
            "{\"a\":" + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}",
            String(repeating: "{\"a\":", count: 100_000),
        ])
    func refuses(json: String) {
        let error = #expect(throws: ParseError.self) { try JSONForm(Array(json.utf8)) }
        #expect(error?.status.code == 400)
    }

    @Test func `Bytes that are not UTF-8 are refused, and more fields than a form has`() {
        #expect(throws: ParseError.self) { try JSONForm(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)) }
        let ids = String(repeating: "\"a\",", count: JSONForm.countLimit)
        #expect(throws: ParseError.self) { try JSONForm(Array("{\"id\":[\(ids)\"a\"]}".utf8)) }
        #expect(throws: Never.self) { try JSONForm(Array("{\"id\":[\(ids.dropLast(8))\"a\"]}".utf8)) }
    }

    private static let parameters: [Parameter] = [
        .text("text", ""), Parameter.text("due", "").nullable, .word("word", ["a"], ""), .number("number", 1...9, ""),
        .flag("flag", ""),
        Parameter.text("id", "").repeated,
    ]

    @Test(
        "A value of another kind is refused, and its field named",
        arguments: [
            ("{\"text\":1}", "text"), ("{\"text\":true}", "text"), ("{\"text\":null}", "text"), ("{\"text\":[\"a\"]}", "text"),
            ("{\"text\":{}}", "text"),
            ("{\"due\":1}", "due"), ("{\"due\":[]}", "due"), ("{\"word\":1}", "word"), ("{\"word\":null}", "word"),
            ("{\"number\":\"1\"}", "number"),
            ("{\"number\":1.5}", "number"), ("{\"number\":1e0}", "number"), ("{\"number\":true}", "number"),
            ("{\"flag\":1}", "flag"),
            ("{\"flag\":\"1\"}", "flag"), ("{\"flag\":\"true\"}", "flag"), ("{\"flag\":null}", "flag"),
            ("{\"flag\":[true]}", "flag"), ("{\"id\":\"a\"}", "id"),
            ("{\"id\":[1]}", "id"), ("{\"id\":[\"a\",null]}", "id"), ("{\"id\":[[\"a\"]]}", "id"), ("{\"id\":{}}", "id"),
            ("{\"other\":\"a\"}", "other"),
            ("{\"Text\":\"a\"}", "Text"),
        ])
    func kinds(json: String, field: String) throws {
        let form = try JSONForm(Array(json.utf8))
        let errors = #expect(throws: FormErrors.self) { try form.fields(Self.parameters) }
        #expect(errors?.fields.map(\.name) == [field])
    }

    @Test func `Values of their kinds are taken`() throws {
        let json = "{\"text\":\"\",\"due\":null,\"word\":\"z\",\"number\":7.0,\"flag\":true,\"id\":[\"a\",\"b\"]}"
        #expect(
            try Self.fields(json, Self.parameters)
                == [["text", ""], ["due", ""], ["word", "z"], ["number", "7"], ["flag", "1"], ["id", "a"], ["id", "b"]])
        let all = #expect(throws: FormErrors.self) {
            try JSONForm(Array("{\"text\":1,\"flag\":2,\"x\":3}".utf8)).fields(Self.parameters)
        }
        #expect(all?.fields.map(\.name) == ["text", "flag", "x"])
    }
}
