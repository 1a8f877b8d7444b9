package import Items

/// The versions of one item, and which came from which: Documentation/Merge.md § 1. A pure value.
///
/// A version counts if its text and its parents are here and count, or a tombstone lists them, or it has waited long
/// enough for them. Versions of equal content are one node, unless one comes from the other. The time to make a graph is
/// linear in the parents of the versions, beside `VersionGraph+Nodes.swift`. The graph holds outlines; it loads the content
/// of a version only to join it.
package struct VersionGraph: Sendable {
    /// Gives the content of a version, by its name. Throws if the version can no longer be read.
    package typealias Loader = @Sendable (ContentHash) throws(ItemError) -> Version

    /// All versions, sorted by name.
    package let versions: [VersionOutline]
    let load: Loader
    private let places: [ContentHash: Int]
    let texts: Set<ContentHash>
    /// For each version the places of the parents that count; `nil` if the version does not count itself.
    var parents: [[Int]?]
    /// For each version the place of its node: its own, or that of an equal version.
    var nodes: [Int]
    /// The nodes from which no other comes, sorted by name.
    package internal(set) var heads: [Int] = []

    /// - Parameters:
    ///   - versions: in any order; each name once.
    ///   - texts: the hashes of the texts that are here.
    ///   - gone: names that a tombstone lists.
    ///   - waited: names of versions that need not wait any longer for what they lack.
    ///   - load: gives the content of one of `versions`.
    package init(
        _ versions: [VersionOutline], texts: Set<ContentHash>, gone: Set<ContentHash> = [],
        waited: Set<ContentHash> = [], load: @escaping Loader
    ) {
        self.versions = versions.sorted { $0.name < $1.name }
        self.load = load
        self.texts = texts
        places = Dictionary(self.versions.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        parents = Array(repeating: nil, count: versions.count)
        nodes = Array(versions.indices)
        count(gone: gone, waited: waited)
        uniteEqual()
        uniteUnrecorded()
        giveEditedRootsAParent()
        findHeads()
    }

    /// Makes the graph of versions that are in memory.
    package init(
        _ versions: [Version], texts: Set<ContentHash>, gone: Set<ContentHash> = [], waited: Set<ContentHash> = []
    ) {
        let contents = Dictionary(versions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.init(versions.map { VersionOutline($0) }, texts: texts, gone: gone, waited: waited) {
            name throws(ItemError) in
            // The graph asks for names of its own versions alone.
            contents[name] ?? Version(parents: [], item: [])
        }
    }

    /// The place of a version in `versions`.
    package func place(of name: ContentHash) -> Int? { places[name] }

    /// The place of the node of a version that counts.
    package func node(of name: ContentHash) -> Int? {
        guard let place = places[name], parents[place] != nil else { return nil }
        return nodes[place]
    }

    /// The names of the versions that do not count yet.
    package var incomplete: [ContentHash] { versions.indices.filter { parents[$0] == nil }.map { versions[$0].name } }

    /// The names of all versions whose node is among these, sorted.
    package func names(of wanted: [Int]) -> [ContentHash] {
        let wanted = Set(wanted)
        return versions.indices.filter { parents[$0] != nil && wanted.contains(nodes[$0]) }.map { versions[$0].name }
    }

    /// For each version whether it is one of these nodes or one that they come from.
    func ancestors(of starts: [Int]) -> [Bool] {
        var isMarked = Array(repeating: false, count: versions.count)
        var open = starts
        while let next = open.popLast() {
            if isMarked[next] { continue }
            isMarked[next] = true
            for parent in parents[next] ?? [] where !isMarked[nodes[parent]] { open.append(nodes[parent]) }
        }
        return isMarked
    }

    /// Of a set that holds all ancestors of its members, the nodes from which no other member comes, sorted by name.
    func lowest(of members: [Bool]) -> [Int] {
        var isParent = Array(repeating: false, count: versions.count)
        for place in versions.indices where members[place] && nodes[place] == place {
            for parent in parents[place] ?? [] { isParent[nodes[parent]] = true }
        }
        return versions.indices.filter { members[$0] && nodes[$0] == $0 && !isParent[$0] }
    }

    private mutating func findHeads() {
        heads = lowest(of: parents.map { $0 != nil })
    }

    /// Decides which versions count. Not recursive: a chain may have a million versions.
    private mutating func count(gone: Set<ContentHash>, waited: Set<ContentHash>) {
        enum State { case new, open, done }
        var states = Array(repeating: State.new, count: versions.count)
        for start in versions.indices {
            var stack = [start]
            while let place = stack.last {
                if states[place] == .done {
                    stack.removeLast()
                    continue
                }
                let version = versions[place]
                let here = version.parents.compactMap { places[$0] }
                if states[place] == .new {
                    states[place] = .open
                    let first = stack.count
                    stack += here.filter { states[$0] == .new }
                    if stack.count > first { continue }
                }
                states[place] = .done
                stack.removeLast()
                let counting = here.filter { parents[$0] != nil }
                let isWhole = version.parents.allSatisfy { name in
                    gone.contains(name) || (places[name].map { parents[$0] != nil } ?? false)
                }
                let hasText = version.text.map(texts.contains) ?? true
                if isWhole && hasText || waited.contains(version.name) { parents[place] = counting }
            }
        }
    }
}
