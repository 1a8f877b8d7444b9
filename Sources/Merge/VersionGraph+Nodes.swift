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

    /// Makes first versions one node of which one lacks the document that both were made with.
    ///
    /// A device that finds the document changed cannot tell what it was, but for its hash in item.json; another device has it, and
    /// records it. So both are one state: the one with the document stands.
    mutating func uniteUnrecorded() {
        let roots = versions.indices.filter { parents[$0]?.isEmpty == true && nodes[$0] == $0 }
        if roots.count < 2 { return }
        var recorded: [[ContentHash?]: [Int]] = [:]
        for place in roots where versions[place].content.document != nil {
            recorded[besidesDocument(of: place), default: []].append(place)
        }
        for place in roots where versions[place].content.document == nil {
            let twins = recorded[besidesDocument(of: place)] ?? []
            if let twin = twins.prefix(Self.twinLimit).first(where: recordsDocument) { unite(place, into: twin) }
        }
    }

    /// Lets each first version that programs changed before it was noted come from the only other one that has its `updatedAt`.
    ///
    /// A new copy of a library may be edited before sbfs sees it. Its first version has the edit, and nothing says what it was made of;
    /// the copy that the item comes from knows that.
    mutating func giveEditedRootsAParent() {
        let roots = versions.indices.filter { parents[$0]?.isEmpty == true && nodes[$0] == $0 }
        if roots.count < 2 { return }
        var others: Set<Int> = [], unchanged: Set<Int> = []
        for place in versions.indices where parents[place] != nil && !versions[place].isEdited {
            others.insert(nodes[place])
            if versions[place].parents.isEmpty { unchanged.insert(nodes[place]) }
        }
        var bases: [Int64: [Int]] = [:]
        for place in roots where unchanged.contains(place) {
            if let time = versions[place].updatedAt { bases[time.milliseconds, default: []].append(place) }
        }
        for place in roots where !others.contains(place) {
            guard let time = versions[place].updatedAt, let found = bases[time.milliseconds] else { continue }
            // Of two, nothing tells which one it was.
            if found.count == 1 { parents[place] = found }
        }
    }

    /// So many roots are read for one without a document: a bound of the work that no real item comes near.
    private static let twinLimit = 64

    private func besidesDocument(of place: Int) -> [ContentHash?] {
        let content = versions[place].content
        return [content.item, content.text, content.page]
    }

    /// Whether the document of a version is the one whose hash its item.json has.
    private func recordsDocument(_ place: Int) -> Bool {
        guard let version = try? load(versions[place].name),
            let hash = LiveState.documentHash(in: version.item)
        else { return false }
        return version.files.contains { Component(of: $0) == .document && $0.sha256 == hash }
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
