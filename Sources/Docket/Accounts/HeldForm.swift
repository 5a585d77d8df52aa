// A form that was sent after its session had ended: what was typed is carried through signing in and shown again, to be sent by the person
// (FAULTS A09). Passwords are never carried: such a form is filled in again.

import HTTP
import Mustache

extension Context {
    /// What a stranger gets where only people who are signed in may go. A page leads to sign-in and back; a form that was sent is kept, so
    /// that it goes on after signing in (FAULTS A09).
    func signInFirst() throws -> Response {
        guard !request.head.method.isSafe else {
            let path = request.head.path + (request.head.query.map { "?" + $0 } ?? "")
            let next = ownPath(path).flatMap { $0 == "/" || $0 == "/tasks" ? nil : $0 }
            return redirect(to: "/sign-in" + (next.map { "?" + FormFields.encode([("next", $0)]) } ?? ""))
        }
        let held =
            form.contains { $0.name.utf8.elementsEqual("password".utf8) || $0.name.hasSuffix("_password") }
            ? nil : HeldForm(path: request.head.path, form: form)
        return try SignIn.page(self, next: form.first("next").flatMap(ownPath) ?? "/tasks", held: held, status: 401)
    }
}

/// A form whose session had ended before it was sent: carried through sign-in in a hidden field, sent on by the person afterwards.
struct HeldForm {
    private static let pathField = "held_path"
    private static let formField = "held_form"

    let path: String
    let form: FormFields

    init(path: String, form: FormFields) {
        self.path = path
        self.form = form
    }

    /// Out of a sign-in form, nil where it carries none.
    init?(_ form: FormFields) {
        guard let path = form.first(Self.pathField), let text = form.first(Self.formField),
            let held = try? FormFields(urlEncoded: text.utf8, count: 100_100)
        else { return nil }
        self.init(path: path, form: held)
    }

    /// The hidden fields of the sign-in page.
    var fields: [Value] {
        [
            ["name": .text(Self.pathField), "value": .text(path)],
            ["name": .text(Self.formField), "value": .text(form.encoded)],
        ]
    }

    /// The page after signing in: what was typed, ready to be sent by the person. Nil for a path that is not ours.
    func page(_ context: Context, _ next: String) throws -> Response? {
        guard let path = context.ownPath(path) else { return nil }
        return try context.page(
            "accounts/go-on",
            [
                "page_title": .text(context.strings["go_on.title"]), "action_url": .text(path), "next": .text(next),
                "kept": .list(form.map { ["name": .text($0.name), "value": .text($0.value)] }),
                "texts": .list(
                    form.filter { ["title", "content"].contains($0.name) && !$0.value.isEmpty }.map { ["text": .text($0.value)] }),
            ], nil)
    }
}
