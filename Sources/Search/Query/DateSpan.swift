import Characters
internal import Characters
internal import Time

/// A span of time from a query: `2025`, `2025-03`, `2025-03-09`, `>2024`, `<=2025-06-01`, `2025-01..2025-03`, `..2024`,
/// `today`, `yesterday`, `week`, `month`, `year`.
public struct DateSpan: Equatable, Sendable {
    /// The text as typed.
    package let spelling: String
    /// Milliseconds since 1970 UTC of the first instant; `nil` for an open start.
    package let start: Int64?
    /// Milliseconds since 1970 UTC of the first instant after the span; `nil` for an open end.
    package let end: Int64?

    /// Whether an instant in milliseconds since 1970 UTC is in the span.
    package func contains(_ milliseconds: Int64) -> Bool {
        (start.map { milliseconds >= $0 } ?? true) && (end.map { milliseconds < $0 } ?? true)
    }

    /// Reads a span; days are those of the caller's time zone.
    ///
    /// - Parameters:
    ///   - today: the current day.
    ///   - weekStart: the first day of a week.
    /// - Returns: `nil` if the text is no span, or the span ends before it starts.
    init?(_ text: String, today: CalendarDate, weekStart: WeekStart) {
        func days(_ text: some StringProtocol) -> (first: CalendarDate, behind: CalendarDate)? {
            Self.days(text.lowercased(), today: today, weekStart: weekStart)
        }
        spelling = text
        // Some keyboards turn dots into an ellipsis.
        let text = text.replacing(text: "\u{2026}", with: "..")
        if let dots = text.firstRange(ofText: "..") {
            let (left, right) = (text[..<dots.lowerBound], text[dots.upperBound...])
            guard !left.isEmpty || !right.isEmpty, left.isEmpty || days(left) != nil,
                right.isEmpty || days(right) != nil
            else { return nil }
            start = left.isEmpty ? nil : days(left)?.first.localMidnight.milliseconds
            end = right.isEmpty ? nil : days(right)?.behind.localMidnight.milliseconds
        } else if text.hasPrefix(">=") || text.hasPrefix("<=") {
            guard let days = days(text.dropFirst(2)) else { return nil }
            start = text.hasPrefix(">") ? days.first.localMidnight.milliseconds : nil
            end = text.hasPrefix(">") ? nil : days.behind.localMidnight.milliseconds
        } else if text.hasPrefix(">") || text.hasPrefix("<") {
            guard let days = days(text.dropFirst()) else { return nil }
            start = text.hasPrefix(">") ? days.behind.localMidnight.milliseconds : nil
            end = text.hasPrefix(">") ? nil : days.first.localMidnight.milliseconds
        } else {
            guard let days = days(text) else { return nil }
            start = days.first.localMidnight.milliseconds
            end = days.behind.localMidnight.milliseconds
        }
        if let start, let end, end <= start { return nil }
    }

    /// The days of a word, or of a year, month or day.
    private static func days(
        _ text: String, today: CalendarDate, weekStart: WeekStart
    ) -> (first: CalendarDate, behind: CalendarDate)? {
        switch text {
        case "today": return (today, today.adding(days: 1))
        case "yesterday": return (today.adding(days: -1), today)
        case "week":
            let first = today.adding(days: weekStart == .sunday ? -((today.weekday + 1) % 7) : -today.weekday)
            return (first, first.adding(days: 7))
        case "month": return month(today.year, today.month)
        case "year": return (date(today.year, 1), date(today.year + 1, 1))
        default: break
        }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isNumeric = parts.allSatisfy { part in part.utf8.allSatisfy(\.isDigit) }
        guard isNumeric, parts[0].count == 4, let year = Int(parts[0]), (1...9998).contains(year),
            parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return nil }
        if parts.count == 1 { return (date(year, 1), date(year + 1, 1)) }
        guard let month = Int(parts[1]), (1...12).contains(month) else { return nil }
        if parts.count == 2 { return self.month(year, month) }
        guard parts.count == 3, let day = Int(parts[2]),
            (1...CalendarDate.dayCount(year: year, month: month)).contains(day)
        else { return nil }
        let first = CalendarDate(year: year, month: month, day: day)
        return (first, first.adding(days: 1))
    }

    private static func date(_ year: Int, _ month: Int) -> CalendarDate {
        CalendarDate(year: year, month: month, day: 1)
    }

    private static func month(_ year: Int, _ month: Int) -> (first: CalendarDate, behind: CalendarDate) {
        (date(year, month), month == 12 ? date(year + 1, 1) : date(year, month + 1))
    }
}

/// The first day of a week.
package enum WeekStart: Sendable {
    /// As in ISO 8601.
    case monday
    case sunday
}
