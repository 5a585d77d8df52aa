// The pages of categories: the list with a form to add one, and the page that changes or removes one.

import HTTP
import Mustache

enum CategoryPages {
    /// GET /categories
    static func index(_ context: Context, _ session: Session) throws -> Response {
        guard context.format == .html else { return try CategoryAnswers(context, session).list() }
        return try index(context, session, errors: nil)
    }

    /// POST /categories
    static func create(_ context: Context, _ session: Session) throws -> Response {
        let repository = CategoryRepository(context, session)
        do {
            let draft = try CategoryDraft(
                context.form, current: nil, categories: try repository.all(), names: context.categoryNames)
            let id = try repository.add(draft)
            guard context.answersPage(session) else {
                var response = try CategoryAnswers(context, session).one(id, status: 201)
                response.fields[.location] = (context.app.config.publicURL?.basePath ?? "") + "/categories/\(id)"
                return response
            }
            return try context.redirect(to: "/categories", saying: "notice.category_added")
        } catch let errors as FormErrors {
            guard context.answersPage(session) else { return context.refuseForm(errors) }
            return try index(context, session, errors: errors)
        }
    }

    /// GET /categories/{id}
    static func edit(_ context: Context, _ session: Session) throws -> Response {
        let category = try find(context, session).category
        guard context.format == .html else { return try CategoryAnswers(context, session).one(category.id) }
        return try edit(context, session, category, errors: nil)
    }

    /// POST /categories/{id}: name, icon and colour, or `move` with `up` or `down`.
    static func save(_ context: Context, _ session: Session) throws -> Response {
        let repository = CategoryRepository(context, session)
        let (category, categories) = try find(context, session)
        do {
            if let move = context.form.first("move"), !move.isEmpty {
                try context.form.checkSingle()
                for other in ["name", "icon", "color"] { try context.form.checkAtMostOne(of: ["move", other]) }
                guard move == "up" || move == "down" else { throw FormErrors("move", "problem.action", [("value", move)]) }
                try repository.move(category.id, by: move == "up" ? -1 : 1)
                guard context.answersPage(session) else { return try CategoryAnswers(context, session).list() }
                return context.redirect(to: "/categories")
            }
            let draft = try CategoryDraft(context.form, current: category, categories: categories, names: context.categoryNames)
            try repository.save(category.id, draft)
            guard context.answersPage(session) else { return try CategoryAnswers(context, session).one(category.id) }
            return try context.redirect(to: "/categories", saying: "notice.category_saved")
        } catch let errors as FormErrors {
            guard context.answersPage(session) else { return context.refuseForm(errors) }
            return try edit(context, session, category, errors: errors)
        }
    }

    /// POST /categories/{id}/trash: `to` is the key of the category that the tasks go to.
    static func remove(_ context: Context, _ session: Session) throws -> Response {
        let (category, categories) = try find(context, session)
        guard categories.count > 1 else { throw Refusal.conflict("category.last") }
        do {
            try context.form.checkSingle()
            let key = context.form.first("to") ?? ""
            guard let target = categories.first(where: { $0.key.utf8.elementsEqual(key.utf8) }), target.id != category.id else {
                throw FormErrors("to", "problem.category.target")
            }
            let change = try CategoryRepository(context, session).remove(category, movingTo: target)
            guard context.answersPage(session) else { return try CategoryAnswers.moved(change, context) }
            return context.redirect(to: "/categories", change.map { .change($0.id) } ?? .text("notice.category_removed"))
        } catch let errors as FormErrors {
            guard context.answersPage(session) else { return context.refuseForm(errors) }
            return try edit(context, session, category, errors: errors)
        }
    }

    private static func find(_ context: Context, _ session: Session) throws -> (category: Category, all: [Category]) {
        let id = try context.numberID()
        let all = try CategoryRepository(context, session).all()
        guard let category = all.first(where: { $0.id == id }) else { throw Refusal.notFound }
        return (category, all)
    }

    // MARK: Views

