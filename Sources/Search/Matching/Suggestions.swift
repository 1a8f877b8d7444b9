extension IndexSnapshot {
    /// Words, tags and collections with the typed prefix, folded, most frequent first.
    package func suggest(_ prefix: String, limit: Int) throws(IndexDamage) -> [String] {
        let folded = Folding.fold(prefix.utf8)
        if folded.isEmpty || limit < 1 { return [] }
        var counts: [[UInt8]: Int] = [:]
        let tag = [ExactTerm.Kind.tag.rawValue]
        let kinds = [[], tag, [ExactTerm.Kind.collection.rawValue]]
        let collectionTag = Array("collection:".utf8)
        let isOfCollection = folded.starts(with: collectionTag)
        for part in parts {
            for kind in kinds {
                // Each part keeps only a few, so that a short prefix stays cheap in a large index.
                var best: [(term: [UInt8], count: Int)] = []
                var least = 0
                var cursor = TermCursor(part.segment)
                let wanted = kind + folded
                try cursor.seek(wanted)
                while !cursor.isAtEnd, cursor.hasPrefix(wanted) {
                    // A collection is suggested by its name.
                    if kind == tag, !isOfCollection, cursor.bytes.dropFirst().starts(with: collectionTag) {
                        try cursor.next()
                        continue
                    }
                    if cursor.count > least || best.count < limit * 4 {
                        best.append((Array(cursor.bytes.dropFirst(kind.count)), cursor.count))
                        if best.count > limit * 8 {
                            best.sort { $0.count > $1.count }
                            best.removeLast(best.count - limit * 4)
                            least = best[best.count - 1].count
                        }
                    }
                    try cursor.next()
                }
                for (term, count) in best { counts[term, default: 0] += count }
            }
        }
        let sorted = counts.sorted { a, b in
            a.value != b.value ? a.value > b.value : a.key.lexicographicallyPrecedes(b.key)
        }
        return sorted.prefix(limit).map { String(decoding: $0.key, as: UTF8.self) }
    }

    /// Words of the index at an edit distance of one: a character added, removed or replaced, or two neighbours
    /// swapped; most frequent first. Empty if the index contains the word itself.
    package func corrections(_ word: String, limit: Int = 3) throws(IndexDamage) -> [String] {
        let scalars = Array(String(decoding: Folding.fold(word.utf8), as: UTF8.self).unicodeScalars)
        if scalars.count < 3 || scalars.count > 40 { return [] }
        let candidates = Edits.one(scalars)
        var counts: [Int: Int] = [:]
        for part in parts {
            for (number, candidate) in candidates.enumerated() {
                guard let list = try part.segment.list(candidate) else { continue }
                if number == 0 { return [] }
                counts[number, default: 0] += list.count
            }
        }
        let sorted = counts.sorted { a, b in a.value != b.value ? a.value > b.value : a.key < b.key }
        return sorted.prefix(limit).map { String(decoding: candidates[$0.key], as: UTF8.self) }
    }

    /// Names of a kind at an edit distance of one, folded, most frequent first; see `corrections`.
    package func names(near name: String, _ kind: ExactTerm.Kind) throws(IndexDamage) -> [String] {
        let candidates = Edits.near(name)
        var found: [(name: [UInt8], count: Int)] = []
        for candidate in candidates {
            let term = ExactTerm(kind, candidate)
            var count = 0
            for part in parts { count += try part.segment.list(term.bytes)?.count ?? 0 }
            // The count includes deleted documents, so at least one live document must exist.
            if count > 0, try !keys(with: term, limit: 1).isEmpty { found.append((candidate, count)) }
        }
        found.sort { a, b in a.count != b.count ? a.count > b.count : a.name.lexicographicallyPrecedes(b.name) }
        return found.map { String(decoding: $0.name, as: UTF8.self) }
    }
}

/// Words at a small edit distance.
package enum Edits {
    /// Other words at an edit distance of one, folded; none for words so short that most words are near.
    package static func near(_ word: String) -> [[UInt8]] {
        let scalars = Array(Folding.fold(word).unicodeScalars)
        if scalars.count < 3 || scalars.count > 40 { return [] }
        return Array(one(scalars).dropFirst())
    }

    /// The word itself, then every word at an edit distance of one, without duplicates, in UTF-8.
    static func one(_ word: [Unicode.Scalar]) -> [[UInt8]] {
        func utf8(_ scalar: Unicode.Scalar) -> [UInt8] { UTF8.encode(scalar).map(Array.init) ?? [] }
        let letters = alphabet(of: word).map { (scalar: $0, bytes: utf8($0)) }
        var bytes: [UInt8] = []
        // The offset of each letter, and the end.
        var starts = [0]
        for scalar in word {
            bytes += utf8(scalar)
            starts.append(bytes.count)
        }
        var words = [bytes]
        words.reserveCapacity(1 + word.count * (2 + 2 * letters.count) + letters.count)
        func add(upTo start: Int, _ middle: ArraySlice<UInt8>, _ second: ArraySlice<UInt8> = [], from end: Int) {
            var word: [UInt8] = []
            word.reserveCapacity(bytes.count + 4)
            word += bytes[..<start]
            word += middle
            word += second
            word += bytes[end...]
            words.append(word)
        }
        for place in word.indices {
            let (start, end) = (starts[place], starts[place + 1])
            let isDoubled = place + 1 < word.count && word[place] == word[place + 1]
            // Removing either of two equal letters gives the same word.
            if !isDoubled { add(upTo: start, [], from: end) }
            if place + 1 < word.count, !isDoubled {
                add(upTo: start, bytes[end..<starts[place + 2]], bytes[start..<end], from: starts[place + 2])
            }
            for letter in letters where letter.scalar != word[place] {
                add(upTo: start, letter.bytes[...], from: end)
            }
        }
        for place in 0...word.count {
            // Adding a letter before an equal one gives the same word as after it.
            for letter in letters where place == word.count || letter.scalar != word[place] {
                add(upTo: starts[place], letter.bytes[...], from: starts[place])
            }
        }
        return words
    }

    /// Letters that may replace others: those of the word's script, and digits if it has some.
    private static func alphabet(of word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var ranges: [ClosedRange<UInt32>] = []
        if word.contains(where: { (0x61...0x7A).contains($0.value) }) { ranges.append(0x61...0x7A) }
        if word.contains(where: { (0x30...0x39).contains($0.value) }) { ranges.append(0x30...0x39) }
        if word.contains(where: { (0x3B1...0x3C9).contains($0.value) }) { ranges.append(0x3B1...0x3C9) }
        if word.contains(where: { (0x430...0x45F).contains($0.value) }) { ranges.append(0x430...0x45F) }
        return ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }
    }
}
