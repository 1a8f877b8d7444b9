import Characters
internal import HTML
internal import Time

/// A day in a text, with the time if it is in ISO 8601.
struct FoundDate {
    let date: CalendarDate
    /// The instant as in the text (`2024-03-01T10:00:00+01:00`), if it has an offset.
    var instant: String?
    /// Byte offset of its first digit or letter.
    let place: Int
    /// Byte offset after its last one, where the date was found in a text.
    var end = 0

    var text: String { instant ?? date.description }

    func moved(to place: Int, end: Int) -> FoundDate {
        FoundDate(date: date, instant: instant, place: place, end: end)
    }
}

/// Finds dates in text, in the languages of `MonthNames`.
struct DateReading {
    /// No page is older than the web or from the future. One day is added for time zones.
    let latest: CalendarDate
    /// `3/4/2021` is the fourth of March.
    var monthFirst: Bool

    private struct Token {
        var isNumber: Bool
        /// Of a number.
        var value = 0
        var digits = 0
        /// 1–12 for the name of a month (`OtherMonths` has higher ones), -1 for a word that may be part of a date, 0 for other words.
        var month = 0
        var start = 0
        var end = 0
        /// Of a year that is counted from the beginning of an era, in the calendar of Japan.
        var isOfEra = false

        var isYear: Bool { digits == 4 || isOfEra }
    }

    /// The first date in a text.
    func first(in text: some Collection<UInt8>) -> FoundDate? { all(in: text, limit: 1).first }

    /// All dates in a text, at most `limit`.
    func all(in text: some Collection<UInt8>, limit: Int = 20) -> [FoundDate] {
        let source = Array(text)
        let plain = source.contains { $0 >= 0x80 } ? PlainDigits(source) : nil
        let bytes = plain?.bytes ?? source
        var found: [FoundDate] = []
        let tokens = Self.tokens(bytes)
        var index = 0
        while index < tokens.count, found.count < limit {
            if let (date, next) = date(at: index, tokens, bytes) {
                let end = tokens[next - 1].end
                found.append(
                    date.moved(to: plain?.place(of: date.place) ?? date.place, end: plain?.place(of: end) ?? end))
                index = next
            } else {
                index += 1
            }
        }
        return found
    }

    /// Whether a text has only numbers, names of months, and the words of a time.
    static func isDateAlone(_ text: some Collection<UInt8>) -> Bool {
        let times = ["am", "pm", "a", "p", "m", "at", "um", "uhr", "h", "t", "z", "gmt", "utc"]
        let bytes = PlainDigits(Array(text)).bytes
        return tokens(bytes).allSatisfy { token in
            token.isNumber || token.month != 0
                || times.contains(String(decoding: bytes[token.start..<token.end], as: UTF8.self).lowercased())
        }
    }

    // MARK: Tokens

    private static func tokens(_ bytes: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        var index = 0
        let months = MonthNames.table
        while index < bytes.count {
            let start = index
            if bytes[index].isDigit {
                var value = 0
                while index < bytes.count, bytes[index].isDigit {
                    if index - start < 15 { value = value * 10 + Int(bytes[index] - 0x30) }
                    index += 1
                }
                var token = Token(isNumber: true, value: value, digits: index - start, start: start, end: index)
                if index - start <= 2, let first = JapaneseEra.firstYear(before: start, in: bytes) {
                    token.value += first - 1
                    token.isOfEra = true
                }
                tokens.append(token)
            } else if isWord(bytes[index]) {
                var isASCII = true
                while index < bytes.count, isWord(bytes[index]) {
                    if bytes[index] >= 0x80 { isASCII = false }
                    index += 1
                }
                var month = 0
                if index - start <= 24 {
                    var key = NameKey()
                    if isASCII {
                        for at in start..<index { key.append(bytes[at].lowercased) }
                    } else {
                        for byte in String(decoding: bytes[start..<index], as: UTF8.self).lowercased().utf8 {
                            key.append(byte)
                        }
                    }
                    month = months.find(key) ?? 0
                }
                if !isASCII, month == 0 {
                    let (found, end) = OtherMonths.month(in: bytes, from: start, to: index)
                    (month, index) = (found, end)
                }
                tokens.append(Token(isNumber: false, month: month, start: start, end: index))
            } else {
                index += 1
            }
        }
        return tokens
    }

