// A category by what people call it: its name in any of our languages, or its key. Case, width and accents make no difference.

/// Finds categories by name.
struct CategoryLookup: Sendable {
    private let names: [(word: [UInt8], category: Category)]

    init(_ categories: [Category], _ languages: [Strings]) {
        // A name that someone gave goes before a key that a renamed one still has.
        names =
            categories.flatMap { category in languages.map { (Folding.fold(category.name($0)), category) } }
            + categories.map { (Folding.fold($0.key), $0) }
    }

    func find(_ word: String) -> Category? {
        let folded = Folding.fold(word)
        return names.first { $0.word == folded }?.category
    }
}

extension Context {
    /// Finds these categories by their names in every language.
    func lookup(_ categories: [Category]) -> CategoryLookup {
        CategoryLookup(categories, Language.allCases.map { app.strings($0) })
    }
}
