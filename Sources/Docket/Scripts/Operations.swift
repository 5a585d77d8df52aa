// The table of the script interface: each address with what it takes and what it answers. A test walks the site map and finds each
// route here; JSON with a field that is not here is refused.

extension Operation {
    static let all: [Operation] =
        taskOperations + listOperations + accountOperations + [
            .get("/", "home", "Leads to the list, to sign-in or to sign-up.", (303, nil)),
            .get("/healthz", "health", "`ok` while the database answers and can be written.", (200, nil)),
            .get(
                "/metrics", "metrics", "Figures for Prometheus, for this machine or with the token of --metrics-token.",
                (200, nil)),
            .get("/openapi.json", "openapi", "This document.", (200, "Document")),
            .get("/dashboard", "dashboard", "Open, due today, overdue, done; by day, by category, by age.", (200, "Dashboard")),
            .get(
                "/export", "export", "All tasks as a file, or with conditions or a saved filter those that fit.",
                query: conditions.filter { $0.name != "sort" } + [.number("filter", 1...999_999_999, "A saved filter.")],
                (200, "Export")),
            .get(
                "/feeds/{secret}.ics", "feed", "What a saved filter shows, for calendars: as tasks, or as events.",
                query: [.flag("events", "As events.")], (200, nil)),
            .get("/help", "help", "The help page.", (200, nil)),
            .get("/import", "listImports", "The imports so far, latest first.", (200, "ImportList")),
            .post(
                "/import", "importFile", "Imports the file of a multipart form, or tells what would come of it.",
                form: [Parameter("file", .file, "The file.").required] + importChoices + [
                    .flag("dry_run", "Change nothing."), .formID,
                ], errors: [409], (201, "Import"),
                (202, "Import")),
            .get("/import/{id}", "readImport", "How far an import is, or what came of it.", (200, "Import")),
            .post(
                "/import/{id}", "changeImport", "Runs what was looked at, looks again, cancels or discards.",
                form: importChoices + [
                    .word("action", ["run", "examine", "cancel", "discard"], "What to do.").required, .formID,
                ], errors: [409], (200, "ImportOrMessage"), (202, "Import")),
            .get("/events", "events", "Server-sent events: something of yours has changed.", (200, nil)),
        ]

    /// How a file is read, where it is not to be recognised.
    private static let importChoices: [Parameter] = [
        .text("format", "Such as `csv`.", format: "import-format"), .text("encoding", "Such as `UTF-8`.", format: "encoding"),
        .text("delimiter", "Of a table: `comma`, `semicolon`, `tab`, `pipe`.", format: "delimiter"),
        .text("header", "Whether a table's first line names its columns: `yes` or `no`.", format: "yes-no"),
        .text("columns", "Of a table: `title=1,due=4`.", format: "columns"),
        .text("column", "What each column is, in their order.", format: "column").repeated,
        .text("dates", "Which comes first in 03/04/2026: `day` or `month`.", format: "date-order"),
        .text("category", "The key of the category of tasks without one.", format: "category"),
        .flag("completed", "All are completed."),
    ]

    // MARK: Tasks

