import Search
import Testing
import Time

/// A query's text, how it is to be read, and what is to be said about it.
struct QueryReading: Sendable, CustomTestStringConvertible {
    let text: String
    let reading: String
    let notes: [String]

    init(_ text: String, _ reading: String, _ notes: String...) {
        self.text = text
        self.reading = reading
        self.notes = notes
    }

    var testDescription: String { text }

    /// A Saturday.
    static let today = CalendarDate(year: 2026, month: 11, day: 21)

    static func parse(_ text: String) -> QueryParser { QueryParser(text, today: today) }

    /// Checks reading and notes.
    func check(sourceLocation: SourceLocation = #_sourceLocation) {
        let parser = Self.parse(text)
        #expect(parser.query.description == reading, sourceLocation: sourceLocation)
        #expect(parser.notes == notes, sourceLocation: sourceLocation)
    }
}

/// Notes that several readings share.
enum Note {
    static let unclosedQuote = "a quote that is not closed is left out"
    static let leadingMinus = "a leading \"-\" is read as text; to exclude from everything, say \"not\""
    static let emptyOr = "an \"OR\" with nothing on one side is left out"
    static let unopened = "a \")\" without \"(\" is left out"
    static let unclosed = "a \"(\" is closed at the end"
    static let tooDeep = "parentheses nested deeper than 50 are left out"

    static func wordless(_ text: String) -> String { "\"\(text)\" has no letters or digits and is left out" }
    static func valueless(_ text: String) -> String { "\"\(text)\" has no value and is read as text" }
    static func noFilter(_ text: String) -> String { "\"\(text)\" is no filter that is known, and is read as text" }
}