    private static func isWord(_ byte: UInt8) -> Bool { byte.isLetter || byte >= 0x80 }

    // MARK: Dates

    private func date(at index: Int, _ tokens: [Token], _ bytes: [UInt8]) -> (FoundDate, Int)? {
        let first = tokens[index]
        if first.isNumber, first.digits == 8, let date = compact(first.value) {
            return (FoundDate(date: date, instant: nil, place: first.start), index + 1)
        }
        if first.isNumber, first.digits == 14, let date = compact(first.value / 1_000_000) {
            return (FoundDate(date: date, instant: nil, place: first.start), index + 1)
        }
        guard index + 2 < tokens.count else { return nil }
        if first.isNumber, first.digits <= 4, let found = numeric(index, tokens, bytes) { return found }
        if first.isNumber || first.month != 0, let found = named(index, tokens, bytes) { return found }
        return nil
    }

    private func compact(_ value: Int) -> CalendarDate? { valid(value / 10000, value / 100 % 100, value % 100) }

    /// Three numbers with the same mark between them, or with 年, 月 and similar.
    private func numeric(_ index: Int, _ tokens: [Token], _ bytes: [UInt8]) -> (FoundDate, Int)? {
        let a = tokens[index]
        var places = [index]
        var marks: [UInt8] = []
        var at = index
        while places.count < 3 {
            guard at + 1 < tokens.count else { return nil }
            let next = tokens[at + 1]
            if next.isNumber {
                guard let mark = Self.mark(bytes, tokens[at].end, next.start) else { return nil }
                marks.append(mark)
                places.append(at + 1)
                at += 1
            } else {
                // 2021年1月12日, 2021년 1월 12일
                guard a.isYear, next.end - next.start == 3, next.start == tokens[at].end, at + 2 < tokens.count,
                    tokens[at + 2].isNumber, tokens[at + 2].start - next.end <= 1,
                    Self.isIdeographicUnit(bytes[next.start..<next.end])
                else { return nil }
                marks.append(UInt8(ascii: "-"))
                places.append(at + 2)
                at += 2
            }
        }
        guard marks[0] == marks[1] else { return nil }
        let b = tokens[places[1]], c = tokens[places[2]]
        guard b.digits <= 2, index == 0 || !Self.touches(bytes, tokens[index - 1].end, a.start) else { return nil }
        if a.isYear, c.digits <= 2, let date = valid(a.value, b.value, c.value) {
            var found = FoundDate(date: date, instant: nil, place: a.start)
            if a.start + 10 == c.end, marks[0] == UInt8(ascii: "-") { found.instant = Self.instant(bytes, a.start) }
            return (found, at + 1)
        }
        guard a.digits <= 2, c.digits == 4 || (c.digits == 2 && marks[0] != UInt8(ascii: "-")) else { return nil }
        // 04.03.21 is a date; 1.1.13 is a section and 3.10.12 a version.
        if c.digits == 2, marks[0] == UInt8(ascii: "."), a.digits < 2 || b.digits < 2 { return nil }
        let year = c.digits == 2 ? 2000 + c.value : c.value
        let isMonthFirst = marks[0] == UInt8(ascii: "/") && monthFirst
        let date =
            isMonthFirst
            ? valid(year, a.value, b.value) ?? valid(year, b.value, a.value)
            : valid(year, b.value, a.value) ?? (c.digits == 4 ? valid(year, a.value, b.value) : nil)
        return date.map { (FoundDate(date: $0, instant: nil, place: a.start), at + 1) }
    }

    /// Whether a number before it is part of the same run, as in a version or an address.
    private static func touches(_ bytes: [UInt8], _ end: Int, _ start: Int) -> Bool {
        start - end == 1 && [0x2E, 0x2F, 0x2D].contains(bytes[end]) && end > 0 && bytes[end - 1].isDigit
    }

    private static func mark(_ bytes: [UInt8], _ start: Int, _ end: Int) -> UInt8? {
        guard end - start <= 3, end > start else { return nil }
        var mark: UInt8?
        for byte in bytes[start..<end] where byte != 0x20 {
            guard mark == nil, byte == 0x2D || byte == 0x2E || byte == 0x2F else { return nil }
            mark = byte
        }
        return mark
    }

    private static func isIdeographicUnit(_ bytes: ArraySlice<UInt8>) -> Bool {
        ["年", "月", "년", "월"].contains(String(decoding: bytes, as: UTF8.self))
    }

