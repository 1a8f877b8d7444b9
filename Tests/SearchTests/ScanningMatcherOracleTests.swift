import Search
import TestSupport
import Testing

/// The matcher compared with an obvious one, which keeps words folded in lists from the start.
struct ScanningMatcherOracleTests {
    /// A word, and its usual spellings.
    private static let vocabulary: [(folded: String, spellings: [String])] = [
        ("a", ["a", "A", "Å"]), ("ab", ["ab", "Ab"]), ("abc", ["abc", "ÁBC"]), ("abcd", ["abcd"]),
        ("lo", ["lo", "Łó"]),
        ("lodz", ["lodz", "Łódź", "ŁÓDŹ"]), ("strasse", ["strasse", "Straße"]), ("strassen", ["Straßen"]),
        ("find", ["ﬁnd"]), ("2025", ["2025", "２０２５"]), ("елка", ["ёлка", "ЕЛКА"]), ("ел", ["Ел"]), ("日本", ["日本"]),
        ("日本語", ["日本語"]), ("本語", ["本語"]),
    ]

    private struct Oracle {
        var document = SampleDocument()
        var fields: [[String]] = []
        /// The `fields` that are neither title nor tags.
        var texts: [[String]] = []
        var tags: [String] = []
        var collections: [String] = []

        func matches(_ query: Query) -> Bool {
            (!document.isTrashed || Self.asksForTrash(query)) && holds(query)
        }

        private static func asksForTrash(_ query: Query) -> Bool {
            switch query {
            case .filter(.state(.trashed)): true
            case .and(let parts), .or(let parts): parts.contains(where: asksForTrash)
            default: false
            }
        }

        private func holds(_ query: Query) -> Bool {
            switch query {
            case .everything: return true
            case .word(let word):
                let word = folded(word)
                let isShort = word.unicodeScalars.count <= 2 && word.unicodeScalars.allSatisfy(\.isASCII)
                return fields.joined().contains { isShort ? $0 == word : Self.begins($0, word) }
            case .prefix(let word): return fields.joined().contains { Self.begins($0, folded(word)) }
            case .phrase(let text):
                let words = text.split(separator: " ").map { folded(String($0)) }
                return fields.contains { field in
                    field.indices.contains { Self.begins(Array(field[$0...]), words) }
                }
            case .filter(.tag(let tag)): return tags.contains(folded(tag))
            case .filter(.collection(let name)):
                return collections.contains { $0 == folded(name) || $0.hasPrefix(folded(name) + "/") }
            case .filter(.state(let state)): return document.states.contains(state)
            case .filter(.tagBeginning(let text)): return tags.contains { $0.hasPrefix(folded(text)) }
            case .filter(.collectionBeginning(let text)): return collections.contains { $0.hasPrefix(folded(text)) }
            case .filter(.title(let words)): return Oracle(fields: [fields[0]]).holds(words.query)
            case .filter(.text(let words)): return Oracle(fields: texts).holds(words.query)
            case .filter: return false
            case .and(let parts): return parts.allSatisfy(holds)
            case .or(let parts): return parts.contains(where: holds)
            case .not(let part): return !holds(part)
            }
        }

        private static func isUnspaced(_ word: String) -> Bool { word.contains("本") }

        /// Whether a word of a text begins as the one that is asked for, anywhere in it without spaces.
        private static func begins(_ word: String, _ asked: String) -> Bool {
            isUnspaced(asked) ? word.contains(asked) : word.hasPrefix(asked)
        }

        /// Whether words of a text begin with those of a phrase.
        private static func begins(_ words: [String], _ asked: [String]) -> Bool {
            guard words.count >= asked.count, let first = asked.first, let last = asked.last else { return false }
            if asked.count == 1 { return isUnspaced(first) ? words[0].contains(first) : words[0] == first }
            let end = words[asked.count - 1]
            return (isUnspaced(first) ? words[0].hasSuffix(first) : words[0] == first)
                && words[1..<asked.count - 1] == asked[1..<asked.count - 1]
                && (isUnspaced(last) ? end.hasPrefix(last) : end == last)
        }

        private func folded(_ spelling: String) -> String {
            vocabulary.first { $0.spellings.contains(spelling) }?.folded ?? spelling
        }
    }