    private static func index(_ context: Context, _ session: Session, errors: FormErrors?) throws -> Response {
        let strings = context.strings
        let summary = try context.summary(session)
        let rows = summary.categories.enumerated().map { place, category -> Value in
            let name = category.name(strings)
            let count = summary.openByCategory[category.id] ?? 0
            return [
                "id": .text(String(category.id)), "name": .text(name),
                "url": .text("/tasks?category=" + PercentEncoding.encode(category.key)),
                "color": .text("color-\(category.color)"),
                "icon": .text(category.icon),
                "count_text": .text(strings.count("list.summary.open", count)),
                "can_up": .bool(place > 0), "can_down": .bool(place < summary.categories.count - 1),
                "up_label": .text(strings("category.up", [("name", name)])),
                "down_label": .text(strings("category.down", [("name", name)])),
                "edit_label": .text(strings("category.edit", [("name", name)])),
            ]
        }
        let view: Object = [
            "page_title": .text(strings["nav.categories"]), "form_id": .text(Secret().text), "categories": .list(rows),
        ]
        let form = form(context, name: "", icon: "star", color: CategoryDraft.freshColor(summary.categories), errors)
        return try context.page("categories/index", view.appending(form), session, status: errors == nil ? 200 : 422)
    }

    private static func edit(_ context: Context, _ session: Session, _ category: Category, errors: FormErrors?) throws -> Response
    {
        let strings = context.strings
        let summary = try context.summary(session)
        let others = summary.categories.filter { $0.id != category.id }
        let target = context.form.first("to")
        let count = try CategoryRepository(context, session).taskCount(category.id)
        let naming = summary.filters.map(\.filter).filter { $0.filter?.category?.id == category.id }.map(\.name)
        let list = naming.joined(separator: strings["list.summary.separator"])
        let view: Object = [
            "page_title": .text(strings("category.edit", [("name", category.name(strings))])), "id": .text(String(category.id)),
            "can_remove": .bool(!others.isEmpty),
            "remove_text": .text(strings.count("category.remove_text", count)),
            "filters_text": naming.isEmpty ? .null : .text(strings("category.remove_filters", [("names", list)])),
            "to_error": errors?.text("to", strings).map { .text($0) } ?? .null,
            "others": .list(
                others.map {
                    ["value": .text($0.key), "label": .text($0.name(strings)), "selected": .bool($0.key == target)]
                }),
        ]
        let form = form(context, name: category.name(strings), icon: category.icon, color: category.color, errors)
        return try context.page("categories/edit", view.appending(form), session, status: errors == nil ? 200 : 422)
    }

    /// The fields as they stand, or as they were typed.
    private static func form(_ context: Context, name: String, icon: String, color: Int, _ errors: FormErrors?) -> Object {
        let strings = context.strings
        let form = context.form
        let icon = form.first("icon") ?? icon
        let color = form.first("color").map { CategoryDraft.color($0) } ?? color
        let other = errors?.fields.first { !["name", "to"].contains($0.name) }
        return [
            "form": [
                "name": .text(form.first("name") ?? name), "name_error": errors?.text("name", strings).map { .text($0) } ?? .null,
                "colors": .list(
                    CategoryDraft.colors.map {
                        ["value": .text("color-\($0)"), "label": .text(strings["color.\($0)"]), "selected": .bool($0 == color)]
                    }),
                "icons": .list(
                    CategoryDraft.icons.map {
                        ["value": .text($0), "label": .text(strings["icon." + $0]), "selected": .bool($0 == icon)]
                    }),
            ],
            "form_error": other.map { .text(strings($0.message.key, $0.message.values)) } ?? .null,
        ]
    }
}

extension Context {
    /// True where a person at a browser gets a page or is led on to one; a script gets what it asked for.
    func answersPage(_ session: Session) -> Bool { format == .html && !session.isToken }

    /// Every name that a category goes by: its own, or that of a first category in each language.
    func categoryNames(_ category: Category) -> [String] {
        category.ownName.map { [$0] } ?? Language.allCases.map { category.name(app.strings($0)) }
    }
}
