// All reasons that an import can give, with their English words. The strings files have the same under `import.reason.` (a test compares
// them): the command has no strings files.

extension ImportReason {
    /// What a reason says; `{name}` is a place for a value.
    public enum Code: String, Sendable, CaseIterable, Codable {
        // MARK: Files that are not taken
        case empty, zip, workbook, binary, vcard, xml, unreadable
        case webPage = "web_page"
        case zipVikunja = "zip_vikunja"
        case notText = "not_text"
        case taskwarriorData = "taskwarrior_data"
        case unknownJSON = "unknown_json"
        case otherProgram = "other_program"
        case unknownFormat = "unknown_format"
        case notFormat = "not_format"
        case notDatabase = "not_database"
        case docketDatabase = "docket_database"
        case noTable = "no_table"
        case noTitleColumn = "no_title_column"
        case damagedDatabase = "damaged_database"
        case brokenJSON = "broken_json"
        case cutJSON = "cut_json"
        case deepJSON = "deep_json"
        case openQuote = "open_quote"
        case wideTable = "wide_table"
        case noTitle = "no_title_mapped"
        case noSuchColumn = "no_such_column"
        case noTasks = "no_tasks"
        case cutTask = "cut_task"
        // MARK: Imports that can't run
        case running
        // MARK: Records that are not taken
        case tooLong = "too_long"
        case tooManyCells = "too_many_cells"
        case noTask = "no_task"
        case deleted, template
        // MARK: What was changed, guessed or kept elsewhere
        case encoding, damaged, comments
        case doneList = "done_list"
        case untitled
        case longTitle = "long_title"
        case longContent = "long_content"
        case controls
        case category
        case categoriesFull = "categories_full"
        case unknownValue = "unknown_value"
        case notPinned = "not_pinned"
        case noDate = "no_date"
        case farDate = "far_date"
        case noTime = "no_time"
        case farTime = "far_time"
        case milliseconds, appleEpoch = "apple_epoch"
        case bytes, notUTF8 = "not_utf8"
        case openWithTime = "open_with_time"
        case staysInTitle = "stays_in_title"
        case secondDue = "second_due"
        case fewCells = "few_cells"
        case manyCells = "many_cells"
        case headless
        case titleGuess = "title_guess"
        case dayFirst = "day_first"
        case monthFirst = "month_first"
        case superseded
        case others
        case zone
        case doubledKey = "doubled_key"
        case recurrence
        case longField = "kept"
        case noCheckbox = "no_checkbox"
        case noParent = "no_parent"
        case cutCalendar = "cut_calendar"

