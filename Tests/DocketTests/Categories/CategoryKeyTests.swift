// Keys of new categories: made once from the name, unique, ASCII.

import Testing

@testable import Docket

@Suite struct CategoryKeyTests {
    @Test(
        "A key is made from the name, or counted where ASCII cannot say it",
        arguments: [
            ("Garden", [], "garden"), ("Balcony garden", [], "balcony-garden"), ("  R&D / 2026 ", [], "r-d-2026"),
            ("Büro", [], "buro"),
            ("ＡＢＣ", [], "abc"), ("园艺", [], "c1"), ("园艺", ["c1", "c2"], "c3"), ("A园", [], "c1"), ("🏡", [], "c1"),
            ("---", [], "c1"),
            ("Garden", ["garden"], "garden-2"), ("Garden", ["garden", "garden-2"], "garden-3"), ("C1", ["c1"], "c1-2"),
            ("abcdefghijklmnopqrstuvwxyz 0123456789", [], "abcdefghijklmnopqrstuvwxyz-01234"),
        ] as [(String, Set<String>, String)])
    func key(name: String, taken: Set<String>, expected: String) {
        #expect(CategoryKey.make(for: name, taken: taken) == expected)
    }
}
