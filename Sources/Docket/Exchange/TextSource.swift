// Opens a file of any format but a database's.

enum TextSource {
    static func open(_ file: ByteFile, as format: ImportFormat, _ options: ImportOptions) throws -> any ImportSource {
        switch format {
        case .todotxt: return try TodoTxtFile(file, encoding: options.encoding, isAllCompleted: options.isAllCompleted)
        default: throw ImportFailure(.notFormat, ["file": file.name, "format": format.rawValue])
        }
    }
}
