// The list page: GET /tasks, as a page, as JSON, as plain lines.

import HTTP
import Mustache

/// What a request for a list asks: filter, page, and what of it could not be understood.
struct ListRequest {
    var filter: TaskFilter
    var page = 1
    var perPage: Int
    var problems: [TaskFilter.Problem] = []
    /// The address of the list: a saved filter has its own, which tells the conditions already.
    var path = "/tasks"
    /// Where the saved filter can be changed.
    var editPath: String?
    /// True where the tasks are to be counted to the end, however many there are.
    var countsAll = false

    /// What the pages of this list are reached by, besides the number of the page.
    func query(_ user: User) -> [(String, String)] {
        (editPath == nil ? filter.query(order: user.order) : [])
            + (perPage == user.perPage ? [] : [("per_page", String(perPage))]) + (countsAll ? [("count", "all")] : [])
    }

    private static let names: Set<String> = [
        "q", "status", "category", "priority", "pinned", "due", "done", "created", "sort", "page", "per_page", "count", "format",
    ]

    init(_ context: Context, _ user: User, _ categories: [Category], names: Set<String> = Self.names) {
        let line = context.searchLine(context.query, categories)
        problems = TaskFilter.Problem.unknown(context.query, besides: names) + line.problems
        filter = TaskFilter(query: line.query, categories: categories, order: user.order, problems: &problems)
        let counts = context.query.all("count")
        countsAll = counts.first == "all"
        if let word = counts.first(where: { !["", "all"].contains($0) }) ?? (counts.count > 1 ? counts.last : nil) {
            problems.append(TaskFilter.Problem(parameter: "count", value: word))
        }
        page = context.query.number("page", 1...999_999_999, &problems) ?? 1
        perPage = context.query.number("per_page", 10...200, &problems) ?? user.perPage
    }
}

extension FormFields {
    /// A parameter that is a number; nil where it is missing, empty or, which is a problem, anything else.
    func number(_ name: String, _ range: ClosedRange<Int>, _ problems: inout [TaskFilter.Problem]) -> Int? {
        let all = all(name)
        guard let text = all.first, !text.isEmpty else { return nil }
        if all.allSatisfy({ $0.utf8.elementsEqual(text.utf8) }), let number = Int(digits: text.utf8), range.contains(number) {
            return number
        }
        problems.append(TaskFilter.Problem(parameter: name, value: text))
        return nil
    }
}

enum TaskListPage {
    static func show(_ context: Context, _ session: Session) throws -> Response {
        let summary = try context.summary(session)
        let request = ListRequest(context, session.user, summary.categories)
        return try show(context, session, summary, request, draft: nil)
    }

    /// The page of a list; `draft` is a quick-add form that came back with mistakes.
    static func show(
        _ context: Context, _ session: Session, _ summary: Summary, _ request: ListRequest, heading: String? = nil,
        draft: (form: FormFields, errors: FormErrors)?
    ) throws -> Response {
        let repository = TaskRepository(context, session)
        if !request.problems.isEmpty, context.format != .html { return context.refuse(request.problems, session) }
        // A value that is not understood shows nothing: it never widens the result. Scripts get the whole count, and so does who asks for
        // a page behind what was counted.
        var found = TaskRepository.Found(total: TaskTotal(0))
        if request.problems.isEmpty {
            let isWhole = request.countsAll || context.format != .html
            if let count = summary.count(request.filter) {
                found.total = TaskTotal(count)
            } else {
                found = try repository.find(request.filter, isWhole ? .whole : .quick)
            }
            if !found.total.isExact, !found.total.isCutShort, request.page > found.total.count / request.perPage {
                found = try repository.find(request.filter, .far)
            }
        }
        let count = found.total.count
        let pages = max(1, (count + request.perPage - 1) / request.perPage)
        let page = min(request.page, pages)
        let tasks = try repository.page(
            request.filter, &found, offset: (page - 1) * request.perPage, limit: request.perPage,
            columns: context.format == .html ? TaskItem.listColumns : TaskItem.columns)
        let list = TaskList(
            tasks: tasks, total: count, page: page, pages: pages, perPage: request.perPage, isExact: found.total.isExact,
            isCutShort: found.total.isCutShort, completed: found.completed)
        switch context.format {
        case .html:
            let view = ListView(context: context, session: session, summary: summary, request: request, list: list)
            let status = draft != nil ? 422 : request.problems.isEmpty ? 200 : 400
            let formID = Secret.formID()
            let page = try context.page(
                "tasks/list", view.object(heading: heading, draft: draft, formID: formID), session, status: status)
            if session.digest != nil, context.notice == nil {
                context.app.keptPages.keep(page, formID: formID, context.here, for: session.user, until: summary.expires)
            }
            return page
        default:
            return try TaskAnswers(context, summary).list(list, request)
        }
    }
}

