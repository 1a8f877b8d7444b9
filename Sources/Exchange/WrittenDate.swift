import Characters
internal import Time

/// A date as programs and people write it, split into its numbers.
///
/// Accepted are RFC 3339, also without offset, seconds or time; `20240506T070809Z`; RFC 2822 (`Tue, 10 Oct 2000
/// 13:55:36 GMT`); logs of web servers (`10/Oct/2000:13:55:36 +0300`); `Monday, 10 October 2000 1:55:36 PM`, `October
/// 10, 2000`; `10.10.2000`, `2000/10/10`, and `31/10/2000` if only one order is possible or the order is known. Names of
/// months may also be in another language (`5. März 2024`), and dates in East Asian ones. Names of weekdays are English.
/// Without an offset the time is UTC.
struct WrittenDate {
    private var year = 0
    private var month = 0
    private var day = 0
    private var time = "00:00:00"
    private var offset = "Z"
    private(set) var hasTime = false

    private static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    private static let zones = [
        "z": "Z", "utc": "Z", "gmt": "Z", "ut": "Z", "est": "-05:00", "edt": "-04:00", "cst": "-06:00",
        "cdt": "-05:00", "mst": "-07:00", "mdt": "-06:00", "pst": "-08:00", "pdt": "-07:00", "cet": "+01:00",
        "cest": "+02:00",
    ]

    /// - Parameter dayOrder: the order of two numbers before a year if both could be a month; `nil` if unknown.
    /// - Returns: `nil` if the text is no date, or could be two.
    init?(_ text: String, dayOrder: ImportDate.DayOrder?) {
        var scanner = Scanner(bytes: Self.simplified(text))
        if let compact = scanner.compactDate() { (year, month, day) = compact }
        var numbers: [(value: Int, digits: Int)] = []
        var isPM: Bool?
        var hour = 0
        var rest = ":00:00"
        var separator: UInt8 = 0
        while let token = scanner.next() {
            switch token {
            case .word(let word):
                if let zone = Self.zones[word] {
                    offset = zone
                } else if word == "am" || word == "pm" {
                    isPM = word == "pm"
                } else if let found = Self.month(word) {
                    if month != 0 { return nil }
                    month = found
                } else if !Self.isWeekday(word), !Self.fillers.contains(word) {
                    return nil
                }
            case .time(let h, let other):
                if hasTime { return nil }
                (hour, rest, hasTime) = (h, other, true)
            case .offset(let text):
                if !hasTime { return nil }
                offset = text
            case .number(let value, let digits):
                if numbers.count == 3 { return nil }
                numbers.append((value, digits))
            case .separator(let byte): if separator == 0 { separator = byte }
            }
        }
        if year != 0 ? !numbers.isEmpty : !setDay(numbers, separator, dayOrder) { return nil }
        if let isPM {
            guard hasTime, (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (isPM ? 12 : 0)
        }
        time = (hour < 10 ? "0" : "") + String(hour) + rest
        if timestamp == nil { return nil }
    }

    private mutating func setDay(
        _ numbers: [(value: Int, digits: Int)], _ separator: UInt8, _ dayOrder: ImportDate.DayOrder?
    ) -> Bool {
        if month != 0 {
            guard numbers.count == 2, let place = numbers.firstIndex(where: { $0.digits == 4 }) else { return false }
            (year, day) = (numbers[place].value, numbers[1 - place].value)
            return true
        }
        guard numbers.count == 3 else { return false }
        if numbers[0].digits == 4 {
            (year, month, day) = (numbers[0].value, numbers[1].value, numbers[2].value)
            return true
        }
        guard numbers[2].digits == 4 else { return false }
        let (a, b) = (numbers[0].value, numbers[1].value)
        year = numbers[2].value
        if separator == UInt8(ascii: ".") || a > 12 || (dayOrder == .dayFirst && b <= 12) || a == b {
            (day, month) = (a, b)
        } else if b > 12 || dayOrder == .monthFirst {
            (month, day) = (a, b)
        } else {
            return false
        }
        return true
    }

    var timestamp: Timestamp? {
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        return Timestamp("\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T\(time)\(offset)")
    }

    /// Whether the word is a name or its first three or more letters.
    private static func isWeekday(_ word: String) -> Bool {
        word.utf8.count >= 3 && weekdays.contains { $0.hasPrefix(word) }
    }

    /// Lower case, with plain spaces, and with `pm` for the Spanish `p. m.`
    private static func simplified(_ text: String) -> [UInt8] {
        var text = text.lowercased()
        if text.utf8.contains(where: { $0 >= 0x80 }) {
            text = String(text.map { $0 == "\u{A0}" || $0 == "\u{202F}" ? " " : $0 })
            text = plain(eastAsian: text) ?? text
        }
        for half in ["a", "p"] where text.contains(text: "m.") {
            text = text.replacing(text: half + ". m.", with: half + "m").replacing(text: half + ".m.", with: half + "m")
        }
        return Array(text.utf8)
    }
}

extension WrittenDate {
    fileprivate enum Token {
        case word(String)
        case number(Int, digits: Int)
        /// The hour, and the rest with minutes, seconds and fraction as in RFC 3339.
        case time(Int, String)
        case offset(String)
        case separator(UInt8)
    }

