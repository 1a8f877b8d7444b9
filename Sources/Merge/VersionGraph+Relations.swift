package import Items

extension VersionGraph {
    /// The places of the nodes that count, sorted by name.
    package var counting: [Int] { versions.indices.filter { parents[$0] != nil && nodes[$0] == $0 } }

    /// The names of the versions with these bytes of a component, sorted.
    ///
    /// - Parameter isCounting: whether versions that wait for their parents or their text are left out.
    package func versions(
        with component: Component, _ hash: ContentHash?, isCounting: Bool = false
    ) -> [ContentHash] {
        versions.indices.filter { versions[$0].content[component] == hash && (!isCounting || parents[$0] != nil) }
            .map { versions[$0].name }
    }

    /// Whether a version is another one, or one that it came from. False if one of them does not count.
    package func isAncestor(_ old: ContentHash, of new: ContentHash) -> Bool {
        guard let one = node(of: old), let two = node(of: new) else { return false }
        return ancestors(of: [two])[one]
    }

    /// The places of a node and of all nodes that it came from.
    package func lineage(of node: Int) -> [Int] {
        let marked = ancestors(of: [node])
        return versions.indices.filter { marked[$0] }
    }

    /// Whether a version is a root that programs changed, and nothing tells what it came from.
    package func isEditedWithoutOrigin(_ name: ContentHash) -> Bool {
        guard let place = place(of: name), versions[place].isEdited, let node = node(of: name) else { return false }
        return parents[node]?.isEmpty ?? true
    }

    /// Whether versions have this `updatedAt`, and each of them comes from roots alone that programs changed: nothing tells what sbfs
    /// wrote at that time.
    ///
    /// - Parameter time: in milliseconds since 1970; `nil` for all versions.
    package func haveEditedRoots(_ time: Int64?) -> Bool {
        let places = counting.filter { time == nil || updated($0) == time }
        let unchanged = Set(
            versions.indices.filter { parents[$0] != nil && !versions[$0].isEdited }.map { nodes[$0] })
        return !places.isEmpty
            && lineages(of: places).allSatisfy { parents[$0]?.isEmpty == false || !unchanged.contains($0) }
    }

    /// The places of some nodes and of all nodes that they came from.
    package func lineages(of nodes: [Int]) -> Set<Int> {
        let marked = ancestors(of: nodes)
        return Set(versions.indices.filter { marked[$0] })
    }

    /// The places of some nodes and of all nodes that came from them.
    package func descendants(of nodes: [Int]) -> Set<Int> {
        var children: [Int: [Int]] = [:]
        for node in counting {
            for origin in origins(of: node) { children[origin, default: []].append(node) }
        }
        var marked = Set(nodes), open = nodes
        while let node = open.popLast() {
            for child in children[node] ?? [] where marked.insert(child).inserted { open.append(child) }
        }
        return marked
    }

    /// The places of the nodes that a node comes from directly.
    package func origins(of node: Int) -> Set<Int> { Set((parents[node] ?? []).map { nodes[$0] }) }
}
