// Secrets that people carry: session identifiers, tokens, form identifiers. 256 bits from the kernel's random source; the database
// keeps digests only, so that a stolen backup signs nobody in.

/// A random secret and its digest.
struct Secret: Sendable {
    /// 43 characters of base64url.
    let text: String
    /// SHA-256 of the text.
    let digest: [UInt8]

    /// A new one. `SystemRandomNumberGenerator` asks the kernel (getrandom).
    init() {
        var generator = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        for _ in 0..<4 {
            let word = generator.next()
            for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(shift)))) }
        }
        text = Self.base64URL(bytes)
        digest = SHA256.digest(text.utf8)
    }

    /// The digest under which a secret that someone showed would be kept; nil where it has not the shape of one.
    static func digest(of text: String) -> [UInt8]? {
        text.utf8.count == 43 ? SHA256.digest(text.utf8) : nil
    }

    /// A random name for a form, 128 bits in 22 characters: nobody else's form has it, and nothing is secret about it.
    static func formID() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()]
        return words.withUnsafeBytes { base64URL(Array($0)) }
    }

    /// Bytes for a password's salt.
    static func salt() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Bytes as base64url without padding (RFC 4648 section 5).
    static func base64URL(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        var buffer = 0
        var bits = 0
        for byte in bytes {
            buffer = buffer << 8 | Int(byte)
            bits += 8
            while bits >= 6 {
                bits -= 6
                output.append(alphabet[buffer >> bits & 0x3F])
            }
        }
        if bits > 0 { output.append(alphabet[buffer << (6 - bits) & 0x3F]) }
        return String(decoding: output, as: UTF8.self)
    }
}
