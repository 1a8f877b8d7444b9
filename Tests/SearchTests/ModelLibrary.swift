import TestSupport
import Time

@testable import Search

/// A generated document for the brute force: sequences of words.
struct ModelDocument {
    var key = DocumentKey(high: 0, low: 0)
    /// Distinguishes this version of the document from all others; the index stores it.
    var version = 0
    var title: [String] = []
    var tags: [[String]] = []
    var texts: [[String]] = []
    /// What its page shows besides the article.
    var rest: [[String]] = []
    var type = "link"
    var author: [String] = []
    /// The path of its link.
    var path = ""
    var language = ""
    var isTrashed = false
    var created: Int64 = 0
    var updated: Int64 = 0
    var rank = Double.infinity

    var indexed: IndexDocument {
        var document = IndexDocument(key: key)
        document.title = Array(title.joined(separator: " ").utf8)
        document.tags = tags.map { Array($0.joined(separator: "-").utf8) }
        document.texts = texts.map { Array($0.joined(separator: ", ").utf8) }
        document.rest = rest.map { Array($0.joined(separator: "; ").utf8) }
        document.exactTerms = tags.map { ExactTerm(.tag, Folding.fold($0.joined(separator: "-").utf8)) }
        document.exactTerms.append(ExactTerm(.type, type.utf8))
        document.exactTerms.append(ExactTerm(.title, Folding.fold(document.title)))
        if !author.isEmpty {
            document.exactTerms.append(ExactTerm(.author, Folding.fold(author.joined(separator: " ").utf8)))
        }
        if !path.isEmpty { document.exactTerms.append(ExactTerm(.link, "https://example.org/\(path)".utf8)) }
        if !language.isEmpty { document.exactTerms.append(ExactTerm(.language, language.utf8)) }
        if isTrashed { document.exactTerms.append(.trashed) }
        document.created = created
        document.updated = updated
        document.rank = rank
        document.stored = Array("version \(version)".utf8)
        return document
    }

    init() {}

    /// A document of one text.
    init(text: String) { texts = [[text]] }

    static func version(stored: some Collection<UInt8>) -> Int? {
        Int(String(decoding: stored.drop { $0 != 0x20 }.dropFirst(), as: UTF8.self))
    }
}

/// Generates documents of few words, some frequent and some rare, many with common prefixes.
struct ModelWriter {
    var generator: SeededGenerator
    private var next = 0
    let words: [String]

    /// - Parameters:
    ///   - stem: the prefix of half of the words.
    ///   - stemLetters: how many letters follow it.
    init(seed: UInt64, wordCount: Int = 400, stem: String = "", stemLetters: ClosedRange<Int> = 0...2) {
        generator = SeededGenerator(seed: seed)
        var words: Set<String> = []
        var sorted: [String] = []
        while sorted.count < wordCount {
            let hasStem = !stem.isEmpty && sorted.count % 2 == 0
            let length = Int.random(in: hasStem ? stemLetters : 1...7, using: &generator)
            var word = hasStem ? stem : ""
            for _ in 0..<length { word.append("abcde".randomElement(using: &generator) ?? "a") }
            if words.insert(word).inserted { sorted.append(word) }
        }
        // Names with words inside, and one that shares at least eight bytes with another.
        self.words = sorted + ["getUserName", "userNames", "abcdabcdabcd", "abcdabcdabce", "café", "cafés"]
    }

    mutating func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func word() -> String {
        // The square of a uniform number favours the first words.
        let place = Double.random(in: 0..<1, using: &generator)
        return words[Int(place * place * Double(words.count))]
    }

    mutating func row(_ counts: Range<Int>) -> [String] { (0..<number(counts)).map { _ in word() } }

    mutating func document(key: UInt64) -> ModelDocument {
        next += 1
        var document = ModelDocument()
        document.key = DocumentKey(high: key &* 0x9E37_79B9_7F4A_7C15, low: key)
        document.version = next
        document.title = row(0..<5)
        document.tags = (0..<number(0..<3)).map { _ in row(1..<3) }
        document.texts = (0..<number(0..<3)).map { _ in row(1..<25) }
        if number(0..<3) == 0 { document.rest = (0..<number(1..<4)).map { _ in row(1..<25) } }
        if number(0..<40) == 0 { document.texts.append(Array(repeating: word(), count: number(1..<300))) }
        if number(0..<60) == 0 { document.title = Array(repeating: word(), count: number(15..<25)) }
        document.type = ["link", "snippet", "document"][number(0..<3)]
        document.isTrashed = number(0..<12) == 0
        if number(0..<2) == 0 { document.author = row(1..<4) }
        if number(0..<2) == 0 { document.path = row(1..<4).joined(separator: "/").uppercased() }
        document.language = ["", "en", "de"][number(0..<3)]
        document.created = Int64(number(0..<2_000)) * 86_400_000 + 1_577_836_800_000
        document.updated = Int64(next) * 1_000 + Int64(number(-50_000..<1_000)) + 1_735_689_600_000
        if number(0..<3) == 0 { document.rank = Double(number(0..<1_000)) / 64 }
        return document
    }

    /// A query of any kind, nested at most `depth` deep.
    mutating func query(depth: Int) -> Query {
        func words(_ writer: inout ModelWriter) -> Filter.Words {
            switch writer.number(0..<4) {
            case 0: .word(writer.word())
            case 1: .prefix(String(writer.word().prefix(writer.number(1..<4))))
            case 2: .phrase(writer.row(1..<4).joined(separator: " "))
            default: .word(writer.row(2..<4).joined(separator: "-"))
            }
        }
        switch number(0..<(depth == 0 ? 14 : 19)) {
        case 0, 1, 2: return .word(word())
        case 3, 4: return .prefix(String(word().prefix(number(1..<4))))
        case 5, 6: return .phrase(row(1..<4).joined(separator: " "))
        case 7: return .word(row(2..<4).joined(separator: "-"))
        case 8: return .filter(.type(["link", "snippet", "document"][number(0..<3)]))
        case 9: return .filter(number(0..<4) == 0 ? .state(.trashed) : .tag(row(1..<3).joined(separator: "-")))
        case 10:
            let text = ["2021", "2022-05..", "..2024-03", ">2023", "2025-01-01", "2021..2023-06"][number(0..<6)]
            let today = CalendarDate(year: 2026, month: 11, day: 21)
            guard let span = DateSpan(text, today: today, weekStart: .monday) else { return .everything }
            return .filter(number(0..<2) == 0 ? .created(span) : .updated(span))
        case 11: return .filter(.text(words(&self)))
        case 12: return .filter(number(0..<2) == 0 ? .title(words(&self)) : .author(words(&self)))
        case 13:
            switch number(0..<3) {
            case 0: return .filter(.tagBeginning(String(word().prefix(number(0..<3)))))
            case 1: return .filter(.url(String(word().prefix(3))))
            default: return .filter(.language(["en", "DE", "fr"][number(0..<3)]))
            }
        case 14, 15: return .and((0..<number(2..<4)).map { _ in query(depth: depth - 1) })
        case 16, 17: return .or((0..<number(2..<4)).map { _ in query(depth: depth - 1) })
        default: return .not(query(depth: depth - 1))
        }
    }
}
