internal import Glibc
import Testing
import Time

@testable import Search

/// Spans of dates, in separate processes, since the time zone is global. Central European rules are written out, so
/// that no zone database is needed: summer time begins 2026-03-29 at 02:00 and ends 2026-10-25 at 03:00.
struct DateSpanTests {
    /// A span and its expected first and last instants, in UTC; empty for no bound.
    struct Case: Sendable {
        let text: String
        let start: String
        let end: String

        init(_ text: String, _ start: String, _ end: String) {
            self.text = text
            self.start = start
            self.end = end
        }

        /// - Parameter today: by default a Saturday.
        func check(today: CalendarDate = CalendarDate(year: 2026, month: 11, day: 21), weekStart: WeekStart = .monday) {
            let span = DateSpan(text, today: today, weekStart: weekStart)
            #expect(span?.spelling == text)
            func shown(_ bound: Int64?) -> String {
                bound.map { String(Timestamp(milliseconds: $0).rfc3339.prefix(16)) } ?? ""
            }
            let found = shown(span?.start) + " – " + shown(span?.end)
            // Only the comment leaves the process.
            #expect(found == start + " – " + end, "\(text) on \(today): \(found)")
        }
    }

    private static let centralEurope = "CET-1CEST,M3.5.0,M10.5.0/3"

    @Test func `spans are days of the caller's time zone`() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", DateSpanTests.centralEurope, 1)
            tzset()
            let cases = [
                Case("2025", "2024-12-31T23:00", "2025-12-31T23:00"),
                Case("2025-03", "2025-02-28T23:00", "2025-03-31T22:00"),
                Case("2025-12", "2025-11-30T23:00", "2025-12-31T23:00"),
                Case("2024-02-29", "2024-02-28T23:00", "2024-02-29T23:00"),
                Case("2025-12-31", "2025-12-30T23:00", "2025-12-31T23:00"),
                Case(">2024", "2024-12-31T23:00", ""),
                Case(">=2024", "2023-12-31T23:00", ""),
                Case("<2024", "", "2023-12-31T23:00"),
                Case("<=2024", "", "2024-12-31T23:00"),
                Case(">2025-07", "2025-07-31T22:00", ""),
                Case("<2025-06-01", "", "2025-05-31T22:00"),
                Case("<=2025-06-01", "", "2025-06-01T22:00"),
                Case("2025-01..2025-03", "2024-12-31T23:00", "2025-03-31T22:00"),
                Case("2025-06-01..2025", "2025-05-31T22:00", "2025-12-31T23:00"),
                Case("2024..", "2023-12-31T23:00", ""),
                Case("..2024", "", "2024-12-31T23:00"),
                Case("today", "2026-11-20T23:00", "2026-11-21T23:00"),
                Case("Yesterday", "2026-11-19T23:00", "2026-11-20T23:00"),
                Case("week", "2026-11-15T23:00", "2026-11-22T23:00"),
                Case("month", "2026-10-31T23:00", "2026-11-30T23:00"),
                Case("year", "2025-12-31T23:00", "2026-12-31T23:00"),
                Case("<today", "", "2026-11-20T23:00"),
                Case("week..", "2026-11-15T23:00", ""),
            ]
            for test in cases { test.check() }
        }
    }

    @Test func `days on which the clock is changed have 23 and 25 hours`() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", DateSpanTests.centralEurope, 1)
            tzset()
            Case("2026-03-28", "2026-03-27T23:00", "2026-03-28T23:00").check()
            Case("2026-03-29", "2026-03-28T23:00", "2026-03-29T22:00").check()
            Case("2026-10-25", "2026-10-24T22:00", "2026-10-25T23:00").check()
            Case("2026-03-29..2026-10-25", "2026-03-28T23:00", "2026-10-25T23:00").check()
            let spring = CalendarDate(year: 2026, month: 3, day: 29)
            Case("today", "2026-03-28T23:00", "2026-03-29T22:00").check(today: spring)
            Case("week", "2026-03-22T23:00", "2026-03-29T22:00").check(today: spring)
            Case("month", "2026-02-28T23:00", "2026-03-31T22:00").check(today: spring)
        }
    }

    @Test func `weeks begin on Monday or on Sunday`() async {
        await #expect(processExitsWith: .success) {
            setenv("TZ", "UTC0", 1)
            tzset()
            let sunday = CalendarDate(year: 2026, month: 11, day: 22)
            for offset in -6...0 {
                Case("week", "2026-11-16T00:00", "2026-11-23T00:00").check(today: sunday.adding(days: offset))
            }
            Case("week", "2026-11-23T00:00", "2026-11-30T00:00").check(today: sunday.adding(days: 1))
            for offset in 0...6 {

                Case("week", "2026-11-22T00:00", "2026-11-29T00:00").check(
                    today: sunday.adding(days: offset), weekStart: .sunday)
            }
            Case("week", "2026-11-15T00:00", "2026-11-22T00:00").check(
                today: sunday.adding(days: -1), weekStart: .sunday)
            let newYear = CalendarDate(year: 2027, month: 1, day: 1)
            Case("week", "2026-12-28T00:00", "2027-01-04T00:00").check(today: newYear)
            Case("yesterday", "2026-12-31T00:00", "2027-01-01T00:00").check(today: newYear)
            Case("month", "2026-12-01T00:00", "2027-01-01T00:00").check(today: newYear.adding(days: -1))
        }
    }

    @Test func `a span contains its first instant and not the one after its last`() throws {
        let today = CalendarDate(year: 2026, month: 11, day: 21)
        let span = try #require(DateSpan("2025-03", today: today, weekStart: .monday))
        let start = try #require(span.start)
        let end = try #require(span.end)
        #expect(!span.contains(start - 1) && span.contains(start))
        #expect(span.contains(end - 1) && !span.contains(end))
        let open = try #require(DateSpan("2025..", today: today, weekStart: .monday))
        #expect(open.contains(.max) && !open.contains(.min))
        let before = try #require(DateSpan("<2025", today: today, weekStart: .monday))
        #expect(before.contains(.min) && !before.contains(.max))
    }
}
