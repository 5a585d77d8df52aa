// Password hashing by argon2id, version 19 (RFC 9106), in the PHC string form `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
//
// Promise: the library compares in constant time; a stored string is parsed and its costs are bounded before the library
// sees it, so that a damaged or planted one costs neither gigabytes nor minutes, and never ends the process.
// The salt comes from the caller, who has the kernel's random source. A hash blocks its thread: callers use a pool.

import CArgon2

/// Hashes passwords and checks them against stored hashes.
public enum PasswordHash {
    /// What a hash costs.
    public struct Parameters: Sendable, Equatable {
        /// Memory, in KiB.
        public var memoryKiB: Int
        /// Passes over the memory.
        public var iterations: Int
        /// Lanes, each with a thread of its own.
        public var parallelism: Int
        /// Bytes of the hash.
        public var hashLength: Int

        /// The floor that OWASP gives for argon2id: 19 MiB, two passes, one lane.
        public init(memoryKiB: Int = 19_456, iterations: Int = 2, parallelism: Int = 1, hashLength: Int = 32) {
            self.memoryKiB = memoryKiB
            self.iterations = iterations
            self.parallelism = parallelism
            self.hashLength = hashLength
        }

        /// Within what this module is willing to compute; also what the library takes.
        var areAcceptable: Bool {
            (1...16).contains(parallelism) && (1...64).contains(iterations) && (16...64).contains(hashLength)
                && memoryKiB >= 8 * parallelism && memoryKiB <= 1 << 20
        }
    }

    /// Why there is no hash or no answer.
    public enum Failure: Error, Equatable, Sendable {
        /// The string is no argon2id hash of version 19.
        case malformed
        /// Costs out of bounds: 1 to 64 passes, 1 to 16 lanes, at most 1 GiB, a hash of 16 to 64 bytes.
        case unacceptableParameters
        /// The library refuses, in its words: a short salt, no memory.
        case library(String)
    }

    /// Hashes a password.
    ///
    /// - Parameters:
    ///   - password: its bytes, already normalised.
    ///   - salt: 16 random bytes, new for each hash; fewer than 8 are refused.
    ///   - parameters: the costs, kept in the result.
    /// - Returns: a PHC string.
    /// - Throws: `Failure`.
    public static func hash(
        password: [UInt8], salt: [UInt8], _ parameters: Parameters = Parameters()
    ) throws(Failure) -> String {
        guard parameters.areAcceptable, salt.count <= 64 else { throw .unacceptableParameters }
        let memory = UInt32(parameters.memoryKiB)
        let iterations = UInt32(parameters.iterations)
        let lanes = UInt32(parameters.parallelism)
        let room = argon2_encodedlen(
            iterations, memory, lanes, UInt32(salt.count), UInt32(parameters.hashLength), Argon2_id)
        var encoded = [CChar](repeating: 0, count: room)
        let result = argon2id_hash_encoded(
            iterations, memory, lanes, password, password.count, salt, salt.count, parameters.hashLength, &encoded, room)
        guard result == ARGON2_OK.rawValue else { throw failure(result) }
        return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// True if the password is the one that `encoded` was made of.
    ///
    /// - Throws: `Failure` for a string that is no hash or whose costs are absurd: it is data that is wrong, not the password.
    public static func verify(password: [UInt8], encoded: String) throws(Failure) -> Bool {
        guard let stored = StoredHash(encoded) else { throw .malformed }
        guard stored.parameters.areAcceptable else { throw .unacceptableParameters }
        // The string is ASCII without NUL: the parser has seen every byte.
        let result = argon2id_verify(encoded, password, password.count)
        if result == ARGON2_OK.rawValue { return true }
        if result == ARGON2_VERIFY_MISMATCH.rawValue { return false }
        throw failure(result)
    }

    /// True if a stored hash costs less than `parameters` in any way, or cannot be read: then it is made anew at the next
    /// sign-in.
    public static func needsRehash(_ encoded: String, _ parameters: Parameters = Parameters()) -> Bool {
        guard let stored = StoredHash(encoded)?.parameters else { return true }
        return stored.memoryKiB < parameters.memoryKiB || stored.iterations < parameters.iterations
            || stored.parallelism < parameters.parallelism || stored.hashLength < parameters.hashLength
    }

    private static func failure(_ result: Int32) -> Failure {
        .library(argon2_error_message(result).map { String(cString: $0) } ?? "argon2 error \(result)")
    }
}
