// Numbers with their nouns, for the English lines of commands. Pages have their own, in each language (`Strings.count`).

extension Int {
    /// `1 task`, `2 tasks`; the plural is told where it is another than with an s.
    public func of(_ noun: String, _ plural: String? = nil) -> String { "\(self) \(self == 1 ? noun : plural ?? noun + "s")" }
}