    private static func word(_ generator: inout SeededGenerator) -> (folded: String, spelling: String) {
        let entry = vocabulary[Int.random(in: 0..<vocabulary.count, using: &generator)]
        return (entry.folded, entry.spellings[Int.random(in: 0..<entry.spellings.count, using: &generator)])
    }

    private static func text(_ count: ClosedRange<Int>, _ generator: inout SeededGenerator) -> (
        words: [String], text: String
    ) {
        let words = (0..<Int.random(in: count, using: &generator)).map { _ in word(&generator) }
        let gaps = [" ", ", ", "-", "\n", "_", " …", "("]
        var text = Bool.random(using: &generator) ? " " : ""
        for word in words { text += word.spelling + gaps[Int.random(in: 0..<gaps.count, using: &generator)] }
        return (words.map(\.folded), text)
    }

    private static func document(_ generator: inout SeededGenerator) -> Oracle {
        var oracle = Oracle()
        let title = text(0...4, &generator)
        oracle.document.name = title.text
        oracle.fields.append(title.words)
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let (tag, inner) = (word(&generator), word(&generator))
            if Bool.random(using: &generator) {
                oracle.document.tags.append(tag.spelling)
                oracle.tags.append(tag.folded)
                oracle.fields.append([tag.folded])
            } else {
                oracle.document.tags.append("collection:\(tag.spelling)/\(inner.spelling)")
                oracle.collections.append("\(tag.folded)/\(inner.folded)")
                oracle.fields.append(["collection", tag.folded, inner.folded])
            }
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            let field = text(0...8, &generator)
            oracle.document.fields.append(field.text)
            oracle.fields.append(field.words)
            oracle.texts.append(field.words)
        }
        if Int.random(in: 0..<6, using: &generator) == 0 {
            oracle.document.isTrashed = true
            oracle.document.states.insert(.trashed)
        }
        if Bool.random(using: &generator) { oracle.document.states.insert(.pinned) }
        return oracle
    }

    private static func query(_ depth: Int, _ generator: inout SeededGenerator) -> Query {
        func parts(_ generator: inout SeededGenerator) -> [Query] {
            (0..<Int.random(in: 2...3, using: &generator)).map { _ in query(depth - 1, &generator) }
        }
        func words(_ generator: inout SeededGenerator) -> Filter.Words {
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: .word(word(&generator).spelling)
            case 1: .prefix(word(&generator).spelling)
            default: .phrase(word(&generator).spelling + " " + word(&generator).spelling)
            }
        }
        switch Int.random(in: depth == 0 ? 0..<10 : 0..<14, using: &generator) {
        case 0, 1: return .word(word(&generator).spelling)
        case 2: return .prefix(word(&generator).spelling)
        case 3:
            return .phrase(
                (0..<Int.random(in: 1...3, using: &generator)).map { _ in word(&generator).spelling }
                    .joined(separator: " "))
        case 4: return .filter(.tag(word(&generator).spelling))
        case 5: return .filter(.collection(word(&generator).spelling))
        case 6: return .filter(.state(Bool.random(using: &generator) ? .trashed : .pinned))
        case 7: return .filter(.text(words(&generator)))
        case 8: return .filter(.title(words(&generator)))
        case 9:
            let text = word(&generator).spelling
            return .filter(Bool.random(using: &generator) ? .tagBeginning(text) : .collectionBeginning(text))
        case 10, 11: return .and(parts(&generator))
        case 12: return .or(parts(&generator))
        default: return .not(query(depth - 1, &generator))
        }
    }

    @Test func `every generated query finds the same as the obvious matcher`() {
        var generator = SeededGenerator(seed: 1)
        let documents = (0..<60).map { _ in Self.document(&generator) }
        var found = 0
        for _ in 0..<400 {
            let query = Self.query(3, &generator)
            let matcher = ScanningMatcher(query)
            for oracle in documents {
                let isFound = matcher.matches(oracle.document)
                #expect(isFound == oracle.matches(query), "\(query) in \(oracle.document)")
                if isFound { found += 1 }
            }
        }
        // Neither all nor nothing, or the comparison would prove little.
        #expect((2_000..<22_000).contains(found))
    }
}
