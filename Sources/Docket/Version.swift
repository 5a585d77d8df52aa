/// The version of the program, as `CHANGELOG.md` has it.
public enum Version {
    /// `major.minor.patch`.
    public static let text = "0.1.0"
}
