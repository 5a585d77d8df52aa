// The site map: every address of Docket, who may come in, and where its handler runs.

import HTTP

enum Routes {
    static let all: [Route] = [
        get("/", .everyone(Home.show)).answering(own),
        Route(.get, "/healthz", lane: .once, access: .machine(Health.show)).answering(own),
        get("/metrics", .machine(MetricsPage.show)).answering(own),
        get("/openapi.json", .machine(OpenAPI.show)).answering(own),

        // Accounts
        get("/sign-up", .everyone(SignUp.show)).answering(page),
        postHashing("/sign-up", .everyone(SignUp.submit)),
        get("/sign-in", .everyone(SignIn.show)).answering(page),
        postHashing("/sign-in", .everyone(SignIn.submit)),
        post("/sign-out", .everyone(SignIn.out)),

        // Settings
        get("/settings", .owner(SettingsPage.show)),
        post("/settings", .owner(SettingsPage.save)).showingDoubled,
        get("/settings/password", .owner(PasswordPage.show)).answering(page),
        postHashing("/settings/password", .owner(PasswordPage.save)),
        get("/settings/sessions", .owner(SessionsPage.show)),
        post("/settings/sessions", .owner(SessionsPage.end)),
        get("/settings/tokens", .owner(TokensPage.show)),
        // Not the writer's lane: receipts would keep the secret that is in the answer.
        postHashing("/settings/tokens", .owner(TokensPage.change)),
        get("/settings/delete-account", .owner(DeleteAccountPage.show)).answering(page),
        postHashing("/settings/delete-account", .owner(DeleteAccountPage.delete)),
        get("/admin/users", .administrator(PeoplePage.show)),
        postHashing("/admin/users", .administrator(PeoplePage.change)),  // as with tokens
        get("/admin/audit", .administrator(AuditPage.show)),
        get("/admin/server", .administrator(ServerPage.show)),
        post("/admin/server", .administrator(ServerPage.check)),
        get("/admin/backup", .administrator(BackupPage.show)).answering(page),
        postLong("/admin/backup", .administrator(BackupPage.download)),

        // Tasks
        get("/tasks", .person(.read, TaskListPage.show)).inEveryForm,
        post("/tasks", .person(.add, TaskActions.create)).showingDoubled,
        get("/tasks/lines", .person(.add, QuickAddLines.show)).answering(page),
        post("/tasks/lines", .person(.add, QuickAddLines.submit)),
        get("/tasks/new", .person(.full, TaskEditor.new)).answering(page),
        postLong("/tasks/bulk", .person(.full, TaskActions.bulk)),
        postLong("/tasks/trash-completed", .person(.full, TaskActions.trashCompleted)),
        get("/tasks/{id}", .person(.read, TaskEditor.edit)).inEveryForm,
        post("/tasks/{id}", .person(.full, TaskEditor.save)).showingDoubled,
        get("/tasks/{id}/history", .person(.read, TaskEditor.history)),
        post("/tasks/{id}/completion", .person(.full, TaskActions.complete)),
        post("/tasks/{id}/pin", .person(.full, TaskActions.pin)),
        post("/tasks/{id}/trash", .person(.full, TaskActions.trash)),
        post("/tasks/{id}/restore", .person(.full, TaskActions.restore)),
        get("/trash", .person(.read, TrashPage.show)),
        postLong("/trash/empty", .person(.full, TaskActions.emptyTrash)),
        post("/undo/{change}", .person(.full, TaskActions.undo)),

        // Categories
        get("/categories", .person(.read, CategoryPages.index)),
        post("/categories", .person(.full, CategoryPages.create)).showingDoubled,
        get("/categories/{id}", .person(.read, CategoryPages.edit)),
        post("/categories/{id}", .person(.full, CategoryPages.save)).showingDoubled,
        post("/categories/{id}/trash", .person(.full, CategoryPages.remove)).showingDoubled,

        // Filters
        get("/filters", .person(.read, FilterPages.index)),
        post("/filters", .person(.full, FilterPages.create)).showingDoubled,
        get("/filters/{id}", .person(.read, FilterPages.list)).inEveryForm,
        post("/filters/{id}", .person(.full, FilterPages.save)).showingDoubled,
        get("/filters/{id}/edit", .person(.read, FilterPages.edit)),
        post("/filters/{id}/trash", .person(.full, FilterPages.remove)),

        // Imports
        get("/import", .person(.add, ImportPage.show)),
        postUploading("/import", .person(.add, ImportPage.submit)),
        get("/import/{id}", .person(.add, ImportStatusPage.show)),
        postUploading("/import/{id}", .person(.add, ImportStatusPage.change)),

        // What goes out: files, and the feed of a filter for calendars
        get("/export", .person(.read, ExportPage.show)).answering([.html, .csv, .json, .ics, .spreadsheet, .todotxt]),
        post("/filters/{id}/feed", .owner(FeedPages.change)),
        get("/feeds/{secret}.ics", .machine(FeedAnswer.show)).answering(own),

        // Changes made elsewhere
        get("/events", .person(.read, EventsAnswer.show)).answering(own),

        // Dashboard and help
        get("/dashboard", .person(.read, DashboardPage.show)),
        get("/help", .person(.read, HelpPage.show)).answering([.html, .text]),
    ]

    /// What only a person at a browser needs.
    private static let page: [Format] = [.html]
    /// Answers that have one form, whatever is asked for.
    private static let own: [Format] = []

    private static func get(_ pattern: String, _ access: Access) -> Route {
        Route(.get, pattern, lane: .reader, access: access)
    }

    private static func post(_ pattern: String, _ access: Access) -> Route {
        Route(.post, pattern, lane: .writer, access: access)
    }

    /// A form whose handler hashes a password before it changes anything.
    private static func postHashing(_ pattern: String, _ access: Access) -> Route {
        Route(.post, pattern, lane: .hasher, access: access)
    }

    /// A form whose handler takes long before or between its changes.
    private static func postLong(_ pattern: String, _ access: Access) -> Route {
        Route(.post, pattern, lane: .long, access: access)
    }

    /// A form that may bring a file, or asks for work on one.
    private static func postUploading(_ pattern: String, _ access: Access) -> Route {
        Route(.post, pattern, lane: .long, access: access, takesUpload: true)
    }
}
