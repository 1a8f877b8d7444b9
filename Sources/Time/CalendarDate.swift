internal import Glibc

/// A day of the proleptic Gregorian calendar.
public struct CalendarDate: Hashable, Comparable, Sendable {
    /// 0–9999.
    package let year: Int
    /// 1–12.
    package let month: Int
    /// 1–31.
    package let day: Int

    /// - Parameters: a valid date, unchecked.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date of a number of days since 1970-01-01; H. Hinnant, "chrono-compatible low-level date algorithms",
    /// civil_from_days.
    package init(dayNumber: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; same source, days_from_civil.
    package var dayNumber: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Monday is 0, Sunday is 6.
    package var weekday: Int { (dayNumber + 3) % 7 < 0 ? (dayNumber + 3) % 7 + 7 : (dayNumber + 3) % 7 }

    /// The date some days later.
    package func adding(days: Int) -> CalendarDate { CalendarDate(dayNumber: dayNumber + days) }

    /// The first instant of the day in the caller's time zone.
    package var localMidnight: Timestamp {
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_isdst = -1
        return Timestamp(milliseconds: Int64(mktime(&parts)) * 1000)
    }

    /// The number of days of a month.
    package static func dayCount(year: Int, month: Int) -> Int {
        switch month {
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether day `a` is earlier.
    public static func < (a: CalendarDate, b: CalendarDate) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }
}

extension CalendarDate: CustomStringConvertible {
    /// `2026-11-21`.
    public var description: String {
        Timestamp.pad(Int64(year), 4) + "-" + Timestamp.pad(Int64(month), 2) + "-" + Timestamp.pad(Int64(day), 2)
    }
}
