/// Longest common subsequences.
///
/// Of several, the one that takes the earliest pair from the front. Equal beginnings are paired at once. If the product
/// of the rest's lengths exceeds `cellLimit`, only elements that each side has once in the rest are aligned (the longest
/// run of them that rises in both), and then the parts between them that are small enough. So the cost is bounded:
/// memory of 2 bytes for each of 4,000,000 cells, and time linear in the lengths beyond that.
enum Alignment {
    static let cellLimit = 4_000_000

    /// The pairs of places, rising in both.
    static func pairs<Element: Hashable>(_ a: [Element], _ b: [Element]) -> [(Int, Int)] {
        var numbers: [Element: Int] = [:]
        func number(_ element: Element) -> Int {
            if let known = numbers[element] { return known }
            numbers[element] = numbers.count
            return numbers.count - 1
        }
        return pairs(a.map(number)[...], b.map(number)[...])
    }

    private static func pairs(_ a: ArraySlice<Int>, _ b: ArraySlice<Int>) -> [(Int, Int)] {
        var pairs: [(Int, Int)] = []
        var i = a.startIndex, j = b.startIndex
        while i < a.endIndex, j < b.endIndex, a[i] == b[j] {
            pairs.append((i, j))
            i += 1
            j += 1
        }
        let one = a[i...], two = b[j...]
        if one.isEmpty || two.isEmpty { return pairs }
        if one.count <= cellLimit / two.count { return pairs + table(one, two) }
        var from = (i, j)
        for anchor in anchors(one, two) + [(a.endIndex, b.endIndex)] {
            let gap = (a[from.0..<anchor.0], b[from.1..<anchor.1])
            if !gap.0.isEmpty, !gap.1.isEmpty, gap.0.count <= cellLimit / gap.1.count { pairs += table(gap.0, gap.1) }
            if anchor.0 < a.endIndex { pairs.append(anchor) }
            from = (anchor.0 + 1, anchor.1 + 1)
        }
        return pairs
    }

    /// Dynamic programming from the ends. A length is at most the root of `cellLimit`.
    private static func table(_ a: ArraySlice<Int>, _ b: ArraySlice<Int>) -> [(Int, Int)] {
        let width = b.count + 1
        var length = [UInt16](repeating: 0, count: (a.count + 1) * width)
        let one = Array(a), two = Array(b)
        for i in stride(from: one.count - 1, through: 0, by: -1) {
            for j in stride(from: two.count - 1, through: 0, by: -1) {
                length[i * width + j] =
                    one[i] == two[j]
                    ? length[(i + 1) * width + j + 1] + 1 : max(length[(i + 1) * width + j], length[i * width + j + 1])
            }
        }
        var i = 0, j = 0
        var pairs: [(Int, Int)] = []
        while i < one.count, j < two.count {
            if one[i] == two[j] {
                pairs.append((a.startIndex + i, b.startIndex + j))
                i += 1
                j += 1
            } else if length[(i + 1) * width + j] >= length[i * width + j + 1] {
                i += 1
            } else {
                j += 1
            }
        }
        return pairs
    }

    /// Of the elements that each side has once, the longest run that rises in both (patience sorting).
    private static func anchors(_ a: ArraySlice<Int>, _ b: ArraySlice<Int>) -> [(Int, Int)] {
        let one = single(a), two = single(b)
        let common = a.indices.compactMap { i in one[a[i]] != nil ? two[a[i]].map { (i, $0) } : nil }
        var piles: [Int] = [], below: [Int?] = []
        for (place, pair) in common.enumerated() {
            var low = 0, high = piles.count
            while low < high {
                let middle = (low + high) / 2
                if common[piles[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
            }
            below.append(low > 0 ? piles[low - 1] : nil)
            if low < piles.count { piles[low] = place } else { piles.append(place) }
        }
        var run: [(Int, Int)] = [], next = piles.last
        while let place = next {
            run.append(common[place])
            next = below[place]
        }
        return run.reversed()
    }

    /// The places of the elements that occur once.
    private static func single(_ elements: ArraySlice<Int>) -> [Int: Int] {
        var places: [Int: Int?] = [:]
        for place in elements.indices { places[elements[place]] = .some(places[elements[place]] == nil ? place : nil) }
        return places.compactMapValues { $0 }
    }
}
