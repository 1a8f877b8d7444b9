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
            var cursor = TermCursor(part.segment)
            for (number, candidate) in candidates.enumerated() {
                try cursor.seek(candidate)
                if !cursor.isAtEnd, cursor.equals(candidate) {
                    if number == 0 { return [] }
                    counts[number, default: 0] += cursor.count
                }
            }
        }
        let sorted = counts.sorted { a, b in a.value != b.value ? a.value > b.value : a.key < b.key }
        return sorted.prefix(limit).map { String(decoding: candidates[$0.key], as: UTF8.self) }
    }
}

/// Words near a word.
enum Edits {
    /// The word itself, then every word one edit away, in UTF-8.
    static func one(_ word: [Unicode.Scalar]) -> [[UInt8]] {
        let letters = alphabet(of: word)
        var words: [[Unicode.Scalar]] = [word]
        for place in word.indices {
            var shorter = word
            shorter.remove(at: place)
            words.append(shorter)
            if place + 1 < word.count, word[place] != word[place + 1] {
                var swapped = word
                swapped.swapAt(place, place + 1)
                words.append(swapped)
            }
            for letter in letters where letter != word[place] {
                var other = word
                other[place] = letter
                words.append(other)
            }
        }
        for place in 0...word.count {
            for letter in letters {
                var longer = word
                longer.insert(letter, at: place)
                words.append(longer)
            }
        }
        var known: Set<[UInt8]> = []
        return words.compactMap { scalars in
            var bytes: [UInt8] = []
            for scalar in scalars { bytes += UTF8.encode(scalar).map(Array.init) ?? [] }
            // Some edits lead to the same word.
            return known.insert(bytes).inserted ? bytes : nil
        }
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
