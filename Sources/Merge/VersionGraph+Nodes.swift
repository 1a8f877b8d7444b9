import Items

extension VersionGraph {
    /// Makes versions of equal content one node, unless one comes from the other: their parents unite.
    ///
    /// Versions are looked at in the order of their names. Each unites with the first equal one that it is not related to.
    /// Whether two are related takes a walk through the graph. After 20,000,000 steps of such walks no more versions are
    /// united; no real item comes near that.
    mutating func uniteEqual() {
        var groups: [StateHashes: [Int]] = [:]
        for place in versions.indices where parents[place] != nil {
            groups[versions[place].content, default: []].append(place)
        }
        var stepsLeft = 20_000_000
        for group in groups.values.filter({ $0.count > 1 }).sorted(by: { $0[0] < $1[0] }) {
            var kept: [Int] = []
            for place in group {
                let twin = kept.first { other in
                    stepsLeft > 0 && !comes(place, from: other, &stepsLeft) && !comes(other, from: place, &stepsLeft)
                }
                if let twin { unite(place, into: twin) } else { kept.append(place) }
            }
        }
    }

    private mutating func unite(_ place: Int, into twin: Int) {
        nodes[place] = twin
        parents[twin] = Array(Set((parents[twin] ?? []) + (parents[place] ?? []))).sorted()
    }

    private func comes(_ child: Int, from ancestor: Int, _ stepsLeft: inout Int) -> Bool {
        var seen: Set<Int> = [], open = [child]
        while let next = open.popLast() {
            if next == ancestor { return true }
            if !seen.insert(next).inserted { continue }
            stepsLeft -= 1
            open += (parents[next] ?? []).map { nodes[$0] }
        }
        return false
    }
}
