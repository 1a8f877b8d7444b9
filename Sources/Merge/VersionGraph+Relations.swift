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

    /// Whether nothing tells what sbfs wrote at a time: the versions with this `updatedAt` come from roots alone that programs changed, and
    /// from no version with another one. Without such a version, all versions are asked whether their roots are so.
    ///
    /// - Parameter time: in milliseconds since 1970; `nil` of an item without `updatedAt`.
    package func lacksState(of time: Int64?) -> Bool {
        let time = time ?? 0
        let unchanged = Set(
            versions.indices.filter { parents[$0] != nil && !versions[$0].isEdited }.map { nodes[$0] })
        let places = counting.filter { updated($0) == time }
        let lineage = places.isEmpty ? Set(counting) : lineages(of: places)
        return !lineage.isEmpty
            && lineage.allSatisfy { place in
                (parents[place]?.isEmpty == false || !unchanged.contains(place))
                    && (places.isEmpty || updated(place) == time)
            }
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