        var english: String {
            switch self {
            case .empty: "{file} is empty"
            case .zip: "{file} is a ZIP archive: unpack it, and import what is inside"
            case .workbook: "{file} is a workbook of a spreadsheet: save it as CSV, and import that"
            case .binary: "{file} is no list of tasks, but {kind}"
            case .vcard: "{file} holds contacts (vCard), no tasks"
            case .xml: "{file} is XML, which is not among the formats"
            case .unreadable: "{file} can't be read: {problem}"
            case .webPage: "{file} is a web page, not a list of tasks: perhaps one that wanted you to sign in first"
            case .zipVikunja: "{file} is an export of Vikunja as a ZIP archive: unpack it, and import its data.json"
            case .notText: "{file} is no text: it holds NUL bytes"
            case .taskwarriorData:
                "{file} is a working file of Taskwarrior, not its export: task export > tasks.json makes one that can be imported"
            case .unknownJSON:
                "{file} is JSON, but of none of the programs that are known: Docket, Taskwarrior, Google Tasks, Vikunja"
            case .otherProgram: "{file} is JSON of {program}, which is not among the formats: CSV or iCalendar would be"
            case .unknownFormat: "can't tell the format of {file}: choose it (todotxt, if each line is a task)"
            case .notFormat: "{file} is not of the format {format}"
            case .notDatabase: "{file} is not an SQLite database"
            case .docketDatabase: "{file} is a Docket database: docket restore takes it whole"
            case .noTable: "{file} is an SQLite database, but not of the app: it has no table called tasks"
            case .noTitleColumn: "{file} is an SQLite database, but not of the app: its tasks have no column called title"
            case .damagedDatabase: "{file} is damaged: {problem}"
            case .brokenJSON: "{file} is broken at line {line}, byte {byte}: {found} can't stand there"
            case .cutJSON: "{file} ends in the middle, at line {line}: it is cut off"
            case .deepJSON: "{file} is nested deeper than {limit} levels at line {line}"
            case .openQuote: "line {line}: a quotation mark opens here and none closes: the file is cut off, or it is a mistake"
            case .wideTable: "line {line}: more than {limit} columns, or a million bytes: this is no table of tasks"
            case .noTitle: "no column is the title: choose one"
            case .noSuchColumn: "there is no column {column}: the file has {count}"
            case .noTasks: "{file} holds no tasks"
            case .cutTask: "line {line}: a task begins here and does not end: the file is cut off"
            case .running: "another import of {user} is running: wait until it ends"
            case .tooLong: "not taken: longer than a million bytes"
            case .tooManyCells: "not taken: more than {limit} cells"
            case .noTask: "not taken: no task, but {value}"
            case .deleted: "not taken: it was deleted there"
            case .template: "not taken: the pattern of a repeating task, whose tasks are here themselves"
            case .encoding: "read as {encoding}: if letters look wrong, choose another encoding"
            case .damaged: "holds bytes that are no {encoding}: they are shown as \u{FFFD}"
            case .comments: "{count} lines begin with # or // and are tasks now"
            case .doneList:
                "no line begins with x, though the file is called done: with “all are completed” they come in as such"
            case .untitled: "has no title"
            case .longTitle: "title longer than {limit} characters: the rest stands in the notes"
            case .longContent: "notes longer than {limit} characters: kept whole, but it must be shortened to be edited"
            case .controls: "control characters taken out: {count}"
            case .category: "no category called {word}: it is {category}, and the word stands in the notes"
            case .categoriesFull:
                "categories that were not made: {count}; a person has at most {limit}, and the tasks name theirs in the notes"
            case .unknownValue: "{field} {value} is unknown: it is {instead}"
            case .notPinned: "{field} {value} is unknown: it is not pinned"
            case .noDate: "{field} {value} can't be read as a date: it stands in the notes"
            case .farDate: "{field} {value} is outside of the years 1900 to 9999: it stands in the notes"
            case .noTime: "{field} {value} is no time: it is left out"
            case .farTime: "{field} {value} is outside of the years 1 to 9999: it is left out"
            case .milliseconds: "{field} {value} is far beyond all dates, milliseconds perhaps: it is not taken"
            case .appleEpoch:
                "{field} {value} is long before the task was made, counted from 2001 perhaps: it is kept as it stands"
            case .bytes: "{field} is bytes instead of text"
            case .notUTF8: "{field} is not UTF-8: what can't be read is shown as \u{FFFD}"
            case .openWithTime: "has a time of completion but is not completed: it stays open"
            case .staysInTitle: "{value} is no date: it stays in the title"
            case .secondDue: "{value} is a second due date: it stays in the title"
            case .fewCells: "has {count} cells of {wanted}: the others are empty"
            case .manyCells: "has {count} cells of {wanted}: the rest stands in the notes"
            case .headless: "the first line is no header: what the columns are is a guess"
            case .titleGuess: "no column is called a title: {column} is taken for it"
            case .dayFirst: "dates such as {value} are read day first: if that is wrong, choose the other order"
            case .monthFirst: "dates such as {value} are read month first: if that is wrong, choose the other order"
            case .superseded: "earlier states of tasks that follow again: {count}; the last one of each counts"
            case .others: "events and other entries left out: {count}; only tasks are taken"
            case .zone: "the time zone {zone} is unknown: yours is taken"
            case .doubledKey: "{key} is there more than once: the last one counts"
            case .recurrence: "repeating tasks: {count}; how they repeat stands in their notes"
            case .longField: "{field} is longer than a million bytes: it is left out"
            case .noCheckbox: "can't be ticked off there: it is a task like any other here"
            case .noParent: "stands below no task: it is one of its own"
            case .cutCalendar: "the calendar has no end: the file may be cut off"
            }
        }
    }
}
