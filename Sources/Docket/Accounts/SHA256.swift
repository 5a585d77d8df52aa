// SHA-256 as FIPS 180-4 has it. libargon2 offers no plain hash and the kernel's is closed to containers, so the published algorithm
// stands here, tested with the published vectors. It hashes random identifiers and file contents, never passwords.

/// The digest of a message, at once or piece by piece.
struct SHA256: Sendable {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    private var pending: [UInt8] = []
    private var length: UInt64 = 0

    /// The 32 bytes of a whole message.
    static func digest(_ message: some Sequence<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(message)
        return hash.finish()
    }

    /// Adds a piece.
    mutating func update(_ piece: some Sequence<UInt8>) {
        for byte in piece {
            pending.append(byte)
            length &+= 8
            if pending.count == 64 { compress() }
        }
    }

    /// The digest of all pieces.
    mutating func finish() -> [UInt8] {
        let bits = length
        pending.append(0x80)
        if pending.count > 56 {
            while pending.count < 64 { pending.append(0) }
            compress()
        }
        while pending.count < 56 { pending.append(0) }
        for shift in stride(from: 56, through: 0, by: -8) { pending.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
        compress()
        var digest: [UInt8] = []
        digest.reserveCapacity(32)
        for word in state { withUnsafeBytes(of: word.bigEndian) { digest.append(contentsOf: $0) } }
        return digest
    }

    private mutating func compress() {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            pending.withUnsafeBytes { block in
                for index in 0..<16 {
                    schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
                }
            }
            for index in 16..<64 {
                let (a, b) = (schedule[index - 15], schedule[index - 2])
                let small0 = rotate(a, 7) ^ rotate(a, 18) ^ a >> 3
                let small1 = rotate(b, 17) ^ rotate(b, 19) ^ b >> 10
                schedule[index] = schedule[index - 16] &+ small0 &+ schedule[index - 7] &+ small1
            }
            Self.constants.withUnsafeBufferPointer { mix(UnsafeBufferPointer(schedule), $0) }
        }
        pending.removeAll(keepingCapacity: true)
    }

    /// The 64 rounds over a block's schedule.
    private mutating func mix(_ schedule: UnsafeBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for (word, constant) in zip(schedule, constants) {
            let large1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            let first = h &+ large1 &+ (e & f ^ ~e & g) &+ constant &+ word
            let large0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            let second = large0 &+ (a & b ^ a & c ^ b & c)
            (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    private func rotate(_ word: UInt32, _ bits: UInt32) -> UInt32 { word &>> bits | word &<< (32 &- bits) }

    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
