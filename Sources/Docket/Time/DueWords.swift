// Words for a due date, in English and Chinese, as people type them behind `^` and scripts send them: `tomorrow 18:30`, `fri`,
// `next monday`, `+3d`, `明天`, `下周一`, `今晚8点`, `12月24日`. The whole text must be read; what is left over makes it unreadable.
// A bare weekday is the next one after today; `next` and 下 mean the week after this one, and weeks begin on Monday here.

struct DueWords {
    let today: Day

    /// The day, or the moment if a time follows it.
    func read(_ text: String, zone: Zone) throws(DueError) -> Due {
        // Folding makes full-width digits and colons plain and letters small.
        var rest = Substring(Folding.caseFold(text))
        var evening = false
        let day = try readDay(&rest, evening: &evening)
        guard Due.years.contains(day.year) else { throw .outOfRange }
        rest = Self.skipSpaces(rest)
        if rest.isEmpty { return .day(day) }
        let time = try readTime(&rest, isAfternoon: evening)
        guard rest.isEmpty else { throw .unreadable }
        return try .moment(on: day, millisecondsOfDay: time, zone: zone)
    }

    // MARK: Days

    private static let offsets: [(String, Int)] = [
        ("the day after tomorrow", 2), ("day after tomorrow", 2), ("tomorrow", 1), ("today", 0), ("tonight", 0),
        ("yesterday", -1),
        ("tmr", 1), ("tod", 0), ("大后天", 3), ("后天", 2), ("後天", 2), ("明天", 1), ("明日", 1), ("今天", 0), ("今日", 0), ("昨天", -1),
    ]

    private static let weekdays: [(String, Weekday)] = [
        ("monday", .monday), ("tuesday", .tuesday), ("wednesday", .wednesday), ("thursday", .thursday), ("friday", .friday),
        ("saturday", .saturday), ("sunday", .sunday), ("mon", .monday), ("tues", .tuesday), ("tue", .tuesday),
        ("wed", .wednesday),
        ("thurs", .thursday), ("thur", .thursday), ("thu", .thursday), ("fri", .friday), ("sat", .saturday), ("sun", .sunday),
    ]

    private static let chineseWeekdays: [(String, Weekday)] = [
        ("一", .monday), ("二", .tuesday), ("三", .wednesday), ("四", .thursday), ("五", .friday), ("六", .saturday), ("日", .sunday),
        ("天", .sunday), ("1", .monday), ("2", .tuesday), ("3", .wednesday), ("4", .thursday), ("5", .friday), ("6", .saturday),
        ("7", .sunday),
    ]

    private static let units: [(String, Character)] = [
        ("days", "d"), ("day", "d"), ("d", "d"), ("weeks", "w"), ("week", "w"), ("w", "w"), ("months", "m"), ("month", "m"),
        ("m", "m"), ("years", "y"), ("year", "y"), ("y", "y"),
    ]

    private static let chineseUnits: [(String, Character)] = [
        ("天后", "d"), ("日后", "d"), ("周后", "w"), ("星期后", "w"), ("个星期后", "w"), ("个月后", "m"), ("年后", "y"),
    ]

    private func readDay(_ rest: inout Substring, evening: inout Bool) throws(DueError) -> Day {
        // 今晚8点 and 明早8点: the day is named by one sign, which the part of the day follows.
        for (word, days) in [("今", 0), ("明", 1)] where rest.hasPrefix(word) {
            let after = rest.dropFirst()
            if ["早", "晚", "晨"].contains(where: { after.hasPrefix($0) }) {
                evening = after.hasPrefix("晚")
                rest = after.dropFirst().hasPrefix("上") ? after.dropFirst(2) : after.dropFirst()
                return today.adding(days: days)
            }
        }
        for (word, days) in Self.offsets where Self.take(word, &rest) {
            evening = word == "tonight"
            return today.adding(days: days)
        }
        if let day = try readCount(&rest) ?? readWeek(&rest) { return day }
        return try readMonthAndDay(&rest)
    }

    /// `+3d`, `+2w`, `+1m`, `+1y`; `3天后`, `两周后`, `1个月后`, `1年后`.
    private func readCount(_ rest: inout Substring) throws(DueError) -> Day? {
        var after = rest
        let isSigned = Self.take("+", &after)
        guard let count = Self.number(&after), (0...1_000_000).contains(count) else { return nil }
        after = Self.skipSpaces(after)
        var day: Day?
        for (word, unit) in isSigned ? Self.units : Self.chineseUnits where Self.take(word, &after) {
            switch unit {
            case "d": day = today.adding(days: count)
            case "w": day = today.adding(days: count * 7)
            case "m": day = today.adding(months: count)
            default: day = today.adding(months: min(count, 10_000) * 12)
            }
            break
        }
        // Arithmetic stops at the last day that there is: more was meant.
        if day == .latest { throw .outOfRange }
        if day != nil { rest = after }
        return day
    }

    /// `fri`, `next fri`, `this fri`, `next week`; `周五`, `星期五`, `下周五`, `本周五`, `下周`.
    private func readWeek(_ rest: inout Substring) -> Day? {
        var after = rest
        let monday = today.startOfWeek(first: .monday)
        var start: Day?
        if Self.take("next", &after) || Self.take("下下", &after) || Self.take("下", &after) {
            start = monday.adding(days: rest.hasPrefix("下下") ? 14 : 7)
        } else if ["this", "这", "本"].contains(where: { Self.take($0, &after) }) {
            start = monday
        }
        let isNamed = start != nil
        after = Self.skipSpaces(after)
        _ = isNamed && Self.take("个", &after)
        var weekday: Weekday?
        if ["周", "週", "星期", "礼拜"].contains(where: { Self.take($0, &after) }) {
            weekday = Self.chineseWeekdays.first { Self.take($0.0, &after) }?.1
            // 下周 alone is its Monday; 周 alone says nothing.
            if weekday == nil { weekday = isNamed && rest.hasPrefix("下") ? .monday : nil }
        } else if isNamed, rest.hasPrefix("next"), Self.take("week", &after) {
            weekday = .monday
        } else {
            weekday = Self.weekdays.first { Self.take($0.0, &after) }?.1
        }
        guard let weekday else { return nil }
        rest = after
        if let start { return start.adding(days: weekday.rawValue - 1) }
        let ahead = (weekday.rawValue - today.weekday.rawValue + 7) % 7
        return today.adding(days: ahead == 0 ? 7 : ahead)
    }

