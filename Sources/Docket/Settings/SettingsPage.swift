// The settings page: everything that a person sets for themselves, in effect with the next page they see.

import HTTP
import Mustache

enum SettingsPage {
    /// GET /settings
    static func show(_ context: Context, _ session: Session) throws -> Response {
        guard context.format == .html else { return try context.answer(Preferences(session.user)) }
        return try page(context, session, errors: nil)
    }

    /// POST /settings
    static func save(_ context: Context, _ session: Session) throws -> Response {
        do {
            let categories = try Category.all(context.database, userID: session.user.id)
            let preferences = try Preferences(context.form, current: session.user, categories: categories)
            try preferences.save(context.database, user: session.user, now: context.now)
            guard context.format == .html else { return try context.answer(preferences) }
            return try context.redirect(to: "/settings", saying: "notice.settings_saved")
        } catch let errors as FormErrors {
            guard context.format == .html else { return context.refuseForm(errors) }
            return try page(context, session, errors: errors)
        }
    }

    /// The page as it is kept, or as it was typed.
    private static func page(_ context: Context, _ session: Session, errors: FormErrors?) throws -> Response {
        let strings = context.strings
        let kept = Preferences(session.user)
        func typed(_ field: String, _ standard: String) -> String { context.form.first(field) ?? standard }
        func options(_ field: String, _ standard: String, _ all: [(value: String, label: String)]) -> Value {
            let chosen = typed(field, standard)
            return .list(
                all.map {
                    [
                        "value": .text($0.value), "label": .text($0.label),
                        "selected": .bool($0.value.utf8.elementsEqual(chosen.utf8)),
                    ]
                })
        }
        func error(_ field: String) -> Value { errors?.text(field, strings).map { .text($0) } ?? .null }
        var zones = ZoneDatabase.system.names()
        if !zones.contains(kept.zoneName) { zones.insert(kept.zoneName, at: 0) }  // an older name of a zone that was renamed
        let categories = try Category.all(context.database, userID: session.user.id)
        let view: Object = [
            "page_title": .text(strings["nav.settings"]), "form_error": errors == nil ? .null : .text(strings["problem.summary"]),
            "themes": options("theme", kept.theme, Preferences.themes.map { ($0, strings["settings.theme." + $0]) }),
            "text_sizes": options(
                "text_size", kept.textSize, Preferences.textSizes.map { ($0, strings["settings.text_size." + $0]) }),
            "languages": options("language", kept.language.rawValue, Language.allCases.map { ($0.rawValue, $0.ownName) }),
            "time_zones": options("time_zone", kept.zoneName, zones.map { ($0, $0) }),
            "weekdays": options(
                "first_weekday", String(kept.firstWeekday.rawValue),
                Weekday.allCases.map { (String($0.rawValue), strings["weekday.\($0.rawValue)"]) }),
            "per_page": .text(typed("per_page", String(kept.perPage))),
            "categories": options("default_category", kept.defaultCategory, categories.map { ($0.key, $0.name(strings)) }),
            "sorts": options(
                "default_sort", kept.order.rawValue, TaskOrder.allCases.map { ($0.rawValue, strings["sort." + $0.rawValue]) }),
            "theme_error": error("theme"), "text_size_error": error("text_size"), "language_error": error("language"),
            "time_zone_error": error("time_zone"), "first_weekday_error": error("first_weekday"),
            "per_page_error": error("per_page"),
            "default_category_error": error("default_category"), "default_sort_error": error("default_sort"),
        ]
        return try context.page(
            "settings/index", view.appending(SettingsTab.general.names), session, status: errors == nil ? 200 : 422)
    }
}
