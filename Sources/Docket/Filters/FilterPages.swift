// The filter page: compose a filter with a count of what it would show, keep it under a name; each saved filter at its own address.

import HTTP
import Mustache

enum FilterPages {
    /// GET /filters
    static func index(_ context: Context, _ session: Session) throws -> Response {
        guard context.format == .html else { return try FilterAnswers(context, session).list() }
        let form = try form(context.query, context, session)
        if let shown = shown(context, session, form) { return shown }
        return try page(context, session, form, nil, name: context.query.first("name") ?? "", errors: form.errors)
    }

    /// POST /filters
    static func create(_ context: Context, _ session: Session) throws -> Response {
        try change(context, session, nil) { name, filter in
            let id = try FilterRepository(context, session).add(name, filter)
            guard !context.answersPage(session) else {
                return try context.redirect(to: "/filters/\(id)", saying: "notice.filter_saved")
            }
            var response = try FilterAnswers(context, session).one(id, status: 201)
            response.fields[.location] = (context.app.config.publicURL?.basePath ?? "") + "/filters/\(id)"
            return response
        }
    }

    /// GET /filters/{id}: the list that it shows.
    static func list(_ context: Context, _ session: Session) throws -> Response {
        let saved = try find(context, session)
        let summary = try context.summary(session)
        let request = ListRequest(saved, try FormFields(query: saved.query), context, session.user, summary.categories)
        return try TaskListPage.show(context, session, summary, request, heading: saved.name, draft: nil)
    }

    /// GET /filters/{id}/edit
    static func edit(_ context: Context, _ session: Session) throws -> Response {
        let saved = try find(context, session)
        guard context.format == .html else { return try FilterAnswers(context, session).one(saved.id) }
        // Without JavaScript the count comes by sending the form here: then its fields count, else what is kept.
        let isSent = FilterForm.conditionNames.contains { context.query.first($0) != nil }
        let form = try form(isSent ? context.query : try FormFields(query: saved.query), context, session)
        if isSent, let shown = shown(context, session, form) { return shown }
        return try page(
            context, session, form, saved, name: context.query.first("name") ?? saved.name, errors: form.errors,
            // A filter that names something gone is told, but nobody has sent anything wrong.
            status: isSent ? nil : 200)
    }

    /// POST /filters/{id}
    static func save(_ context: Context, _ session: Session) throws -> Response {
        let saved = try find(context, session)
        return try change(context, session, saved) { name, filter in
            try FilterRepository(context, session).save(saved.id, name, filter)
            return context.answersPage(session)
                ? try context.redirect(to: saved.path, saying: "notice.filter_saved")
                : try FilterAnswers(context, session).one(saved.id)
        }
    }

    /// POST /filters/{id}/trash
    static func remove(_ context: Context, _ session: Session) throws -> Response {
        let saved = try find(context, session)
        try FilterRepository(context, session).remove(saved.id)
        return context.answersPage(session)
            ? try context.redirect(to: "/filters", saying: "notice.filter_removed")
            : try context.answer(["removed": saved.id], line: "removed \(saved.id)")
    }

    private static func find(_ context: Context, _ session: Session) throws -> SavedFilter {
        let categories = try Category.all(context.database, userID: session.user.id)
        guard
            let saved = try SavedFilter.find(
                try context.numberID(), context.database, owner: session.user, categories: categories)
        else { throw Refusal.notFound }
        return saved
    }

    private static func form(_ fields: FormFields, _ context: Context, _ session: Session) throws -> FilterForm {
        let categories = try Category.all(context.database, userID: session.user.id)
        let line = context.searchLine(fields, categories)
        return FilterForm(line.query, line.problems, categories: categories, order: session.user.order)
    }