    private static let taskOperations: [Operation] = [
        .get("/tasks", "listTasks", "A page of tasks.", query: conditions + pages, (200, "TaskList")),
        .post(
            "/tasks", "addTask", "Adds a task.", form: [title.required] + taskFields + [.words, .formID], (201, "Task")),
        .get("/tasks/lines", "linesPage", "The page for several tasks at once.", (200, nil)),
        .post(
            "/tasks/lines", "addTasks", "Adds a task for each line, with the marked words of quick add.",
            form: [.text("lines", "One task a line, at most 200.", format: "lines").required, .formID], (201, "Added")
        ),
        .get("/tasks/new", "newTaskPage", "The page for a new task.", (200, nil)),
        .get("/tasks/{id}", "readTask", "One task.", (200, "Task")),
        .post(
            "/tasks/{id}", "changeTask", "Changes what is sent and leaves the rest.",
            form: [title] + taskFields + [
                .number("version", 1...999_999_999, "What the change was made from; then an older one is refused.").filled,
                .formID,
            ], errors: [409], (200, "Task")),
        .get("/tasks/{id}/history", "taskHistory", "Who changed what, last first.", (200, "History")),
        .post(
            "/tasks/{id}/completion", "completeTask", "Completes a task or opens it again.",
            form: [.flag("completed", "The state that is wanted.").required, .formID], (200, "Change")),
        .post(
            "/tasks/{id}/pin", "pinTask", "Pins a task or not.",
            form: [.flag("pinned", "The state that is wanted.").required, .formID],
            (200, "Change")),
        .post("/tasks/{id}/trash", "trashTask", "Throws a task away.", form: [.formID], (200, "Change")),
        .post("/tasks/{id}/restore", "restoreTask", "Takes a task out of the trash.", form: [.formID], (200, "Change")),
        .post(
            "/tasks/bulk", "changeTasks",
            "Changes many tasks in one step, which is one undo: those of the ids, or with `all` what a filter shows.",
            form: [
                .text("id", "Tasks.", format: "uuid").repeated, .flag("all", "All that the conditions show."),
                .word(
                    "action", ["complete", "reopen", "pin", "unpin", "category", "priority", "due", "trash", "restore"],
                    "What to do."
                ).required,
                .text("to_category", "The key of the new category.", format: "category"),
                .word("to_priority", Priority.allCases.map(\.word), "The new priority."),
                .text("to_due", "The new due day or time; null for none.", format: "due").nullable,
                .text("to_due_time", "Its time.", format: "time").nullable.ofPages, .formID,
            ] + conditions.map { $0.name == "due" ? $0.nullable : $0 }, errors: [404], (200, "Change")),
        .post(
            "/tasks/trash-completed", "trashCompleted", "Throws away what is completed of a filter.",
            form: [.formID] + conditions, (200, "Change")),
        .get(
            "/trash", "listTrash", "What was thrown away, last first.", query: pages.filter { $0.name != "count" },
            (200, "TaskList")),
        .post("/trash/empty", "emptyTrash", "Removes for good what is in the trash.", form: [.formID], (200, "Removed")),
        .post("/undo/{change}", "undo", "Takes a change back.", form: [.formID], errors: [409], (200, "Undone")),
    ]

    private static let title = Parameter.text("title", "One line.", format: "line", 1...TaskDraft.titleLimit)

    private static let taskFields: [Parameter] = [
        .text("content", "Markdown.", 0...TaskDraft.contentLimit),
        .word("priority", Priority.allCases.map(\.word), "Medium if it is new."),
        .word("status", TaskStatus.allCases.map(\.word), "Pending if it is new."),
        .text("category", "The key of a category; the person's default if it is new.", format: "category"),
        .text(
            "due",
            "A day `2026-12-24`, a time `2026-12-24T18:30` of the person's zone, or words: `tomorrow`, `+3d`, `fri 18:30`, `明天`.",
            format: "due"
        ).nullable,
        .text("due_time", "The time, where `due` is only a day.", format: "time").nullable.ofPages,
        .flag("pinned", "Pinned tasks come first."),
    ]

    /// What a list shows.
    private static let conditions: [Parameter] = [
        .text("q", "What to search for.", 0...TaskFilter.longestSearch),
        .word("status", StatusCondition.allCases.map(\.rawValue), "Pending if nothing is said."),
        .text("category", "The key of a category.", format: "category"),
        .word("priority", Priority.allCases.map(\.word), "Only these."),
        .flag("pinned", "Only pinned ones."),
        .text(
            "due", "`overdue`, `today`, `week`, `none`, `any`, or days `2026-12-01..2026-12-24` with either end open.",
            format: "due-condition"),
        .text("done", "Completed on these days.", format: "days"), .text("created", "Made on these days.", format: "days"),
        .word("sort", TaskOrder.allCases.map(\.rawValue), "The person's order if nothing is said."),
    ]

