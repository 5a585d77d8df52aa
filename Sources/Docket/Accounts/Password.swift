// Passwords: 8 to 1,000 characters of any script, prepared so that the same password typed on two devices is the same bytes. One rule on
// every way in: pages and commands. Refused with a reason are those that guessers try first (`CommonPasswords`),
// those that are one character or one run over and over, and the person's own name, bare or with a little added.

import Argon2

enum Password {
    /// The bytes to hash, for a password that is to be set. Refused before anything is hashed.
    ///
    /// - Parameters:
    ///   - field: the form's field that the mistakes belong to.
    ///   - name: the account's name, which its password may not be.
    static func prepare(_ text: String, field: String = "password", name: UserName? = nil) throws(FormErrors) -> [UInt8] {
        let prepared: [UInt8]
        do throws(TextError) {
            prepared = try PasswordText(text).bytes
        } catch {
            switch error {
            case .empty, .tooShort: throw FormErrors(field, "problem.password.short")
            case .tooLong: throw FormErrors(field, "problem.password.long")
            case .tooManyBytes: throw FormErrors(field, "problem.too_many_bytes")
            case .control: throw FormErrors(field, "problem.control")
            }
        }
        if let name, isName(text, name) { throw FormErrors(field, "problem.password.name") }
        if PasswordStrength(prepared) == .trivial { throw FormErrors(field, "problem.password.trivial") }
        if CommonPasswords.contains(prepared) { throw FormErrors(field, "problem.password.common") }
        return prepared
    }

    /// The name itself, or with up to three characters before or behind it.
    private static func isName(_ text: String, _ name: UserName) -> Bool {
        let (key, own) = (Array(UserName.key(of: text).utf8), Array(name.key.utf8))
        guard key.count - own.count <= 3 else { return false }
        return key.starts(with: own) || key.reversed().starts(with: own.reversed())
    }

    /// Hashes with a fresh salt. Slow and large by purpose: never on the writer's thread.
    static func hash(_ prepared: [UInt8]) throws -> String {
        try PasswordHash.hash(password: prepared, salt: Secret.salt(), PasswordHash.Parameters())
    }

    /// True where a password is the one that was stored. For an unknown account or one without a password it takes the same time and is
    /// false (FAULTS A20); so it is for a text that can be nobody's password.
    static func verify(_ prepared: [UInt8]?, _ stored: String?) throws -> Bool {
        let matches = try PasswordHash.verify(password: prepared ?? [], encoded: stored ?? decoy)
        return matches && prepared != nil && stored != nil
    }

    /// A hash that no password is known for: random where a hash has its salt and its result. Nothing is hashed to make it, so that the
    /// first use takes no longer than the next.
    private static let decoy: String = {
        let costs = PasswordHash.Parameters()
        let prefix = "$argon2id$v=19$m=\(costs.memoryKiB),t=\(costs.iterations),p=\(costs.parallelism)$"
        return prefix + base64(Secret.salt()) + "$" + base64(Secret.salt() + Secret.salt())
    }()

    private static func base64(_ bytes: [UInt8]) -> String {
        // The alphabet of PHC strings is that of base64url but for its last two characters.
        Secret.base64URL(bytes).replacing("-", with: "+").replacing("_", with: "/")
    }
}
