import Search
import Testing

/// Which values of date filters are dates; `DateSpanTests` has their spans.
struct QueryDatesTests {
    @Test(
        arguments: [
            "2025", "2025-03", "2025-03-09", "2024-02-29", "0001", "9998", ">2024", "<2025-06-01", ">=2024-01",
            "<=2024",
            "2025-01..2025-03", "2025..2025", "2025-03-09..2025-03-09", "2024..", "..2024", "2024-06..2025", "today",
            "yesterday", "week", "month", "year", "TODAY", ">yesterday", "week..", "2020..today",
        ], ["date", "created", "updated"])
    func `a date is a filter`(_ value: String, key: String) {
        let parser = QueryReading.parse("\(key):\(value)")
        let name = key == "date" ? "created" : key
        #expect(parser.query.description == "\(name):\(value)")
        #expect(parser.notices == [])
        guard case .filter(let filter) = parser.query else {
            Issue.record("read as \(parser.query)")
            return
        }
        #expect(filter.key == name)
    }

    @Test(
        arguments: [
            "2025-13", "2025-00", "2025-02-29", "2025-04-31", "2025-01-00", "2025-1", "2025-01-1", "25", "20250",
            "0000", "9999",
            "2025-01-01-01", "2025/01/01", "2025-", "-2025", "+2025", "２０２５", "2025-0x", "2025-03-09T10:00", "tomorrow",
            ">", "<=", "..", "...", "2024...", ">2024..2025", "2024..2025..2026", "=2024", "><2024",
            "2025-03..2025-01", "2025..2024", "2025-02..2025-01", "2025-01-02..2025-01-01", "today..yesterday",
            "x..2024",
            "2024..x",
        ], ["date", "created", "updated"])
    func `anything else is text and said to be`(_ value: String, key: String) {
        let parser = QueryReading.parse("\(key):\(value)")
        #expect(parser.query == .word("\(key):\(value)"))
        #expect(parser.notices == [.unknownValue(key: key, value: value)])
    }
}
