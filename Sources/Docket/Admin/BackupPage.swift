// A backup by browser, for administrators: a private copy is made and verified beside the database first, then sent from the disk piece by
// piece, so that it takes as little memory for a large database as for a small one. It holds everybody's tasks and password hashes: the
// password is asked for again.

import Glibc
import HTTP
import Mustache
import SQLite
import Synchronization

enum BackupPage {
    /// GET /admin/backup
    static func show(_ context: Context, _ session: Session) throws -> Response { try page(context, session, errors: nil) }

    /// POST /admin/backup. Runs on a thread for what takes long.
    static func download(_ context: Context, _ session: Session) throws -> Response {
        do {
            // Nothing but the session speaks for who has no password: a proxy has signed them in.
            if try CurrentPassword.exists(context, session) {
                guard try CurrentPassword.isRight(context, session) else {
                    throw FormErrors("current_password", "problem.password.wrong")
                }
            }
            let file = DatabaseFile(context.app.config.database)
            guard !file.isInMemory else { throw FormErrors("current_password", "problem.backup.in_memory") }
            let stream = try copy(file, context)
            let (user, audit) = (session.user.id, Audit(context, by: session))
            try context.write { try audit.record(.backedUp, of: user, in: $0) }
            var response = Response(Status(200), content: .stream(stream))
            response.fields[.contentType] = "application/vnd.sqlite3"
            let day = context.zone.day(at: context.now)
            response.fields[.contentDisposition] = "attachment; filename=\"docket-\(day).sqlite3\""
            return response
        } catch let errors as FormErrors {
            guard context.format == .html else { return context.refuseForm(errors) }
            return try page(context, session, errors: errors)
        }
    }

    /// A finished copy without a name: it is gone from the disk when it has been sent, or the server has ended.
    private static func copy(_ file: DatabaseFile, _ context: Context) throws -> FileStream {
        let path = file.path + "-download"
        do {
            try Backup.make(of: file, to: path)
            defer { unlink(path) }
            return try FileStream(path)
        } catch let failure as CommandFailure where !failure.isStorageFull {
            context.app.logger.event("backup_failed", [("request_id", context.id), ("detail", failure.description)])
            throw FormErrors("current_password", "problem.backup.failed")
        }
    }

    private static func page(_ context: Context, _ session: Session, errors: FormErrors?) throws -> Response {
        let strings = context.strings
        let bytes = try context.database.scalar("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size") ?? 0
        let size = strings("server.megabytes", [("n", strings.grouped(Int((bytes + 999_999) / 1_000_000)))])
        let view: Object = [
            "page_title": .text(strings["backup.title"]), "text": .text(strings("backup.text", [("size", size)])),
            "has_password": .bool(try CurrentPassword.exists(context, session)),
            "current_error": errors?.text("current_password", strings).map { .text($0) } ?? .null,
        ]
        return try context.page(
            "settings/backup", view.appending(SettingsTab.server.names), session, status: errors == nil ? 200 : 422)
    }
}

/// The content of a file, a piece at a time. Reading it blocks for moments at most: it has just been written.
private final class FileStream: ContentStream {
    private let descriptor: Int32
    private let count: Int
    private let offset = Mutex(0)

    init(_ path: String) throws {
        count = try ByteFile(path).byteCount
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure(system: path) }
    }

    deinit { close(descriptor) }

    func next() async throws -> [UInt8]? {
        try offset.withLock { offset in
            if offset == count { return nil }
            let piece = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
                count = max(pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)), 0)
            }
            // What throws cuts the connection: nobody takes a part for the whole.
            guard !piece.isEmpty else { throw CommandFailure("the copy could not be read to its end") }
            offset += piece.count
            return piece
        }
    }

    func cancel() {}
}
