/// The lines that differ between two texts.
enum LineDiff {
    enum Line: Equatable {
        case removed(Substring)
        case added(Substring)
        /// The number of lines that are equal on both sides.
        case same(Int)
    }

    /// Above this number of changes, all old lines are shown and then all new ones: finding the fewest would take too
    /// long.
    private static let changeLimit = 400

    /// The fewest lines to remove and to add (E. W. Myers, An O(ND) Difference Algorithm and Its Variations, 1986).
    static func lines(_ old: String, _ new: String) -> [Line] {
        let a = split(old), b = split(new)
        var start = 0
        while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
        var end = 0
        while end < min(a.count, b.count) - start, a[a.count - 1 - end] == b[b.count - 1 - end] { end += 1 }
        let x = Array(a[start..<a.count - end]), y = Array(b[start..<b.count - end])
        let middle = shortest(x, y) ?? (x.map(Line.removed) + y.map(Line.added))
        return (start > 0 ? [.same(start)] : []) + middle + (end > 0 ? [.same(end)] : [])
    }

    private static func split(_ text: String) -> [Substring] {
        if text.isEmpty { return [] }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    private static func shortest(_ a: [Substring], _ b: [Substring]) -> [Line]? {
        // The furthest index in `a` by diagonal, one array for each number of changes.
        var rows: [[Int]] = []
        let limit = min(a.count + b.count, changeLimit)
        var furthest = [Int](repeating: 0, count: 2 * limit + 3)
        for changes in 0...limit {
            rows.append(furthest)
            for diagonal in stride(from: -changes, through: changes, by: 2) {
                let place = diagonal + limit + 1
                var x =
                    diagonal == -changes || diagonal != changes && furthest[place - 1] < furthest[place + 1]
                    ? furthest[place + 1] : furthest[place - 1] + 1
                var y = x - diagonal
                while x < a.count, y >= 0, y < b.count, a[x] == b[y] {
                    x += 1
                    y += 1
                }
                furthest[place] = x
                if x >= a.count, y >= b.count { return trace(rows, a, b, limit) }
            }
        }
        return nil
    }

    private static func trace(_ rows: [[Int]], _ a: [Substring], _ b: [Substring], _ limit: Int) -> [Line] {
        var x = a.count, y = b.count
        var lines: [Line] = []
        func keep(_ count: Int) {
            if count <= 0 { return }
            if case .same(let more)? = lines.last {
                lines[lines.count - 1] = .same(more + count)
            } else {
                lines.append(.same(count))
            }
        }
        for changes in stride(from: rows.count - 1, through: 1, by: -1) {
            let furthest = rows[changes]
            let diagonal = x - y
            let place = diagonal + limit + 1
            let isAdded = diagonal == -changes || diagonal != changes && furthest[place - 1] < furthest[place + 1]
            let before = isAdded ? diagonal + 1 : diagonal - 1
            let fromX = furthest[before + limit + 1], fromY = fromX - before
            let (toX, toY) = isAdded ? (fromX, fromY + 1) : (fromX + 1, fromY)
            keep(x - toX)
            lines.append(isAdded ? .added(b[toY - 1]) : .removed(a[toX - 1]))
            (x, y) = (fromX, fromY)
        }
        keep(x)
        return lines.reversed()
    }
}
