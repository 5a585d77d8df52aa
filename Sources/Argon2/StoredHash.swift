// The parser of a stored PHC string, as strict as its one writer: this form and no other, digits only, no padding.

/// What a stored hash says of itself.
struct StoredHash {
    let parameters: PasswordHash.Parameters

    /// `nil` unless `encoded` is `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
    init?(_ encoded: String) {
        guard encoded.utf8.count <= 512 else { return nil }
        let parts = encoded.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false).map { Array($0) }
        guard parts.count == 6, parts[0].isEmpty, parts[1] == Array("argon2id".utf8), parts[2] == Array("v=19".utf8) else {
            return nil
        }
        let costs = parts[3].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard costs.count == 3, let memory = Self.number(costs[0], after: "m="),
            let iterations = Self.number(costs[1], after: "t="), let lanes = Self.number(costs[2], after: "p="),
            let saltLength = Self.decodedLength(parts[4]), saltLength >= 8,
            let hashLength = Self.decodedLength(parts[5])
        else { return nil }
        parameters = PasswordHash.Parameters(
            memoryKiB: memory, iterations: iterations, parallelism: lanes, hashLength: hashLength)
    }

    /// Digits only (`Int("+5")` would be a number), no leading zero, at most ten.
    private static func number(_ field: ArraySlice<UInt8>, after name: String) -> Int? {
        guard field.starts(with: name.utf8) else { return nil }
        let digits = field.dropFirst(name.utf8.count)
        guard (1...10).contains(digits.count), digits.first != UInt8(ascii: "0") else { return nil }
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return value
    }

    /// How many bytes base64 without padding stands for, or `nil` if it is none.
    private static func decodedLength(_ base64: [UInt8]) -> Int? {
        let isBase64 = base64.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"): true
            default: false
            }
        }
        guard isBase64, !base64.isEmpty, base64.count % 4 != 1 else { return nil }
        return base64.count * 3 / 4
    }
}
