import Glibc

@testable import Search

/// Ranks documents by evaluating every one, by FORMAT.md and the formula, in double precision.
struct BruteForce {
    /// One version of a document, split into words.
    struct Entry {
        let document: ModelDocument
        let isDeleted: Bool
        /// Sequences of words by field: title, tags, text; the last ones of the text are the rest of the page.
        let rows: [[[String]]]
        private let restCount: Int
        /// The frequency of each word in each field.
        let counts: [String: [Double]]
        let partCounts: [String: [Double]]
        let tags: Set<String>

        init(_ document: ModelDocument, isDeleted: Bool) {
            self.document = document
            self.isDeleted = isDeleted
            var rows: [[[String]]] = []
            var counts: [String: [Double]] = [:]
            var partCounts: [String: [Double]] = [:]
            let indexed = document.indexed
            restCount = indexed.rest.count
            for (field, texts) in [[indexed.title], indexed.tags, indexed.texts + indexed.rest].enumerated() {
                var cut: [[String]] = []
                for (number, text) in texts.enumerated() {
                    let weight = field == 2 && number >= indexed.texts.count ? 0.25 : 1
                    let list = TokenList(text)
                    let words = list.plain.map { String(decoding: $0, as: UTF8.self) }
                    cut.append(words)
                    for part in list.parts {
                        partCounts[String(decoding: part, as: UTF8.self), default: [0, 0, 0]][field] += weight
                    }
                    for word in words { counts[word, default: [0, 0, 0]][field] += weight }
                }
                rows.append(cut)
            }
            self.rows = rows
            self.counts = counts
            self.partCounts = partCounts
            tags = Set(document.tags.map { Folding.fold($0.joined(separator: "-")) })
        }

        /// The weight of an occurrence in a sequence.
        func weight(_ field: Int, _ row: Int) -> Double {
            field == 2 && row >= rows[2].count - restCount ? 0.25 : 1
        }

        /// Four words of the rest of the page count as one.
        var lengths: [Double] {
            var lengths = rows.map { Double($0.joined().count) }
            let rest = Double(rows[2].suffix(restCount).joined().count)
            lengths[2] += (rest / 4).rounded(.up) - rest
            return lengths
        }
    }

    /// All documents in the segments, including deleted ones: they count in frequencies until a merge drops them.
    let entries: [Entry]
    let reachesParts: Bool
    private let means: [Double]

    init(_ entries: [Entry], reachesParts: Bool) {
        self.entries = entries
        self.reachesParts = reachesParts
        var totals = [0.0, 0.0, 0.0]
        for entry in entries { for field in 0..<3 { totals[field] += entry.lengths[field] } }
        means = totals.map { max(1e-3, $0 / Double(max(1, entries.count))) }
    }

    // MARK: Terms

    enum Term: Hashable {
        case exact(String)
        case prefix(String)
        case bare(String)
        case row([String], lastIsPrefix: Bool)
        case part(String)

        init?(_ query: Query) {
            func words(_ text: String) -> [String] {
                TokenList(text.utf8).plain.map { String(decoding: $0, as: UTF8.self) }
            }
            switch query {
            case .word(let text):
                let words = words(text)
                if words.count > 1 {
                    self = .row(words, lastIsPrefix: true)
                } else {
                    let isShort = words[0].utf8.count < 3 && words[0].utf8.allSatisfy { (0x61...0x7A).contains($0) }
                    self = isShort ? .exact(words[0]) : .bare(words[0])
                }
            case .prefix(let text):
                let words = words(text)
                self = words.count > 1 ? .row(words, lastIsPrefix: true) : .prefix(words[0])
            case .phrase(let text):
                let words = words(text)
                self = words.count > 1 ? .row(words, lastIsPrefix: false) : .exact(words[0])
            default: return nil
            }
        }

        /// All terms by which a query may match.
        static func ways(_ query: Query, reachesParts: Bool) -> [Term] {
            guard let plain = Term(query) else { return [] }
            if reachesParts, case .prefix = query, case .prefix(let word) = plain { return [plain, .part(word)] }
            guard reachesParts, case .word(let text) = query, let part = BareWord(text.utf8).part else {
                return [plain]
            }
            return [plain, .part(String(decoding: part, as: UTF8.self))]
        }

        /// The same term, which matches no parts of words.
        var withoutParts: Term { if case .bare(let word) = self { .prefix(word) } else { self } }

        var isRow: Bool { if case .row = self { true } else { false } }
    }

