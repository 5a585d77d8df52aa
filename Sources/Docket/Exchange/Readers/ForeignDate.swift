// Dates as programs and people write them: 2026-12-24, 2026/12/24 6:30 PM, 24.12.2026, 12/24/2026, 24 Dec 2026, 2026年12月24日, with a time or
// without, with an offset or on the clock of the person. Of 03/04/2026 the order must be told. What is left over makes it unreadable.

/// A date of a file.
enum ForeignDate: Equatable {
    case day(Day)
    /// A time on the clock of whoever wrote it.
    case local(Day, milliseconds: Int)
    case instant(Instant)

    /// Nil where the text is no date that exists.
    init?(_ text: String, order: DateOrder = .day) {
        let text = Characters.trim(text)
        if text.utf8.count > 64 { return nil }
        if let day = Day(text) {
            self = .day(day)
            return
        }
        if let instant = Instant(text) {
            self = .instant(instant)
            return
        }
        var scanner = Scanner(text)
        guard let day = scanner.day(order: order) else { return nil }
        guard let rest = scanner.time() else { return nil }
        switch rest {
        case (nil, _): self = .day(day)
        case (let time?, nil): self = .local(day, milliseconds: time)
        case (let time?, let offset?):
            let instant = Instant(milliseconds: Int64((day.number * Gregorian.secondsPerDay - offset) * 1_000 + time))
            guard instant.isWithinRange else { return nil }
            self = .instant(instant)
        }
    }

    /// As a due date: midnight and the last second of a day mean the day, since many programs know nothing else.
    func due(_ zone: Zone) -> Due {
        switch self {
        case .day(let day): .day(day)
        case .local(let day, 0), .local(let day, 86_399_000): .day(day)
        case .local, .instant: Due.imported(instant(zone), zone)
        }
    }

    /// As a time of the past: a day begins with its first instant.
    func instant(_ zone: Zone) -> Instant {
        switch self {
        case .day(let day): zone.startOfDay(day)
        case .local(let day, let milliseconds):
            zone.instant(of: day, secondsOfDay: milliseconds / 1_000).adding(milliseconds: Int64(milliseconds % 1_000))
        case .instant(let instant): instant
        }
    }

    /// Which order a date of three numbers, the year last, must have; both for one that can be either; nil for any other text.
    static func orders(_ text: String) -> Set<DateOrder>? {
        var scanner = Scanner(Characters.trim(text))
        guard let numbers = scanner.threeNumbers(), !numbers.isYearFirst, numbers.separator != UInt8(ascii: ".") else {
            return nil
        }
        var orders: Set<DateOrder> = []
        if 1...12 ~= numbers.second { orders.insert(.day) }
        if 1...12 ~= numbers.first { orders.insert(.month) }
        return orders.isEmpty ? nil : orders
    }
}

extension ForeignDate {
    /// Reads the parts of a date.
    struct Scanner {
        private var bytes: ArraySlice<UInt8>

        init(_ text: String) {
            // Full-width digits become plain ones, letters small.
            bytes = Array(Folding.caseFold(text).utf8)[...]
        }

        private mutating func take(_ word: String) -> Bool {
            guard bytes.starts(with: word.utf8) else { return false }
            bytes = bytes.dropFirst(word.utf8.count)
            return true
        }

        private mutating func skipBlanks() { bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 } }