    /// A month's name with a day and a year around it.
    private func named(_ index: Int, _ tokens: [Token], _ bytes: [UInt8]) -> (FoundDate, Int)? {
        // The 4 in "Version 2.4, January 2014" is no day.
        if index > 0, tokens[index].isNumber, tokens[index].start - tokens[index - 1].end == 1,
            tokens[index - 1].isNumber, bytes[tokens[index - 1].end] == UInt8(ascii: ".")
        {
            return nil
        }
        var numbers: [Token] = []
        var month = 0
        var order: [Bool] = []
        var at = index
        while at < tokens.count, at < index + 8, order.count < 3 {
            let token = tokens[at]
            if at > index, token.start - tokens[at - 1].end > 4 { break }
            if token.isNumber {
                guard token.digits <= 2 || token.digits == 4 else { break }
                numbers.append(token)
                order.append(false)
            } else if token.month > 0 {
                guard month == 0 else { break }
                month = token.month
                order.append(true)
            } else if token.month != -1 || at == index {
                return nil
            }
            at += 1
        }
        guard month > 0, numbers.count == 2 else { return nil }
        let (a, b) = (numbers[0], numbers[1])
        let place = tokens[index].start
        var date: CalendarDate?
        if order == [false, true, false] {
            if b.digits == 4 {
                date = dated(b.value, month, a.value)
            } else if a.digits == 4 {
                date = dated(a.value, month, b.value)
            } else if b.digits == 2 {
                // "9 out of 10" is no day of October, and the 12 in "7 March 12:46" no year.
                let isTime = b.end < bytes.count && bytes[b.end] == UInt8(ascii: ":")
                // Nor is the 12 in "Page 5 January 12, 2014".
                let isDay =
                    at < tokens.count && tokens[at].digits == 4 && tokens[at].start - b.end <= 4
                    && dated(tokens[at].value, month, b.value) != nil
                date =
                    month <= 12 && at - index == 3 && !isTime && !isDay
                    ? valid(2000 + b.value, month, a.value) : nil
            }
        } else if order == [true, false, false], b.digits == 4 {
            date = dated(b.value, month, a.value)
        }
        return date.map { (FoundDate(date: $0, instant: nil, place: place), at) }
    }

    /// A date with the name of its month, which says the calendar.
    private func dated(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate? {
        switch month {
        case OtherMonths.thaiMonths:
            // Years of the Buddhist calendar are 543 higher.
            valid(year > latest.year ? year - 543 : year, month % 100, day)
        case OtherMonths.persianMonths:
            OtherMonths.gregorian(year, month % 100, day).flatMap { valid($0.year, $0.month, $0.day) }
        default: valid(year, month, day)
        }
    }

    private func valid(_ year: Int, _ month: Int, _ day: Int) -> CalendarDate? {
        guard year >= 1995, year <= latest.year, month >= 1, month <= 12, day >= 1,
            day <= CalendarDate.dayCount(year: year, month: month)
        else { return nil }
        let date = CalendarDate(year: year, month: month, day: day)
        return date <= latest.adding(days: 1) ? date : nil
    }

    /// `2024-03-01T10:00:00.123+01:00` from a place on, in the format of RFC 3339. `nil` without a time or an offset.
    private static func instant(_ bytes: [UInt8], _ start: Int) -> String? {
        var end = start + 10
        guard end < bytes.count, [0x54, 0x74, 0x20].contains(bytes[end]) else { return nil }
        end += 1
        while end < bytes.count, end < start + 40,
            bytes[end].isDigit || [0x3A, 0x2E, 0x2B, 0x2D, 0x5A].contains(bytes[end])
        {
            end += 1
        }
        var text = String(decoding: bytes[start..<end], as: UTF8.self)
        // The offset as `+0100`.
        if text.utf8.count > 5, let sign = text.utf8.suffix(5).first, sign == 0x2B || sign == 0x2D,
            text.utf8.suffix(4).allSatisfy(\.isDigit)
        {
            text.insert(":", at: text.index(text.endIndex, offsetBy: -2))
        }
        guard Timestamp(text) != nil else { return nil }
        if let space = text.firstIndex(of: " ") { text.replaceSubrange(space...space, with: "T") }
        return text
    }
}
