import Characters
package import Time

/// Dates in header fields.
package enum HTTPDate {
    /// Reads the three spellings of RFC 9110, 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37
    /// GMT`, `Sun Nov  6 08:49:37 1994`.
    ///
    /// Many senders deviate from them, so this uses the algorithm of RFC 6265, 5.1.1: a time, a day of the month, a
    /// month and a year in any order and between any delimiters; all else is ignored.
    package static func read(_ text: String) -> Timestamp? {
        if text.utf8.count > 200 { return nil }
        var time: (hour: Int, minute: Int, second: Int)?
        var day: Int?
        var month: Int?
        var year: Int?
        for token in text.utf8.split(whereSeparator: isDelimiter) {
            if time == nil, let found = self.time(token) {
                time = found
            } else if day == nil, let found = number(token, digits: 1...2) {
                day = found
            } else if month == nil, let found = self.month(token) {
                month = found
            } else if year == nil, let found = number(token, digits: 2...4) {
                year = found
            }
        }
        guard let time, let day, let month, var year else { return nil }
        if (70...99).contains(year) { year += 1900 } else if (0...69).contains(year) { year += 2000 }
        guard year >= 1601, time.hour < 24, time.minute < 60, time.second < 61, day >= 1,
            day <= CalendarDate.dayCount(year: year, month: month)
        else { return nil }
        let days = Int64(CalendarDate(year: year, month: month, day: day).dayNumber)
        let seconds = days * 86400 + Int64(time.hour * 3600 + time.minute * 60 + min(59, time.second))
        return Timestamp(milliseconds: seconds * 1000)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }

    /// The digits at the start of a token, if their number is in the range; any other text may follow.
    private static func number(_ token: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        let prefix = token.prefix(while: \.isDigit)
        guard digits.contains(prefix.count) else { return nil }
        return prefix.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func time(_ token: Substring.UTF8View) -> (Int, Int, Int)? {
        let fields = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard fields.count == 3, let hour = number(fields[0], digits: 1...2), fields[0].allSatisfy(\.isDigit),
            let minute = number(fields[1], digits: 1...2), fields[1].allSatisfy(\.isDigit),
            let second = number(fields[2], digits: 1...2)
        else { return nil }
        return (hour, minute, second)
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    private static func month(_ token: Substring.UTF8View) -> Int? {
        guard let name = String(token.prefix(3))?.lowercased() else { return nil }
        return months.firstIndex(of: name).map { $0 + 1 }
    }
}
