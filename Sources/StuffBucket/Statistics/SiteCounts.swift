internal import Search

/// Numbers of items by the host of their link.
enum SiteCounts {
    /// - Parameter counts: of every host and every domain above one; an item counts once for each.
    /// - Returns: the counts of hosts only, without `www.`, most frequent first.
    static func own(_ counts: [Facets.Count]) -> [LibraryStatistics.Count] {
        var below: [String: Int] = [:]
        for count in counts {
            guard let dot = count.value.firstIndex(of: ".") else { continue }
            below[String(count.value[count.value.index(after: dot)...]), default: 0] += count.count
        }
        var own: [String: Int] = [:]
        for count in counts {
            let rest = count.count - (below[count.value] ?? 0)
            if rest <= 0 { continue }
            let name = count.value.hasPrefix("www.") ? String(count.value.dropFirst(4)) : count.value
            own[name, default: 0] += rest
        }
        return own.map { LibraryStatistics.Count(name: $0.key, count: $0.value) }
            .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
}