    fileprivate struct Scanner {
        let bytes: [UInt8]
        var at = 0
        private var hasTime = false

        init(bytes: [UInt8]) { self.bytes = bytes }

        private func isDigit(_ place: Int) -> Bool {
            place < bytes.count && bytes[place].isDigit
        }

        /// Letters of all scripts, and whatever else is not ASCII: no such word has a meaning.
        private func isLetter(_ byte: UInt8) -> Bool { byte >= 0x61 && byte <= 0x7A || byte >= 0x80 }

        private func value(_ start: Int, _ count: Int) -> Int {
            bytes[start..<start + count].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        private func digitCount(at start: Int) -> Int {
            var end = start
            while isDigit(end) { end += 1 }
            return end - start
        }

        /// `20240506` at the start, optionally followed by `T070809`.
        mutating func compactDate() -> (Int, Int, Int)? {
            guard digitCount(at: 0) == 8 else { return nil }
            let date = (value(0, 4), value(4, 2), value(6, 2))
            guard (1900...2999).contains(date.0), (1...12).contains(date.1), (1...31).contains(date.2) else {
                return nil
            }
            at = 8
            return date
        }

        mutating func next() -> Token? {
            while at < bytes.count, bytes[at] == 0x20 || bytes[at] == UInt8(ascii: ",") { at += 1 }
            guard at < bytes.count else { return nil }
            let byte = bytes[at]
            if isDigit(at) { return number() }
            if isLetter(byte) {
                let start = at
                while at < bytes.count, isLetter(bytes[at]) { at += 1 }
                return .word(String(decoding: bytes[start..<at], as: UTF8.self))
            }
            if hasTime, byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { return offset() }
            at += 1
            if "-/.:()|".utf8.contains(byte) { return .separator(byte) }
            // Other characters mean that the text is no date.
            return .word("?")
        }

        private mutating func number() -> Token {
            let start = at
            let count = digitCount(at: at)
            at += count
            if count > 6 || (count == 6 && hasTime) { return .word("?") }
            // In logs of web servers, a colon separates the year and the time.
            if count <= 2, at < bytes.count, bytes[at] == UInt8(ascii: ":"), isDigit(at + 1) {
                let hour = value(start, count)
                var rest = ""
                for _ in 0..<2 {
                    guard at < bytes.count, bytes[at] == UInt8(ascii: ":"), digitCount(at: at + 1) == 2 else { break }
                    rest += String(decoding: bytes[at..<at + 3], as: UTF8.self)
                    at += 3
                }
                if rest.isEmpty { return .word("?") }
                if rest.utf8.count == 3 { rest += ":00" }
                if at < bytes.count, bytes[at] == UInt8(ascii: "."), isDigit(at + 1) {
                    let digits = digitCount(at: at + 1)
                    rest += String(decoding: bytes[at..<at + 1 + digits], as: UTF8.self)
                    at += 1 + digits
                }
                hasTime = true
                return .time(hour, rest)
            }
            if count == 6, start > 0, bytes[start - 1] == UInt8(ascii: "t") {
                hasTime = true
                let parts = (0..<3).map { String(decoding: bytes[start + $0 * 2..<start + $0 * 2 + 2], as: UTF8.self) }
                return .time(value(start, 2), ":" + parts[1] + ":" + parts[2])
            }
            return .number(value(start, count), digits: count)
        }

        private mutating func offset() -> Token {
            let sign = String(decoding: [bytes[at]], as: UTF8.self)
            at += 1
            let start = at
            let count = digitCount(at: at)
            at += count
            var digits = String(decoding: bytes[start..<at], as: UTF8.self)
            if count <= 2, at < bytes.count, bytes[at] == UInt8(ascii: ":"), digitCount(at: at + 1) == 2 {
                digits += String(decoding: bytes[at + 1..<at + 3], as: UTF8.self)
                at += 3
            } else if count <= 2 {
                digits += "00"
            }
            if digits.utf8.count == 3 { digits = "0" + digits }
            guard digits.utf8.count == 4 else { return .word("?") }
            return .offset(sign + digits.prefix(2) + ":" + digits.suffix(2))
        }
    }
}
