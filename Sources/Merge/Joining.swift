package import Items

/// What the heads of a graph are joined to.
package struct Joined: Sendable {
    package let state: ItemState
    /// The version that says so: the head, or a new one with all heads as its parents.
    package let version: Version
    /// Whether there were several heads, so that `version` is new.
    package let isMerge: Bool
    /// Each once, in the order of their paths.
    package let conflicts: [Conflict]
    package let losers: [Merged.Loser]
}

extension VersionGraph {
    /// So many heads are joined at once, the first by name. The result is a head beside the others, which the next join
    /// takes. It bounds the work on a folder with a million roots.
    package static let headLimit = 256

    /// Joins the heads: a function of the set of versions, and of nothing else. Documentation/Merge.md § 3.
    ///
    /// - Parameter text: gives the bytes of a text that is here.
    /// - Returns: `nil` if no version counts.
    /// - Throws: the error of the graph's loader.
    package func joined(text: @escaping (ContentHash) -> [UInt8]?) throws(ItemError) -> Joined? {
        try joined(heads.prefix(Self.headLimit).map { $0 }, text: text)
    }

    /// What the parents of a version are joined to; `nil` if one of them does not count here.
    ///
    /// - Throws: the error of the graph's loader.
    package func joinedParents(
        of version: Version, text: @escaping (ContentHash) -> [UInt8]?
    ) throws(ItemError) -> Joined? {
        var found: Set<Int> = []
        for name in version.parents {
            guard let node = node(of: name) else { return nil }
            found.insert(node)
        }
        return try joined(found.sorted(), text: text)
    }

    private func joined(
        _ places: [Int], text: @escaping (ContentHash) -> [UInt8]?
    ) throws(ItemError) -> Joined? {
        guard let first = places.first else { return nil }
        var joining = Joining(graph: self, text: text)
        var node = try joining.node(first)
        if places.count == 1 {
            return Joined(
                state: node.state, version: try load(versions[first].name), isMerge: false, conflicts: [], losers: [])
        }
        var conflicts: [String: Conflict] = [:], losers: [Merged.Loser] = []
        for place in places.dropFirst() {
            let other = try joining.node(place)
            let (next, merged) = try joining.join(node, other, level: 0)
            if !merged.conflicts.isEmpty {
                let ended = joining.ended(node, other)
                for conflict in merged.conflicts.map({ $0.coming(after: ended) }) {
                    conflicts[conflict.path] = conflict
                }
            }
            node = next
            for loser in merged.losers where !losers.contains(loser) { losers.append(loser) }
        }
        var state = node.state
        if joining.isCrossed || places.count > 2 {
            state.members = try ReplacedValues(self, heads: places).settled(state.members)
        }
        let version = Version(
            parents: names(of: places), item: state.members, text: state.text.map { ContentHash(of: $0) },
            files: state.files)
        let sorted = conflicts.sorted { $0.key < $1.key }.map(\.value)
        return Joined(state: state, version: version, isMerge: true, conflicts: sorted, losers: losers)
    }
}

/// The joins of one result: each pair of nodes once.
private struct Joining {
    /// A node of the graph, or what some of them are joined to.
    struct Node {
        let name: ContentHash
        let state: ItemState
        /// The nodes of the graph that were joined.
        let sources: [Int]

        /// Whether its value stands where both changed one.
        func wins(over other: Node) -> Bool {
            let times = (state.updated, other.state.updated)
            return times.0 == times.1 ? name > other.name : times.0 > times.1
        }
    }

    struct Pair: Hashable {
        let a: ContentHash, b: ContentHash
        let level: Int
    }

    let graph: VersionGraph
    let text: (ContentHash) -> [UInt8]?
    private var known: [Pair: (Node, Merged)] = [:]
    /// How many more times ancestors are joined into a base. Then the first ancestor by name is the base.
    private var basesLeft = 1000
    /// How many more versions are asked what they put and took away, where histories crossed. A join that needs more asks
    /// none.
    private var editsLeft = 1000
    /// Whether two of the joined heads had several lowest common ancestors.
    private(set) var isCrossed = false
    /// So deep are ancestors of ancestors joined.
    private static let levelLimit = 64

    init(graph: VersionGraph, text: @escaping (ContentHash) -> [UInt8]?) {
        self.graph = graph
        self.text = text
    }

    func node(_ place: Int) throws(ItemError) -> Node {
        let version = try graph.load(graph.versions[place].name)
        return Node(
            name: version.name, state: ItemState(members: version.item, text: bytes(place), files: version.files),
            sources: [place])
    }

