internal import Items
internal import Merge

extension VersionGraph {
    /// The places of all versions, the latest first: each before those it came from, else by `updatedAt`, then by name.
    ///
    /// Clocks may be wrong, so a version counts as at least 1 ms later than each that it came from.
    func latestFirst() -> [Int] {
        let parents = versions.map { $0.parents.compactMap { place(of: $0) } }
        var children = [[Int]](repeating: [], count: versions.count)
        for (place, above) in parents.enumerated() {
            for parent in above { children[parent].append(place) }
        }
        var times = versions.map { $0.updatedAt?.milliseconds ?? 0 }
        var left = parents.map(\.count)
        var open = versions.indices.filter { left[$0] == 0 }
        while let place = open.popLast() {
            for child in children[place] {
                times[child] = max(times[child], times[place] + 1)
                left[child] -= 1
                if left[child] == 0 { open.append(child) }
            }
        }
        return versions.indices.sorted { times[$0] == times[$1] ? $0 < $1 : times[$0] > times[$1] }
    }
}