/// One page of a list.
struct TaskList {
    let tasks: [TaskItem]
    let total: Int
    let page: Int
    let pages: Int
    let perPage: Int
    /// False where there are more than `total`.
    var isExact = true
    /// True where only a part of the tasks was looked through.
    var isCutShort = false
    /// How many of all are completed, where that is known.
    var completed: Int?

    var wholeTotal: TaskTotal { TaskTotal(total, isExact: isExact, isCutShort: isCutShort) }
}

/// The list page as its template wants it.
private struct ListView {
    let context: Context
    let session: Session
    let summary: Summary
    let request: ListRequest
    let list: TaskList

    private var strings: Strings { context.strings }
    private var filter: TaskFilter { request.filter }
    private var choices: Choices { context.app.choices(context.language) }

    func object(heading: String?, draft: (form: FormFields, errors: FormErrors)?, formID: String) -> Object {
        let conditions = conditions
        let editURL = request.editPath.map { Value.text($0) } ?? .null
        let heading = heading ?? self.heading
        let hasTasks = !list.tasks.isEmpty
        let isPlain = conditions.isEmpty && request.problems.isEmpty
        let never = summary.open == 0 && summary.completed == 0 && summary.trashed == 0
        let rows = TaskRows(context, summary, search: filter.search)
        let dueNone = filter.query(order: session.user.order)
        let completed =
            filter.status == .pending ? TaskTotal(0) : filter.status == .completed ? list.wholeTotal : completedAmongMatches
        let view: Object = [
            "page_title": .text(heading), "heading": .text(heading), "summary_text": .text(summaryText),
            "form_id": .text(formID),
            // After a change the notice with its undo comes first; a text alone, a welcome, leaves the field its focus.
            "add": QuickAdd(context, summary).value(draft, focus: context.notice?.isChange != true),
            "q": .text(filter.search),
            "kept": .list(keptFields),
            "statuses": choices.statuses(chosen: filter.status), "sorts": choices.orders(chosen: filter.order),
            "problems": .list(
                request.problems.map { ["text": .text(strings($0.key, [("value", $0.value)]))] }),
            "has_conditions": .bool(!conditions.isEmpty || request.editPath != nil), "edit_url": editURL,
            "conditions": .list(conditions), "clear_url": "/tasks",
            "filter_url": .text("/filters" + address(dueNone + unknown)),
            "has_tasks": .bool(hasTasks), "empty_first": .bool(!hasTasks && never && request.problems.isEmpty),
            "empty_match": .bool(!hasTasks && !never && !isPlain && request.problems.isEmpty && !list.isCutShort),
            "empty_problem": .bool(!request.problems.isEmpty),
            "empty_done": .bool(!hasTasks && !never && isPlain),
            "query_fields": .list(
                (filter.query(order: nil)).map { ["name": .text($0.0), "value": .text($0.1)] }),
            "tasks": .list(list.tasks.enumerated().map { rows.row($1, number: $0 + 1) }),
            "can_complete": .bool(filter.status != .completed), "can_reopen": .bool(filter.status != .pending),
            "all_text": list.pages > 1 ? .text(strings("bulk.all.other", [("n", strings.grouped(list.wholeTotal))])) : .null,
            "bulk_categories": summary.plainChoices, "bulk_priorities": choices.plainPriorities,
            "range_text": .text(rangeText), "export_url": .text("/export" + address(filter.exportQuery)),
            "count_url": list.isExact || list.isCutShort ? .null : .text(countURL),
            "look_on_url": list.isCutShort ? .text(countURL) : .null,
            "trash_completed_text": completed.count > 0 ? .text(strings.total("list.trash_completed", completed)) : .null,
        ]
        return view.appending(
            Pager(
                context, list.page, list.pages, request.query(session.user), path: request.path,
                isLastKnown: list.isExact || list.isCutShort
            ).object)
    }

    /// The same page, however long it takes.
    private var countURL: String {
        request.path + address(request.query(session.user) + [("count", "all"), ("page", String(list.page))])
    }

    private var perPage: [(String, String)] {
        request.perPage == session.user.perPage ? [] : [("per_page", String(request.perPage))]
    }

    /// Conditions that the search form carries on in hidden fields.
    private var keptFields: [Value] {
        (filter.query(order: session.user.order).filter { !["q", "status", "sort"].contains($0.0) } + unknown + perPage)
            .map { ["name": .text($0.0), "value": .text($0.1)] }
    }

    /// Conditions that were not understood are carried on too: leaving them out would show more than was asked for.
    private var unknown: [(String, String)] {
        request.problems.filter { !$0.isTyped }.map { ($0.parameter, $0.value) }.filter {
            ["category", "priority", "due", "done", "created", "pinned"].contains($0.0)
        }
    }

    private func address(_ pairs: [(String, String)]) -> String { pairs.isEmpty ? "" : "?" + FormFields.encode(pairs) }

