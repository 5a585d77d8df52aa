// The known answers of the reference implementation's own test suite (argon2id, version 19), and what is refused.

import Argon2
import Testing

@Suite("Password hashes")
struct PasswordHashTests {
    /// Little enough to be quick; the default costs have a test of their own.
    static let quick = PasswordHash.Parameters(memoryKiB: 64, iterations: 1)

    struct KnownAnswer: Sendable {
        var password = "password"
        var salt = "somesalt"
        var memoryKiB: Int
        var iterations: Int
        var parallelism = 1
        var encoded: String
    }

    static let knownAnswers = [
        KnownAnswer(
            memoryKiB: 65_536, iterations: 2,
            encoded: "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"),
        KnownAnswer(
            memoryKiB: 256, iterations: 2,
            encoded: "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"),
        KnownAnswer(
            memoryKiB: 256, iterations: 2, parallelism: 2,
            encoded: "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc"),
        KnownAnswer(
            memoryKiB: 65_536, iterations: 1,
            encoded: "$argon2id$v=19$m=65536,t=1,p=1$c29tZXNhbHQ$9qWtwbpyPd3vm1rB1GThgPzZ3/ydHL92zKL+15XZypg"),
        KnownAnswer(
            memoryKiB: 65_536, iterations: 4,
            encoded: "$argon2id$v=19$m=65536,t=4,p=1$c29tZXNhbHQ$kCXUjmjvc5XMqQedpMTsOv+zyJEf5PhtGiUghW9jFyw"),
    ]

    @Test("The published answers are given and accepted", arguments: knownAnswers)
    func published(_ known: KnownAnswer) throws {
        let parameters = PasswordHash.Parameters(
            memoryKiB: known.memoryKiB, iterations: known.iterations, parallelism: known.parallelism)
        let password = Array(known.password.utf8)
        #expect(try PasswordHash.hash(password: password, salt: Array(known.salt.utf8), parameters) == known.encoded)
        #expect(try PasswordHash.verify(password: password, encoded: known.encoded))
        #expect(try !PasswordHash.verify(password: Array("passwore".utf8), encoded: known.encoded))
        #expect(!PasswordHash.needsRehash(known.encoded, parameters))
    }

    @Test("The default costs are in the string, and the right password only is accepted")
    func defaults() throws {
        let salt = [UInt8](0..<16)
        let encoded = try PasswordHash.hash(password: Array("correct horse".utf8), salt: salt)
        #expect(encoded.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(try PasswordHash.verify(password: Array("correct horse".utf8), encoded: encoded))
        #expect(!PasswordHash.needsRehash(encoded))
    }

    @Test(
        "A password is bytes: none, one, NUL inside, a thousand characters",
        arguments: [[], [0], [0x61, 0, 0x62], [UInt8](repeating: 0xf0, count: 4_000)] as [[UInt8]])
    func bytes(_ password: [UInt8]) throws {
        let encoded = try PasswordHash.hash(password: password, salt: [UInt8](repeating: 7, count: 16), Self.quick)
        #expect(try PasswordHash.verify(password: password, encoded: encoded))
        #expect(try !PasswordHash.verify(password: password + [0], encoded: encoded))
        #expect(try !PasswordHash.verify(password: Array("x".utf8), encoded: encoded))
    }

    @Test("A string with any byte changed never accepts the password, and never ends the process")
    func tampered() throws {
        let password = Array("ada's password".utf8)
        let encoded = try PasswordHash.hash(password: password, salt: [UInt8](repeating: 9, count: 16), Self.quick)
        let original = Array(encoded.utf8)
        for index in original.indices {
            // The last characters of salt and hash carry bits that stand for nothing; an A there is still another string.
            for byte in [UInt8(ascii: "A"), UInt8(ascii: "$"), UInt8(ascii: "9"), 0, 0x80] where byte != original[index] {
                var bytes = original
                bytes[index] = byte
                let changed = String(decoding: bytes, as: UTF8.self)
                #expect((try? PasswordHash.verify(password: password, encoded: changed)) != true, "\(changed)")
            }
            let cut = String(decoding: original[..<index], as: UTF8.self)
            #expect((try? PasswordHash.verify(password: password, encoded: cut)) != true, "\(cut)")
        }
    }