    /// Frequency of a term by field.
    private func frequencies(_ term: Term, _ entry: Entry) -> [Double] {
        var sum = [0.0, 0.0, 0.0]
        func add(_ counts: [Double], _ weight: Double) { for field in 0..<3 { sum[field] += weight * counts[field] } }
        switch term {
        case .exact(let word): return entry.counts[word] ?? sum
        case .prefix(let prefix):
            for (word, counts) in entry.counts where word.hasPrefix(prefix) { add(counts, 1) }
        case .bare(let bare):
            for (word, counts) in entry.counts where word.hasPrefix(bare) { add(counts, word == bare ? 1 : 0.25) }
            if reachesParts {
                for (part, counts) in entry.partCounts where part.hasPrefix(bare) { add(counts, 0.25) }
            }
        case .part(let prefix):
            for (part, counts) in entry.partCounts where part.hasPrefix(prefix) { add(counts, 1) }
        case .row(let words, let lastIsPrefix):
            for (field, rows) in entry.rows.enumerated() {
                for (number, row) in rows.enumerated() where row.count >= words.count {
                    let weight = entry.weight(field, number)
                    for start in 0...(row.count - words.count) {
                        let found = row[start..<(start + words.count)]
                        guard Array(found.dropLast()) == Array(words.dropLast()), let last = found.last,
                            let wanted = words.last
                        else { continue }
                        if last == wanted {
                            sum[field] += weight
                        } else if lastIsPrefix, last.hasPrefix(wanted) {
                            sum[field] += 0.25 * weight
                        }
                    }
                }
            }
        }
        return sum
    }

    private func x(_ term: Term, _ entry: Entry) -> Double {
        // Title, tags, text.
        let (weights, shares) = ([10.0, 6.0, 1.0], [0.3, 0, 0.75])
        let (lengths, found) = (entry.lengths, frequencies(term, entry))
        return (0..<3).reduce(0) { sum, field in
            let share = shares[field]
            return sum + weights[field] * found[field] / (1 - share + share * lengths[field] / means[field])
        }
    }

    // MARK: Queries

    func matches(_ query: Query, _ entry: Entry) -> Bool {
        switch query {
        case .everything: true
        case .word, .prefix, .phrase:
            Term.ways(query, reachesParts: reachesParts).contains { frequencies($0, entry).contains { $0 > 0 } }
        case .filter(.type(let type)): entry.document.type == type
        case .filter(.tag(let tag)): entry.tags.contains(Folding.fold(tag))
        case .filter(.state(.trashed)): entry.document.isTrashed
        case .filter(.created(let span)): span.contains(entry.document.created)
        case .filter(.updated(let span)): span.contains(entry.document.updated)
        case .filter(.text(let words)):
            Term.ways(words.query, reachesParts: reachesParts).contains { frequencies($0, entry)[2] > 0 }
        case .filter(.title(let words)): holds(words, Folding.fold(entry.document.title.joined(separator: " ")))
        case .filter(.author(let words)): holds(words, Folding.fold(entry.document.author.joined(separator: " ")))
        case .filter(.tagBeginning(let text)): entry.tags.contains { $0.hasPrefix(Folding.fold(text)) }
        case .filter(.url(let text)):
            entry.document.path != ""
                && "https://example.org/\(entry.document.path)".lowercased().contains(
                    String(decoding: text.utf8.flatMap(Self.encoded), as: UTF8.self))
        case .filter(.language(let language)): entry.document.language == language.lowercased()
        case .filter: false
        case .and(let parts): parts.allSatisfy { matches($0, entry) }
        case .or(let parts): parts.contains { matches($0, entry) }
        case .not(let part): !matches(part, entry)
        }
    }

    private static func encoded(_ byte: UInt8) -> [UInt8] {
        byte < 0x80 ? [byte] : Array("%\(String(byte, radix: 16))".utf8)
    }

    /// Whether a text contains words as a query does; parts of words do not count.
    private func holds(_ words: Filter.Words, _ text: String) -> Bool {
        guard let term = Term(words.query) else { return false }
        let entry = Entry(ModelDocument(text: text), isDeleted: false)
        return frequencies(term.withoutParts, entry).contains { $0 > 0 }
    }

    /// Scored terms, in the order of the query.
    func terms(_ query: Query) -> [Term] {
        switch query {
        case .and(let parts), .or(let parts): parts.flatMap(terms)
        case .word, .prefix, .phrase: Term.ways(query, reachesParts: reachesParts)
        case .everything, .filter, .not: []
        }
    }

    struct Hit {
        let key: DocumentKey
        let document: ModelDocument
        /// x of each of `terms`.
        let x: [Double]
        let score: Double
    }

    /// The number of documents with each of the query's terms, for its weight: of a bare word, those with plain
    /// tokens.
    func documentCounts(_ query: Query) -> [Int] {
        terms(query).map { term in
            var counted = term
            if case .bare(let word) = term { counted = .prefix(word) }
            return entries.count { entry in frequencies(counted, entry).contains { $0 > 0 } }
        }
    }

    /// All matches, in no order.
    func hits(_ query: Query) -> [Hit] {
        let terms = terms(query)
        let all = Double(entries.count)
        let idfs = documentCounts(query).map { Glibc.log(1 + (all - Double($0) + 0.5) / (Double($0) + 0.5)) }
        return entries.compactMap { entry in
            if entry.isDeleted || (entry.document.isTrashed && !query.revealsTrash) { return nil }
            if !matches(query, entry) { return nil }
            let x = terms.map { self.x($0, entry) }
            let score = zip(idfs, x).reduce(0) { $0 + $1.0 * $1.1 / (1.2 + $1.1) }
            return Hit(key: entry.document.key, document: entry.document, x: x, score: score)
        }
    }
}
