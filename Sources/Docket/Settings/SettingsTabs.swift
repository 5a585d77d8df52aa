// The tabs above every page of the settings.

import Mustache

/// The pages that stand under "Settings".
enum SettingsTab: String, CaseIterable {
    case general, password, sessions, tokens, `import`, export, people, audit, server

    /// The names that `settings/tabs` wants, with this page as the one that is shown.
    var names: Object {
        var names: Object = ["has_tokens": true]
        for tab in Self.allCases { names[Key("tab_" + tab.rawValue)] = .bool(tab == self) }
        return names
    }
}
