// Folding and normalization: what people take for the same, with Foundation and Python's unicodedata as the oracles.

import Foundation
import Testing

@testable import Docket

/// Random texts of letters that combine, compose, decompose and reorder, from blocks that Unicode 14 has whole.
private func randomTexts(_ count: Int) -> [String] {
    let blocks: [ClosedRange<UInt32>] = [
        0x41...0x5A, 0xC0...0x24F, 0x300...0x34E, 0x370...0x377, 0x391...0x3A1, 0x400...0x45F, 0x5B0...0x5BD, 0x5D0...0x5EA,
        0x64B...0x655,
        0x915...0x939, 0x93C...0x94D, 0xE31...0xE3A, 0x1100...0x1112, 0x1161...0x1175, 0x11A8...0x11C2, 0x1E00...0x1EFF,
        0x2160...0x217F,
        0x304B...0x3094, 0x3099...0x309A, 0x30A2...0x30FC, 0x4E00...0x4E20, 0xAC00...0xAC40, 0xF900...0xF920, 0xFB00...0xFB06,
        0xFF21...0xFF5A, 0xFF66...0xFF9F, 0x1D15E...0x1D164, 0x1F600...0x1F610,
    ]
    return (0..<count).map { _ in
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...8) {
            if let scalar = Unicode.Scalar(UInt32.random(in: blocks.randomElement() ?? 0x41...0x5A)) { text.append(scalar) }
        }
        return String(text)
    }
}

private func sameBytes(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }

@Suite struct NormalizationTests {
    @Test(
        "Sequences compose and reorder as the standard says",
        arguments: [
            // From Python's unicodedata 14; Foundation's own forms are wrong for the first three.
            ("AC25 AC38 11B2 1F60A 0E33 05B9", "AC25 AC43 1F60A 0E33 05B9", "AC25 AC43 1F60A 0E4D 0E32 05B9"),
            ("064D FF9E", "064D FF9E", "3099 064D"),
            ("1D15F FF2E 0925 0325 FF9F", "1D158 1D165 FF2E 0925 0325 FF9F", "1D158 1D165 004E 0925 309A 0325"),
            ("0061 0323 0301", "1EA1 0301", "1EA1 0301"),
            ("0061 0301 0323", "1EA1 0301", "1EA1 0301"),
            ("0344", "0308 0301", "0308 0301"),
            ("212B 0323", "1EA0 030A", "1EA0 030A"),
            ("1E9B 0323", "1E9B 0323", "1E69"),
            ("1100 1161 11A8", "AC01", "AC01"),
            ("1100 1161 1161", "AC00 1161", "AC00 1161"),
            ("AC00 11A7", "AC00 11A7", "AC00 11A7"),
            ("0958", "0915 093C", "0915 093C"),
            ("2ADC 0338", "2ADD 0338 0338", "2ADD 0338 0338"),
            ("0F71 0F72 0F74", "0F71 0F72 0F74", "0F71 0F72 0F74"),
            ("0F73 0F71", "0F71 0F71 0F72", "0F71 0F71 0F72"),
            ("FF76 FF9E FF76 FF9F", "FF76 FF9E FF76 FF9F", "30AC 30AB 309A"),
            ("3131 314F", "3131 314F", "AC00"),
            ("0CC6 0CC2 0CD5", "0CCB", "0CCB"),
            ("0061 0315 0300 05AE 0062", "00E0 05AE 0315 0062", "00E0 05AE 0315 0062"),
            ("1D7C 0065", "1D7C 0065", "1D7C 0065"),
            ("03B1 0345 0301", "1FB4", "1FB4"),
            ("1FBE 0301", "03AF", "03AF"),
            ("F900 FA0E", "8C48 FA0E", "8C48 FA0E"),
            ("FDFA", "FDFA", "0635 0644 0649 0020 0627 0644 0644 0647 0020 0639 0644 064A 0647 0020 0648 0633 0644 0645"),
            ("1F100", "1F100", "0030 002E"),
            ("0308 0301", "0308 0301", "0308 0301"),
            ("05D0 05BC 05B7", "05D0 05B7 05BC", "05D0 05B7 05BC"),
            ("0B47 0300 0B3E", "0B47 0300 0B3E", "0B47 0300 0B3E"),
        ])
    func sequences(_ from: String, _ nfc: String, _ nfkc: String) {
        func text(_ hex: String) -> String {
            Normalization.string(of: hex.split(separator: " ").compactMap { UInt32($0, radix: 16) })
        }
        #expect(sameBytes(Normalization.nfc(text(from)), text(nfc)))
        #expect(sameBytes(Normalization.nfkc(text(from)), text(nfkc)))
    }

    @Test("Both forms of random texts are their own forms")
    func idempotent() {
        for text in randomTexts(1_000) {
            let (nfc, nfkc) = (Normalization.nfc(text), Normalization.nfkc(text))
            #expect(sameBytes(Normalization.nfc(nfc), nfc), "\(Array(text.unicodeScalars))")
            #expect(sameBytes(Normalization.nfkc(nfkc), nfkc), "\(Array(text.unicodeScalars))")
            #expect(sameBytes(Normalization.nfkc(nfc), nfkc), "\(Array(text.unicodeScalars))")
        }
    }