    /// How many of the matches are completed, for the button that throws them away.
    private var completedAmongMatches: TaskTotal {
        if let count = list.completed { return TaskTotal(count, isExact: list.isExact, isCutShort: list.isCutShort) }
        var completed = filter
        completed.status = .completed
        return (try? TaskRepository(context, session).total(completed)) ?? TaskTotal(0)
    }

    private var heading: String {
        if !filter.search.isEmpty { return strings["list.heading.search"] }
        if let category = filter.category, filter.due == nil, filter.priority == nil { return category.name(strings) }
        switch filter.due {
        case .overdue: return strings["list.heading.overdue"]
        case .today: return strings["list.heading.today"]
        case .week: return strings["list.heading.week"]
        default: break
        }
        if filter.pinnedOnly { return strings["list.heading.pinned"] }
        return strings["list.heading." + filter.status.rawValue]
    }

    private var summaryText: String {
        var plain = TaskFilter()
        plain.order = filter.order
        guard filter == plain, summary.open > 0, request.problems.isEmpty else {
            return list.total == 0 ? strings["list.count.zero"] : strings.total("list.count", list.wholeTotal)
        }
        var parts = [strings.count("list.summary.open", summary.open)]
        if summary.overdue > 0 { parts.append(strings.count("list.summary.overdue", summary.overdue)) }
        if summary.dueToday > 0 { parts.append(strings.count("list.summary.today", summary.dueToday)) }
        return parts.joined(separator: strings["list.summary.separator"])
    }

    private var rangeText: String {
        guard list.pages > 1 else { return strings.count("list.range.all", list.total) }
        let first = (list.page - 1) * list.perPage + 1
        return strings(
            "list.range",
            [
                ("from", strings.grouped(first)), ("to", strings.grouped(first + list.tasks.count - 1)),
                ("total", strings.grouped(list.wholeTotal)),
            ])
    }

    /// What is shown, in words, each with the address of the list without it.
    private var conditions: [Value] {
        // Typed with a mistake, the search field means nothing yet: the message tells of it.
        var understood = filter
        if request.problems.contains(where: \.isTyped) { understood.search = "" }
        return FilterWords.conditions(understood, DateText(context)).map { text, remove in
            var rest = filter
            remove(&rest)
            return [
                "text": .text(text),
                "remove_url": .text("/tasks" + address(rest.query(order: session.user.order) + unknown + perPage)),
                "remove_label": .text(strings("conditions.remove", [("name", text)])),
            ]
        }
    }
}

/// First, previous, next, last.
struct Pager {
    let object: Object

    /// - Parameter isLastKnown: false where there are more pages than were counted.
    init(
        _ context: Context, _ page: Int, _ pages: Int, _ query: [(String, String)], path: String = "/tasks",
        isLastKnown: Bool = true
    ) {
        func address(_ number: Int) -> Value {
            let pairs = query + (number == 1 ? [] : [("page", String(number))])
            return .text(path + (pairs.isEmpty ? "" : "?" + FormFields.encode(pairs)))
        }
        let strings = context.strings
        object = [
            "has_pages": .bool(pages > 1), "first_url": page > 1 ? address(1) : .null,
            "prev_url": page > 1 ? address(page - 1) : .null,
            "next_url": page < pages || !isLastKnown ? address(page + 1) : .null,
            "last_url": page < pages && isLastKnown ? address(pages) : .null,
            "page_text": .text(
                strings(
                    "pager.page",
                    [("page", strings.grouped(page)), ("pages", strings.grouped(TaskTotal(pages, isExact: isLastKnown)))])),
        ]
    }
}

/// The quick-add form above the list.
struct QuickAdd {
    private let context: Context
    private let summary: Summary

    init(_ context: Context, _ summary: Summary) {
        self.context = context
        self.summary = summary
    }

    /// Empty, or as it was typed with its mistakes.
    func value(_ draft: (form: FormFields, errors: FormErrors)?, focus: Bool) -> Value {
        let strings = context.strings
        let form = draft?.form
        let category = form?.first("category")
        let priority = form?.first("priority").map { Priority(word: $0) } ?? .medium
        let others = draft?.errors.fields.filter { $0.name != "title" } ?? []
        return [
            "title": .text(form?.first("title") ?? ""), "content": .text(form?.first("content") ?? ""),
            "due": .text(form?.first("due") ?? ""), "due_time": .text(form?.first("due_time") ?? ""),
            "pinned": .bool(form?.first("pinned") == "1"),
            "categories": category.map { key in
                Choices.list(summary.categories.map { ($0.key, $0.name(strings)) }, chosen: key)
            } ?? summary.standardChoices,
            "priorities": context.app.choices(context.language).priorities(chosen: priority),
            "open": .bool(!others.isEmpty), "focus": .bool(focus || draft != nil),
            "title_error": draft?.errors.text("title", strings).map { .text($0) } ?? .null,
            "errors": .list(others.map { ["text": .text(strings($0.message.key, $0.message.values))] }),
        ]
    }
}
