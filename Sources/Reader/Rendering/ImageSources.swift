internal import HTML

/// The addresses a picture may be found under, the likeliest first.
enum ImageSources {
    /// Of a set of addresses that many are looked at, and of the children of a `picture`.
    private static let limit = 16

    static func of(_ image: Int, _ tree: borrowing PageTree) -> [[UInt8]] {
        var sources: [[UInt8]] = []
        // A lazy picture's `src` is a placeholder.
        for name in AttributeName.lateSources + [.src] {
            if let value = tree.value(image, name) { add(Array(value), to: &sources) }
        }
        addSets(of: image, tree, to: &sources)
        guard let picture = tree.ancestor(image, where: { tree.nodes[$0].tag == .picture }) else { return sources }
        var child = picture + 1
        for _ in 0..<limit where child < Int(tree.nodes[picture].end) {
            if tree.nodes[child].tag == .source { addSets(of: child, tree, to: &sources) }
            child = Int(tree.nodes[child].end)
        }
        return sources
    }

    /// The last of a set is mostly the largest.
    private static func addSets(of node: Int, _ tree: borrowing PageTree, to sources: inout [[UInt8]]) {
        for name in [.srcset] + AttributeName.lateSourceSets {
            guard let set = tree.value(node, name).map(Array.init) else { continue }
            for candidate in SourceSet.candidates(set).prefix(limit).reversed() {
                add(Array(set[candidate.url]), to: &sources)
            }
        }
    }

    private static func add(_ url: [UInt8], to sources: inout [[UInt8]]) {
        if !url.isEmpty, !url.starts(with: "data:".utf8) { sources.append(url) }
    }
}
