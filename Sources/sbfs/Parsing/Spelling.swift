/// "Did you mean": the nearest of several words.
enum Spelling {
    /// - Returns: the word with the fewest edits, if these are at most a third of its length (and at least one).
    static func nearest(_ word: String, in candidates: [String]) -> String? {
        let ranked = candidates.map { (distance(word, $0), $0) }.min { $0.0 < $1.0 }
        guard let (distance, best) = ranked, distance <= max(1, min(word.count, best.count) / 3) else { return nil }
        return best
    }

    /// Damerau–Levenshtein distance in the optimal string alignment form: insert, delete, replace, swap neighbours.
    static func distance(_ a: String, _ b: String) -> Int {
        let a = Array(a.lowercased()), b = Array(b.lowercased())
        if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
        var rows = [Array(0...b.count)]
        for i in 1...a.count {
            var row = [i]
            for j in 1...b.count {
                var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
                if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] { best = min(best, rows[i - 2][j - 2] + 1) }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[a.count][b.count]
    }
}
