// Which format a file has: by what stands in it, and only where that says nothing by its name. What is none of the formats is refused by the
// name of what it is.

extension ImportFormat {
    /// What its first bytes and its name say.
    ///
    /// - Throws: `ImportFailure` that calls the format by name, where it is one that cannot be taken.
    static func recognise(_ file: ByteFile) throws -> ImportFormat {
        guard file.byteCount > 0 else { throw ImportFailure(.empty, ["file": file.name]) }
        let bytes = try file.start(4_096)
        if bytes.starts(with: "SQLite format 3\0".utf8) { return .ios }
        try refuseBinary(bytes, file.name)
        if bytes.starts(with: "[description:\"".utf8) || bytes.starts(with: "[annotation_".utf8) {
            throw ImportFailure(.taskwarriorData, ["file": file.name])
        }
        // A calendar's lines may be cut within a character, so that its encoding is nothing to be seen at once.
        let head = bytes.drop { [0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if begins(head, "BEGIN:VCALENDAR") || begins(head, "BEGIN:VTODO") { return .icalendar }
        var source = try ByteReader(file, encoding: try TextSurvey(file).encoding)
        let text = try source.start(65_536)
        let start = text.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if begins(start, "BEGIN:VCALENDAR") || begins(start, "BEGIN:VTODO") { return .icalendar }
        if begins(start, "BEGIN:VCARD") { throw ImportFailure(.vcard, ["file": file.name]) }
        if ["<!doctype", "<!--", "<html", "<head", "<body", "<script"].contains(where: { begins(start, $0) }) {
            throw ImportFailure(.webPage, ["file": file.name])
        }
        if begins(start, "<?xml") { throw ImportFailure(.xml, ["file": file.name]) }
        if let first = start.first, first == 0x7B || first == 0x5B, let format = try json(Array(start), file.name) {
            return format
        }
        return try table(file)
    }

    private static func begins(_ bytes: ArraySlice<UInt8>, _ text: String) -> Bool {
        bytes.prefix(text.utf8.count).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }.starts(with: text.lowercased().utf8)
    }

    private static let kinds: [(kind: String, bytes: [UInt8])] = [
        ("PNG", [0x89, 0x50, 0x4E, 0x47]), ("JPEG", [0xFF, 0xD8, 0xFF]), ("GIF", Array("GIF8".utf8)),
        ("PDF", Array("%PDF-".utf8)),
        ("gzip", [0x1F, 0x8B]), ("7-Zip", [0x37, 0x7A, 0xBC, 0xAF]), ("RAR", Array("Rar!".utf8)), ("bzip2", Array("BZh".utf8)),
        ("xz", [0xFD, 0x37, 0x7A, 0x58]), ("ELF", [0x7F, 0x45, 0x4C, 0x46]), ("RTF", Array("{\\rtf".utf8)),
        ("plist", Array("bplist".utf8)), ("Zstandard", [0x28, 0xB5, 0x2F, 0xFD]),
    ]

    private static func refuseBinary(_ bytes: [UInt8], _ name: String) throws {
        func holds(_ text: String) -> Bool {
            let wanted = Array(text.utf8)
            return bytes.indices.contains { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
        }
        if bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6]) {
            if holds("xl/") || holds("mimetypeapplication/vnd.oasis") { throw ImportFailure(.workbook, ["file": name]) }
            throw ImportFailure(holds("data.json") && holds("VERSION") ? .zipVikunja : .zip, ["file": name])
        }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) { throw ImportFailure(.workbook, ["file": name]) }
        if let found = kinds.first(where: { bytes.starts(with: $0.bytes) }) {
            throw ImportFailure(.binary, ["file": name, "kind": found.kind])
        }
    }

    /// By the names of the outermost object, or of the first one in a list. Nil for a text that only begins like JSON.
    private static func json(_ bytes: [UInt8], _ name: String) throws -> ImportFormat? {
        let isList = bytes.first == 0x5B
        var (keys, kind): (Set<String>, String) = ([], "")
        var reader = JSONReader(ByteReader(bytes: bytes), name: name)
        func look(_ reader: inout JSONReader) throws {
            try reader.object { reader, key in
                keys.insert(key)
                if key == "kind" { kind = try reader.value()?.text ?? "" } else { try reader.skip() }
            }
        }
        var failure: ImportFailure?
        do {
            if isList {
                var isFirst = true
                try reader.array { reader in
                    if isFirst, try reader.peek() == 0x7B { try look(&reader) } else { try reader.skip() }
                    isFirst = false
                }
                try reader.end()
            } else {
                try look(&reader)
            }
        } catch let error as ImportFailure {
            // Cut after 64 kB, as a rule; what came before says enough.
            failure = error
        }
        func has(_ all: String...) -> Bool { keys.isSuperset(of: all) }
        if kind.hasPrefix("tasks#") { return .google }
        if has("uuid"), has("description") || has("entry") || has("status") { return .taskwarrior }
        if has("docket") || has("tasks", "total", "per_page") || has("format", "version", "tasks") { return .json }
        if isList, has("title"), !keys.isDisjoint(with: ["tasks", "child_projects", "namespace_id", "projects", "lists"]) {
            return .vikunja
        }
        if has("title"), !has("importance"), !has("percent_done"),
            keys.isSubset(of: DocketFile.keys) || !keys.isDisjoint(with: ["created_at", "priority", "category"])
        {
            return .json
        }
        if has("tasks"), keys.count <= 3 { return .json }
        if has("@odata.context") || has("importance", "status", "title") { throw other("Microsoft To Do", name) }
        if has("cards", "lists") { throw other("Trello", name) }
        if !keys.isDisjoint(with: ["crossModelVersion", "lastUpdate", "lastLocalSyncModelChange"]) || has("task", "project")
            || has("state")
        {
            throw other("Super Productivity", name)
        }
        if keys.isEmpty {
            // `[ ] buy milk` is a line of text, a broken object is broken JSON.
            if isList, failure?.reason.code == .brokenJSON { return nil }
            if let failure { throw failure }
        }
        throw ImportFailure(.unknownJSON, ["file": name])
    }

    private static func other(_ program: String, _ name: String) -> ImportFailure {
        ImportFailure(.otherProgram, ["file": name, "program": program])
    }

    /// A table, or lines of text.
    private static func table(_ file: ByteFile) throws -> ImportFormat {
        let shape = try CSVShape(file, ImportOptions())
        if let format = shape.format { return format }
        if shape.isOwn { return .csv }
        let name = file.name.lowercased()
        if name.hasSuffix(".csv") || name.hasSuffix(".tsv") { return .csv }
        let fields = shape.sample.first?.map(CSVWords.field) ?? []
        if fields.contains(.title), fields.count(where: { $0 != nil }) >= 2 { return .csv }
        guard name.hasSuffix(".txt") || name.hasSuffix(".todotxt") else {
            throw ImportFailure(.unknownFormat, ["file": file.name])
        }
        return .todotxt
    }
}
