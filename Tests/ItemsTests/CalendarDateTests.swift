import Testing

@testable import Time

struct CalendarDateTests {
    @Test func `day numbers and dates are the same for two hundred thousand days`() {
        // From 0000-01-01, counted day by day.
        var (year, month, day) = (0, 1, 1)
        let first = CalendarDate(year: 0, month: 1, day: 1).dayNumber
        #expect(first == -719_528)
        var wrong = 0
        for number in first..<first + 200_000 {
            let date = CalendarDate(year: year, month: month, day: day)
            if date.dayNumber != number || CalendarDate(dayNumber: number) != date { wrong += 1 }
            day += 1
            if day > CalendarDate.dayCount(year: year, month: month) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(wrong == 0)
    }

    @Test func `numbers come back for the two hundred thousand days around 1970`() {
        #expect((-100_000..<100_000).allSatisfy { CalendarDate(dayNumber: $0).dayNumber == $0 })
        #expect(CalendarDate(dayNumber: 0) == CalendarDate(year: 1970, month: 1, day: 1))
        #expect(CalendarDate(year: 9999, month: 12, day: 31).dayNumber == 2_932_896)
    }

    @Test(arguments: [
        ("1970-01-01", 3), ("1969-12-31", 2), ("2000-02-29", 1), ("2026-11-21", 5), ("2026-11-22", 6),
        ("2026-11-23", 0), ("1600-01-01", 5), ("1969-12-28", 6),
    ])
    func `weekdays count from Monday`(_ text: String, weekday: Int) throws {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        let date = CalendarDate(year: parts[0], month: parts[1], day: parts[2])
        #expect(date.weekday == weekday)
        #expect(date.description == text)
    }

    @Test func `weekdays follow each other before and after 1970`() {
        let wrong = (-800_000..<800_000).filter {
            CalendarDate(dayNumber: $0 + 1).weekday != (CalendarDate(dayNumber: $0).weekday + 1) % 7
        }
        #expect(wrong.isEmpty)
    }

    @Test func `February follows the rule of 4, 100 and 400 years`() {
        let counts = [1900, 1904, 2000, 2023, 2024, 2100, 0].map { CalendarDate.dayCount(year: $0, month: 2) }
        #expect(counts == [28, 29, 29, 28, 29, 28, 29])
        #expect((1...12).map { CalendarDate.dayCount(year: 2023, month: $0) }.reduce(0, +) == 365)
    }

    @Test func `dates are ordered and added to`() {
        let date = CalendarDate(year: 2024, month: 2, day: 28)
        #expect(date.adding(days: 2) == CalendarDate(year: 2024, month: 3, day: 1))
        #expect(date.adding(days: -59) == CalendarDate(year: 2023, month: 12, day: 31))
        #expect(date < date.adding(days: 1))
        #expect(CalendarDate(year: 2023, month: 12, day: 31) < CalendarDate(year: 2024, month: 1, day: 1))
        #expect(CalendarDate(year: 9, month: 1, day: 2).description == "0009-01-02")
    }
}