    private static let pages: [Parameter] = [
        .number("page", 1...999_999_999, "The last one where there are fewer."),
        .number("per_page", Preferences.perPageRange, "Tasks on a page."),
        .word("count", ["all"], "Count to the end, however many."),
    ]

    // MARK: Categories and filters

    private static let listOperations: [Operation] = [
        .get("/categories", "listCategories", "The person's categories, in order.", (200, "CategoryList")),
        .post("/categories", "addCategory", "Adds a category.", form: [name.required] + looks + [.formID], (201, "Category")),
        .get("/categories/{id}", "readCategory", "One category.", (200, "Category")),
        .post(
            "/categories/{id}", "changeCategory", "Changes what is sent, or moves it one place.",
            form: [name] + looks + [.word("move", ["up", "down"], "One place; answers the whole list."), .formID],
            (200, "CategoryOrList")),
        .post(
            "/categories/{id}/trash", "removeCategory", "Removes a category; its tasks go to another.",
            form: [.text("to", "The key of that other one.", format: "category").required, .formID], errors: [409], (200, "Moved")
        ),
        .get("/filters", "listFilters", "The saved filters, each with how many tasks it shows.", (200, "FilterList")),
        .post("/filters", "addFilter", "Saves a filter.", form: [name.required] + composed + [.formID], (201, "Filter")),
        .get("/filters/{id}", "listFilter", "A page of what a filter shows.", query: pages, (200, "TaskList")),
        .post(
            "/filters/{id}", "changeFilter", "Saves a filter in the place of one.", form: [name.required] + composed + [.formID],
            (200, "Filter")),
        .get("/filters/{id}/edit", "readFilter", "One filter.", (200, "Filter")),
        .post(
            "/filters/{id}/feed", "changeFeed", "Gives a filter a new address for calendars, or none.",
            form: [.word("action", ["renew", "remove"], "What to do.").required, .formID], (200, "Feed")),
        .post("/filters/{id}/trash", "removeFilter", "Removes a filter; no task is touched.", form: [.formID], (200, "Removed")),
    ]

    private static let name = Parameter.text("name", "One line.", format: "name", 1...CategoryDraft.nameLimit)

    private static let looks: [Parameter] = [
        .word("icon", CategoryDraft.icons, "A picture."), .number("color", CategoryDraft.colors, "A colour."),
    ]

    private static let composed =
        conditions + [
            .text("due_from", "First day, where due is `range`.", format: "date").nullable.ofPages,
            .text("due_to", "Last day, where due is `range`.", format: "date").nullable.ofPages,
        ]

    // MARK: Accounts

    private static let username = Parameter.text(
        "username", "Letters, digits and . _ - between them.", format: "username", 1...UserName.limit)

    private static func password(_ name: String) -> Parameter {
        .text(name, "A password.", format: "password", 8...PasswordText.limit)
    }

