// A form that is sent twice (double click, reload, back and send) changes nothing more and gets the first answer.
// A script may send a `form_id` of its own as an idempotency key; for another form than the first it is refused, since a script that
// sends one twice by mistake would never learn that its second form did nothing.

import HTTP
import SQLite

extension Context {
    /// Runs a handler that may change things: in a savepoint of its own, so that one that fails leaves nothing behind and its neighbours
    /// in the same transaction alone; and at most once for a `form_id` in a day.
    func once(_ session: Session, _ handler: () throws -> Response) throws -> Response {
        // Passed over, it would let a form change things twice: better refused.
        if let formID = form.first("form_id"), formID.unicodeScalars.count > 200 {
            throw FormErrors("form_id", "problem.form_id")
        }
        guard isWriting else { return try handler() }
        return try database.savepoint {
            guard let formID = form.first("form_id"), !formID.isEmpty else { return try handler() }
            let user = session.user.id
            let yesterday = now.adding(days: -1).milliseconds
            try database.execute("DELETE FROM form_receipts WHERE made_at < \(yesterday)")
            // Each token has form_ids of its own, and so have the windows of a browser: none gets an answer that was made for another.
            let sender =
                if case .token(let id, _) = session.credential { " token \(id)" } else { format == .html ? "" : " script" }
            let digest = SHA256.digest(form.encoded.utf8)
            // One form holds the buttons of all rows of a list: what was sent tells them apart.
            let part = sender.isEmpty && request.head.path == "/tasks/bulk" ? " " + Secret.base64URL(digest) : sender
            let key = request.head.path + " " + formID + part
            let prefix = sender.isEmpty ? [] : Array(digest.prefix(16))
            let kept = try database.first(
                "SELECT status, location, content, content_type, notice FROM form_receipts WHERE user_id = \(user) AND form_id = \(key)"
            ) { row in
                let content = try row.bytes(2)
                // A script's receipt begins with the digest of its form.
                guard content.starts(with: prefix) else { throw FormErrors("form_id", "problem.form_id.other") }
                var response = Response(
                    HTTP.Status(try row.int(0)), content: .bytes(Array(content.dropFirst(prefix.count))))
                response.fields[.location] = try row.textOrNil(1)
                response.fields[.contentType] = try row.textOrNil(3)
                if let word = try row.textOrNil(4) { response.fields.append(.setCookie, NoticeCookie.set(word, origin)) }
                return response
            }
            if let kept { return kept }
            let response = try handler()
            // Only what changed something is kept: a form with mistakes may come again, mended, and one that asked for a preview was
            // answered by a page.
            let isPage = sender.isEmpty && response.status.code == 200
            if response.status.code < 400, !isPage, case .bytes(let content) = response.content {
                try database.execute(
                    """
                    INSERT INTO form_receipts (user_id, form_id, made_at, status, location, content, content_type, notice)
                    VALUES (\(user), \(key), \(now.milliseconds), \(response.status.code), \(response.fields[.location]), \(prefix + content), \
                    \(response.fields[.contentType]), \(NoticeCookie.word(of: response)))
                    """)
            }
            return response
        }
    }
}
