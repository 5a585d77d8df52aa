// The settings page: every value takes effect with the next page, and every mistake comes back beside its field.

import HTTP
import SQLite
import Testing

@testable import Docket

@Suite("Settings")
struct SettingsPageTests {
    @Test("Everything that is set is in effect on the next page, and stands in the form")
    func takesEffect() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        let page = try ada.get("/settings").submit(
            "/settings",
            [
                ("theme", "dark"), ("text_size", "large"), ("language", "zh-Hans"), ("time_zone", "Asia/Tokyo"),
                ("first_weekday", "7"),
                ("per_page", "50"), ("default_category", "health"), ("default_sort", "due_asc"),
            ])
        #expect(page.status == 200)
        #expect(page.contains("lang=\"zh-Hans\" data-theme=\"dark\" data-text=\"large\""))
        #expect(page.contains(test.app.strings(.chinese)["notice.settings_saved"]))
        #expect(!(try ada.get("/settings").contains(test.app.strings(.chinese)["notice.settings_saved"])))
        let user = try test.user("ada")
        #expect(user.zone.name == "Asia/Tokyo")
        #expect(user.firstWeekday == .sunday)
        let form = try #require(try ada.get("/settings").form("/settings"))
        let fields = Dictionary(form.fields.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
        #expect(fields["per_page"] == "50")
        #expect(fields["default_category"] == "health")
        #expect(fields["default_sort"] == "due_asc")
        #expect(fields["first_weekday"] == "7")
    }

    @Test(
        "A value that is none is told beside its field, with everything typed, and nothing is saved",
        arguments: Language.allCases,
        [
            ("theme", "pink"), ("text_size", "huge"), ("language", "fr"), ("time_zone", "Mars/Olympus"),
            ("time_zone", "../../etc/passwd"),
            ("first_weekday", "0"), ("first_weekday", "8"), ("per_page", "9"), ("per_page", "201"), ("per_page", "+50"),
            ("per_page", ""),
            ("per_page", "99999999999999999999"), ("default_category", "nothing"), ("default_sort", "random"),
        ])
    func mistakes(_ language: Language, _ mistake: (field: String, value: String)) throws {
        let test = try TestApp()
        let ada = try test.person("ada", language: language)
        let typed = mistake.field == "per_page" ? ("theme", "dark") : ("per_page", "77")
        let page = try ada.get("/settings").submit("/settings", [(mistake.field, mistake.value), typed])
        #expect(page.status == 422)
        let id = mistake.field.replacing("_", with: "-") + "-error"
        #expect(page.contains("id=\"\(id)\""))
        #expect(page.contains(test.app.strings(language)["problem.summary"]))
        if mistake.field == "per_page" {
            #expect(page.contains("value=\"dark\" checked"))
            #expect(page.contains("value=\"\(mistake.value)\""))
        } else {
            #expect(page.contains("value=\"77\""))
        }
        #expect(try test.user("ada").perPage == 25)
        #expect(try test.user("ada").theme == "auto")
    }

    @Test("A field that is left out stays as it is, and one that is sent twice is refused")
    func partial() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        try ada.post("/settings", [("theme", "dark")])
        try ada.post("/settings", [("per_page", "100")])
        #expect(try test.user("ada").theme == "dark")
        #expect(try test.user("ada").perPage == 100)
        #expect(try ada.post("/settings", [("theme", "dark"), ("theme", "light")]).status == 422)
    }

    @Test("A new time zone moves the moment at which due days end")
    func zone() throws {
        let test = try TestApp()
        let ada = try test.person("ada", zone: "Europe/Berlin")
        try ada.post("/tasks", [("title", "by day"), ("due", "2026-12-24")])
        try ada.post("/tasks", [("title", "by the minute"), ("due", "2026-12-24T18:30")])
        func keys() throws -> [Int64] { try test.database.rows("SELECT due_key FROM tasks ORDER BY title") { try $0.int(0) } }
        let before = try keys()
        try ada.post("/settings", [("time_zone", "America/New_York")])
        let after = try keys()
        #expect(after[0] - before[0] == 6 * 3_600_000)
        #expect(after[1] == before[1])
    }

    @Test("Settings are closed to strangers and to tokens")
    func access() throws {
        let test = try TestApp()
        _ = try test.person("ada")
        #expect(try test.stranger().get("/settings").contains("action=\"/sign-in\""))
        let script = test.stranger()
        script.token = try test.token("ada")
        for address in ["/settings", "/settings/password", "/settings/sessions", "/settings/tokens", "/settings/delete-account"] {
            #expect(try script.send(.get, address, nil, accept: nil).status == 403)
        }
    }

    @Test("The list of tasks follows the order and the size that were set")
    func list() throws {
        let test = try TestApp()
        let ada = try test.person("ada")
        for number in 1...12 { try ada.post("/tasks", [("title", "task \(number)")]) }
        try ada.post("/settings", [("per_page", "10"), ("default_sort", "created_asc")])
        let page = try ada.get("/tasks")
        #expect(page.contains("task 1<"))
        #expect(!page.contains("task 12<"))
    }
}
