// The form of an import, read once: the file, and how it is to be read. The page of a dry run sends every choice as a field of its own;
// a script may send those that it needs, with the words of `docket import`.

import HTTP

extension ImportOptions {
    /// Reads the fields `format`, `encoding`, `delimiter`, `header`, `dates`, `category`, `completed`, and `column` (once for each column, in
    /// their order) or `columns` (`title=1,due=4`). Empty ones are recognised.
    init(_ form: FormFields, categories: [Category]) throws(FormErrors) {
        self.init()
        var errors = FormErrors()
        func read<Value>(_ field: String, _ make: (String) -> Value?) -> Value? {
            guard let text = form.first(field), !text.isEmpty else { return nil }
            let value = make(text)
            if value == nil { errors.add(field, "import.problem.choice", [("field", field), ("value", text)]) }
            return value
        }
        format = read("format", ImportFormat.init(rawValue:))
        encoding = read("encoding") { text in
            TextEncoding.allCases.first { $0.rawValue.lowercased().utf8.elementsEqual(text.lowercased().utf8) }
        }
        delimiter = read("delimiter") { Delimiter(typed: $0) }
        hasHeader = read("header") { ["yes": true, "no": false][$0] }
        dateOrder = read("dates", DateOrder.init(rawValue:))
        category = read("category") { text in categories.first { $0.key.utf8.elementsEqual(text.utf8) }?.key }
        isAllCompleted = read("completed") { ["1": true, "0": false][$0] } ?? false
        columns = read("columns") { ColumnMap($0) }
        let fields = form.all("column")
        if columns != nil, !fields.isEmpty {
            errors.add("column", "problem.exclusive", [("field", "columns"), ("other", "column")])
        } else if !fields.isEmpty {
            let known = fields.map(ColumnField.init(rawValue:))
            let singles = known.compactMap { $0 }.filter(\.isSingle)
            if known.contains(where: { $0 == nil }) {
                errors.add("column", "import.problem.choice", [("field", "column"), ("value", fields.joined(separator: ", "))])
            } else if Set(singles).count < singles.count {
                errors.add("column", "import.problem.doubled")
            } else {
                columns = ColumnMap(known.compactMap { $0 })
            }
        }
        try errors.check()
    }

    /// Without columns where they were chosen for a file that was read in another way.
    func fitting(_ findings: ImportFindings?) -> ImportOptions {
        guard let findings else { return self }
        var options = self
        let isSame =
            format ?? findings.format == findings.format && encoding ?? findings.encoding == findings.encoding
            && delimiter ?? findings.delimiter == findings.delimiter && hasHeader ?? findings.hasHeader == findings.hasHeader
        if !isSame { options.columns = nil }
        return options
    }
}

extension Context {
    /// The file of the form.
    ///
    /// - Throws: `FormErrors` where there is none, or more than one.
    func sentFile() throws -> ByteFile {
        let files = multipart?.parts.filter { $0.filename != nil && !($0.filename == "" && $0.content.isEmpty) } ?? []
        guard let part = files.first else { throw FormErrors("file", "import.problem.no_file") }
        guard files.count == 1 else { throw FormErrors("file", "import.problem.files") }
        let letters = (part.filename ?? "").unicodeScalars.filter { !Characters.isUnshowable($0.value) }
        let name = Characters.trim(String(String.UnicodeScalarView(letters.suffix(200))))
        return ByteFile(request.body, part.content, name: name.isEmpty ? strings["import.unnamed"] : name)
    }
}