    static let salt = "c29tZXNhbHQ"
    static let tail = "nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"

    @Test(
        "What is no argon2id string of version 19 is malformed",
        arguments: [
            "", "$", "$$$$$", "password", "$2b$12$abcdefghijklmnopqrstuu",
            "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$\(tail)", "$argon2id$v=16$m=256,t=2,p=1$c29tZXNhbHQ$\(tail)",
            "$argon2id$m=256,t=2,p=1$c29tZXNhbHQ$\(tail)", "$argon2id$v=19$m=+256,t=2,p=1$c29tZXNhbHQ$\(tail)",
            "$argon2id$v=19$m=0256,t=2,p=1$c29tZXNhbHQ$\(tail)", "$argon2id$v=19$m=256,t=2$c29tZXNhbHQ$\(tail)",
            "$argon2id$v=19$t=2,m=256,p=1$c29tZXNhbHQ$\(tail)", "$argon2id$v=19$m=256,t=2,p=1$$\(tail)",
            "$argon2id$v=19$m=256,t=2,p=1$c29t$\(tail)", "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$",
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ=$\(tail)", "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$\(tail)$",
            "$argon2id$v=19$m=99999999999999999999,t=2,p=1$c29tZXNhbHQ$\(tail)",
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$\(tail)\0", "$argon2id$v=19$m=²56,t=2,p=1$c29tZXNhbHQ$\(tail)",
            "$argon2id$v=19$m=256,t=2,p=1$" + String(repeating: "A", count: 600) + "$\(tail)",
        ])
    func malformed(_ encoded: String) {
        #expect(throws: PasswordHash.Failure.malformed) {
            try PasswordHash.verify(password: Array("password".utf8), encoded: encoded)
        }
        #expect(PasswordHash.needsRehash(encoded))
    }

    @Test(
        "Absurd costs in a stored string are refused before they are paid",
        arguments: [
            "m=4294967295,t=2,p=1", "m=1048577,t=2,p=1", "m=256,t=4294967295,p=1", "m=256,t=65,p=1", "m=256,t=2,p=17",
            "m=7,t=2,p=1", "m=8,t=1,p=2",
        ])
    func absurd(_ costs: String) {
        #expect(throws: PasswordHash.Failure.unacceptableParameters) {
            try PasswordHash.verify(
                password: Array("password".utf8), encoded: "$argon2id$v=19$\(costs)$\(Self.salt)$\(Self.tail)")
        }
    }

    @Test("Absurd costs are refused for a new hash, and so is a short salt")
    func absurdNew() {
        for parameters in [
            PasswordHash.Parameters(memoryKiB: -1), .init(iterations: 0), .init(parallelism: 0), .init(hashLength: 4),
            .init(memoryKiB: .max), .init(iterations: .max), .init(hashLength: .max),
        ] {
            #expect(throws: PasswordHash.Failure.unacceptableParameters) {
                try PasswordHash.hash(password: [1], salt: [UInt8](repeating: 0, count: 16), parameters)
            }
        }
        #expect(throws: PasswordHash.Failure.library("Salt is too short")) {
            try PasswordHash.hash(password: [1], salt: [1, 2, 3], Self.quick)
        }
    }

    @Test("A hash is made anew when a cost has risen, and not when one has fallen")
    func needsRehash() throws {
        let stored = "$argon2id$v=19$m=256,t=2,p=1$\(Self.salt)$\(Self.tail)"
        let same = PasswordHash.Parameters(memoryKiB: 256, iterations: 2)
        #expect(!PasswordHash.needsRehash(stored, same))
        var more = same
        more.memoryKiB = 512
        #expect(PasswordHash.needsRehash(stored, more))
        more = same
        more.iterations = 3
        #expect(PasswordHash.needsRehash(stored, more))
        more = same
        more.parallelism = 2
        #expect(PasswordHash.needsRehash(stored, more))
        more = same
        more.hashLength = 48
        #expect(PasswordHash.needsRehash(stored, more))
        #expect(!PasswordHash.needsRehash(stored, .init(memoryKiB: 128, iterations: 1)))
    }
}
