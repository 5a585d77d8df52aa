// Where a file is sent, and the imports that there were. A browser is shown first what would come of the file; a script's is imported at
// once, unless it says `dry_run=1`.

import HTTP
import Mustache

enum ImportPage {
    /// GET /import
    static func show(_ context: Context, _ session: Session) throws -> Response {
        try page(context, session)
    }

    /// POST /import: the file in the field `file` of a multipart form. On a thread for what takes long: a large form takes a moment to be read.
    static func submit(_ context: Context, _ session: Session) throws -> Response {
        do {
            let dryRun = context.form.first("dry_run") ?? ""
            guard ["", "0", "1"].contains(dryRun) else { throw FormErrors("dry_run", "problem.json.flag") }
            let file = try context.sentFile()
            let categories = try Category.all(context.database, userID: session.user.id)
            let options = try ImportOptions(context.form, categories: categories)
            return try take(file, options, context, session)
        } catch let errors as FormErrors {
            guard context.format == .html else { return context.refuseForm(errors) }
            return try page(context, session, errors: errors)
        }
    }

    private static func take(_ file: ByteFile, _ options: ImportOptions, _ context: Context, _ session: Session) throws
        -> Response
    {
        let (desk, user, now) = (context.app.imports, session.user, context.now)
        let isForPerson = context.format == .html
        if desk.running(of: user.id) != nil {
            if isForPerson { throw FormErrors("file", "import.running_already") }
            throw Refusal.conflict("import.running_already")
        }
        let id = try context.write { try ImportRepository($0).add(userID: user.id, fileName: file.name, now: now) }
        let job = ImportJob(id: id, user: user, file: file, options: options, audit: Audit(context, by: session), now: now)
        do {
            try desk.add(job, now)
        } catch {
            try context.write { try ImportRepository($0).remove(id, userID: user.id) }
            throw error
        }
        if !isForPerson, context.form.first("dry_run") != "1" { job.beginToRun() }
        context.app.logger.event(
            "file_sent", [("import", String(id)), ("user", String(user.id)), ("bytes", String(file.byteCount))])
        desk.work(job, context)
        let address = "/import/\(id)"
        if isForPerson { return context.redirect(to: address) }
        var response = try ImportStanding(job).answer(context, session, status: 201)
        if response.status.code < 400 { response.fields[.location] = (context.app.config.publicURL?.basePath ?? "") + address }
        return response
    }

    private static func page(_ context: Context, _ session: Session, errors: FormErrors? = nil) throws -> Response {
        let strings = context.strings
        let dates = DateText(context)
        let user = session.user.id
        let records = try ImportRepository(context.database).recent(userID: user, limit: 10)
        let repository = TaskRepository(context, session)
        let standings = try records.map { record in
            let job = context.app.imports.job(of: record, userID: user, context.now)
            return (try (job.map(ImportStanding.init) ?? ImportStanding(record)).now(repository), record.madeAt)
        }
        switch context.format {
        case .json:
            return try context.json(
                JSONImports(
                    imports: standings.map { JSONImports.Import(id: $0.0.id, state: $0.0.state.rawValue, file: $0.0.fileName) }))
        case .html: break
        default: return context.text(standings.map { "\($0.0.id) \($0.0.state.rawValue) \($0.0.fileName)\n" }.joined())
        }
        let view: Object = [
            "page_title": .text(strings["import.title"]),
            "form_error": errors?.text("file", strings).map { .text($0) } ?? errors?.fields.first.map { first in
                .text(strings(first.message.key, first.message.values))
            } ?? .null,
            "limit_text": .text(strings("import.limit", [("size", App.size(context.app.config.maximumUploadBytes))])),
            "formats": Choices.list(
                [("", strings["import.format.auto"])]
                    + ImportFormat.allCases.map { ($0.rawValue, strings["import.format." + $0.rawValue]) },
                chosen: context.form.first("format") ?? ""),
            "has_imports": .bool(!standings.isEmpty),
            "imports": .list(
                standings.map { standing, madeAt in
                    [
                        "url": .text("/import/\(standing.id)"), "name": .text(standing.fileName),
                        "when": .text(dates.ago(madeAt)), "state": .text(standing.text(strings)),
                    ]
                }),
        ]
        return try context.page(
            "import", view.appending(SettingsTab.import.names), session, status: errors == nil ? 200 : 422)
    }
}

/// A person's imports, latest first.
private struct JSONImports: Encodable {
    struct Import: Encodable {
        let id: Int
        let state: String
        let file: String
    }

    let imports: [Import]
}
