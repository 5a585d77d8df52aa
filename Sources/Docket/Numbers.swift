// Numbers out of text, strictly: digits only. `Int("+5")` and `Int("5 ")` are not what a peer may send.

extension Int {
    /// One to 18 ASCII digits, nothing else.
    init?(digits: some Collection<UInt8>) {
        guard (1...18).contains(digits.count), digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
        self = digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
}

extension UInt8 {
    /// `0-9`, `a-f`, `A-F`.
    var isHexDigit: Bool { 0x30...0x39 ~= self || 0x41...0x46 ~= (self & 0xDF) }
}
