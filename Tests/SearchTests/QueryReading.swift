import Search
import Testing
import Time

/// A query's text, its expected reading, and the expected notices.
struct QueryReading: Sendable, CustomTestStringConvertible {
    let text: String
    let reading: String
    let notices: [QueryNotice]

    init(_ text: String, _ reading: String, _ notices: QueryNotice...) {
        self.text = text
        self.reading = reading
        self.notices = notices
    }

    var testDescription: String { text }

    /// A Saturday.
    static let today = CalendarDate(year: 2026, month: 11, day: 21)

    static func parse(_ text: String) -> QueryParser { QueryParser(text, today: today) }

    /// Checks reading and notices.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let parser = Self.parse(text)
        #expect(parser.query.description == reading, sourceLocation: sourceLocation)
        #expect(parser.notices == notices, sourceLocation: sourceLocation)
    }
}
