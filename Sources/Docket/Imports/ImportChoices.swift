// What the page of a dry run offers to choose, and the first tasks as they will look.

import HTTP
import Mustache

struct ImportChoices {
    private let standing: ImportStanding
    private let strings: Strings
    private let dates: DateText
    private let findings: ImportFindings?
    private let options: ImportOptions
    /// What the form said, where it comes back with a mistake.
    private let form: FormFields

    init(_ standing: ImportStanding, _ context: Context) {
        (self.standing, strings, dates, form) = (standing, context.strings, DateText(context), context.form)
        (findings, options) = (standing.report?.findings, standing.options)
    }

    func view(_ categories: [Category]) -> Value {
        let report = standing.report
        let format = findings?.format ?? options.format
        let columns = findings?.columns ?? []
        let isText = format != .ios
        var selects: [Value] = []
        func add(_ name: String, _ label: String, _ options: [(String, String)], _ chosen: String) {
            selects.append(
                [
                    "name": .text(name), "label": .text(strings[label]),
                    "options": Choices.list(options, chosen: form.first(name) ?? chosen),
                ])
        }
        func words(_ all: [String], _ prefix: String) -> [(String, String)] { all.map { ($0, strings[prefix + $0]) } }
        let formats = words(ImportFormat.allCases.map(\.rawValue), "import.format.")
        add(
            "format", "import.format", (format == nil ? [("", strings["import.format.auto"])] : []) + formats,
            format?.rawValue ?? "")
        if isText {
            let encoding = findings?.encoding ?? options.encoding
            add(
                "encoding", "import.encoding",
                (encoding == nil ? [("", strings["import.encoding.auto"])] : [])
                    + TextEncoding.allCases.map { ($0.rawValue, $0.rawValue) },
                encoding?.rawValue ?? "")
        }
        if let delimiter = findings?.delimiter {
            add(
                "delimiter", "import.delimiter", words(Delimiter.allCases.map(\.rawValue), "import.delimiter."),
                delimiter.rawValue)
        }
        if let hasHeader = findings?.hasHeader {
            add("header", "import.header", words(["yes", "no"], "import.header."), hasHeader ? "yes" : "no")
        }
        if let order = findings?.dateOrder {
            add("dates", "import.dates", words(DateOrder.allCases.map(\.rawValue), "import.dates."), order.rawValue)
        }
        let standard = [("", strings["import.category.auto"])]
        add("category", "import.category", standard + categories.map { ($0.key, $0.name(strings)) }, options.category ?? "")
        return [
            "selects": .list(selects),
            "has_completed": .bool(format == .todotxt), "completed": .bool(options.isAllCompleted),
            "has_columns": .bool(!columns.isEmpty), "columns": .list(columns.enumerated().map(column)),
            "can_run": .bool((report?.added ?? 0) > 0),
            "run_text": .text(strings.count("import.run", report?.added ?? 0)),
            "has_preview": .bool(report?.drafts.isEmpty == false), "preview": .list((report?.drafts ?? []).map(row)),
        ]
    }

    private func column(_ index: Int, _ column: ImportColumn) -> Value {
        let name = column.name.isEmpty ? strings("import.column", [("n", String(index + 1))]) : column.name
        let sent = form.all("column")
        let chosen = sent.indices.contains(index) ? sent[index] : column.field.rawValue
        return [
            "name": .text(name), "label": .text(strings("import.column_label", [("name", name)])),
            "examples": .text(column.examples.filter { !$0.isEmpty }.map(ImportReason.excerpt).joined(separator: " · ")),
            "fields": Choices.list(
                ColumnField.allCases.map { ($0.rawValue, strings["import.field." + $0.rawValue]) }, chosen: chosen),
        ]
    }

    /// A task as it will look: its title, and the rest in words.
    private func row(_ draft: TaskDraft) -> Value {
        var parts = [draft.category.name(strings)]
        if draft.priority != .medium { parts.append(strings["priority.row." + draft.priority.word]) }
        if let due = draft.due { parts.append(dates.exact(due)) }
        if draft.status == .completed { parts.append(strings["status.completed"]) }
        if draft.isPinned { parts.append(strings["field.pinned"]) }
        let content = draft.content.split(separator: "\n").joined(separator: " · ")
        return [
            "title": .text(draft.title), "text": .text(parts.joined(separator: " · ")),
            "content": content.isEmpty ? .null : .text(content.count > 200 ? content.prefix(200) + "…" : content),
        ]
    }
}
