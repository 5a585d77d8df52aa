// A category by what people call it: its name in any of our languages, or its key. Case, width and accents make no difference.

/// Finds categories by name.
struct CategoryLookup: Sendable {
    private let categories: [Category]
    private let languages: [Strings]

    init(_ categories: [Category], _ languages: [Strings]) {
        self.categories = categories
        self.languages = languages
    }

    /// Folds the names when it is asked, since most lists are reached without a word of anyone's.
    func find(_ word: String) -> Category? {
        let folded = Folding.fold(word)
        // A name that someone gave goes before a key that a renamed one still has.
        return categories.first { category in languages.contains { Folding.fold(category.name($0)) == folded } }
            ?? categories.first { Folding.fold($0.key) == folded }
    }
}

extension Context {
    /// Finds these categories by their names in every language.
    func lookup(_ categories: [Category]) -> CategoryLookup {
        CategoryLookup(categories, Language.allCases.map { app.strings($0) })
    }
}
