// What a person sets for themselves: read from a form once, valid from then on. A field that a script leaves out stays as it is; one
// that is no value of its kind is a mistake beside its field, never a guess.

import HTTP
import SQLite

/// The preferences of one person.
struct Preferences: Equatable, Sendable {
    static let themes = ["auto", "light", "dark"]
    static let textSizes = ["small", "normal", "large"]
    static let perPageRange = 10...200
    static let fields = [
        "theme", "text_size", "language", "time_zone", "first_weekday", "per_page", "default_category", "default_sort",
    ]

    private(set) var theme: String
    private(set) var textSize: String
    private(set) var language: Language
    private(set) var zoneName: String
    private(set) var firstWeekday: Weekday
    private(set) var perPage: Int
    private(set) var defaultCategory: String
    private(set) var order: TaskOrder

    init(_ user: User) {
        theme = user.theme
        textSize = user.textSize
        language = user.language
        zoneName = user.zone.name
        firstWeekday = user.firstWeekday
        perPage = user.perPage
        defaultCategory = user.defaultCategory
        order = user.order
    }

    /// Reads a form over what stands now. Throws `FormErrors` with every mistake at once.
    init(_ form: FormFields, current: User, categories: [Category]) throws(FormErrors) {
        self.init(current)
        var errors = FormErrors()
        errors.addDoubled(form)
        func read<Value>(_ field: String, _ problem: String, _ target: inout Value, _ make: (String) -> Value?) {
            guard let text = form.first(field) else { return }
            if let value = make(text) {
                target = value
            } else {
                errors.add(field, problem, [("value", text)])
            }
        }
        read("theme", "problem.theme", &theme) { text in Self.themes.first { $0.utf8.elementsEqual(text.utf8) } }
        read("text_size", "problem.text_size", &textSize) { text in Self.textSizes.first { $0.utf8.elementsEqual(text.utf8) } }
        read("language", "problem.language", &language, Language.init(rawValue:))
        read("time_zone", "problem.time_zone", &zoneName) { (try? Zone(named: $0))?.name }
        read("first_weekday", "problem.weekday", &firstWeekday) { Int(digits: $0.utf8).flatMap(Weekday.init(rawValue:)) }
        read("per_page", "problem.per_page", &perPage) { text in
            Int(digits: Characters.trim(text).utf8).flatMap { Self.perPageRange.contains($0) ? $0 : nil }
        }
        read("default_category", "problem.category", &defaultCategory) { text in
            categories.first { $0.key.utf8.elementsEqual(text.utf8) }?.key
        }
        read("default_sort", "problem.sort", &order, TaskOrder.init(rawValue:))
        try errors.check()
    }

    /// Keeps them. A new time zone moves the end of each due day, so the sort keys are made anew in the same transaction.
    func save(_ database: Connection, user: User, now: Instant) throws {
        guard self != Preferences(user) else { return }
        try database.execute(
            """
            UPDATE users SET theme = \(theme), text_size = \(textSize), language = \(language.rawValue), time_zone = \(zoneName), \
            first_weekday = \(firstWeekday.rawValue), per_page = \(perPage), default_category = \(defaultCategory), \
            default_sort = \(order.rawValue), revision = revision + 1 WHERE id = \(user.id)
            """)
        guard !zoneName.utf8.elementsEqual(user.zone.name.utf8) else { return }
        guard let changed = try AccountRepository(database: database, now: now).user(user.id) else { throw Refusal.notFound }
        try TaskRepository(database, owner: changed, now: now).rekey()
    }
}
