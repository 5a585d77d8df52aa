// What a form or a script says a category shall be: validated once, valid from then on.

import HTTP

/// Name, icon and colour of a category.
struct CategoryDraft: Sendable {
    /// Nil keeps the name that a first category has in each language.
    let name: String?
    let icon: String
    let color: Int

    /// In characters as people see them.
    static let nameLimit = 60
    /// What the column takes, in code points: some characters are made of many.
    static let scalarLimit = 200
    static let colors = 1...12
    static let icons = [
        "briefcase", "home", "book", "heart", "cart", "wallet", "leaf", "star", "music", "plane", "code", "phone", "gift",
        "dumbbell", "car",
        "paw", "group", "tool", "cup", "camera",
    ]

    /// Reads the fields `name`, `icon` and `color` (`9` or `color-9`). One that is not there keeps what `current` has, or the default.
    ///
    /// `categories` are all of the person, `current` among them; `names` tells every name that one goes by.
    ///
    /// - Throws: `FormErrors` with every mistake, by field.
    init(_ form: FormFields, current: Category?, categories: [Category], names: (Category) -> [String]) throws(FormErrors) {
        var errors = FormErrors()
        errors.addDoubled(form)
        if current == nil { errors.checkRoom(categories.count, "problem.categories_full") }
        name =
            current != nil && form.first("name") == nil
            ? current?.ownName
            : Self.name(form, current, categories.filter { $0.id != current?.id }.flatMap(names), names, &errors)
        let word = form.first("icon") ?? ""
        let chosen = word.isEmpty ? current?.icon ?? "star" : word
        icon = chosen
        if !Self.icons.contains(where: { $0.utf8.elementsEqual(chosen.utf8) }) { errors.add("icon", "problem.icon") }
        let typed = form.first("color") ?? ""
        color = typed.isEmpty ? current?.color ?? Self.freshColor(categories) : Self.color(typed) ?? 0
        if !Self.colors.contains(color) { errors.add("color", "problem.color") }
        try errors.check()
    }

    private static func name(
        _ form: FormFields, _ current: Category?, _ taken: [String], _ names: (Category) -> [String], _ errors: inout FormErrors
    ) -> String? {
        guard let name = errors.readName(form, taken: taken) else { return nil }
        // The form shows a first category's name in words: sent back unchanged, it goes on following the language.
        if let current, current.ownName == nil, names(current).contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
            return nil
        }
        return name
    }

    /// The number of `9` or `color-9`.
    static func color(_ text: String) -> Int? {
        Int(digits: text.utf8.starts(with: "color-".utf8) ? text.utf8.dropFirst(6) : text.utf8[...])
    }

    /// The first colour that no category has, so that new ones can be told apart.
    static func freshColor(_ categories: [Category]) -> Int {
        colors.first { color in !categories.contains { $0.color == color } } ?? categories.count % colors.count + 1
    }
}

extension FormErrors {
    /// The field `name`: one line of 1 to 60 characters that no other has, whatever its case and width. Nil with a message where it is not.
    mutating func readName(_ form: FormFields, taken: [String]) -> String? {
        let name: String
        do throws(TextError) {
            name = try Characters.line(form.first("name") ?? "", limit: CategoryDraft.nameLimit)
        } catch {
            switch error {
            case .empty, .tooShort: add("name", "problem.name.empty")
            case .tooLong(let limit, _): add("name", "problem.name.long", [("n", String(limit))])
            case .tooManyBytes: add("name", "problem.too_many_bytes")
            case .control: add("name", "problem.control")
            }
            return nil
        }
        guard name.unicodeScalars.count <= CategoryDraft.scalarLimit else {
            add("name", "problem.too_many_bytes")
            return nil
        }
        let folded = Folding.caseFold(name)
        guard !taken.contains(where: { Folding.caseFold($0).utf8.elementsEqual(folded.utf8) }) else {
            add("name", "problem.name.taken")
            return nil
        }
        return name
    }
}