    /// `12月24日`, `2026年12月24日`, also with 号; without a year the next such day, today included.
    private func readMonthAndDay(_ rest: inout Substring) throws(DueError) -> Day {
        var year: Int?
        guard var month = Self.number(&rest) else { throw .unreadable }
        if Self.take("年", &rest) {
            year = month
            guard let number = Self.number(&rest) else { throw .unreadable }
            month = number
        }
        guard Self.take("月", &rest), let dayOfMonth = Self.number(&rest), Self.take("日", &rest) || Self.take("号", &rest) else {
            throw .unreadable
        }
        if let year {
            guard Due.years.contains(year) else { throw .outOfRange }
            guard let day = Day(year: year, month: month, day: dayOfMonth) else { throw .noSuchDay }
            return day
        }
        // 29 February may be eight years away.
        for year in today.year...today.year + 8 {
            if let day = Day(year: year, month: month, day: dayOfMonth), day >= today { return day }
        }
        throw .noSuchDay
    }

    // MARK: Times

    private static let partsOfDay: [(String, isAfternoon: Bool)] = [
        ("早上", false), ("上午", false), ("凌晨", false), ("中午", true), ("下午", true), ("晚上", true), ("傍晚", true),
    ]

    /// `18:30`, `6:30pm`, `6pm`, `at 18:30`; `8点`, `8点半`, `下午3点20分`. Milliseconds of the day.
    private func readTime(_ rest: inout Substring, isAfternoon: Bool) throws(DueError) -> Int {
        var isAfternoon = isAfternoon
        if Self.take("at ", &rest) || Self.take("t", &rest) { rest = Self.skipSpaces(rest) }
        var isNoon = false
        var isNight = false
        var isEvening = isAfternoon
        for (word, afternoon) in Self.partsOfDay where Self.take(word, &rest) {
            isAfternoon = afternoon
            isNoon = word == "中午"
            isEvening = word.hasPrefix("晚")
            isNight = word == "凌晨"
            rest = Self.skipSpaces(rest)
            break
        }
        guard var hour = Self.number(&rest) else { throw .unreadable }
        var minute = 0
        var isMarked = true
        if Self.take(":", &rest) {
            guard let number = Self.number(&rest) else { throw .unreadable }
            minute = number
        } else if Self.take("点钟", &rest) || Self.take("点", &rest) || Self.take("點", &rest) || Self.take("时", &rest) {
            if Self.take("半", &rest) {
                minute = 30
            } else if let number = Self.number(&rest) {
                minute = number
                _ = Self.take("分", &rest)
            }
        } else {
            isMarked = false
        }
        let after = Self.skipSpaces(rest)
        for (word, addition) in [("am", 0), ("pm", 12)] where after.hasPrefix(word) {
            guard (1...12).contains(hour) else { throw .noSuchTime }
            hour = hour % 12 + addition
            rest = after.dropFirst(2)
            guard minute < 60 else { throw .noSuchTime }
            return (hour * 60 + minute) * 60_000
        }
        guard isMarked else { throw .unreadable }
        if isNight, hour == 12 {
            hour = 0
        } else if isAfternoon, hour < 12, !(isNoon && hour == 11) {
            hour += 12
        } else if isAfternoon, isEvening, hour == 12 {
            // 晚上12点 is the midnight that ends the day and belongs to the next one: refused rather than guessed.
            hour = 24
        }
        guard hour < 24, minute < 60 else { throw .noSuchTime }
        return (hour * 60 + minute) * 60_000
    }

    // MARK: Reading

    private static func take(_ word: String, _ rest: inout Substring) -> Bool {
        guard rest.utf8.starts(with: word.utf8) else { return false }
        let after = rest.utf8.dropFirst(word.utf8.count)
        // `sunday` must not be read out of `sundays`, nor `mon` out of `monitor`: an English word ends where letters end.
        if let last = word.utf8.last, (0x61...0x7A).contains(last), let next = after.first, (0x61...0x7A).contains(next) {
            return false
        }
        rest = Substring(after)
        return true
    }

    private static func skipSpaces(_ text: Substring) -> Substring {
        text.drop { $0.isWhitespace }
    }

    /// ASCII digits, at most six, or a Chinese number below a hundred.
    private static func number(_ rest: inout Substring) -> Int? {
        let digits = rest.utf8.prefix { (0x30...0x39).contains($0) }
        if !digits.isEmpty {
            guard digits.count <= 6 else { return nil }
            rest = Substring(rest.utf8.dropFirst(digits.count))
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        let values: [Character: Int] = [
            "零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9,
        ]
        var tens: Int?
        var units: Int?
        var after = rest
        while let sign = after.first {
            if let value = values[sign], units == nil {
                units = value
            } else if sign == "十", tens == nil {
                tens = units ?? 1
                units = nil
            } else {
                break
            }
            after = after.dropFirst()
        }
        guard tens != nil || units != nil else { return nil }
        rest = after
        return (tens ?? 0) * 10 + (units ?? 0)
    }
}
