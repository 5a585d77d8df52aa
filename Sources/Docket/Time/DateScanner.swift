// Reads dates byte by byte: what is not an ASCII digit where a digit belongs is refused.
// Int("+5") and Character.isNumber accept too much for a date that someone else's program wrote (ARCHITECTURE, Swift traps).

struct DateScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: some StringProtocol) {
        bytes = Array(text.utf8)
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    /// The next byte, not taken; nil at the end.
    var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Takes the next byte if it is this one.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard let next, UInt32(next) == character.value else { return false }
        index += 1
        return true
    }

    /// Takes the next byte, whatever it is.
    mutating func takeAny() -> UInt8? {
        guard let next else { return nil }
        index += 1
        return next
    }

    /// Takes exactly so many digits, at most nine; nothing is taken when there are fewer.
    mutating func digits(_ count: Int) -> Int? {
        guard index + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[index..<index + count] {
            guard (0x30...0x39).contains(byte) else { return nil }
            value = value * 10 + Int(byte - 0x30)
        }
        index += count
        return value
    }

    /// Takes all the digits that follow: their value and how many there were. Nil for none and for more than nine.
    mutating func number() -> (value: Int, count: Int)? {
        let count = bytes[index...].prefix { (0x30...0x39).contains($0) }.count
        guard (1...9).contains(count), let value = digits(count) else { return nil }
        return (value, count)
    }

    /// Takes `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff…`: milliseconds of the day. Nil if that is not what stands here,
    /// or if there is no such time; digits after the third of a fraction are dropped.
    mutating func timeOfDay() -> Int? {
        guard let hour = digits(2), take(":"), let minute = digits(2) else { return nil }
        var milliseconds = (hour * 60 + minute) * 60_000
        guard hour < 24, minute < 60 else { return nil }
        if take(":") {
            guard let second = digits(2), second < 60 else { return nil }
            milliseconds += second * 1_000
            if take(".") || take(",") {
                guard let fraction = number() else { return nil }
                var value = fraction.value
                for _ in 0..<max(0, fraction.count - 3) { value /= 10 }
                for _ in 0..<max(0, 3 - fraction.count) { value *= 10 }
                milliseconds += value
            }
        }
        return milliseconds
    }

    /// Takes `Z`, `+HH`, `+HHMM` or `+HH:MM` (RFC 3339 and ISO 8601): seconds east of UTC.
    mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isWest: Bool
        if take("+") {
            isWest = false
        } else if take("-") {
            isWest = true
        } else {
            return nil
        }
        guard let hours = digits(2), hours < 24 else { return nil }
        var minutes = 0
        if take(":") {
            guard let value = digits(2) else { return nil }
            minutes = value
        } else if let value = digits(2) {
            minutes = value
        }
        guard minutes < 60 else { return nil }
        let seconds = (hours * 60 + minutes) * 60
        return isWest ? -seconds : seconds
    }
}
