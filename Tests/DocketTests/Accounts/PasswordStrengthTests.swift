// How hard a password is to guess, in a word, and which are refused as no better than the most common ones.

import Testing

@testable import Docket

@Suite("The strength of a password")
struct PasswordStrengthTests {
    @Test(
        "Repeated signs, runs and patterns add nothing; words, signs and length do",
        arguments: [
            ("kkkkkkkk", .trivial), ("        ", .trivial), ("ababababab", .trivial), ("hijklmnop", .trivial),
            ("98765432", .trivial),
            ("密密密密密密密密", .trivial), ("🙂🙂🙂🙂🙂🙂🙂🙂", .trivial), ("xyzxyzxyzxyz", .trivial),
            ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", .trivial), ("qwertyuiop", .trivial), ("1qaz2wsx", .trivial), ("ZAQ!@WSX", .trivial),
            ("147258369", .trivial), ("asdf1234", .trivial), ("mnbvcxz1", .trivial),
            (String(repeating: "👨‍👩‍👧‍👦", count: 8), .trivial), (String(repeating: "👍🏽", count: 9), .trivial), ("ｑｗｅｒｔｙｕｉｏｐ", .trivial),
            ("１２３４５６７８", .trivial), ("👨‍👩‍👧‍👦🧑🏽‍🌾🏳️‍🌈❤️‍🔥👍🏽👩‍🚀🇨🇳🧜‍♀️", .fair),
            ("73915284", .weak), ("kitchen7", .weak), ("giraffes", .weak),
            ("seven green bicycles", .fair), ("Tr0ub4dor&3x", .weak), ("我喜欢早上喝茶", .fair),
            ("correct horse battery staple", .strong), ("早上喝一杯热茶再出门上班", .strong),
            ("xK9#mQ2$vL5nW8!z", .strong), ("kP7vXq2LmR9w", .fair), ("xK9mQ2vL", .fair), ("P@$$w0rd2024!", .weak),
        ] as [(String, PasswordStrength)])
    func strength(text: String, wanted: PasswordStrength) {
        #expect(PasswordStrength(Array(text.utf8)) == wanted, "\(text)")
    }

    @Test("Trivial ones and little more than one's own name are refused, with the reason")
    func refused() throws {
        let name = try UserName("ada.lovelace")
        func key(_ text: String) -> String? {
            do throws(FormErrors) {
                _ = try Password.prepare(text, name: name)
                return nil
            } catch { return error.fields.first?.message.key }
        }
        #expect(key("kkkkkkkk") == "problem.password.trivial")
        #expect(key("\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}\u{3000}") == "problem.password.trivial")
        #expect(key("Ada.Lovelace") == "problem.password.name")
        #expect(key("ada.lovelace1") == "problem.password.name")
        #expect(key("!!ada.lovelace") == "problem.password.name")
        #expect(key("ada.lovelace likes engines") == nil)
        #expect(key("12345678") == "problem.password.trivial")
        #expect(key("Password1") == "problem.password.common")
    }

    @Test(
        "Common ones are known by a rule: words that many take, one or two, with what many add, in any case and with signs for letters",
        arguments: [
            "password", "Password1", "p@ssw0rd123", "PA$$WORD!", "passw0rd2024!", "sunshine", "Jennifer1987", "123dragon",
            "monkeys7",
            "iloveyou", "1L0vey0u", "superman!!", "trustno1", "blackcat", "BlackCats99", "woaini1314", "zhang19900102",
            "contraseña",
            "Sommer2025", "letmein123456", "hunter2hunter2", "testtest", "19870512", "12051987", "05121987", "q1w2e3r4",
            "a1b2c3d4e5", "2000-11-11", "11.11.2000", "1/1/2000", "2000年11月11日", "1987-05-12!", "ｐａｓｓｗｏｒｄ", "Ｐａｓｓｗｏｒｄ１",
            "ｐ＠ｓｓｗ０ｒｄ", "dragondragondragon", "2000-11-112000-11-11",
        ])
    func common(text: String) {
        #expect(CommonPasswords.contains(Array(text.utf8)))
    }

    @Test(
        "What is no common word, a phrase of several words, and what is drawn at random are none of them",
        arguments: [
            "giraffes", "kitchen7", "correct horse battery staple", "seven green bicycles", "73915284", "Tr0ub4dor&3x",
            "xK9mQ2vL",
            "kwpzjtqv", "我喜欢早上喝茶", "19871399", "password of mine, as it was in 1987", "dragon-kettle-tuesday", "q1w9e3r7tz",
            "monkey48293", "xK20q11z2000", "2000-13-41", "20001311-4482", "千里共婵娟明月几时有", String(repeating: "password", count: 12),
        ])
    func uncommon(text: String) {
        #expect(!CommonPasswords.contains(Array(text.utf8)))
    }

    @Test("The words of the rule stand there once, in small letters, and make thousands of passwords of eight characters")
    func words() {
        var long = 0
        for word in CommonWords.all {
            let isPlain = word.allSatisfy { (byte: UInt8) in byte >= 0x61 && byte <= 0x7A || byte >= 0x80 }
            #expect(isPlain && word.count > 1)
            if word.count >= 6 { long += 1 }
        }
        #expect(long > 2_000)
        #expect(CommonPasswords.contains(Array("giraffes".utf8)) == false && CommonPasswords.contains(Array("elephants99".utf8)))
    }

    @Test("A new password is told how strong it is")
    func told() throws {
        let test = try TestApp()
        let page = try test.stranger().post("/sign-up", [("username", "ada"), ("password", "giraffes")])
        #expect(page.address == "/tasks" && page.contains("Your password is weak"))
        let other = try test.stranger().post("/sign-up", [("username", "bob"), ("password", "seven green bicycles")])
        #expect(other.contains("Your password is of fair strength") && other.contains(" autofocus"))
        let ada = page.visitor
        let changed = try ada.post(
            "/settings/password", [("current_password", "giraffes"), ("new_password", "correct horse battery staple")])
        #expect(changed.contains("It is strong."))
    }
}
