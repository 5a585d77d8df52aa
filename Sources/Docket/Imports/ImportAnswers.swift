// What a script hears of an import: JSON, or a line for each thing.

import HTTP

extension ImportStanding {
    /// The answer to a script that has sent something: where that came to nothing, an error.
    func answer(_ context: Context, _ session: Session, status: Int) throws -> Response {
        if let trouble = result.trouble { return context.problem(trouble.code, text: trouble.text(context.strings), session) }
        let isBusy = state == .examining || state == .running
        return try answer(context, status: isBusy ? 202 : status) ?? context.redirect(to: "/import/\(id)")
    }

    /// The answer in the form that was asked for; nil where that is a page.
    func answer(_ context: Context, status: Int = 200) throws -> Response? {
        switch context.format {
        case .html: nil
        case .json: try context.json(JSONImport(self, context.strings), status: status)
        default: context.text(lines(context.strings).joined(separator: "\n") + "\n", status: status)
        }
    }

    private func lines(_ strings: Strings) -> [String] {
        var lines = ["id: \(id)", "state: \(state.rawValue)", "file: \(fileName)"]
        if let format = result.format { lines.append("format: \(format)") }
        if let encoding = result.encoding { lines.append("encoding: \(encoding)") }
        if state == .running { lines.append("records: \(progress.done) of \(progress.total)") }
        if state == .done || state == .examined, result.trouble == nil {
            lines += ["added: \(result.added)", "present: \(result.present)", "skipped: \(result.skipped)"]
            lines.append("warnings: \(result.warningCount)")
            if let change { lines.append("undo: /undo/\(change)") }
            lines += result.warnings.map { $0.text(strings) }
        } else {
            lines.append(text(strings))
        }
        return lines
    }
}

/// An import as JSON.
private struct JSONImport: Encodable {
    struct Warning: Encodable {
        let line: Int?
        let record: Int?
        let code: String
        let message: String
        let skipped: Bool
    }

    let id: Int
    let state: String
    let file: String
    let format: String?
    let encoding: String?
    let message: String
    let done: Int
    let records: Int
    let added: Int
    let present: Int
    let presentInTrash: Int
    let skipped: Int
    let warningCount: Int
    let warnings: [Warning]
    let change: Int?

    private enum CodingKeys: String, CodingKey {
        case id, state, file, format, encoding, message, done, records, added, present, skipped, warnings, change
        case presentInTrash = "present_in_trash"
        case warningCount = "warning_count"
    }

    init(_ import: ImportStanding, _ strings: Strings) {
        let result = `import`.result
        (id, state, file) = (`import`.id, `import`.state.rawValue, `import`.fileName)
        (format, encoding, message) = (result.format, result.encoding, `import`.text(strings))
        (done, records) = `import`.progress
        (added, present, presentInTrash) = (result.added, result.present, result.presentInTrash)
        (skipped, warningCount, change) = (result.skipped, result.warningCount, `import`.change)
        warnings = result.warnings.map {
            Warning(
                line: $0.kind == .line && $0.place > 0 ? $0.place : nil,
                record: $0.kind == .record && $0.place > 0 ? $0.place : nil,
                code: $0.reason.code.rawValue, message: $0.reason.text(strings), skipped: $0.isSkipped)
        }
    }
}
