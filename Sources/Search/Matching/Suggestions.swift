extension IndexSnapshot {
    /// Words, tags and collections that begin as typed, most frequent first, folded.
    package func suggest(_ prefix: String, limit: Int) throws(IndexDamage) -> [String] {
        let folded = Folding.fold(prefix.utf8)
        if folded.isEmpty || limit < 1 { return [] }
        var counts: [[UInt8]: Int] = [:]
        let kinds: [[UInt8]] = [[], [ExactTerm.Kind.tag.rawValue], [ExactTerm.Kind.collection.rawValue]]
        for part in parts {
            for kind in kinds {
                // Few survive in each part, so that a short prefix of a large index stays cheap.
                var best: [(term: [UInt8], count: Int)] = []
                var least = 0
                var cursor = TermCursor(part.segment)
                let wanted = kind + folded
                try cursor.seek(wanted)
                while !cursor.isAtEnd, cursor.hasPrefix(wanted) {
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

    /// Words of the index that are one edit away: a character more, less or another, or two neighbours swapped; most
    /// frequent first. Empty if the word itself is in the index.
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

    /// Names of a kind that documents have and that are one edit away, as `corrections` counts edits; those that most
    /// documents have first, folded.
    package func names(near name: String, _ kind: ExactTerm.Kind) throws(IndexDamage) -> [String] {
        let candidates = Edits.near(name)
        var found: [(name: [UInt8], count: Int)] = []
        for candidate in candidates {
            let term = ExactTerm(kind, candidate)
            var count = 0
            for part in parts { count += try part.segment.list(term.bytes)?.count ?? 0 }
            // Documents that were deleted since are counted, so one at least is looked for.
            if count > 0, try !keys(with: term, limit: 1).isEmpty { found.append((candidate, count)) }
        }
        found.sort { a, b in a.count != b.count ? a.count > b.count : a.name.lexicographicallyPrecedes(b.name) }
        return found.map { String(decoding: $0.name, as: UTF8.self) }
    }
}

/// Words near a word.
package enum Edits {
    /// Other words, folded, that are one edit away; none of words that are so short that most words are near.
    package static func near(_ word: String) -> [[UInt8]] {
        let scalars = Array(Folding.fold(word).unicodeScalars)
        if scalars.count < 3 || scalars.count > 40 { return [] }
        return Array(one(scalars).dropFirst())
    }

    /// The word itself, then every word one edit away, each once, in UTF-8.
    static func one(_ word: [Unicode.Scalar]) -> [[UInt8]] {
        func utf8(_ scalar: Unicode.Scalar) -> [UInt8] { UTF8.encode(scalar).map(Array.init) ?? [] }
        let letters = alphabet(of: word).map { (scalar: $0, bytes: utf8($0)) }
        var bytes: [UInt8] = []
        // Where each letter begins, and the end.
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
            // Of two letters that are the same it does not matter which is left out.
            if !isDoubled { add(upTo: start, [], from: end) }
            if place + 1 < word.count, !isDoubled {
                add(upTo: start, bytes[end..<starts[place + 2]], bytes[start..<end], from: starts[place + 2])
            }
            for letter in letters where letter.scalar != word[place] {
                add(upTo: start, letter.bytes[...], from: end)
            }
        }
        for place in 0...word.count {
            // Behind the same letter it is the same word.
            for letter in letters where place == word.count || letter.scalar != word[place] {
                add(upTo: starts[place], letter.bytes[...], from: starts[place])
            }
        }
        return words
    }

    /// Letters that the word may have been meant with: those of its script, and digits if it has some.
    private static func alphabet(of word: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var ranges: [ClosedRange<UInt32>] = []
        if word.contains(where: { (0x61...0x7A).contains($0.value) }) { ranges.append(0x61...0x7A) }
        if word.contains(where: { (0x30...0x39).contains($0.value) }) { ranges.append(0x30...0x39) }
        if word.contains(where: { (0x3B1...0x3C9).contains($0.value) }) { ranges.append(0x3B1...0x3C9) }
        if word.contains(where: { (0x430...0x45F).contains($0.value) }) { ranges.append(0x430...0x45F) }
        return ranges.flatMap { $0.compactMap(Unicode.Scalar.init) }
    }
}
