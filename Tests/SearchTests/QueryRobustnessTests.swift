import Search
import TestSupport
import Testing

struct QueryRobustnessTests {
    private static let pieces = [
        "(", ")", "\"", "“", "”", "-", "|", ":", "*", " ", "\t", "\n", "\r\n", "OR", "AND", "NOT", "not", " OR ",
        " AND ",
        " not ", "a", "bc", "Łódź", "\u{301}", "\u{200D}", "👩‍👩‍👧", "한", "tag:", "TYPE:", "is:", "has:", "status:",
        "collection:", "date:", "created:", "updated:", "site:", "word:", "..", ">", "<", "=", "2025", "-03", "-31",
        "today",
        "trashed", "title:", "text:", "url:", "author:", "lang:", "after:", "before:", "tag:a*", "title:\"a b\"*", "–",
        "—", "!",
        "&&", "||", "：", "„", "…", "and", "or", "#a", "tga:", "smart:", "\0", "\u{FFFD}", "'", "\\", "#",
    ]

    private static func check(_ text: String) {
        let parser = QueryReading.parse(text)
        // A query that is too long finds nothing, which is an OR without alternatives.
        let isTooLong = parser.notices.contains(.tooManyConditions(limit: 500))
        let faults = isTooLong && parser.query == .or([]) ? [] : parser.query.structuralFaults
        #expect(faults == [], "in \(text.debugDescription), read as \(parser.query)")
        #expect(parser.notices.count <= 20 && Set(parser.notices).count == parser.notices.count)
        _ = ScanningMatcher(parser.query).matches(SampleDocument(title: "a bc Łódź", tags: ["a", "collection:bc/d"]))
    }

    @Test func `20,000 strings of syntax are all read as well-formed queries`() {
        var generator = SeededGenerator(seed: 20_261_121)
        for _ in 0..<20_000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...24, using: &generator) {
                text += Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &generator)]
            }
            Self.check(text)
        }
    }

    @Test func `a query with more than 500 conditions finds nothing and says so`() {
        for part in ["a ", "a OR ", "tag:x ", "\"a b\" ", "-a ", "(a) "] {
            let most = QueryReading.parse(String(repeating: part, count: 499) + "z")
            #expect(!most.notices.contains(.tooManyConditions(limit: 500)))
            #expect(most.query != .or([]))
            let more = QueryReading.parse(String(repeating: part, count: 500) + "z")
            #expect(more.query == .or([]))
            #expect(more.notices.contains(.tooManyConditions(limit: 500)))
        }
        // Smart folders count with what they stand for.
        let parser = QueryParser("a smart:x smart:y", smartQuery: { _ in String(repeating: "w ", count: 250) })
        #expect(parser.query == .or([]))
        #expect(parser.notices == [.tooManyConditions(limit: 500)])
    }

    @Test func `every prefix and every suffix of a long query is read as a well-formed query`() {
        let text = """
            swift (actors OR "structured concurrency") -tag:"old stuff" NOT (collection:Work/Projects | collection:“My Work”) \
            type:link is:favorite has:archive status:partial created:2024-02-29..2025-03 updated:>=week site:example.org \
            pre* Łódź -(a OR (b -c)) 한국어 source:import date:<2025-06-01 word:x "unclosed
            """
        var index = text.startIndex
        while index < text.endIndex {
            Self.check(String(text[..<index]))
            Self.check(String(text[index...]))
            index = text.index(after: index)
        }
        Self.check(text)
    }

    @Test func `long runs of one piece are read in bounded depth`() {
        for piece in ["(", ")", "not ", "-", "a -", "\"", "| ", "OR ", "(not ", "(a OR ", "tag:", "*", "AND "] {
            Self.check(String(repeating: piece, count: 20_000))
            Self.check(String(repeating: piece, count: 20_000) + "a")
        }
    }

    @Test func `random bytes are read as a well-formed query, alone and as arguments`() {
        var generator = SeededGenerator(seed: 11)
        for _ in 0..<5_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            let faults = QueryReading.parse(text).query.structuralFaults
            #expect(faults == [], "in \(bytes)")
            let arguments = text.split(separator: "a").map(String.init) + ["tag:" + text, "-title:x " + text]
            #expect(QueryParser(arguments: arguments, today: QueryReading.today).query.structuralFaults == [])
        }
    }

    @Test func `reading is the same each time`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let text = generator.text(upTo: 40)
            Self.check(text)
            #expect(QueryReading.parse(text).query == QueryReading.parse(text).query)
        }
    }
}

extension Query {
    /// Structures that a parser must not make: lists of fewer than two, "everything" below the root, parts without
    /// words.
    fileprivate var structuralFaults: [String] { self == .everything ? [] : inner(depth: 0) }

    private func inner(depth: Int) -> [String] {
        if depth > 300 { return ["too deep"] }
        switch self {
        case .everything: return ["everything inside"]
        case .word(let text), .prefix(let text), .phrase(let text):
            return WordRow(text.utf8).isEmpty ? ["no words in \(text.debugDescription)"] : []
        case .filter(let filter): return filter.value.isEmpty ? ["no value for \(filter.key)"] : []
        case .and(let parts), .or(let parts):
            return (parts.count < 2 ? ["list of \(parts.count)"] : []) + parts.flatMap { $0.inner(depth: depth + 1) }
        case .not(let part): return part.inner(depth: depth + 1)
        }
    }
}