    /// The text of a version. If it waited in vain, that of its first parent stands in.
    private func bytes(_ place: Int) -> [UInt8]? {
        var place = place
        while let hash = graph.versions[place].text {
            if graph.texts.contains(hash), let bytes = text(hash) { return bytes }
            let parents = graph.versions[place].parents.compactMap { graph.place(of: $0) }
            guard let parent = parents.first(where: { graph.parents[$0] != nil }) else { return nil }
            place = parent
        }
        return nil
    }

    mutating func join(_ a: Node, _ b: Node, level: Int) throws(ItemError) -> (Node, Merged) {
        let pair = Pair(a: a.name, b: b.name, level: level)
        if let known = known[pair] { return known }
        let (base, isCrossed) = try base(a, b, level: level)
        if level == 0, isCrossed { self.isCrossed = true }
        let edits = isCrossed ? try edits(a, b) : .none
        let merged = ItemState.merge(base: base, a.state, b.state, aWins: a.wins(over: b), edits: edits)
        let names = [a.name, b.name].sorted()
        let node = Node(
            name: ContentHash(of: Array("\(names[0].hex) \(names[1].hex)".utf8)), state: merged.state,
            sources: a.sources + b.sources)
        known[pair] = (node, merged)
        return (node, merged)
    }

    /// The lowest common ancestor. Several are joined, without noting conflicts; without any, the base is empty.
    private mutating func base(
        _ a: Node, _ b: Node, level: Int
    ) throws(ItemError) -> (ItemState, isCrossed: Bool) {
        let common = zip(graph.ancestors(of: a.sources), graph.ancestors(of: b.sources)).map { $0 && $1 }
        let lowest = graph.lowest(of: common)
        guard let first = lowest.first else { return (.nothing, false) }
        var node = try node(first)
        if level >= Self.levelLimit { return (node.state, false) }
        for place in lowest.dropFirst() {
            if basesLeft == 0 { break }
            basesLeft -= 1
            (node, _) = try join(node, self.node(place), level: level + 1)
        }
        return (node.state, lowest.count > 1)
    }

    /// The conflicts that versions ended which either of two states comes from: their paths. Such a conflict may come again: somebody
    /// gave a value again that had lost, without having seen the decision, or after it.
    func ended(_ a: Node, _ b: Node) -> Set<String> {
        let resolving = graph.versions.indices.filter {
            !graph.versions[$0].resolved.isEmpty && graph.parents[$0] != nil
        }
        if resolving.isEmpty { return [] }
        let ofA = graph.ancestors(of: a.sources), ofB = graph.ancestors(of: b.sources)
        let ending = resolving.filter { ofA[graph.nodes[$0]] || ofB[graph.nodes[$0]] }
        return Set(ending.flatMap { graph.versions[$0].resolved })
    }

    /// What the versions did that only one of two states comes from.
    private mutating func edits(_ a: Node, _ b: Node) throws(ItemError) -> CrossedEdits {
        let ofA = graph.ancestors(of: a.sources), ofB = graph.ancestors(of: b.sources)
        let nodes = graph.counting
        let onlyA = nodes.filter { ofA[$0] && !ofB[$0] }, onlyB = nodes.filter { ofB[$0] && !ofA[$0] }
        guard onlyA.count + onlyB.count <= editsLeft else { return .none }
        editsLeft -= onlyA.count + onlyB.count
        let (partsA, paragraphsA) = try edits(of: onlyA), (partsB, paragraphsB) = try edits(of: onlyB)
        return CrossedEdits(parts: Edits(a: partsA, b: partsB), paragraphs: (paragraphsA, paragraphsB))
    }

    private func edits(
        of places: [Int]
    ) throws(ItemError) -> ([Edits<StateParts>.Edit], ElementEdits<[UInt8]>) {
        var parts: [Edits<StateParts>.Edit] = [], paragraphs = ElementEdits<[UInt8]>()
        let ending = Set(graph.versions.indices.filter { !graph.versions[$0].resolved.isEmpty }.map { graph.nodes[$0] })
        for place in places {
            let new = try node(place).state
            let endsConflict = ending.contains(place)
            if endsConflict { paragraphs.endsConflict = true }
            var parents: [ItemState] = []
            for parent in Set((graph.parents[place] ?? []).map { graph.nodes[$0] }).sorted() {
                parents.append(try node(parent).state)
            }
            parts.append(
                Edits<StateParts>.Edit(
                    parents: parents.map { StateParts($0) }, new: StateParts(new), endsConflict: endsConflict))
            if parents.isEmpty || !parents.allSatisfy({ $0.text == new.text }) {
                func bodies(_ state: ItemState) -> Set<[UInt8]> {
                    Set(ParagraphText(state.text ?? []).paragraphs.map { Array($0.body) })
                }
                paragraphs.add(from: parents.map(bodies), to: bodies(new))
            }
        }
        return (parts, paragraphs)
    }
}