    /// Reads name and conditions, and lets them be kept; with mistakes the page comes back as it was typed.
    private static func change(
        _ context: Context, _ session: Session, _ saved: SavedFilter?, _ keep: (String, TaskFilter) throws -> Response
    ) throws -> Response {
        let form = try form(context.form, context, session)
        // Not from the summary, which counts what each filter shows: everybody's changes wait for this one.
        let categories = try Category.all(context.database, userID: session.user.id)
        let others = try SavedFilter.all(context.database, owner: session.user, categories: categories).filter {
            $0.id != saved?.id
        }
        var errors = form.errors
        errors.addDoubled(context.form)
        if saved == nil { errors.checkRoom(others.count, "problem.filters_full") }
        let name = errors.readName(context.form, taken: others.map(\.name))
        if errors.fields.isEmpty, let name { return try keep(name, form.filter) }
        guard context.answersPage(session) else { return context.refuseForm(errors) }
        return try page(context, session, form, saved, name: context.form.first("name") ?? "", errors: errors)
    }

    /// The button that shows the list leads to its address, with only what differs from the defaults in it.
    private static func shown(_ context: Context, _ session: Session, _ form: FilterForm) -> Response? {
        guard context.query.first("show") == "1", form.errors.fields.isEmpty else { return nil }
        let pairs = form.filter.query(order: session.user.order)
        return context.redirect(to: "/tasks" + (pairs.isEmpty ? "" : "?" + FormFields.encode(pairs)))
    }

    private static func page(
        _ context: Context, _ session: Session, _ form: FilterForm, _ saved: SavedFilter?, name: String, errors: FormErrors,
        status: Int? = nil
    ) throws -> Response {
        let strings = context.strings
        let summary = try context.summary(session)
        let dates = DateText(context)
        // What is not understood would show nothing, and so nothing is counted.
        let count = form.errors.fields.isEmpty ? try TaskRepository(context, session).total(form.filter) : nil
        let view: Object = [
            "page_title": .text(saved.map { strings("filter.edit", [("name", $0.name)]) } ?? strings["filter.title"]),
            "form_id": .text(Secret().text), "count_text": .text(count.map { strings.total("filter.count", $0) } ?? ""),
            "id": .text(saved.map { String($0.id) } ?? ""), "edit_url": .text(saved.map { $0.path + "/edit" } ?? "/filters"),
            "action_url": .text(saved?.path ?? "/filters"), "has_saved": .bool(!summary.filters.isEmpty),
            "feed": try saved.map { try FeedPages.view(context, session, $0) } ?? .null,
            "export_url": .text(saved.map { "/export?filter=\($0.id)" } ?? ""),
            "saved": .list(
                summary.filters.map { entry in
                    let filter = entry.filter
                    let problem = filter.problems.first.map { strings($0.key, [("value", $0.value)]) }
                    return [
                        "name": .text(filter.name), "url": .text(filter.path), "edit_url": .text(filter.path + "/edit"),
                        "edit_label": .text(strings("filter.edit", [("name", filter.name)])),
                        "conditions_text": .text(problem ?? filter.filter.map { FilterWords.line($0, dates) } ?? ""),
                        "count_text": .text(filter.filter == nil ? "" : strings.grouped(entry.total)),
                    ]
                }),
        ]
        return try context.page(
            saved == nil ? "filters/index" : "filters/edit",
            view.appending(try form.view(context, summary, name: name, errors: errors)), session,
            status: status ?? (errors.fields.isEmpty ? 200 : 422))
    }
}

extension ListRequest {
    /// The list of a saved filter at its own address: page and size come from the address, everything else from the filter.
    init(_ saved: SavedFilter, _ kept: FormFields, _ context: Context, _ user: User, _ categories: [Category]) {
        var query = kept
        for field in context.query where ["page", "per_page", "count"].contains(field.name) {
            query.append(field.name, field.value)
        }
        self.init(context.with(query: query), user, categories)
        problems += TaskFilter.Problem.unknown(context.query, besides: ["page", "per_page", "count", "format"])
        path = saved.path
        editPath = saved.path + "/edit"
    }
}
