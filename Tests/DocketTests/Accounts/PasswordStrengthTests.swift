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
            ("aaaaaaaaaaaaaaaaaaaaaaaaaaaa", .trivial),
            ("73915284", .weak), ("kitchen7", .weak), ("giraffes", .weak),
            ("seven green bicycles", .fair), ("Tr0ub4dor&3x", .weak), ("我喜欢早上喝茶", .fair),
            ("correct horse battery staple", .strong), ("早上喝一杯热茶再出门上班", .strong),
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
        #expect(key("12345678") == "problem.password.common")
    }

    @Test("A new password is told how strong it is")
    func told() throws {
        let test = try TestApp()
        let page = try test.stranger().post("/sign-up", [("username", "ada"), ("password", "giraffes")])
        #expect(page.address == "/tasks" && page.contains("Your password is weak"))
        #expect(
            try !test.stranger().post("/sign-up", [("username", "bob"), ("password", "seven green bicycles")]).contains("weak"))
        let ada = page.visitor
        let changed = try ada.post(
            "/settings/password", [("current_password", "giraffes"), ("new_password", "correct horse battery staple")])
        #expect(changed.contains("It is strong."))
    }
}
