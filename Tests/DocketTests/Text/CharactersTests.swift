// The door for typed texts: titles, contents, user names and passwords.

import Testing

@testable import Docket

private func sameBytes(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

@Suite struct CharactersTests {
    @Test(
        "A title is one line, trimmed, and keeps everything that can be seen",
        arguments: [
            (" Buy milk ", "Buy milk"), ("\u{3000}买牛奶\u{3000}", "买牛奶"), ("a\r\nb", "a b"), ("a\tb", "a b"), ("a\u{2028}b", "a b"),
            ("a\u{1B}[31mb", "a[31mb"),
            ("\u{FEFF}a\u{200B}", "a"), ("O'Neil <x> & \"y\"", "O'Neil <x> & \"y\""), ("👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"), ("e\u{301}", "e\u{301}"),
            ("\u{202E}abc", "\u{202E}abc"),
        ])
    func line(_ typed: String, _ stored: String) throws {
        #expect(sameBytes(try Characters.line(typed, limit: 500), stored))
    }

    @Test(
        "A title with nothing to see is empty",
        arguments: ["", " ", "\r\n", "\u{3000}", "\u{200B}\u{200D}", "\u{2800}", "\u{3164}", "\u{AD}", "\u{1}"])
    func empty(_ text: String) {
        #expect(throws: TextError.empty) { try Characters.line(text, limit: 500) }
    }

    @Test("A NUL is refused, in lines and contents, never cut")
    func nul() {
        #expect(throws: TextError.control(0)) { try Characters.line("a\0b", limit: 500) }
        #expect(throws: TextError.control(0)) { try Characters.lines("a\0b", limit: 500) }
    }

    @Test("Length is counted in characters that people see", arguments: ["a", "牛", "👩‍👩‍👧‍👦", "e\u{301}", "🇨🇳"])
    func length(_ character: String) throws {
        #expect(try Characters.line(String(repeating: character, count: 300), limit: 300).count == 300)
        #expect(throws: TextError.tooLong(limit: 300, actual: 301)) {
            try Characters.line(String(repeating: character, count: 301), limit: 300)
        }
    }

    @Test("Ten thousand marks on one letter are one character and still too much")
    func marks() {
        let text = "a" + String(repeating: "\u{301}", count: 10_000)
        #expect(throws: TextError.tooManyBytes(limit: 16_000, actual: 20_001)) { try Characters.line(text, limit: 500) }
    }

    @Test(
        "Content keeps its lines, with LF between them whatever came in",
        arguments: [
            ("a\r\nb\rc\nd", "a\nb\nc\nd"), ("a\r\n\r\nb", "a\n\nb"), ("\ta\n", "\ta"), ("  - a\n  - b  \n\n", "  - a\n  - b"),
            (" \n\t ", ""), ("", ""),
            ("a\u{85}b\u{2029}c\u{B}d", "a\nb\nc\nd"), ("a\u{7}b\u{FFFF}c", "abc"),
        ])
    func lines(_ typed: String, _ stored: String) throws {
        #expect(sameBytes(try Characters.lines(typed, limit: 20_000), stored))
    }

    @Test("Content over the limit is refused with its length")
    func longContent() {
        #expect(throws: TextError.tooLong(limit: 20_000, actual: 20_001)) {
            try Characters.lines(String(repeating: "牛", count: 20_001), limit: 20_000)
        }
        #expect(throws: TextError.tooLong(limit: 500, actual: 100_000)) {
            try Characters.line(String(repeating: "x", count: 100_000), limit: 500)
        }
    }
}

@Suite struct UserNameTests {
    @Test(
        "Names of any script are allowed and shown as typed",
        arguments: ["ada", "Bob", "cleo_2", "a", "王小明", "Иван", "José", "이영희", "さくら", "佐々木", "नेहा", "สมชาย", "ada.b-c", "李ada"])
    func allowed(_ name: String) throws {
        #expect(sameBytes(try UserName(name).display, Normalization.nfc(name)))
    }

    @Test(
        "Names that look or fold the same are one account",
        arguments: [
            ("ada", "ADA"), ("ada", "ａｄａ"), ("ada", "аԁа"), ("bob", "ВоЬ"), ("CLEO", "СӏЕО"), ("José", "Jose\u{301}"),
            ("ΑΝΝΑ", "anna"), ("ё", "ë"),
            ("straße", "STRASSE"), (" ada ", "ada"), ("ﬁn", "fin"), ("user1", "user١"), ("İlk", "ilk"),
        ])
    func same(_ left: String, _ right: String) {
        #expect(sameBytes(UserName.key(of: left), UserName.key(of: right)))
    }

