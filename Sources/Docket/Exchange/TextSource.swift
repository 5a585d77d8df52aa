// Opens a file of any format but a database's.

enum TextSource {
    static func open(_ file: ByteFile, as format: ImportFormat, _ options: ImportOptions) throws -> any ImportSource {
        switch format {
        case .todotxt: return try TodoTxtFile(file, encoding: options.encoding, isAllCompleted: options.isAllCompleted)
        case .csv: return try CSVFile(file, options)
        case .todoist: return try TodoistFile(file, options)
        case .ticktick: return try TickTickFile(file, options)
        case .json: return try DocketFile(file, options)
        case .taskwarrior: return try TaskwarriorFile(file, options)
        case .google: return try GoogleTasksFile(file, options)
        case .vikunja: return try VikunjaFile(file, options)
        case .icalendar: return try CalendarFile(file, options)
        case .ios: throw ImportFailure(.notDatabase, ["file": file.name])
        }
    }
}