        private mutating func number(_ most: Int) -> (value: Int, count: Int)? {
            let digits = bytes.prefix { 0x30...0x39 ~= $0 }
            guard 1...most ~= digits.count else { return nil }
            bytes = bytes.dropFirst(digits.count)
            return (digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }, digits.count)
        }

        /// `2026-12-24`, `24/12/2026`, `2026年12月24日`.
        mutating func threeNumbers() -> (first: Int, second: Int, third: Int, isYearFirst: Bool, separator: UInt8)? {
            guard let first = number(4) else { return nil }
            let isYearFirst = first.count == 4
            if isYearFirst, take("年") {
                skipBlanks()
                guard let month = number(2), take("月"), let day = number(2), take("日") || take("号") else { return nil }
                return (first.value, month.value, day.value, true, 0)
            }
            guard first.count != 3, let separator = bytes.first, [0x2D, 0x2E, 0x2F].contains(separator) else { return nil }
            bytes.removeFirst()
            if separator == 0x2E { skipBlanks() }
            guard let second = number(2), bytes.first == separator else { return nil }
            bytes.removeFirst()
            if separator == 0x2E { skipBlanks() }
            guard let third = number(isYearFirst ? 2 : 4), third.count != 3, third.count != 1 || isYearFirst else { return nil }
            if !isYearFirst, third.count == 2 {
                // Two digits are of a hundred years around now, as spreadsheets have it.
                return (first.value, second.value, third.value + (third.value < 70 ? 2_000 : 1_900), false, separator)
            }
            return (first.value, second.value, third.value, isYearFirst, separator)
        }

        mutating func day(order: DateOrder) -> Day? {
            let start = bytes
            if let numbers = threeNumbers() {
                if numbers.isYearFirst { return Day(year: numbers.first, month: numbers.second, day: numbers.third) }
                let isDayFirst = numbers.separator == 0x2E || order == .day
                return Day(
                    year: numbers.third, month: isDayFirst ? numbers.second : numbers.first,
                    day: isDayFirst ? numbers.first : numbers.second)
            }
            bytes = start
            let digits = bytes.prefix { 0x30...0x39 ~= $0 }
            if digits.count == 8 {
                let value = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
                bytes = bytes.dropFirst(8)
                return Day(year: value / 10_000, month: value / 100 % 100, day: value % 100)
            }
            return dayWithName()
        }

        private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

        private mutating func word() -> String {
            let letters = bytes.prefix { 0x61...0x7A ~= $0 }
            bytes = bytes.dropFirst(letters.count)
            _ = take(".")
            return String(decoding: letters, as: UTF8.self)
        }

        private mutating func skipSeparators() { bytes = bytes.drop { $0 == 0x20 || $0 == 0x2C || $0 == 0x2D || $0 == 0x2F } }

        /// `24 Dec 2026`, `Dec 24, 2026`, `Thu, 24-Dec-26`.
        private mutating func dayWithName() -> Day? {
            var first = bytes.first.map { 0x61...0x7A ~= $0 } == true ? word() : ""
            if first.utf8.count >= 3, Self.weekdays.contains(String(first.prefix(3))) {
                skipSeparators()
                first = bytes.first.map { 0x61...0x7A ~= $0 } == true ? word() : ""
            }
            var dayOfMonth: Int?
            if first.isEmpty {
                dayOfMonth = number(2)?.value
                for ending in ["st", "nd", "rd", "th", "."] where take(ending) { break }
                skipSeparators()
                first = word()
            }
            guard first.utf8.count >= 3, let month = Self.months.firstIndex(of: String(first.prefix(3))) else { return nil }
            skipSeparators()
            if dayOfMonth == nil {
                dayOfMonth = number(2)?.value
                for ending in ["st", "nd", "rd", "th"] where take(ending) { break }
                skipSeparators()
            }
            guard let dayOfMonth, let year = number(4), year.count == 4 || year.count == 2 else { return nil }
            let full = year.count == 4 ? year.value : year.value + (year.value < 70 ? 2_000 : 1_900)
            return Day(year: full, month: month + 1, day: dayOfMonth)
        }

        /// Milliseconds of the day and seconds east of UTC, as far as they are there; nil where something else is.
        mutating func time() -> (milliseconds: Int?, offset: Int?)? {
            bytes = bytes.drop { $0 == 0x20 || $0 == 0x2C || $0 == 0x74 }
            if bytes.isEmpty { return (nil, nil) }
            var half: Int?
            if take("上午") || take("早上") { half = 0 } else if take("下午") || take("晚上") { half = 12 }
            skipBlanks()
            guard var hour = number(2)?.value, take(":"), let minute = number(2), minute.count == 2, minute.value < 60 else {
                return nil
            }
            var milliseconds = minute.value * 60_000
            if take(":") {
                guard let second = number(2), second.count == 2, second.value < 60 else { return nil }
                milliseconds += second.value * 1_000
                if take(".") {
                    let digits = bytes.prefix { 0x30...0x39 ~= $0 }
                    guard !digits.isEmpty else { return nil }
                    bytes = bytes.dropFirst(digits.count)
                    let three = (Array(digits.prefix(3)) + [0x30, 0x30]).prefix(3)
                    milliseconds += three.reduce(0) { $0 * 10 + Int($1 - 0x30) }
                }
            }
            skipBlanks()
            if take("am") || take("a.m.") { half = 0 } else if take("pm") || take("p.m.") { half = 12 }
            if let half {
                guard 1...12 ~= hour || half == 12 && 13...23 ~= hour else { return nil }
                if hour <= 12 { hour = hour % 12 + half }
            }
            guard hour < 24 else { return nil }
            milliseconds += hour * 3_600_000
            skipBlanks()
            if bytes.isEmpty { return (milliseconds, nil) }
            var rest = DateScanner(bytes: Array(bytes))
            guard let offset = rest.offset(), rest.isAtEnd else { return nil }
            return (milliseconds, offset)
        }
    }
}