    @Test(
        "Names that differ to the eye stay two accounts",
        arguments: [("ada", "adа2"), ("Jose", "José"), ("王", "玉"), ("ian", "lan"), ("a.b", "ab"), ("а-я", "а_я")])
    func different(_ left: String, _ right: String) {
        #expect(!sameBytes(UserName.key(of: left), UserName.key(of: right)))
    }

    @Test(
        "A key is its own key, so that it can be made again from what is shown",
        arguments: ["ВоЬ", "Ёлка", "ａｄａ", "İlk", "user١", "王小明", "ΑΝΝΑ"])
    func idempotent(_ name: String) {
        let key = UserName.key(of: name)
        #expect(sameBytes(UserName.key(of: key), key))
    }

    @Test(
        "What cannot be seen, told apart or typed is refused",
        arguments: [
            ("", UserNameError.empty), (" \u{3000}", .empty), ("a\u{200B}b", .forbidden("\u{200B}")),
            ("a\u{202E}b", .forbidden("\u{202E}")), ("a b", .forbidden(" ")),
            ("a\0b", .forbidden("\0")), ("a@b", .forbidden("@")), ("<b>", .forbidden("<")), ("a/b", .forbidden("/")),
            ("ada\u{3164}", .forbidden("\u{3164}")),
            ("👩", .forbidden("👩")), ("x²", .forbidden("²")), ("аda", .mixedAlphabets), ("αda", .mixedAlphabets), (".ada", .edge),
            ("ada-", .edge), ("..", .edge),
            (String(repeating: "a", count: 41), .tooLong(limit: 40)),
            ("a" + String(repeating: "\u{301}", count: 10_000), .tooLong(limit: 40)),
            ("a\u{334}\u{335}\u{336}", .forbidden("\u{336}")),
        ] as [(String, UserNameError)])
    func refused(_ name: String, _ error: UserNameError) {
        #expect(throws: error) { try UserName(name) }
    }
}

@Suite struct PasswordTextTests {
    @Test(
        "The same password typed on two devices is the same bytes",
        arguments: [
            ("pässword", "pa\u{308}ssword"), ("correct horse", "correct\u{3000}horse"), ("correct horse", "correct\u{A0}horse"),
            ("한글비밀번호입니다", "한글비밀번호입니다".decomposed),
        ])
    func same(_ left: String, _ right: String) throws {
        #expect(try PasswordText(left).bytes == PasswordText(right).bytes)
    }

    @Test(
        "Case, width and the spaces at the ends count",
        arguments: [("Password", "password"), ("ｐassword", "password"), ("password ", "password"), (" password", "password")])
    func different(_ left: String, _ right: String) throws {
        #expect(try PasswordText(left).bytes != PasswordText(right).bytes)
    }

    @Test("8 to 1,000 characters are accepted on every way in", arguments: [8, 40, 64, 128, 1_000])
    func accepted(_ count: Int) throws {
        for letter in ["x", "é", "密"] {
            let text = String(repeating: letter, count: count)
            #expect(try PasswordText(text).bytes.count == text.utf8.count)
            #expect(PasswordText(toVerify: text) != nil)
        }
    }

    @Test("Shorter, longer, huge and with controls is refused before anything is hashed")
    func refused() {
        #expect(throws: TextError.tooShort(minimum: 8, actual: 7)) { try PasswordText("1234567") }
        #expect(throws: TextError.tooLong(limit: 1_000, actual: 1_001)) { try PasswordText(String(repeating: "x", count: 1_001)) }
        #expect(throws: TextError.control(0)) { try PasswordText("12345678\0") }
        #expect(throws: TextError.control(10)) { try PasswordText("12345678\n") }
        #expect(PasswordText(toVerify: String(repeating: "x", count: 1_000_000)) == nil)
    }
}

extension String {
    fileprivate var decomposed: String {
        var scalars: [UInt32] = []
        for scalar in unicodeScalars { Normalization.decompose(scalar.value, isCompatibility: false, into: &scalars) }
        return Normalization.string(of: scalars)
    }
}
