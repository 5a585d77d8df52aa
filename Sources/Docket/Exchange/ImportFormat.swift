// The formats that can be imported.

/// A format of files with tasks.
public enum ImportFormat: String, Sendable, CaseIterable {
    /// Any table: Docket's own CSV in both forms, a spreadsheet's, another program's.
    case csv
    /// Docket's own JSON.
    case json
    /// The database of the iOS app.
    case ios
    /// A todo.txt or done.txt.
    case todotxt
    /// iCalendar VTODO, and vCalendar before it.
    case icalendar
    /// A project of Todoist as CSV.
    case todoist
    /// A backup of TickTick as CSV.
    case ticktick
    /// What `task export` of Taskwarrior writes, or its backlog, an object a line.
    case taskwarrior
    /// Google Tasks as Takeout or the API gives them.
    case google
    /// The data.json of an export of Vikunja.
    case vikunja

    /// All names, for messages.
    public static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
