// The files that come with the program: templates, texts, static files. Read once, before the port opens.

import FoundationEssentials

/// The contents of `Templates` and `Public`.
public struct Resources: Sendable {
    /// Templates by name, without `.mustache`: `tasks/list`.
    let templates: [(name: String, source: [UInt8])]
    /// Static files by name below `Public`.
    let publicFiles: [(name: String, bytes: [UInt8])]
    private let stringsFiles: [String: [UInt8]]

    /// Reads both folders below `folder`.
    public init(folder: String) throws {
        let templateFiles = try Self.files(in: folder + "/Templates")
        templates = templateFiles.compactMap { file in
            file.name.hasSuffix(".mustache") ? (String(file.name.dropLast(".mustache".count)), file.bytes) : nil
        }
        var strings: [String: [UInt8]] = [:]
        for file in templateFiles where file.name.hasPrefix("strings/") && file.name.hasSuffix(".json") {
            strings[String(file.name.dropFirst("strings/".count).dropLast(".json".count))] = file.bytes
        }
        stringsFiles = strings
        publicFiles = try Self.files(in: folder + "/Public")
    }

    /// The strings file of a language.
    func strings(_ language: String) throws -> [UInt8] {
        guard let file = stringsFiles[language] else { throw StartFailure("Templates/strings/\(language).json is missing") }
        return file
    }

    /// The first of the usual places that holds both folders: the one that was named, the working folder, beside the program, and what
    /// packages use.
    public static func find(_ named: String?, program: String) throws -> Resources {
        let manager = FileManager.default
        let beside = program.lastIndex(of: "/").map { String(program[..<$0]) } ?? "."
        let places = named.map { [$0] } ?? [".", beside, beside + "/../share/docket"]
        for place in places
        where manager.fileExists(atPath: place + "/Templates") && manager.fileExists(atPath: place + "/Public") {
            return try Resources(folder: place)
        }
        throw StartFailure(
            "Templates and Public are in none of: \(places.joined(separator: ", ")); say where with --resources FOLDER")
    }

    private static func files(in folder: String) throws -> [(name: String, bytes: [UInt8])] {
        let manager = FileManager.default
        return try manager.subpathsOfDirectory(atPath: folder).sorted().compactMap { name in
            var isFolder = false
            guard manager.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder), !isFolder else { return nil }
            guard let data = manager.contents(atPath: folder + "/" + name) else {
                throw StartFailure("\(folder)/\(name) can't be read")
            }
            return (name, Array(data))
        }
    }
}