    @Test("Forms C and KC of each scalar of the plane of most languages are Foundation's")
    func everyScalar() {
        // U+A7F2...A7F4 and later letters came with newer versions of Unicode than some Foundations know.
        for scalar in (UInt32(0x80)...0xFFEF).lazy.compactMap(Unicode.Scalar.init) where !(0xAC00...0xD7A3).contains(scalar.value)
        {
            guard !Normalization.isYoungerThanTable(scalar) else { continue }
            let text = String(scalar)
            let isSame =
                sameBytes(Normalization.nfc(text), text.precomposedStringWithCanonicalMapping)
                && sameBytes(Normalization.nfkc(text), text.precomposedStringWithCompatibilityMapping)
            #expect(isSame, "U+\(String(scalar.value, radix: 16))")
        }
    }

    @Test("Ten thousand marks on one letter take no time to speak of")
    func manyMarks() {
        let text = "a" + String(repeating: "\u{301}\u{323}", count: 5_000)
        #expect(Normalization.nfc(text).unicodeScalars.count > 9_000)
        #expect(Folding.fold(text) == Array("a".utf8))
    }
}

extension Normalization {
    /// Whether the scalar was assigned after the Unicode version of the table: the oracle may map what the table cannot know.
    fileprivate static func isYoungerThanTable(_ scalar: Unicode.Scalar) -> Bool {
        let parts = UnicodeTable.unicodeVersion.split(separator: ".").compactMap { Int($0) }
        guard let age = scalar.properties.age, parts.count > 1 else { return true }
        return (age.major, age.minor) > (parts[0], parts[1])
    }
}

@Suite struct FoldingTests {
    @Test(
        "What people take for the same folds to the same bytes",
        arguments: [
            ("Café", "cafe"), ("Cafe\u{301}", "cafe"), ("ＡＢＣ１２３", "abc123"), ("ÄPFEL", "äpfel"), ("ÄPFEL", "apfel"),
            ("Привет", "привет"),
            ("ПРИВЕТ", "привет"), ("\u{212A}elvin", "kelvin"), ("Straße", "STRASSE"), ("ẞ", "ss"), ("ﬁn", "fin"),
            ("Łódź", "lodz"), ("ＴＯ－１２３", "to-123"),
            ("ΣΊΣΥΦΟΣ", "σισυφος"), ("Ёлка", "елка"), ("ｶﾞｷﾞ", "ガギ"), ("か\u{3099}", "が"),
            ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
            ("İstanbul", "istanbul"), ("smørrebrød", "SMORREBROD"), ("soft\u{AD}hyphen", "softhyphen"),
            ("zero\u{200B}width", "zerowidth"),
            ("Việt Nam", "viet nam"), ("㊥", "中"), ("①", "1"), ("ﷺ", "صلى الله عليه وسلم"), ("שָׁלוֹם", "שלום"), ("½", "1⁄2"),
            ("%_'\"", "%_'\""),
            ("", ""), ("\u{E0061}", ""),
        ])
    func same(_ left: String, _ right: String) {
        #expect(Folding.fold(left) == Folding.fold(right))
    }

    @Test(
        "What is different to its readers stays different",
        arguments: [
            ("が", "か"), ("ば", "ぱ"), ("カ", "か"), ("й", "и"), ("ў", "у"), ("牛奶", "牛乳"), ("買", "买"), ("각", "가"), ("กี", "กา"),
            ("कि", "क"),
            ("-", "_"), ("¨", " "), ("a b", "ab"),
        ])
    func different(_ left: String, _ right: String) {
        #expect(Folding.fold(left) != Folding.fold(right))
    }

    @Test(
        "Chinese, kana and Hangul pass as they are",
        arguments: ["今天買牛奶和麵包", "今天买牛奶和面包", "ガギグ", "한글"])
    func unchanged(_ text: String) {
        #expect(Folding.fold(text) == Array(text.utf8))
    }

    @Test("Folding twice is folding once, and canonically equal texts fold the same")
    func idempotent() {
        for text in randomTexts(1_000) {
            let once = Folding.fold(text)
            #expect(Folding.fold(String(decoding: once, as: UTF8.self)) == once, "\(Array(text.unicodeScalars))")
            #expect(Folding.fold(text.decomposedStringWithCanonicalMapping) == once, "\(Array(text.unicodeScalars))")
            let named = Folding.caseFold(text)
            #expect(sameBytes(Folding.caseFold(named), named), "\(Array(text.unicodeScalars))")
        }
    }