    private static let accountOperations: [Operation] = [
        .get("/sign-up", "signUpPage", "The page for a new account.", query: [.text("invite", "An invitation.")], (200, nil)),
        .post(
            "/sign-up", "signUp", "Makes an account and signs in.",
            form: [
                username.required, password("password").required,
                .word("language", Language.allCases.map(\.rawValue), "Of pages and messages."),
                .text("time_zone", "As `Europe/Berlin`.", format: "time-zone"), .text("invite", "An invitation."), .formID,
            ], errors: [429], (200, "SignedIn")),
        .get("/sign-in", "signInPage", "The page to sign in.", query: [.text("next", "Where to go on.")], (200, nil), (303, nil)),
        .post(
            "/sign-in", "signIn", "Signs in: the answer sets the cookie of a session.",
            form: [.text("username", "The name.").required, .text("password", "The password.").required], errors: [401, 429],
            (200, "SignedIn")),
        .post("/sign-out", "signOut", "Ends the session of the cookie.", (200, "Message")),
        .get("/settings", "readSettings", "What a person has set.", (200, "Settings")),
        .post(
            "/settings", "changeSettings", "Changes what is sent and leaves the rest.",
            form: [
                .word("theme", Preferences.themes, "Light, dark, or as the system has it.").filled,
                .word("text_size", Preferences.textSizes, "Of pages.").filled,
                .word("language", Language.allCases.map(\.rawValue), "Of pages and messages.").filled,
                .text("time_zone", "As `Europe/Berlin`.", format: "time-zone"),
                .number("first_weekday", 1...7, "1 is Monday.").filled,
                .number("per_page", Preferences.perPageRange, "Tasks on a page.").filled,
                .text("default_category", "The key of a category.", format: "category"),
                .word("default_sort", TaskOrder.allCases.map(\.rawValue), "Of lists.").filled, .formID,
            ], (200, "Settings")),
        .get("/settings/password", "passwordPage", "The page for a new password.", (200, nil)),
        .post(
            "/settings/password", "changePassword", "Sets a new password and ends all other sessions.",
            form: [.text("current_password", "The one until now.").required, password("new_password").required], errors: [429],
            (200, "Message")),
        .get("/settings/sessions", "listSessions", "Where the person is signed in.", (200, "SessionList")),
        .post(
            "/settings/sessions", "endSession", "Ends a session, or all but this one.",
            form: [.text("end", "The id of one, or `others`.").required, .formID], errors: [404], (200, "Message")),
        .get("/settings/tokens", "listTokens", "The person's tokens, without their secrets.", (200, "TokenList")),
        .post(
            "/settings/tokens", "changeTokens", "Makes a token, which is shown this once; or with `revoke` ends one.",
            form: [
                .text("name", "What it is for.", format: "name", 1...TokenRepository.nameLimit),
                .word("scope", Scope.allCases.map(\.rawValue), "What it may do."),
                .number("expires", 1...3_650, "Days until it ends; never if nothing is said.").nullable,
                .number("revoke", 1...999_999_999, "The id of a token to end."),
            ], errors: [404], (200, "Message"), (201, "Token")),
        .get("/settings/delete-account", "deleteAccountPage", "The page that deletes the account.", (200, nil)),
        .post(
            "/settings/delete-account", "deleteAccount", "Deletes the account with everything in it, for good.",
            form: [.text("current_password", "The password.").required], errors: [429], (200, "Message")),
        .get("/admin/users", "listPeople", "The accounts, for administrators.", (200, "PeopleList")),
        .post(
            "/admin/users", "changePeople", "Does one thing to one account, or makes an invitation.",
            form: ["disable", "enable", "end_sessions", "promote", "demote"].map {
                .number($0, 1...999_999_999, "The id of an account.")
            } + [.flag("invite", "Make an invitation.")], errors: [404], (200, "Message"), (201, "Invitation")),
        .get(
            "/admin/audit", "readAudit", "Who came in and what was done to accounts, for administrators.",
            query: [
                .text("person", "Only of this one."), .word("event", Audit.Event.allCases.map(\.rawValue), "Only these."),
                .number("page", 1...999_999_999, "The last one where there are fewer."),
            ], (200, "Audit")),
        .get("/admin/backup", "backupPage", "The page for a backup, for administrators.", (200, nil)),
        .post(
            "/admin/backup", "backUp", "The whole database as a verified copy, for administrators.",
            form: [.text("current_password", "The password, of who has one.")], errors: [429], (200, nil)),
        .get("/admin/server", "readServer", "What the server sees of this request, for administrators.", (200, "Server")),
        .post("/admin/server", "tryForm", "Tells that a form came through.", form: [.formID], (200, "Message")),
    ]
}

extension Parameter {
    fileprivate static let formID = Parameter.text(
        "form_id", "Sent again within a day it changes nothing more and gets the first answer.", format: "form-id", 0...200)
    fileprivate static let words = Parameter.flag("words", "Read marked words of the title: `^fri` `#work` `!high` `*`.")
}