    @Test(
        "A mark that folds to a letter, U+0345, does not part the marks around it",
        arguments: [
            "\u{1D162}\u{345}\u{64F}\u{11BB}m\u{927}\u{44E}", "a\u{64F}\u{345}\u{5B0}", "\u{3B9}\u{345}\u{308}",
            "\u{1D160}\u{345}\u{309A}",
            "\u{301}\u{345}\u{93C}", "\u{3B9}\u{93C}\u{345}\u{335}a",
        ])
    func subscriptIota(text: String) {
        let named = Folding.caseFold(text)
        #expect(sameBytes(Folding.caseFold(named), named))
        #expect(sameBytes(Folding.caseFold(Normalization.nfc(text)), named))
        let once = Folding.fold(text)
        #expect(Folding.fold(String(decoding: once, as: UTF8.self)) == once)
        #expect(Folding.fold(Normalization.nfc(text)) == once)
    }

    @Test("Case folding for names keeps accents and folds width and case")
    func names() {
        #expect(sameBytes(Folding.caseFold("ＡＤＡ É"), "ada é"))
        #expect(sameBytes(Folding.caseFold("Straße"), "strasse"))
    }

    @Test("Every folded byte leads back to a letter of the text")
    func origins() {
        for text in randomTexts(500) {
            let folded = Folding.foldWithOrigins(text)
            #expect(folded.bytes == Folding.fold(text))
            #expect(folded.origins.count == folded.bytes.count + 1)
            #expect(folded.origins.last == text.utf8.count)
            #expect(zip(folded.origins, folded.origins.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }
}

@Suite struct SearchQueryTests {
    private func found(_ query: String, in text: String) -> Bool {
        SearchQuery(query)?.matches(Folding.fold(text)) ?? false
    }

    @Test(
        "Words are found wherever they stand, in any script, folded on both sides",
        arguments: [
            ("牛奶", "今天買牛奶和麵包"), ("牛", "今天買牛奶和麵包"), ("牛奶 麵包", "今天買牛奶和麵包"), ("麵包　牛奶", "今天買牛奶和麵包"), ("привет", "Привет"),
            ("äpfel", "ÄPFEL"), ("abc123", "ＡＢＣ１２３"), ("ａｂｃ", "ABC"), ("100%", "100% done"), ("a_b", "a_b"),
            ("TO-123", "see to-123"), ("\"x\" OR", "say \"x\" or y"),
            ("o", "Brötchen"), ("\tmilk\u{A0}buy ", "Buy milk"),
        ])
    func finds(_ query: String, _ text: String) {
        #expect(found(query, in: text))
    }

    @Test(
        "Signs mean themselves and every word must occur",
        arguments: [
            ("100%", "1000 done"), ("a_b", "axb"), ("TO-123", "to 123"), ("牛奶 茶", "今天買牛奶和麵包"), ("*", "milk"),
            ("milk OR tea", "milk"),
        ])
    func findsNot(_ query: String, _ text: String) {
        #expect(!found(query, in: text))
    }

    @Test(
        "Nothing to search for is no query", arguments: ["", " ", "\u{3000}", "\t\n", "\u{200B}", "\u{200B} \u{FE0F}", "\u{301}"])
    func empty(_ text: String) {
        #expect(SearchQuery(text) == nil)
    }

    @Test("Words may occur in either of two texts")
    func twoTexts() throws {
        let query = try #require(SearchQuery("milk rice"))
        #expect(query.matches(Folding.fold("Milk"), Folding.fold("and rice")))
        #expect(!query.matches(Folding.fold("Milk"), Folding.fold("and bread")))
        #expect(try #require(SearchQuery("milk MILK ｍｉｌｋ")).words.count == 1)
    }

    @Test(
        "What matched is marked in the text as it was written",
        arguments: [
            ("cafe", "Ein Café.", ["Café"]), ("cafe", "Cafe\u{301}s", ["Cafe\u{301}"]), ("牛奶 买", "今天买牛奶", ["买牛奶"]),
            ("s", "Maße", ["ß"]),
            ("abc", "xＡＢＣx", ["ＡＢＣ"]), ("aa", "aaaaa", ["aaaa"]), ("a b", "abc b", ["ab", "b"]), ("👩", "ok 👩‍🚀 ok", ["👩‍🚀"]),
            ("x", "abc", []),
            ("か", "か\u{3099}か", ["か"]), ("e", "e\u{200B}\u{301}f", ["e\u{200B}\u{301}"]),
        ])
    func marks(_ query: String, _ text: String, _ expected: [String]) throws {
        let bytes = Array(text.utf8)
        let marked = try #require(SearchQuery(query)).ranges(in: text).map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(marked.count == expected.count && zip(marked, expected).allSatisfy(sameBytes))
    }

    @Test("The finder agrees with looking at every place, and hostile repetition stays linear")
    func finder() {
        for _ in 0..<2_000 {
            let text = (0..<Int.random(in: 0...30)).map { _ in UInt8.random(in: 0x61...0x62) }
            let word = (0..<Int.random(in: 1...5)).map { _ in UInt8.random(in: 0x61...0x62) }
            let expected = text.indices.first { text[$0...].starts(with: word) }
            #expect(SubstringFinder(word).first(in: text, from: 0) == expected)
        }
        let long = [UInt8](repeating: 0x61, count: 200_000)
        #expect(SubstringFinder(Array(long.prefix(100_000)) + [0x62]).first(in: long, from: 0) == nil)
    }
}
